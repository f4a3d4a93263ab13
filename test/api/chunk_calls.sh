#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The same calls on chunks in libpcio and libhdf5 1.10.8 answer the same. Room: test/api.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/chunk_calls.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT

# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/api/chunk_calls.c" \
    -o "$dir/chunk_calls" $PCIO_HDF5_SERIAL_LIBS || exit 1
"$dir/chunk_calls" "$dir/hdf5.h5" >"$dir/hdf5" || exit 1
"$PCIO_BUILDDIR/test/api/chunk_calls" "$dir/pcio.h5" >"$dir/pcio" || exit 1
echo "$(wc -l <"$dir/hdf5") answers compared"
[ "$(wc -l <"$dir/hdf5")" -gt 200 ] || exit 1
diff -u "$dir/hdf5" "$dir/pcio" | head -100
exit "${PIPESTATUS[0]}"
