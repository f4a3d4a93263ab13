#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# sequences.sh NP: a sample of random collective transfers of variable-length data on NP ranks, beside a
# model; files that stay are read by h5py.
# sequences.sh with PCIO_LONG=1: 2,000 cases each on 1, 2, 3, 4 and 6 ranks, or on those that it is given;
# h5py reads all files.
#
# PCIO_SEED and PCIO_CASES choose others. To see a failure again:
#   PCIO_SEED=S PCIO_CASE=N run-par NP 120 BUILD/testpar/sequence_cases
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/sequences.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
export MALLOC_PERTURB_="${MALLOC_PERTURB_:-165}" PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}"
failed=0
h5py=
for python in "${PYTHON-}" /usr/bin/python3; do
  [ -n "$python" ] && "$python" -c 'import h5py' 2>/dev/null && { h5py=$python; break; }
done
if [ -n "${PCIO_LONG-}" ]; then
  ranks=${*:-1 2 3 4 6} seconds=3600 cases=${PCIO_CASES:-2000} together=100
  ((cases < together)) && together=$cases
  export PCIO_KEPT=$together
else
  ranks=${1:-4} seconds=${PAR_SECONDS:-120} cases=${PCIO_CASES:-24}
  together=$cases
fi
# play NP FIRST: a folder full of cases.
play() {
  local np=$1 status
  rm -rf "$folder"/kept
  mkdir "$folder/kept"
  PCIO_FIRST=$2 PCIO_CASES=$together PCIO_FOLDER="$folder/kept" PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" "$seconds" \
    "$PCIO_BUILDDIR/testpar/sequence_cases" >"$folder/log" 2>&1
  status=$?
  grep '^sequences:' "$folder/log" || echo "no result on $np ranks"
  grep -q "^sequences:.* on $np ranks" "$folder/log" || status=1
  if [ $status -ne 0 ]; then
    echo "FAILURE: status $status on $np ranks"
    grep -v '^sequences:' "$folder/log" | head -n 60
    failed=1
  elif [ -n "$h5py" ]; then
    "$h5py" "$PCIO_SRCDIR/testpar/sequences_h5py.py" "$folder/kept" || failed=1
  fi
}
for np in $ranks; do
  for ((first = 0; first < cases; first += together)); do play "$np" "$first"; done
done
exit $failed
