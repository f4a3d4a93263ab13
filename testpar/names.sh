#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# names.sh NP: t_file_names on NP ranks where two file systems can be mounted unseen by others; with Open MPI on ompio and on
# romio.
set -u
folder=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/names.XXXXXX") || exit 1
mkdir "$folder/a" "$folder/b" "$folder/again"
trap 'rmdir "$folder"/* "$folder" 2>/dev/null' EXIT
mounts='for one in a b; do mount -t tmpfs -o size=2m pcio-test "$PCIO_TWO_DISKS/$one" || exit 1; done
  mount --bind "$PCIO_TWO_DISKS/a" "$PCIO_TWO_DISKS/again"'
export PCIO_TWO_DISKS=$folder
if unshare -m sh -c "$mounts" 2>/dev/null; then how=-m
elif unshare -rm sh -c "$mounts" 2>/dev/null; then how=-rm
else
  echo "SKIP: no file systems can be mounted here"
  exit 77
fi
components=default failed=0
[ "${MPI_FLAVOR-}" != openmpi ] || components="ompio romio321"
for component in $components; do
  [ "$component" = default ] || export OMPI_MCA_io=$component
  unshare $how sh -c "$mounts"' && exec "$@"' sh \
    "$PCIO_RUN_PAR" "${1:-2}" "${PAR_SECONDS:-120}" "$PCIO_BUILDDIR/testpar/t_file_names" || failed=1
done
exit $failed
