#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Files that are read while libhdf5 is their single writer, for each kind of chunk index. Room: test/oracle.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
[ -n "$ORACLE_H5PY" ] || { echo "SKIP: no h5py"; exit 77; }
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/swmr.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
rows=200
[ -z "${PCIO_LONG:-}" ] || rows=20000
failed=0
for index in extensible btree2 fixed filtered; do
  "$ORACLE_H5PY" "$PCIO_SRCDIR/test/oracle/swmr_writer.py" "$folder/$index.h5" "$rows" "$index" & writer=$!
  said=$(timeout 300 "$ORACLE_PCIO/swmr_reader" "$folder/$index.h5" "$rows") ||
    { echo "FAILED: $index"; failed=$((failed + 1)); }
  wait "$writer" || { echo "FAILED: libhdf5 could not write $index"; failed=$((failed + 1)); }
  echo "$index: $said"
  # A file that was closed is read the same way; one that is open to write without readers is refused.
  "$ORACLE_PCIO/swmr_reader" "$folder/$index.h5" "$rows" >/dev/null || { echo "FAILED: $index, closed"; failed=$((failed + 1)); }
done
echo "single writers read beside: 4 files, $rows rows, failed $failed"
exit "$failed"
