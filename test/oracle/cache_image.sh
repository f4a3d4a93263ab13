#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Metadata cache images of libhdf5: what is in one is read as from its places, and a writer puts it there: both
# libraries list such a file alike, before and after it was opened for writing. libhdf5 1.10.8 can't always close one
# that it has opened for writing, so it makes the same changes to a file without an image. Room: test/oracle.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/cache_image.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=c99 -O1 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/oracle/cache_image.c" \
  -o "$work/theirs" $PCIO_HDF5_SERIAL_LIBS || exit 1
failed=0

# same WHAT FILE...: all of them are listed alike by both libraries.
same() {
  local what=$1 file
  "$ORACLE_HDF5/listall" "$2" >"$work/expected" || { echo "FAILED $what: libhdf5 refuses $2"; failed=1; }
  for file in "${@:2}"; do
    for program in "$ORACLE_HDF5/listall" "$ORACLE_PCIO/listall"; do
      "$program" "$file" >"$work/said"
      cmp -s "$work/expected" "$work/said" && continue
      failed=1
      echo "FAILED $what: $program lists $(basename "$file") otherwise:"
      diff "$work/expected" "$work/said" | head -5
    done
  done
}

"$work/theirs" make "$work/image.h5" || failed=1
grep -q MDCI "$work/image.h5" || { echo "FAILED: libhdf5 wrote no image"; failed=1; }
"$work/theirs" plain "$work/plain.h5" || failed=1
same "as it was made" "$work/plain.h5" "$work/image.h5"
for step in touch change; do
  cp "$work/plain.h5" "$work/theirs.h5"
  cp "$work/image.h5" "$work/ours.h5"
  "$work/theirs" $step "$work/theirs.h5" || { echo "FAILED: $step by libhdf5"; failed=1; }
  "$ORACLE_PCIO/cache_image" $step "$work/ours.h5" || { echo "FAILED: $step by libpcio"; failed=1; }
  same "after $step" "$work/theirs.h5" "$work/ours.h5"
  "${H5DUMP:-h5dump}" "$work/ours.h5" >/dev/null || { echo "FAILED: h5dump after $step"; failed=1; }
done
[ $failed -eq 0 ] && echo "1 file with an image, listed, opened for writing and changed: 0 failures"
exit $failed
