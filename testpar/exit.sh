#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# exit.sh NP: programs on NP ranks that end with files open, one for every layout and filter: at
# MPI_Finalize, in H5close, and with children of fork that end first. The files are complete, as libhdf5 sees
# them. With PCIO_LONG=1: on 1, 2, 3, 4 and 6 ranks. Serial drivers and other endings: test/exit/exit.sh.
set -u
program=$PCIO_BUILDDIR/test/exit_cases check=$PCIO_BUILDDIR/test/exit_check
[ -x "$check" ] || { echo "SKIP: no libhdf5 to look at the files"; exit 77; }
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/exit.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}" PCIO_HANG_ABORT=1
unset PCIO_TEST_PLUGIN
ranks=${1:-4} failures=0 cases=0 files=0
[ -z "${PCIO_LONG-}" ] || ranks="1 2 3 4 6"
for np in $ranks; do
  # Under the sanitizers too: what libhdf5 and its plugins lose in the check is not looked at.
  for driver in mpio mpiposix; do
    for ending in return finalize H5close fork; do
      cases=$((cases + 1))
      rm -rf "$work/f" && mkdir "$work/f"
      if ! PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" 120 "$program" "$work/f" "$driver" "$ending" >"$work/log" 2>&1 ||
        [ "$(grep -c '^written$' "$work/log")" -ne "$np" ] ||
        ! ASAN_OPTIONS=detect_leaks=0 "$check" "$work/f" "$ending" >"$work/found" 2>>"$work/log"; then
        failures=$((failures + 1))
        echo "FAIL: $driver, $ending, $np ranks"
        head -n 20 "$work/log"
        continue
      fi
      files=$((files + $(tail -n 1 "$work/found")))
    done
  done
done
# In the midst of a transfer: the others wait for this rank until the launcher ends them. The file stays as its last commit.
rm -rf "$work/f" && mkdir "$work/f"
PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "${1:-4}" 60 "$program" "$work/f" mpio exit-in-transfer >"$work/log" 2>&1
status=$?
# Of one rank nobody waits: there the file is closed.
if [ $status -eq 0 ] || [ $status -eq 124 ] || grep -qE 'do not match|TRUNCATE' "$work/log" ||
  { [ "${1:-4}" -gt 1 ] && ! grep -q 'ended in the midst of a call of all ranks' "$work/log"; }; then
  failures=$((failures + 1))
  echo "FAIL: exit in a conversion of a transfer: status $status"
  head -n 20 "$work/log"
fi
# Behind writes in which two nodes share stripes: nobody waits for ever, and the file is as its last commit.
for np in $ranks; do
  rm -rf "$work/f" && mkdir "$work/f"
  PCIO_CHECK=nodes:2,stripe:4096 PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" 60 "$program" "$work/f" mpio exit-after-stripes \
    >"$work/log" 2>&1
  status=$?
  if [ $status -eq 124 ] || [ "$(grep -c '^written$' "$work/log")" -ne "$np" ] ||
    ! ASAN_OPTIONS=detect_leaks=0 "$check" "$work/f" exit-after-stripes >>"$work/log" 2>&1; then
    failures=$((failures + 1))
    echo "FAIL: exit after writes of stripes on $np ranks: status $status"
    head -n 20 "$work/log"
  fi
done
echo "exit: $cases cases on $ranks ranks, $files files complete; drivers: mpio $((cases / 2)) mpiposix $((cases / 2)); failures: $failures"
[ $failures -eq 0 ] && [ $files -gt 0 ]
