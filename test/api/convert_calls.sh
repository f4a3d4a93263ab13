#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Files of the latest format that libpcio has made earlier: libhdf5 1.10.8 reads and changes them as before, opens
# them with 1.8 as its high bound, and says of them what it says of those that it converted itself. Room: test/api.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
pcio=$PCIO_BUILDDIR/test/api/convert_calls hdf5=$dir/convert_calls
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=gnu99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/api/convert_calls.c" \
    -o "$hdf5" $PCIO_HDF5_SERIAL_LIBS || exit 1
failed=0 lines=0
fail() { echo "FAILED: $1"; failed=1; }
for first in hdf5 pcio; do
  mkdir -p "$dir/$first" "$dir/other"
  ${!first} "$dir/$first" make || exit 1
  cp "$dir/$first"/* "$dir/other"
  "$hdf5" "$dir/$first" read >"$dir/before" || exit 1
  grep -q ": -1" "$dir/before" && fail "unreadable before"
  "$pcio" "$dir/$first" convert >"$dir/answers.pcio" || exit 1
  "$hdf5" "$dir/other" convert >"$dir/answers.hdf5" || exit 1
  diff -u "$dir/answers.hdf5" "$dir/answers.pcio" || fail "answers"
  for lib in hdf5 pcio; do
    "${!lib}" "$dir/$first" facts >"$dir/facts.$lib" || exit 1
    "$hdf5" "$dir/other" facts | diff -u - "$dir/facts.$lib" || fail "facts by $lib"
    "${!lib}" "$dir/$first" read | diff -u "$dir/before" - || fail "made by $first, read by $lib"
  done
  for turn in hdf5 pcio hdf5; do
    ${!turn} "$dir/$first" change || fail "$turn can't change it"
    "$hdf5" "$dir/$first" read >"$dir/read.hdf5" || exit 1
    "$pcio" "$dir/$first" read >"$dir/read.pcio" || exit 1
    diff -u "$dir/read.hdf5" "$dir/read.pcio" || fail "made by $first, changed by $turn"
    lines=$((lines + $(wc -l <"$dir/read.hdf5")))
  done
done
[ "$(grep -c "opened by 1.8 1, superblock 2" "$dir/facts.pcio")" = 8 ] || fail "not for 1.8"
echo "format conversion: $(wc -l <"$dir/answers.pcio") answers, $lines lines read by both after changes, failed $failed"
[ "$lines" -gt 500 ] || exit 1
exit $failed
