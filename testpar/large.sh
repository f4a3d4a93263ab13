#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# 2.1 GiB per rank in one call on 2 ranks, on disk, of C and of Fortran. Needs 5 GiB there and 6 GiB of memory.
set -u
folder=${PCIO_TEST_TMP:-.}
free_kib=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
memory_kib=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)
if [ "${free_kib:-0}" -lt $((5 * 1024 * 1024)) ]; then
  echo "SKIP: less than 5 GiB free in $folder"
  exit 77
fi
if [ "${memory_kib:-0}" -lt $((6 * 1024 * 1024)) ]; then
  echo "SKIP: less than 6 GiB of memory available"
  exit 77
fi
"$PCIO_RUN_PAR" 2 3000 "$PCIO_BUILDDIR/testpar/t_over_2_gib"
status=$?
rm -f "$folder"/large_*.h5
if [ $status -eq 0 ] && [ "${PCIO_WITH_FORTRAN-no}" = yes ]; then
  "$PCIO_RUN_PAR" 2 3000 "$PCIO_BUILDDIR/testpar/t_fortran_large"
  status=$?
fi
rm -f "$folder"/large_*.h5
exit $status
