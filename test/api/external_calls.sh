#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Datasets with external files: libpcio answers as libhdf5 1.10.8 does, and each reads what the other has
# written. Room: test/api.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/external_calls.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
unset HDF5_EXTFILE_PREFIX
pcio=$PCIO_BUILDDIR/test/api/external_calls hdf5=$dir/external_calls
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=gnu99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/api/external_calls.c" \
    -o "$hdf5" $PCIO_HDF5_SERIAL_LIBS || exit 1
failed=0 lines=0
# same NAME COMMAND-PART: both libraries print the same.
same() {
  [ -s "$dir/$1.hdf5" ] && diff -u "$dir/$1.hdf5" "$dir/$1.pcio" | head -60
  [ "${PIPESTATUS[0]}" = 0 ] || { echo "FAILED: $1"; failed=1; }
  lines=$((lines + $(wc -l <"$dir/$1.hdf5")))
}
for prefix in '' env . '${ORIGIN}/../env'; do
  for lib in hdf5 pcio; do
    mkdir -p "$dir/$lib"
    HDF5_EXTFILE_PREFIX=$prefix ${!lib} "$dir/$lib" answers >"$dir/answers.$lib" || exit 1
  done
  same answers
done
# Who writes and who reads; the last reader removes the dataset.
for writer in hdf5 pcio; do
  for reader in hdf5 pcio; do
    mkdir -p "$dir/$writer$reader"
    ${!writer} "$dir/$writer$reader" write || exit 1
    ${!reader} "$dir/$writer$reader" read >"$dir/$writer.$reader" || exit 1
  done
  same "$writer"
done
diff -u "$dir/hdf5.hdf5" "$dir/pcio.pcio" || failed=1
if command -v h5dump >/dev/null; then
  pcio_file=$dir/pcio && "$pcio" "$pcio_file" write && (cd "$pcio_file" && h5dump e.h5) >"$dir/dump.pcio"
  "$hdf5" "$dir/hdf5" write && (cd "$dir/hdf5" && h5dump e.h5) >"$dir/dump.hdf5"
  same dump
fi
echo "external files: $lines lines compared, failed $failed"
[ "$lines" -gt 900 ] || exit 1
exit $failed
