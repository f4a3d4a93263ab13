# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# h5py's own tests, on one process. Room: test/dropin/parts.
"$PYTHON" -c 'import h5py.tests, pytest' 2>/dev/null || { skip "no pytest for h5py's own tests"; return; }
tests=$("$PYTHON" -c 'import h5py, os; print(os.path.dirname(h5py._h5py.__file__))')/tests
# outcome NAME COMMAND...: which of them fail.
outcome() {
  local name=$1 ended
  shift
  (clock=3000 limited 1200 "$@" "$PYTHON" -m pytest -q -p no:cacheprovider -rfE "$tests") >"$name.log" 2>&1
  ended=$?
  # Neither a signal nor a hang: a file of Python's that stays open would be written when Python is gone.
  [ $ended -le 1 ]; verdict $? "h5py's own tests ($name) end as pytest ends: $(tail -n 3 "$name.log" | cut -c1-300)"
  grep -E '^(FAILED|ERROR) ' "$name.log" | awk '{ sub(".*/tests/", "", $2); print $2 }' | LC_ALL=C sort >"$name.failed"
  echo "$name: $(grep -E '[0-9]+ passed.* in ' "$name.log")"
}
outcome theirs env
outcome ours "$run"
LC_ALL=C comm -13 theirs.failed ours.failed >new.failed
grep -vxFf "$here/known_h5py_failures.txt" new.failed >unknown.failed
[ ! -s unknown.failed ]; verdict $? "h5py's own tests: $(head -n 20 unknown.failed)"
