#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# pciorepack: copies of a file with some of everything, and of a sample of the corpus (all of it with PCIO_LONG=1), equal
# the source by h5diff, and in what that doesn't see; alone and on several ranks; rules; what fails or is killed
# leaves nothing. Room: test/tools.
set -u
repack=$PCIO_BUILDDIR/tools/pciorepack
files=$PCIO_SRCDIR/test/tools/repack_files.py
[ -x "$repack" ] || { echo "SKIP: built without pciorepack (CLI11 and fmt)"; exit 77; }
command -v h5diff >/dev/null || { echo "SKIP: no h5diff to compare with"; exit 77; }
python=
for one in "${PYTHON-}" /usr/bin/python3 python3; do
  [ -n "$one" ] && "$one" -c 'import h5py' 2>/dev/null && { python=$one; break; }
done
[ -n "$python" ] || { echo "SKIP: no h5py"; exit 77; }
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/repack.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0
# verdict STATUS WHAT
verdict() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; tail -n 3 log; fi
}
# pack RANKS OPTIONS... IN OUT
pack() {
  local np=$1
  shift
  if [ "$np" -eq 1 ]; then timeout 60 "$repack" "$@" >log 2>&1
  else PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" 60 "$repack" "$@" >log 2>&1; fi
}

"$python" "$files" make in.h5 >log 2>&1; verdict $? "the file is made"
for np in 1 3; do
  pack $np in.h5 out.h5; verdict $? "$np ranks: a copy"
  h5diff in.h5 out.h5 >log 2>&1; verdict $? "$np ranks: h5diff finds it equal"
  "$python" "$files" same in.h5 out.h5 layout >log 2>&1; verdict $? "$np ranks: links, order, references, scales"
  [ "$(wc -c <out.h5)" -lt $(($(wc -c <in.h5) * 3 / 2)) ]; verdict $? "$np ranks: no chunks that the source lacks"
  h5dump -A -g /z out.h5 2>/dev/null | grep -q "a comment"; verdict $? "$np ranks: a comment"
  pack $np --memory 1MiB -f GZIP=1 -l z/rows:CHUNK=30x200 -l z/plain:CHUNK=10x20 --libver latest in.h5 out.h5
  verdict $? "$np ranks: other chunks and filters"
  h5diff in.h5 out.h5 >log 2>&1; verdict $? "$np ranks: h5diff finds them equal"
  "$python" "$files" same in.h5 out.h5 >log 2>&1; verdict $? "$np ranks: and the rest"
  "$python" "$files" chunks out.h5 z/rows 30x200 gzip >log 2>&1; verdict $? "$np ranks: its chunks are new"
done
pack 1 -f NONE -l CONTI in.h5 out.h5; verdict $? "contiguous"
h5diff in.h5 out.h5 >log 2>&1; verdict $? "contiguous: equal"

# Alone it does without MPI, which can't start here; as a rank it needs it.
if [ "$MPI_FLAVOR" = openmpi ]; then
  OMPI_MCA_pml=none-such pack 1 in.h5 out.h5; verdict $? "alone without MPI"
  h5diff in.h5 out.h5 >log 2>&1; verdict $? "alone without MPI: equal"
  PMIX_RANK=0 OMPI_MCA_pml=none-such pack 1 in.h5 out.h5; [ $? -ne 0 ]; verdict $? "a rank has MPI"
fi

# What fails leaves nothing, and what was there stays.
echo old >kept
pack 1 -l z/rows:CHUNK=3 in.h5 kept; [ $? -eq 1 ]; verdict $? "a chunk of another rank is refused"
pack 2 -f nowhere:GZIP=1 in.h5 kept; [ $? -eq 1 ]; verdict $? "a rule for what isn't there is refused"
pack 1 in.h5 in.h5; [ $? -eq 1 ]; verdict $? "a file onto itself is refused"
pack 1 none.h5 kept; [ $? -eq 1 ]; verdict $? "no file"
for wrong in GZIP GZIP=10 SZIP=3,NN FOO a:b:UD=1; do
  pack 1 -f $wrong in.h5 kept; [ $? -eq 2 ]; verdict $? "-f $wrong is no rule"
done
[ "$(cat kept)" = old ] && [ -z "$(ls ./*.part-* 2>/dev/null)" ]; verdict $? "nothing is left behind"
"$python" -c 'import h5py; h5py.File("big.h5","w").create_dataset("d", (1 << 23,), "f8", chunks=(1 << 12,))[...] = 1'
"$repack" -f GZIP=9 big.h5 kept >log 2>&1 &
process=$!
for _ in $(seq 200); do [ -n "$(ls kept.part-* 2>/dev/null)" ] && break; sleep 0.05; done
kill -TERM $process; wait $process; status=$?
[ $status -gt 128 ] && [ "$(cat kept)" = old ] && [ -z "$(ls ./*.part-* 2>/dev/null)" ]
verdict $? "a signal leaves nothing (status $status)"

# dumped FILE: what h5dump says of it, without its name and the addresses that it tells of references.
dumped() { timeout 20 h5dump "$1" 2>&1 | sed -e 1d -e 's/\(DATATYPE\|DATASET\|GROUP\) [0-9][0-9]* "/\1 "/'; }
# equal IN OUT: by h5diff, which takes an object of JLD2's for one without attributes, because its header doesn't count them: of a copy that
# does it says that something differs, but not what. h5repack's copy has lost them.
equal() {
  timeout 20 h5diff "$1" "$2" >log 2>&1 && return
  [ ! -s log ] && timeout 20 h5diff -v2 "$1" "$2" 2>&1 | grep -q ' 0 only in obj1, [1-9][0-9]* only in obj2' && dumped "$1" >dump1 && dumped "$2" >dump2 &&
    grep -q ATTRIBUTE dump1 && cmp dump1 dump2 >log
}
# Foreign files; those that h5diff can't compare with a copy by h5repack are left out.
if [ -n "${PCIO_CORPUS-}" ]; then
  seen=0
  for file in $(tail -n +2 "$PCIO_CORPUS/valid/INDEX.tsv" | cut -f1 |
      awk -v each="$([ "${PCIO_LONG-}" = 1 ] && echo 1 || echo 18)" 'NR % each == 0'); do
    in=$PCIO_CORPUS/valid/$file
    timeout 20 h5repack "$in" theirs.h5 >/dev/null 2>&1 && timeout 20 h5diff "$in" theirs.h5 >/dev/null 2>&1 || continue
    seen=$((seen + 1))
    pack $((1 + seen % 2 * 2)) "$in" out.h5; verdict $? "$file is copied"
    equal "$in" out.h5; verdict $? "$file: the copy is equal"
  done
  [ $seen -ge 10 ]; verdict $? "files of the corpus: $seen"
  echo "$seen files of the corpus"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
