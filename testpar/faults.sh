#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# faults.sh NP: the fault matrix (t_transfer_faults) on NP ranks; with Open MPI on ompio and on romio. Where a
# file system of 2 MiB can be mounted unseen by others, that is filled up too.
# With PCIO_LONG=1, as in `make check-long`: all positions of a full disk, on 1, 2, 3, 4 and 6 ranks.
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/faults.XXXXXX") || exit 1
log=$folder.log
trap 'rm -f "$log"; rmdir "$folder" 2>/dev/null' EXIT
program=$PCIO_BUILDDIR/testpar/t_transfer_faults
failed=0
components=default
[ "${MPI_FLAVOR-}" != openmpi ] || components="ompio romio321"
small_disk() { unshare "$@" sh -c 'mount -t tmpfs -o size=2m pcio-test "$1"' sh "$folder" 2>/dev/null; }
if small_disk -m; then how=-m
elif small_disk -rm; then how=-rm
else how=
  echo "SKIP: no small disk here: full disks are simulated only"
fi

# run COMPONENT NP
run() {
  local seconds=${PAR_SECONDS:-300} status
  [ -z "${PCIO_LONG-}" ] || seconds=3600
  [ "$1" = default ] || export OMPI_MCA_io=$1
  if [ -n "$how" ]; then
    PCIO_FULL_DISK=$folder unshare $how sh -c \
      'mount -t tmpfs -o size=2m pcio-test "$PCIO_FULL_DISK" && exec "$@"' sh \
      "$PCIO_RUN_PAR" "$2" "$seconds" "$program"
  else
    "$PCIO_RUN_PAR" "$2" "$seconds" "$program"
  fi
  status=$?
  echo "$1 on $2 ranks: status $status"
  [ $status = 0 ] || failed=1
}

ranks=${1:-"1 2 3 4 6"}
for component in $components; do
  # The other kind of exchange, with which ranks on several machines do.
  [ "$component" != romio321 ] || export PCIO_CHECK=messages
  for np in $ranks; do
    # In short tests three ranks are enough for what romio does without filters.
    if [ "$component" != romio321 ] || [ -n "${PCIO_LONG-}" ] || [ "$np" -lt 4 ]; then
      run "$component" "$np" >"$log" 2>&1
      # ompio says on stderr what the operating system told it, once for each full disk.
      grep -v 'mca_fbtl_posix_p*writev: error' "$log"
    fi
    # And with filters, whose chunks have owners.
    [ "$component" = ompio ] && [ -z "${PCIO_LONG-}" ] && continue
    PCIO_FAULTS_FILTERED=1 run "$component" "$np" >"$log" 2>&1
    grep -v 'mca_fbtl_posix_p*writev: error' "$log"
  done
done
exit $failed
