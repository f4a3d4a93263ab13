#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# partial.sh NP: a sample of random collective transfers of parts of compounds on NP ranks, beside a model.
# partial.sh with PCIO_LONG=1: 5,000 cases each on 1, 2, 3, 4 and 6 ranks.
#
# PCIO_SEED and PCIO_CASES choose others. To see a failure again:
#   PCIO_SEED=S PCIO_CASE=N run-par NP 120 BUILD/testpar/partial_cases
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/partial.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
export MALLOC_PERTURB_="${MALLOC_PERTURB_:-165}" PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}"
failed=0
if [ -n "${PCIO_LONG-}" ]; then
  ranks="1 2 3 4 6" seconds=3600 cases=${PCIO_CASES:-5000}
else
  ranks=${1:-4} seconds=${PAR_SECONDS:-120} cases=${PCIO_CASES:-60}
fi
for np in $ranks; do
  PCIO_CASES=$cases PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" "$seconds" \
    "$PCIO_BUILDDIR/testpar/partial_cases" >"$folder/log" 2>&1
  status=$?
  grep '^partial:' "$folder/log" || echo "no result on $np ranks"
  grep -q "^partial:.* on $np ranks" "$folder/log" || status=1
  [ $status -eq 0 ] && continue
  echo "FAILURE: status $status on $np ranks"
  grep -v '^partial:' "$folder/log" | head -n 60
  failed=1
done
exit $failed
