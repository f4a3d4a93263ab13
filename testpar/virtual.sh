#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# virtual.sh NP: a sample of random virtual datasets that NP ranks write together, compared with a model. Files that
# stay are read by h5py.
# virtual.sh with PCIO_LONG=1: 600 cases each on 1, 2, 3, 4 and 6 ranks.
#
# PCIO_SEED and PCIO_CASES choose others. To see a failure again:
#   PCIO_SEED=S PCIO_CASE=N run-par NP 120 BUILD/testpar/virtual_cases
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/virtual.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
folder=$(cd "$folder" && pwd)
export PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}" PCIO_FOLDER=$folder PCIO_KEEP=10
failed=0
h5py=
for python in "${PYTHON-}" /usr/bin/python3; do
  [ -n "$python" ] && "$python" -c 'import h5py' 2>/dev/null && { h5py=$python; break; }
done
if [ -n "${PCIO_LONG-}" ]; then
  ranks="1 2 3 4 6" seconds=3600 cases=${PCIO_CASES:-600}
else
  ranks=${1:-3} seconds=${PAR_SECONDS:-120} cases=${PCIO_CASES:-24}
fi
for np in $ranks; do
  rm -f "$folder"/*
  PCIO_CASES=$cases PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" "$seconds" \
    "$PCIO_BUILDDIR/testpar/virtual_cases" >"$folder/log" 2>&1
  status=$?
  grep '^virtual:' "$folder/log" || echo "no result on $np ranks"
  grep -q "^virtual:.* on $np ranks" "$folder/log" || status=1
  if [ $status -ne 0 ]; then
    echo "FAILURE: status $status on $np ranks"
    grep -v '^virtual:' "$folder/log" | head -n 60
    failed=1
  elif [ -n "$h5py" ]; then
    "$h5py" "$PCIO_SRCDIR/testpar/virtual_h5py.py" "$folder" || failed=1
  fi
done
exit $failed
