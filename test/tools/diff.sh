#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# pciodiff against h5diff: verdict and text of pairs of files, alone; the verdict of some on 3 ranks; errors.
# Room: test/tools.
set -u
diff=$PCIO_BUILDDIR/tools/pciodiff
[ -x "$diff" ] || { echo "SKIP: built without pciodiff (CLI11 and fmt)"; exit 77; }
command -v h5diff >/dev/null || { echo "SKIP: no h5diff to compare with"; exit 77; }
python=
for one in "${PYTHON-}" /usr/bin/python3 python3; do
  [ -n "$one" ] && "$one" -c 'import h5py' 2>/dev/null && { python=$one; break; }
done
[ -n "$python" ] || { echo "SKIP: no h5py"; exit 77; }
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/diff.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$python" "$PCIO_SRCDIR/test/tools/pairs.py" "$diff" || exit 1
passed=0 failed=0
# expect STATUS WHAT COMMAND...
expect() {
  local wanted=$1 what=$2 status
  shift 2
  "$@" >log 2>&1
  status=$?
  if [ $status -eq "$wanted" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo "FAILED $what: exit status $status"; tail -n 5 log; fi
}
last=$(ls ./*.a.h5 | wc -l)
for n in 0 1 17 30 43 62; do
  [ "$n" -lt "$last" ] || { echo "FAILED: there is no pair $n"; exit 1; }
  h5diff -q "$n.a.h5" "$n.b.h5" >/dev/null 2>&1
  expect $? "pair $n on 3 ranks" env PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" 3 60 "$diff" "$n.a.h5" "$n.b.h5"
done
expect 2 "no file" "$diff" 0.a.h5 none.h5
expect 2 "no object" "$diff" 0.a.h5 0.b.h5 /none
expect 2 "an unknown option" "$diff" --no-such 0.a.h5 0.b.h5
expect 2 "two measures" "$diff" -d 1 -p 1 0.a.h5 0.b.h5
expect 0 "--help" "$diff" --help
expect 0 "what can't be compared" "$diff" 7.a.h5 7.b.h5
expect 1 "what can't be compared, strictly" "$diff" --strict 7.a.h5 7.b.h5
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
