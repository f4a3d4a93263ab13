# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The long part of clients.sh, which sources it: h5dump of every file of the corpus, h5ls, h5stat, h5diff and
# h5repack of the small ones, with libhdf5 and through the drop-in, and h5py's own tests. Room: test/dropin.

# differs FILE [TOOL]: what is known to be different; known_differences.txt says why.
differs() { grep -qxF -- "${2:+$2 }${1#"$PCIO_CORPUS/valid/"}" "$here/known_differences.txt"; }
# alike TOOL FILE ARGUMENTS...: status and text are equal with both; what is too slow with libhdf5 is left out.
alike() {
  local tool=$1 file=$2 theirs ours
  shift 2
  ! differs "$file" "$tool" || return 0
  timeout 20 "$tool" "$@" >theirs.out 2>&1; theirs=$?
  [ $theirs != 124 ] || return 0
  LD_LIBRARY_PATH=$folder timeout 60 "$tool" "$@" >ours.out 2>&1; ours=$?
  [ $theirs = $ours ] && cmp -s theirs.out ours.out
  verdict $? "$tool $*: status $ours, with libhdf5 $theirs: $(diff -a theirs.out ours.out | head -n 4)"
}
# repacks FILE: where h5repack works with libhdf5, what the drop-in repacks holds what the file holds, as libhdf5 says.
repacks() {
  ! differs "$1" h5repack || return 0
  rm -f packed.h5
  timeout 20 h5repack -f GZIP=3 -m 10 "$1" packed.h5 >theirs.out 2>&1 && [ ! -s theirs.out ] &&
    timeout 20 h5diff "$1" "$1" >/dev/null 2>&1 || return 0
  rm -f packed.h5
  LD_LIBRARY_PATH=$folder timeout 60 h5repack -f GZIP=3 -m 10 "$1" packed.h5 >ours.err 2>&1 &&
    timeout 20 h5diff "$1" packed.h5 >>ours.err 2>&1
  verdict $? "h5repack $1: $(head -n 3 ours.err)"
}
if [ -n "${PCIO_CORPUS-}" ]; then
  while read -r file; do
    ! differs "$file" || continue
    timeout 60 h5dump "$file" >theirs.out 2>/dev/null; theirs=$?
    # More text than can be compared in reasonable time.
    [ $theirs != 124 ] || continue
    [ "$(stat -c %s theirs.out)" -lt 10000000 ] || continue
    LD_LIBRARY_PATH=$folder timeout 60 h5dump "$file" >ours.out 2>ours.err; ours=$?
    [ $theirs = $ours ] && cmp -s theirs.out ours.out
    verdict $? "h5dump $file: status $ours, with libhdf5 $theirs: $(head -n 2 ours.err)"
  done <<<"$(find "$PCIO_CORPUS/valid" -type f \( -name '*.h5' -o -name '*.hdf5' -o -name '*.nc' \) -size -20M | LC_ALL=C sort)"
fi
if [ -n "${PCIO_CORPUS-}" ]; then
  while read -r file; do
    ! differs "$file" || continue
    alike h5ls "$file" -rv "$file"
    alike h5stat "$file" "$file"
    alike h5diff "$file" -v "$file" "$file"
    repacks "$file"
  done <<<"$(find "$PCIO_CORPUS/valid" -type f \( -name '*.h5' -o -name '*.hdf5' -o -name '*.nc' -o -name '*.jld2' \) -size -400k | LC_ALL=C sort)"
fi
if [ -n "${PYTHON-}" ] && "$PYTHON" -c 'import h5py.tests, pytest' 2>/dev/null; then
  tests=$("$PYTHON" -c 'import h5py, os; print(os.path.dirname(h5py._h5py.__file__))')/tests
  # outcome NAME COMMAND...: which of h5py's tests fail.
  outcome() {
    local name=$1
    shift
    (cd "$work" && timeout 1200 "$@" "$PYTHON" -m pytest -q -p no:cacheprovider -rfE "$tests") >"$name.log" 2>&1
    grep -E '^(FAILED|ERROR) ' "$name.log" | awk '{ sub(".*/tests/", "", $2); print $2 }' | LC_ALL=C sort >"$name.failed"
    tail -n 1 "$name.log"
  }
  outcome theirs env
  outcome ours "$run"
  LC_ALL=C comm -13 theirs.failed ours.failed >new.failed
  grep -vxFf "$here/known_h5py_failures.txt" new.failed >unknown.failed
  [ ! -s unknown.failed ]; verdict $? "h5py's own tests: $(head -n 20 unknown.failed)"
else
  skip "no pytest for h5py's own tests"
fi
