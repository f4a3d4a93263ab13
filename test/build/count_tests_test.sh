#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# tools/count-tests counts GoogleTest cases, scripts, parallel runs and skips, and never overlooks a
# program that died; testpar/run-par tells success, failure, skip and hang apart.
set -u
work=$(mktemp -d "$PCIO_TEST_TMP/count.XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
verdict() {
  if [ "$1" = "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $3: $1"; fi
}
# left NAME RESULT TEXT: what automake leaves of one test.
left() {
  mkdir -p "$work/b/$(dirname "$1")"
  printf ':test-result: %s\n:global-test-result: %s\n' "$2" "$2" > "$work/b/$1.trs"
  printf '%b' "$3" > "$work/b/$1.log"
}
count() { "$PCIO_SRCDIR/tools/count-tests" "$work/b" > "$work/out"; status=$?; last=$(tail -n 1 "$work/out"); }
again() { rm -rf "$work/b"; mkdir -p "$work/b"; }

again; count
verdict "$last/$status" "0 passed, 0 failed/1" "nothing at all is no success"
again
left test/unit PASS '[==========] 12 tests from 3 test suites ran. (1 ms total)\n[  PASSED  ] 12 tests.\n'
left test/script.sh PASS 'whatever\n'
left test/many.sh PASS 'x\n7 passed, 0 failed\n'
count
verdict "$last/$status" "20 passed, 0 failed/0" "cases, a script, a script that counts"
left test/away.sh SKIP 'SKIP: no corpus\n'
count
verdict "$last/$status" "20 passed, 0 failed/0" "a skip is no failure"
verdict "$(tail -n 2 "$work/out" | head -n 1)" "1 skipped (test/away.sh: no corpus)" "the skip is named"
left test/unit2 FAIL '[==========] 3 tests from 1 test suite ran.\n[  PASSED  ] 1 test.\n[  FAILED  ] 2 tests, listed below:\n[  FAILED  ] A.B\n[  FAILED  ] A.C\n'
count
verdict "$last/$status" "21 passed, 2 failed/1" "failed cases"
verdict "$(grep -c 'A\.[BC]' "$work/out")" 2 "failed cases are named"
again
left test/died FAIL '[ RUN      ] A.B\n'
left test/died2 FAIL '[==========] 3 tests from 1 test suite ran.\n[  PASSED  ] 3 tests.\n'
count
verdict "$last/$status" "3 passed, 2 failed/1" "a program that died, before or after its summary"
again
mkdir -p "$work/b/testpar/logs"
printf 'PASS\tp on 1 ranks\ta.np1.log\nTIMEOUT\tp on 2 ranks\ta.np2.log\n' > "$work/b/testpar/logs/results.tsv"
count
verdict "$last/$status" "1 passed, 1 failed/1" "parallel runs"
mkdir -p "$work/b/testpar/logs-other"
printf 'PASS\tp on 1 ranks\ta.np1.log\nFAIL\tp on 2 ranks\ta.np2.log\n' > "$work/b/testpar/logs-other/results.tsv"
count
verdict "$last/$status" "2 passed, 2 failed/1" "parallel runs, once more in another way"

# Runs side by side are all counted, and a failure among them is one.
mkdir -p "$work/runs"
echo 'sleep 0.1' > "$work/runs/good.sh"
echo '[ "$1" != 2 ]' > "$work/runs/bad.sh"
(cd "$work/runs" && PCIO_SRCDIR=$work/runs PAR_RANKS='1 2 3' PAR_JOBS=2 PAR_LOGS=logs \
  bash "$PCIO_SRCDIR/tools/run-parallel" good.sh bad.sh) > "$work/out" 2>&1
status=$?
verdict "$status $(tail -n 1 "$work/out") $(grep -c '^PASS' "$work/runs/logs/results.tsv")" \
  "1 check-p: 5 of 6 runs passed 5" "parallel runs side by side"

# A launcher that runs one process is enough to see what run-par makes of its end.
printf '#!/bin/sh\nwhile [ "$1" != -n ]; do shift; done; shift 2; exec "$@"\n' > "$work/launcher"
chmod +x "$work/launcher"
run() { MPIRUN=$work/launcher MPI_FLAVOR=other "$PCIO_SRCDIR/testpar/run-par" "$@" > "$work/out" 2>&1; status=$?; }
run 3 10 sh -c '[ "$PCIO_TEST_NP" = 3 ]'
verdict "$status $(tail -n 1 "$work/out" | cut -c1-5)" "0 PASS:" "success, with the rank count told"
run 2 10 sh -c 'exit 5'; verdict "$status $(tail -n 1 "$work/out" | cut -c1-5)" "5 FAIL:" "failure"
run 2 10 sh -c 'exit 77'; verdict "$status $(tail -n 1 "$work/out" | cut -c1-5)" "77 SKIP:" "skip"
run 2 1 sh -c "setsid sleep 98.7 & setsid sleep 98.7; wait"
verdict "$status $(grep -c TIMEOUT "$work/out")" "124 1" "a hang is a TIMEOUT"
verdict "$(ps -eo args | grep -c '^sleep 98\.7')" 0 "a hang leaves no process, even in another session"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
