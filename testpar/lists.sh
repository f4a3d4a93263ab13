#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# lists.sh NP: lists that differ between NP ranks: every property of every list on 2 ranks, 45 chosen at
# random on more. With PCIO_LONG=1: every one, three times with other ranks, on 2, 3, 4 and 6 ranks.
# PCIO_SEED and PCIO_CASES choose.
set -u
program=$PCIO_BUILDDIR/testpar/list_cases
failed=0
# A rank that waits for nobody says so, and the job ends.
export PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}" PCIO_HANG_ABORT=1
seeds=${PCIO_SEED:-1}
if [ -n "${PCIO_LONG-}" ]; then
  ranks="2 3 4 6" seconds=3600
  [ -n "${PCIO_SEED-}" ] || seeds="1 2 3"
else
  ranks=${1:-4} seconds=${PAR_SECONDS:-120}
  [ "$ranks" = 2 ] || export PCIO_CASES="${PCIO_CASES:-45}"
fi
for np in $ranks; do
  [ "$np" -gt 1 ] || { echo "SKIP: one rank differs from nobody"; exit 77; }
  for seed in $seeds; do
    PCIO_SEED=$seed PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" "$seconds" "$program" || failed=1
  done
done
exit $failed
