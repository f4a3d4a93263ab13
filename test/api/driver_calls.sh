#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Files through serial drivers: libpcio answers as libhdf5 1.10.8 does, and both change the same files by
# turns. Room: test/api.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/driver_calls.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
pcio=$PCIO_BUILDDIR/test/api/driver_calls hdf5=$dir/driver_calls
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=gnu99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/api/driver_calls.c" \
    -o "$hdf5" $PCIO_HDF5_SERIAL_LIBS || exit 1
failed=0 lines=0
for lib in hdf5 pcio; do
  mkdir -p "$dir/$lib"
  ${!lib} "$dir/$lib" answers >"$dir/answers.$lib" || exit 1
done
diff -u "$dir/answers.hdf5" "$dir/answers.pcio" | head -60
[ "${PIPESTATUS[0]}" = 0 ] || failed=1
# Who makes the files, and who changes them in turn; after each turn both read the same.
for first in hdf5 pcio; do
  mkdir -p "$dir/lives.$first"
  ${!first} "$dir/lives.$first" write || exit 1
  for turn in hdf5 pcio pcio hdf5; do
    "$hdf5" "$dir/lives.$first" read >"$dir/read.hdf5" || exit 1
    "$pcio" "$dir/lives.$first" read >"$dir/read.pcio" || exit 1
    diff -u "$dir/read.hdf5" "$dir/read.pcio" || { echo "FAILED: made by $first"; failed=1; }
    grep -c "fails\|: -1" "$dir/read.hdf5" | grep -qx 0 || { echo "FAILED: unreadable"; failed=1; }
    lines=$((lines + $(wc -l <"$dir/read.hdf5")))
    ${!turn} "$dir/lives.$first" change || { echo "FAILED: $turn can't change it"; failed=1; }
  done
done
echo "drivers: $(wc -l <"$dir/answers.hdf5") answers, $lines lines read by both, failed $failed"
[ "$lines" -gt 150 ] || exit 1
exit $failed
