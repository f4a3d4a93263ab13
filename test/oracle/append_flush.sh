#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Chunk indexes that a thousand flushes changed in place, read and changed by libhdf5. Room: test/oracle.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
[ -n "$ORACLE_H5PY" ] || { echo "SKIP: no h5py"; exit 77; }
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/append_flush.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0
for index in btree1 extensible fixed btree2; do
  for count in 60 1200; do
    "$ORACLE_PCIO/appendloop" "$folder/$index.h5" "$index" "$count" &&
      "$ORACLE_H5PY" "$PCIO_SRCDIR/test/oracle/append_flush.py" "$folder/$index.h5" "$count" ||
      { echo "FAILED: $index, $count appends"; failed=1; }
  done
done
echo "append and flush: 8 files, failed $failed"
exit $failed
