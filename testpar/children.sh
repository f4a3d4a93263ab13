#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# children.sh NP: a sample of random mounts, links, opens and closes of files that lead to each other on NP ranks.
# children.sh with PCIO_LONG=1: 2,000 cases each on 1, 2, 3 and 4 ranks.
#
# PCIO_SEED and PCIO_CASES choose others. To see a failure again:
#   PCIO_SEED=S PCIO_CASE=N run-par NP 120 BUILD/testpar/children_cases
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/children.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
export PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}"
failed=0
if [ -n "${PCIO_LONG-}" ]; then
  ranks="1 2 3 4" seconds=3600 cases=${PCIO_CASES:-2000}
else
  ranks=${1:-3} seconds=${PAR_SECONDS:-120} cases=${PCIO_CASES:-12}
fi
for np in $ranks; do
  PCIO_CASES=$cases PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" "$seconds" \
    "$PCIO_BUILDDIR/testpar/children_cases" >"$folder/log" 2>&1
  status=$?
  grep '^children:' "$folder/log" || echo "no result on $np ranks"
  grep -q "^children:.* on $np ranks" "$folder/log" || status=1
  [ $status -eq 0 ] && continue
  echo "FAILURE: status $status on $np ranks"
  grep -v '^children:' "$folder/log" | head -n 60
  failed=1
done
exit $failed
