#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The same H5S calls in libpcio and libhdf5 1.10.8 return the same. Room: test/api.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }

# In later random rounds libhdf5 1.10.8 contradicts itself (numbers of points and lists of blocks).
rounds=370
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/space_calls.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT

# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/api/space_calls.c" \
    -o "$dir/space_calls" $PCIO_HDF5_SERIAL_LIBS || exit 1
"$dir/space_calls" $rounds >"$dir/hdf5.all" || exit 1
"$PCIO_BUILDDIR/test/api/space_calls" $rounds >"$dir/pcio.all" || exit 1
if grep -q '^crashed' "$dir/pcio.all"; then
  echo "libpcio crashed in:"
  grep -B1 '^crashed' "$dir/pcio.all"
  exit 1
fi

# Leaves out, on both sides, the sections in which libhdf5 crashed.
number_sections='/^--- /{n++} {print n "\t" $0}'
awk "$number_sections" "$dir/hdf5.all" >"$dir/hdf5.n"
awk "$number_sections" "$dir/pcio.all" >"$dir/pcio.n"
for which in hdf5 pcio; do
  awk -F '\t' 'NR == FNR {if ($2 == "crashed") skip[$1] = 1; next} !($1 in skip) {print $2}' \
    "$dir/hdf5.n" "$dir/$which.n" >"$dir/$which"
done
echo "$(grep -c '^--- ' "$dir/hdf5") sections compared," \
  "$(grep -c '^crashed' "$dir/hdf5.all") left out because libhdf5 crashed"
diff -u "$dir/hdf5" "$dir/pcio" | head -100
exit "${PIPESTATUS[0]}"
