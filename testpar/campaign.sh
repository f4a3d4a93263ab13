#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# campaign.sh NP: a sample of random collective transfers on NP ranks, compared with a model.
# campaign.sh with PCIO_LONG=1: 20,000 cases on 1 to 6 ranks, as `make check-long` does.
#
# With Open MPI all of it runs on ompio and again on romio. Every 8th file is compared by h5py too.
# PCIO_SEED chooses another seed, PCIO_CASES another number of cases for each run, CAMPAIGN_OPTIONS
# more options (see campaign/main.cpp). A failure names its seed and case; to see it again:
#   run-par NP 120 BUILD/testpar/campaign_cases --seed S --case N
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/campaign.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
export MALLOC_PERTURB_="${MALLOC_PERTURB_:-165}" PCIO_HANG_SECONDS="${PCIO_HANG_SECONDS:-20}"
program=$PCIO_BUILDDIR/testpar/campaign_cases
seed=${PCIO_SEED:-1}
failed=0 played=0 transfers=0

components=default
[ "${MPI_FLAVOR-}" != openmpi ] || components="ompio romio321"
h5py=
for python in "${PYTHON-}" /usr/bin/python3; do
  [ -n "$python" ] && "$python" -c 'import h5py' 2>/dev/null && { h5py=$python; break; }
done

# run COMPONENT NP CASES SECONDS: one part; its output is shown where it failed.
run() {
  local component=$1 np=$2 cases=$3 seconds=$4 log=$folder/log line status
  local -a choice=()
  [ "$component" = default ] || choice=(env OMPI_MCA_io="$component")
  rm -rf "$folder/kept"
  mkdir -p "$folder/kept"
  # shellcheck disable=SC2086 # options are words
  PCIO_RUN_QUIET=1 "${choice[@]}" "$PCIO_RUN_PAR" "$np" "$seconds" "$program" --seed "$seed" \
    --cases "$cases" --folder "$folder" --keep 8 ${CAMPAIGN_OPTIONS-} >"$log" 2>&1
  status=$?
  line=$(grep '^campaign:' "$log")
  echo "$component ${line:-no result on $np ranks}"
  if [ $status -ne 0 ]; then
    echo "FAILURE: status $status on $component, $np ranks"
    grep -v '^campaign:' "$log" | head -n 60
    failed=1
  elif [ -n "$h5py" ]; then
    "$h5py" "$PCIO_SRCDIR/testpar/campaign_h5py.py" "$folder/kept" || failed=1
  fi
  rm -f "$folder"/campaign*.h5
  [[ $line =~ ranks:\ ([0-9]+)\ played,\ ([0-9]+)\ transfers ]] || return
  played=$((played + BASH_REMATCH[1])) transfers=$((transfers + BASH_REMATCH[2]))
}

if [ -n "${PCIO_LONG-}" ]; then
  ranks="1 2 3 4 5 6" seconds=3600
  cases=${PCIO_CASES:-3336}
else
  ranks=${1:-4} seconds=${PAR_SECONDS:-120} cases=${PCIO_CASES:-40}
fi
for component in $components; do
  for np in $ranks; do run "$component" "$np" "$cases" "$seconds"; done
done
echo "campaign: seed $seed, $played cases, $transfers transfers on $components, ranks $ranks:" \
  "$([ $failed = 0 ] && echo no failure || echo FAILED)"
exit $failed
