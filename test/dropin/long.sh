# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The long part of clients.sh, which sources it: h5dump of every file of the corpus, with libhdf5 and through
# pcio-run, and h5py's own tests. Room: test/dropin.

# differs FILE: what is known to be different: files that libhdf5 1.10.8 can't read for want of a plugin, and
# references of HDF5 1.12, which it shows without knowing what they are and libpcio refuses.
differs() { grep -qxF -- "${1#"$PCIO_CORPUS/valid/"}" "$here/known_differences.txt"; }
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
