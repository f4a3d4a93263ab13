#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# cluster.sh: campaigns on several hosts whose file system is a distributed one, with caches of each host's own; what
# a rank wrote is read back by a rank of another host, and hosts vanish. Part of `make check-long` where there is such a
# cluster.
#
# PCIO_CLUSTER names a command that makes one: `$PCIO_CLUSTER NODES RANKS -- PROGRAM...` is to mount the file
# system at $CLUSTER_FS on each host, to run `$CLUSTER_MPIRUN OPTIONS... PROGRAM...` on the first one, OPTIONS being
# what mpirun needs to reach NODES hosts with RANKS ranks each, and to clean up. Without it nothing is tested, and said so.
#
# PCIO_NODES ("2x2 3x2 4x1") chooses hosts and ranks, PCIO_CASES the cases of each campaign on each of them, PCIO_KILLS
# the kills, PCIO_SEED another seed, PCIO_PARTS ("campaign filtered faults kills") what is run.
set -u

# On the first host, in the launcher's place: the scripts of testpar start their programs on the whole cluster.
if [ -n "${PCIO_ON_CLUSTER-}" ]; then
  options=
  while [ $# -gt 0 ] && [ "$1" != "$PCIO_ON_CLUSTER" ]; do
    case $1 in
      -np) shift ;;  # how many is each program's own business
      *) options="$options $1" ;;
    esac
    shift
  done
  shift
  unset PCIO_ON_CLUSTER CLUSTER_MPIRUN
  export MPIRUN="mpirun$options" PCIO_TEST_TMP=$CLUSTER_FS PCIO_KILLS_TMP=$CLUSTER_FS
  export OMPI_MCA_mpi_yield_when_idle=1 PMIX_MCA_gds=hash PMIX_MCA_psec=native
  exec "$@"
fi

[ -n "${PCIO_CLUSTER-}" ] || { echo "SKIP: PCIO_CLUSTER names no cluster of several hosts"; exit 77; }
here=$PCIO_SRCDIR/testpar
folder=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/cluster.XXXXXX") || exit 1
trap 'rmdir "$folder"' EXIT
failed=0

# on_cluster NODES RANKS COMMAND...
on_cluster() {
  local nodes=$1 ranks=$2
  shift 2
  CLUSTER_FS=$folder PCIO_ON_CLUSTER=libpcio CLUSTER_MPIRUN=$here/cluster.sh \
    "$PCIO_CLUSTER" "$nodes" "$ranks" -- libpcio "$@" || failed=1
}

for machine in ${PCIO_NODES:-2x2 3x2 4x1}; do
  nodes=${machine%x*} ranks=${machine#*x}
  all=$((nodes * ranks))
  for part in ${PCIO_PARTS:-campaign filtered faults kills}; do
    echo "-- $part on $nodes hosts of $ranks ranks"
    export PAR_SECONDS=3600 PCIO_CASE_SECONDS=600
    case $part in
      campaign)
        PCIO_CASES=${PCIO_CASES:-400} CAMPAIGN_OPTIONS="--across $ranks" \
          on_cluster "$nodes" "$ranks" bash "$here/campaign.sh" "$all" ;;
      filtered)
        PCIO_CASES=${PCIO_CASES:-270} PCIO_WAYS=memory FILTERED_OPTIONS="--across $ranks" \
          on_cluster "$nodes" "$ranks" bash "$here/filtered.sh" "$all" ;;
      faults)
        on_cluster "$nodes" "$ranks" "$PCIO_RUN_PAR" "$all" 3600 "$PCIO_BUILDDIR/testpar/t_transfer_faults"
        PCIO_FAULTS_FILTERED=1 on_cluster "$nodes" "$ranks" \
          "$PCIO_RUN_PAR" "$all" 3600 "$PCIO_BUILDDIR/testpar/t_transfer_faults" ;;
      kills)
        PCIO_CASES=${PCIO_KILLS:-40} on_cluster "$nodes" "$ranks" bash "$here/kills.sh" "$all" ;;
    esac
  done
done
exit $failed
