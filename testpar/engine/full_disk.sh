# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# full_disk.sh NP: full_disk_par on a file system of 2 MiB, mounted where nobody else sees it.
np=$1
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/full-disk.XXXXXX") || exit 1
trap 'rmdir "$dir" 2>/dev/null' EXIT
program=$PWD/testpar/engine/full_disk_par
own_mounts() { unshare "$@" sh -c 'mount -t tmpfs -o size=2m pcio-test "$1"' sh "$dir" 2>/dev/null; }
if own_mounts -m; then how=-m
elif own_mounts -rm; then how=-rm
else echo "SKIP: no private mount namespace here"; exit 77
fi
unshare $how sh -c 'mount -t tmpfs -o size=2m pcio-test "$1" && exec "$2" "$3" "$4" "$5" "$1"' \
  sh "$dir" "$PCIO_RUN_PAR" "$np" "${PAR_SECONDS:-120}" "$program"
