#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# first_calls.sh NP: each of a process's first calls without one of its blocks of memory, on one rank of NP. Every 16th block of
# each call; with PCIO_LONG=1 all of them.
set -u
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/first.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}" PCIO_HANG_ABORT=1
np=${1:-3} failures=0 cases=0 struck=0 without=
case $np in
  2 | 3) ;;
  *) echo "SKIP: on 2 and 3 ranks"; exit 77 ;;
esac
step=16
[ -z "${PCIO_LONG-}" ] || step=1
for stage in 0 1 2 3 4 5 6 7 8; do
  here=0
  for ((k = 0; k < 4000; k += k < 3 ? 1 : step)); do
    cases=$((cases + 1))
    culprit=$((k % 3 % np))
    rm -f "$work"/x*
    PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" 60 "$PCIO_BUILDDIR/testpar/first_calls" "$work/x" "$stage" "$k" "$culprit" >"$work/log" 2>&1
    status=$?
    if [ $status -ne 0 ] || ! grep -q '^[a-z ]*struck, 0 failures' "$work/log"; then
      failures=$((failures + 1))
      echo "FAIL: stage $stage, block $k, rank $culprit of $np: status $status"
      head -n 20 "$work/log"
    fi
    grep -q '^not struck' "$work/log" && break
    struck=$((struck + 1)) here=$((here + 1))
  done
  [ $here -gt 0 ] || without="$without $stage"
done
[ -z "$without" ] || echo "FAIL: nothing struck in stages$without"
echo "first calls: $cases cases on $np ranks, $struck struck; failures: $failures"
[ $failures -eq 0 ] && [ -z "$without" ]
