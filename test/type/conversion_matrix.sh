#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Conversions of every class to every class, of all sizes, orders, offsets and paddings, are those of libhdf5.
# PCIO_SEED and PCIO_SEEDS choose others. Room: test/type.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/conversion_matrix.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
seeds=${PCIO_SEEDS:-1}
[ -z "${PCIO_LONG-}" ] || seeds=${PCIO_SEEDS:-200}
first=${PCIO_SEED:-0}
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/type/conversion_matrix.c" \
    -o "$dir/oracle" $PCIO_HDF5_SERIAL_LIBS || exit 1
failures=0
for seed in $(seq "$first" $((first + seeds - 1))); do
  "$dir/oracle" "$seed" >"$dir/hdf5" || { echo "seed $seed: the oracle failed"; exit 1; }
  "$PCIO_BUILDDIR/test/type/conversion_matrix" "$seed" >"$dir/pcio" || { echo "seed $seed: failed"; exit 1; }
  diff "$dir/hdf5" "$dir/pcio" >"$dir/diff" && continue
  failures=$((failures + 1))
  echo "seed $seed:"; head -8 "$dir/diff"
done
pairs=$(wc -l <"$dir/pcio")
ways=$(grep -c "converted 0" "$dir/pcio") none=$(grep -c "found 0" "$dir/pcio") hard=$(grep -c "hard 1" "$dir/pcio")
echo "conversion matrix: seeds $first to $((first + seeds - 1)), $pairs pairs, $ways converted, $none without a way," \
     "$hard hard, failures $failures"
[ "$ways" -gt 3000 ] && [ "$none" -gt 6000 ] && [ "$hard" -gt 80 ] && [ "$failures" = 0 ]
