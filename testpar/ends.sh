#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# ends.sh NP: MPI, the library or the program is ended on all NP ranks by a function of the program that a call runs: nothing
# crashes or hangs. What goes on with a file that it can't have any more fails.
set -u
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/ends.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}" PCIO_HANG_ABORT=1
np=${1:-2} failures=0 cases=0 number=0
fail() {
  failures=$((failures + 1))
  echo "FAIL: $*"
  head -n 20 "$work/log"
}
# On how many ranks a line is there.
ranks_with() { grep -c "^$1" "$work/log"; }
for driver in mpio mpiposix sec2; do
  for where in conversion filter links objects elements errors; do
    for what in finalize exit H5close dont_atexit; do
      number=$((number + 1))
      # A third of them on each number of ranks, all between them; with PCIO_LONG=1 all on each.
      [ -n "${PCIO_LONG-}" ] || [ $((number % 3)) -eq $((np % 3)) ] || continue
      cases=$((cases + 1))
      rm -rf "$work/f" && mkdir "$work/f"
      PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" 60 "$PCIO_BUILDDIR/testpar/ends" "$work/f/x" "$driver" "$where" "$what" \
        >"$work/log" 2>&1
      status=$?
      # A program that exits before MPI_Finalize is one that failed, for the launcher.
      if [ "$status" -eq 124 ] || grep -qE 'exited on signal|Signal: |PCIO_HANG_ABORT|do not match' "$work/log"; then
        fail "$driver, $where, $what: status $status"
      elif [ "$what" != exit ] && { [ "$status" -ne 0 ] || [ "$(ranks_with over)" -ne "$np" ]; }; then
        fail "$driver, $where, $what: status $status, not at its end"
      elif [ "$what" = finalize ] && [ "$driver" != sec2 ]; then
        case $where in
          # These go on with the file.
          conversion | filter | links | objects)
            [ "$(ranks_with 'call: -1, deeds: [1-9]')" -eq "$np" ] || fail "$driver, $where, $what: no error" ;;
        esac
      elif [ "$what" = H5close ] || [ "$what" = dont_atexit ]; then
        [ "$(ranks_with 'file: 0 other: 0')" -eq "$np" ] || fail "$driver, $where, $what: not closed"
      fi
    done
  done
done
echo "ends: $cases cases on $np ranks; failures: $failures"
[ $failures -eq 0 ]
