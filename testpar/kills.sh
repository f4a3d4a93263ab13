#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# kills.sh NP: programs on NP ranks that are killed at random moments (kills/kill_writer.cpp), with
# Open MPI on ompio and on romio: 60 kills over all rank counts of check-p.
# With PCIO_LONG=1, as in `make check-long`: 2,000 on 1, 2, 3, 4 and 6 ranks.
# The files are on the disk of the build folder (PCIO_KILLS_TMP names another place).
# PCIO_SEED chooses another seed, PCIO_CASES another number for each run.
set -u
"${PYTHON:-python3}" -c '' 2>/dev/null || { echo "SKIP: no python"; exit 77; }
program=$PCIO_BUILDDIR/testpar/kill_writer
failed=0
components=default share=2
[ "${MPI_FLAVOR-}" != openmpi ] || components="ompio romio321" share=1
# A writer that lost others waits for them until it is killed, without a word.
export PCIO_HANG_SECONDS=0

# run COMPONENT NP CASES
run() {
  local folder
  folder=$(mktemp -d "${PCIO_KILLS_TMP:-.}/kills.XXXXXX") || exit 1
  [ "$1" = default ] || export OMPI_MCA_io=$1
  printf '%s ' "$1"
  if "${PYTHON:-python3}" "$PCIO_SRCDIR/testpar/kills.py" "$program" "$folder" "$2" "$3" \
    "${PCIO_SEED:-1}"; then rm -rf "$folder"; else failed=1; echo "files are in $folder"; fi
}

if [ -n "${PCIO_LONG-}" ]; then
  for component in $components; do
    run "$component" 1 "${PCIO_CASES:-$((640 * share))}"
    run "$component" 2 "${PCIO_CASES:-$((180 * share))}"
    run "$component" 3 "${PCIO_CASES:-$((90 * share))}"
    run "$component" 4 "${PCIO_CASES:-$((60 * share))}"
    run "$component" 6 "${PCIO_CASES:-$((30 * share))}"
  done
  exit $failed
fi
case $1 in
  1) cases=20 ;;
  2) cases=4 ;;
  3) cases=3 ;;
  4) cases=2 ;;
  *) cases=1 ;;
esac
for component in $components; do run "$component" "$1" "${PCIO_CASES:-$cases}"; done
exit $failed
