#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Random conversions give the same values in libpcio and libhdf5. Room: test/type.
# All of it with PCIO_LONG, else a sample.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
count=1000
[ -z "${PCIO_LONG-}" ] || count=30000
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/check_conversions.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT

# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/type/convert_oracle.c" \
    -o "$dir/oracle" $PCIO_HDF5_SERIAL_LIBS || exit 1
failed=0

# Every kind of pair through room type; what libhdf5 leaves undefined is not compared.
for kind in n i f F x X y Y l L s b e j c m; do
  "$dir/oracle" 1 "$count" $kind >"$dir/hdf5" || { echo "kind $kind: the oracle failed"; exit 1; }
  "$PCIO_BUILDDIR/test/type/convert_replay" <"$dir/hdf5" >"$dir/replay" ||
    { echo "kind $kind:"; head -8 "$dir/replay" | cut -c 1-600; failed=1; }
  # H5Tconvert itself, in place, where every byte is defined.
  case $kind in n | i | x | y | s | e | j) ;; *) continue ;; esac
  "$PCIO_BUILDDIR/test/type/convert_oracle" 1 "$count" $kind >"$dir/pcio" ||
    { echo "kind $kind: failed"; exit 1; }
  cmp -s "$dir/hdf5" "$dir/pcio" ||
    { echo "kind $kind, H5Tconvert:"; diff "$dir/hdf5" "$dir/pcio" | head -4 | cut -c 1-600; failed=1; }
done
[ "$failed" = 0 ] && echo "16 kinds of $count conversions agree"
exit "$failed"
