#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# apart.sh NP: a sample of the random transfers, without and with filters, where each rank is a node with a cache of
# its own that others' writes don't reach (apart/client.cpp plays it); what a rank wrote is read back by another one. The sample
# is for 3 ranks, and 4 without filters; other calls and atomic mode with those with filters, and other calls again and a few of the
# transfers on clients that keep whole pages (PCIO_APART=pages).
# With PCIO_LONG=1, as in `make check-long`: 2,000 cases and 720 with filters, on 2, 3, 4 and 6 ranks.
# PCIO_SEED and PCIO_CASES choose others. To see a failure again:
#   PCIO_CHECK=nodes:NP run-par NP 120 BUILD/testpar/apart_cases --apart --across 1 --seed S --case N
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/apart.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
export MALLOC_PERTURB_="${MALLOC_PERTURB_:-165}" PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}"
seed=${PCIO_SEED:-1} failed=0
if [ -n "${PCIO_LONG-}" ]; then
  ranks="2 3 4 6" seconds=3600 cases=${PCIO_CASES:-2000} filtered=${PCIO_CASES:-720}
else
  ranks=${1:-4} seconds=${PAR_SECONDS:-240} cases=${PCIO_CASES:-64} filtered=${PCIO_CASES:-90}
fi
# run NP PROGRAM OPTIONS...
run() {
  local np=$1
  shift
  PCIO_RUN_QUIET=1 PCIO_CHECK=nodes:$np "$PCIO_RUN_PAR" "$np" "$seconds" "$@" --folder "$folder" >"$folder.log" 2>&1
  local status=$?
  grep -E '^(campaign|filtered):' "$folder.log" || { echo "no result on $np ranks"; status=1; }
  [ $status = 0 ] || { echo "FAILURE: status $status"; head -n 60 "$folder.log"; failed=1; }
  rm -f "$folder.log" "$folder"/*
}
# Cases that judge themselves: cases NP PROGRAM
cases() {
  PCIO_RUN_QUIET=1 PCIO_CHECK=nodes:$1 "$PCIO_RUN_PAR" "$1" 240 "$PCIO_BUILDDIR/testpar/$2" >"$folder.log" 2>&1
  local status=$?
  [ $status = 0 ] || { echo "FAILURE: $2 on $1 ranks: status $status"; head -n 60 "$folder.log"; failed=1; }
  rm -f "$folder.log"
}
for np in $ranks; do
  if [ -z "${PCIO_LONG-}" ]; then case $np in 3 | 4) ;; *) continue ;; esac; fi
  run "$np" "$PCIO_BUILDDIR/testpar/apart_cases" --apart --across 1 --seed "$seed" --cases "$cases"
  [ -n "${PCIO_LONG-}" ] || [ "$np" = 3 ] || continue
  run "$np" "$PCIO_BUILDDIR/testpar/apart_filtered_cases" --across 1 --seed "$seed" --cases "$filtered"
  # Best effort: rank 0 has the lock of a writer, and no other rank of the program wants it.
  for program in apart_calls apart_atomic; do HDF5_USE_FILE_LOCKING=BEST_EFFORT cases "$np" $program; done
  PCIO_APART=pages cases "$np" apart_calls
  PCIO_APART=pages run "$np" "$PCIO_BUILDDIR/testpar/apart_cases" --apart --across 1 --seed "$seed" --cases "$((cases / 4))"
done
exit $failed
