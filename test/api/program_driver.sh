#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Drivers of programs and the H5FD calls: libpcio answers as libhdf5 1.10.8 does. Room: test/api.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/program_driver.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=gnu99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/api/program_driver.c" \
    -o "$dir/program_driver" $PCIO_HDF5_SERIAL_LIBS || exit 1
mkdir "$dir/hdf5" "$dir/pcio"
"$dir/program_driver" "$dir/hdf5" >"$dir/hdf5.txt" || exit 1
"$PCIO_BUILDDIR/test/api/program_driver" "$dir/pcio" >"$dir/pcio.txt" || exit 1
echo "$(wc -l <"$dir/hdf5.txt") answers compared"
[ "$(wc -l <"$dir/hdf5.txt")" -gt 140 ] || exit 1
diff -u "$dir/hdf5.txt" "$dir/pcio.txt" | head -100
exit "${PIPESTATUS[0]}"
