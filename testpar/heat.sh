#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# heat.sh NP: the main job on NP ranks, and what it leaves is what one rank leaves, and the Fortran
# program's field too; with a real initial field where the corpus is.
set -u
np=${1:-4}
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/heat.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
heat=$PCIO_BUILDDIR/examples/heat heat_f=$PCIO_BUILDDIR/examples/heat_f
listall=$PCIO_BUILDDIR/test/oracle/listall
failed=0

# job RANKS PROGRAM FILE OPTIONS...: runs it; its report goes to FILE.log.
job() {
  local ranks=$1 program=$2 file=$3
  shift 3
  PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$ranks" "${PAR_SECONDS:-120}" "$program" --output "$file" "$@" \
    >"$file.log" 2>&1 && grep -q " $ranks ranks" "$file.log" && return
  echo "failed on $ranks ranks: ${program##*/} $*"
  cat "$file.log"
  failed=1
}

# field FILE: the line that names all values of all steps; equal for every number of ranks.
field() { sed -n 's/.*checksum of all steps: //p' "$1.log"; }

# same WORD A B: the reports name the same field, and every object is equal.
same() {
  [ -n "$(field "$2")" ] && [ "$(field "$2")" = "$(field "$3")" ] || { echo "$1: other values"; failed=1; }
  [ -x "$listall" ] || return
  "$listall" "$2" >"$2.list" && "$listall" "$3" >"$3.list" && cmp "$2.list" "$3.list" ||
    { echo "$1: other contents"; failed=1; }
}

job 1 "$heat" "$folder/one.h5" --steps 20
job "$np" "$heat" "$folder/all.h5" --steps 20
same "$np ranks against one" "$folder/one.h5" "$folder/all.h5"
for python in "${PYTHON-}" /usr/bin/python3; do
  [ -n "$python" ] && "$python" -c 'import h5py, numpy' 2>/dev/null || continue
  by_h5py=$("$python" "$PCIO_SRCDIR/testpar/heat_h5py.py" "$folder/all.h5")
  [ "$by_h5py" = "$(field "$folder/all.h5")" ] || { echo "h5py: $by_h5py"; failed=1; }
  break
done
job "$np" "$heat" "$folder/small.h5" --steps 3 --nx 3 --ny 5
if [ -x "$heat_f" ]; then
  job "$np" "$heat_f" "$folder/fortran.h5" --steps 20
  fortran=$("$listall" "$folder/fortran.h5" | grep "values in the file's type" | tail -n 1)
  c=$("$listall" "$folder/all.h5" | grep "values in the file's type" | tail -n 1)
  [ -n "$c" ] && [ "$c" = "$fortran" ] || { echo "Fortran: other values: $fortran, not $c"; failed=1; }
fi
real=${PCIO_CORPUS:-$PCIO_SRCDIR/../shared/corpus}/real/nc4uvt.nc
if [ -f "$real" ]; then
  job 1 "$heat" "$folder/real1.h5" --steps 10 --initial "$real:T"
  job "$np" "$heat" "$folder/real.h5" --steps 10 --initial "$real:T"
  same "$np ranks against one, real field" "$folder/real1.h5" "$folder/real.h5"
fi
# Errors are errors of all ranks, and soon.
for wrong in "--initial $folder/none.h5:T" "--initial $folder/one.h5:none" "--initial $folder/one.h5.log:T"; do
  # shellcheck disable=SC2086 # words
  if PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" 60 "$heat" --output "$folder/wrong.h5" $wrong >"$folder/wrong.log" 2>&1; then
    echo "no error for $wrong"; failed=1
  elif [ $? -eq 124 ] || ! grep -q '^heat: rank' "$folder/wrong.log"; then
    echo "no clear error for $wrong:"; cat "$folder/wrong.log"; failed=1
  fi
done
[ $failed -eq 0 ] && grep -h 'write' "$folder/all.h5.log"
exit $failed
