#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Random data transforms give the same values in libpcio and libhdf5. Room: test/type.
# All of it with PCIO_LONG, else a sample.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
count=1000
[ -z "${PCIO_LONG-}" ] || count=20000
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/check_transforms.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/type/transform_oracle.c" \
    -o "$dir/oracle" $PCIO_HDF5_SERIAL_LIBS || exit 1
seed=${PCIO_SEED:-1}
"$dir/oracle" "$seed" "$count" >"$dir/hdf5" || { echo "the oracle failed"; exit 1; }
"$PCIO_BUILDDIR/test/type/transform_oracle" "$seed" "$count" >"$dir/pcio" || { echo "failed"; exit 1; }
if [ "$(grep -c ' as ' "$dir/hdf5")" -lt $((count / 2)) ]; then
  echo "libhdf5 did not take most of the expressions"
  exit 1
fi
cmp -s "$dir/hdf5" "$dir/pcio" ||
  { diff "$dir/hdf5" "$dir/pcio" | head -n 12 | cut -c 1-400; exit 1; }
echo "$count data transforms agree"
