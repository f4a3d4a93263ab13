#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Symbol tables that a thousand flushes changed in place, read and changed by libhdf5. Room: test/oracle.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
[ -n "$ORACLE_H5PY" ] || { echo "SKIP: no h5py"; exit 77; }
folder=$(mktemp -d "${PCIO_TEST_TMP:-.}/link_flush.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0 files=0
# In the order of their names, backwards, and in none.
for factor in 1 1006 381; do
  "$ORACLE_PCIO/linkloop" "$folder/$factor.h5" 1007 "$factor" &&
    "$ORACLE_H5PY" "$PCIO_SRCDIR/test/oracle/link_flush.py" "$folder/$factor.h5" 1007 "$factor" &&
    h5dump -n "$folder/$factor.h5" >/dev/null || { echo "FAILED: factor $factor"; failed=1; }
  files=$((files + 1))
done
echo "link and flush: $files files, failed $failed"
exit $failed
