#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Random datatypes, changed by random calls, are the same in libpcio and libhdf5. Room: test/type.
# All of it with PCIO_LONG, else a sample.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
seeds=40
[ -z "${PCIO_LONG-}" ] || seeds=1000
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/check_types.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT

# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/type/type_oracle.c" \
    -o "$dir/oracle" $PCIO_HDF5_SERIAL_LIBS || exit 1
compared=0
crashed=0
for seed in $(seq "$seeds"); do
  # libhdf5 1.10.8 crashes on some of the types; what it printed before does not count.
  "$dir/oracle" "$seed" 12 >"$dir/hdf5" 2>/dev/null || { crashed=$((crashed + 1)); continue; }
  "$PCIO_BUILDDIR/test/type/type_oracle" "$seed" 12 >"$dir/pcio" || { echo "seed $seed: failed"; exit 1; }
  diff "$dir/hdf5" "$dir/pcio" >"$dir/diff" || { echo "seed $seed:"; head -20 "$dir/diff"; exit 1; }
  compared=$((compared + 1))
done 2>/dev/null
echo "$compared seeds equal, $crashed left out because libhdf5 crashed"

# Types with variable-length parts, at any depth.
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/type/nested_oracle.c" \
    -o "$dir/nested" $PCIO_HDF5_SERIAL_LIBS || exit 1
nested=$((seeds * 50))
"$dir/nested" "$nested" >"$dir/hdf5" || { echo "nested types: the oracle failed"; exit 1; }
"$PCIO_BUILDDIR/test/type/nested_oracle" "$nested" >"$dir/pcio" || { echo "nested types: failed"; exit 1; }
diff "$dir/hdf5" "$dir/pcio" >"$dir/diff" || { echo "nested types:"; head -4 "$dir/diff" | cut -c 1-600; exit 1; }
for class in 0 1 2 3 4 5 6 7 8 9 10; do
  [ "$(grep -c "^[0-9]* class $class " "$dir/pcio")" -gt 0 ] || { echo "no type of class $class"; exit 1; }
done
echo "nested types: seeds 1 to $nested, $(grep -c " vlen 1 " "$dir/pcio") with sequences, failures 0"
[ "$compared" -gt $((seeds / 2)) ]
