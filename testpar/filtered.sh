#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# filtered.sh NP: a sample of random transfers through filters on NP ranks, compared with a model;
# again by messages, or as ranks of two nodes, also on a file system with stripes. Files that stay are read by h5py and h5dump.
# filtered.sh with PCIO_LONG=1: 1,440 cases each on 1, 2, 3, 4 and 6 ranks, in all these ways. 90 cases are all
# combinations.
#
# PCIO_SEED and PCIO_CASES choose others, FILTERED_OPTIONS more options (see filtered_cases.cpp). To see a failure again:
#   run-par NP 120 BUILD/testpar/filtered_cases --seed S --case N
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/filtered.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
export MALLOC_PERTURB_="${MALLOC_PERTURB_:-165}" PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}"
seed=${PCIO_SEED:-1}
failed=0
h5py=
for python in "${PYTHON-}" /usr/bin/python3; do
  [ -n "$python" ] && "$python" -c 'import h5py' 2>/dev/null && { h5py=$python; break; }
done
if [ -n "${PCIO_LONG-}" ]; then
  ranks="1 2 3 4 6" seconds=3600 cases=${PCIO_CASES:-1440}
else
  ranks=${1:-4} seconds=${PAR_SECONDS:-240} cases=${PCIO_CASES:-90}
fi
for np in $ranks; do
  case $np in
    3) ways="memory nodes:2" ;;
    4) ways="memory nodes:2,stripe:4096" ;;
    6) ways="messages nodes:6" ;;  # reads of many nodes have one owner a chunk
    *) ways="memory messages" ;;
  esac
  [ -z "${PCIO_LONG-}" ] || ways="memory messages nodes:2 messages,nodes:2 nodes:3 nodes:6 nodes:2,stripe:4096"
  for way in ${PCIO_WAYS-$ways}; do
    rm -f "$folder"/*
    [ $way = memory ] && unset PCIO_CHECK || export PCIO_CHECK=$way
    # shellcheck disable=SC2086 # options are words
    PCIO_RUN_QUIET=1 "$PCIO_RUN_PAR" "$np" "$seconds" "$PCIO_BUILDDIR/testpar/filtered_cases" \
      --seed "$seed" --cases "$cases" --folder "$folder" --keep 4 ${FILTERED_OPTIONS-} >"$folder.log" 2>&1
    status=$?
    echo "$way: $(grep '^filtered:' "$folder.log" || echo "no result on $np ranks")"
    # Not a world of one rank, np times.
    grep -q "^filtered:.* on $np ranks" "$folder.log" || status=1
    if [ $status -ne 0 ]; then
      echo "FAILURE: status $status on $np ranks"
      grep -v '^filtered:' "$folder.log" | head -n 60
      failed=1
    elif [ -n "$h5py" ]; then
      "$h5py" "$PCIO_SRCDIR/testpar/filtered_h5py.py" "$folder" || failed=1
    fi
    rm -f "$folder.log"
  done
done
exit $failed
