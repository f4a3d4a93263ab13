#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Property lists and error stacks answer as those of libhdf5: C sources that are compiled against
# both libraries must print the same.
set -eu
[ -n "${PCIO_HDF5_MPI_LIBS-}" ] || { echo "SKIP: no parallel libhdf5 to compare with"; exit 77; }
tmp=$(mktemp -d "${PCIO_TEST_TMP:-${TMPDIR:-/tmp}}/defaults.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

for name in defaults errors; do
  # shellcheck disable=SC2086 # flags are words
  ${PCIO_CC:-cc} -std=c99 -O0 -w $PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS \
    "$PCIO_SRCDIR/test/oracle/$name.c" -o "$tmp/theirs" $PCIO_HDF5_MPI_LIBS $PCIO_MPI_LIBS ||
    { echo "FAIL: $name.c does not build"; exit 1; }
  timeout 60 "$tmp/theirs" > "$tmp/theirs.txt"
  timeout 60 "$PCIO_BUILDDIR/test/oracle/$name" > "$tmp/ours.txt"
  [ -s "$tmp/theirs.txt" ] || { echo "FAIL: nothing was printed"; exit 1; }
  diff "$tmp/theirs.txt" "$tmp/ours.txt" || { echo "FAIL: '<' is libhdf5, '>' is libpcio"; exit 1; }
  echo "$name: $(grep -c . "$tmp/ours.txt") lines equal"
done
