#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# space.sh NP: a sample of random lives of datasets on NP ranks, compared with a model: no byte that
# nobody wrote differs from the fill value. With PCIO_LONG=1: 3000 lives on 1, 2, 3, 4 and 6 ranks.
#
# Memory is filled with a pattern, so what leaks from the heap is seen. With Open MPI odd numbers of ranks run on ompio
# and even ones on romio; with PCIO_LONG=1 all of them on both. Every 4th file is compared by h5py too. PCIO_SEED, PCIO_CASES choose.
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/space.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
export MALLOC_PERTURB_="${MALLOC_PERTURB_:-165}" PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}"
program=$PCIO_BUILDDIR/testpar/space_cases
seed=${PCIO_SEED:-1}
failed=0
components=default
[ "${MPI_FLAVOR-}" != openmpi ] || components="ompio romio321"
h5py=
for python in "${PYTHON-}" /usr/bin/python3; do
  [ -n "$python" ] && "$python" -c 'import h5py' 2>/dev/null && { h5py=$python; break; }
done
if [ -n "${PCIO_LONG-}" ]; then
  ranks="1 2 3 4 6" seconds=3600 cases=${PCIO_CASES:-3000}
else
  ranks=${1:-4} seconds=${PAR_SECONDS:-120} cases=${PCIO_CASES:-200}
fi
for component in $components; do
  if [ -z "${PCIO_LONG-}" ]; then
    case $((${1:-4} % 2))$component in 0ompio | 1romio321) continue ;; esac
  fi
  choice=()
  [ "$component" = default ] || choice=(env OMPI_MCA_io="$component")
  for np in $ranks; do
    rm -rf "$folder/kept"
    mkdir -p "$folder/kept"
    if ! PCIO_RUN_QUIET=1 "${choice[@]}" "$PCIO_RUN_PAR" "$np" "$seconds" "$program" --seed "$seed" \
      --cases "$cases" --folder "$folder" --keep 4 >"$folder/log" 2>&1; then
      failed=1
      head -n 40 "$folder/log"
    fi
    # Not a world of one rank, np times.
    grep -q "^space:.* on $np ranks" "$folder/log" || failed=1
    echo "$component $(grep '^space:' "$folder/log" || echo "no result on $np ranks")"
    [ -z "$h5py" ] || "$h5py" "$PCIO_SRCDIR/testpar/campaign_h5py.py" "$folder/kept" || failed=1
    seed=$((seed + 1))
  done
done
exit $failed
