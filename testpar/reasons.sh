#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# reasons.sh NP: errors have the system's reasons, on NP ranks; with Open MPI on ompio and on romio, which tell
# of failures in different ways.
set -u
components=default failed=0
[ "${MPI_FLAVOR-}" != openmpi ] || components="ompio romio321"
log=$(mktemp "${PCIO_TEST_TMP:-/tmp}/reasons.XXXXXX") || exit 1
trap 'rm -f "$log"' EXIT
for component in $components; do
  [ "$component" = default ] || export OMPI_MCA_io=$component
  "$PCIO_RUN_PAR" "$1" "${PAR_SECONDS:-120}" "$PCIO_BUILDDIR/testpar/reason_cases" >"$log" 2>&1
  status=$?
  # ompio says on stderr what the system told it.
  grep -vE 'mca_(fbtl|io_ompio|common_ompio)' "$log"
  echo "$component on $1 ranks: status $status"
  [ $status = 0 ] || failed=1
done
exit $failed
