#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# failing.sh NP: a sample of random work on a disk that fails now and then, on NP ranks, and without
# MPI's files where NP is 1: what was written without an error is there, everything else is the fill
# value or what it was. With PCIO_LONG=1: 3000 cases each on 1, 2, 3, 4 and 6 ranks, and serial.
# PCIO_SEED, PCIO_CASES choose.
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/failing.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
export PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}"
program=$PCIO_BUILDDIR/testpar/failing_cases
seed=${PCIO_SEED:-1}
failed=0
if [ -n "${PCIO_LONG-}" ]; then
  ranks="1 2 3 4 6" seconds=3600 cases=${PCIO_CASES:-3000}
else
  ranks=${1:-4} seconds=${PAR_SECONDS:-120} cases=${PCIO_CASES:-80}
fi
run() {  # ranks, serial files
  if ! PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$1" "$seconds" "$program" --seed "$seed" --cases "$cases" \
    --folder "$folder" --serial "$2" >"$folder/log" 2>&1; then
    failed=1
    grep -v '^mca_' "$folder/log" | head -n 40
  fi
  # Not a world of one rank, np times.
  grep -q "^failing:.* on $1 ranks" "$folder/log" || failed=1
  grep '^failing:' "$folder/log" || echo "no result on $1 ranks"
  seed=$((seed + 1))
}
for np in $ranks; do
  run "$np" 0
  [ "$np" != 1 ] || run 1 1
done
exit $failed
