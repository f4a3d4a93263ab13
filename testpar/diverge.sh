#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# diverge.sh NP: a sample of random collective calls on NP ranks, each of which has open what it
# likes; the files are compared with those of one rank.
# diverge.sh with PCIO_LONG=1: 1,000 cases each on 1, 2, 3, 4 and 6 ranks.
#
# PCIO_SEED and PCIO_CASES choose others. To see a failure again:
#   run-par NP 120 BUILD/testpar/diverge_cases --seed S --case N
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/diverge.XXXXXX") || exit 1
trap 'rm -rf "$folder" "$folder.log"' EXIT
export MALLOC_PERTURB_="${MALLOC_PERTURB_:-165}" PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}"
failed=0
if [ -n "${PCIO_LONG-}" ]; then
  ranks="1 2 3 4 6" seconds=3600 cases=${PCIO_CASES:-1000}
else
  ranks=${1:-4} seconds=${PAR_SECONDS:-120} cases=${PCIO_CASES:-24}
fi
for np in $ranks; do
  PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" "$seconds" "$PCIO_BUILDDIR/testpar/diverge_cases" \
    --seed "${PCIO_SEED:-1}" --cases "$cases" --folder "$folder" >"$folder.log" 2>&1
  status=$?
  grep '^diverge:' "$folder.log" || echo "no result on $np ranks"
  # Not a world of one rank, np times.
  grep -q "^diverge:.* on $np ranks" "$folder.log" || status=1
  if [ $status -ne 0 ]; then
    echo "FAILURE: status $status on $np ranks"
    grep -v '^diverge:' "$folder.log" | head -n 60
    failed=1
  fi
done
exit $failed
