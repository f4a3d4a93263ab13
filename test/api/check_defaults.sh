#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Property lists, error stacks, ids of programs, datatypes and calls of older versions answer as those of libhdf5: C sources that are
# compiled against both libraries must print the same. With PCIO_LONG=1 more random lists.
set -eu
[ -n "${PCIO_HDF5_MPI_LIBS-}" ] || { echo "SKIP: no parallel libhdf5 to compare with"; exit 77; }
tmp=$(mktemp -d "${PCIO_TEST_TMP:-${TMPDIR:-/tmp}}/defaults.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

lists=2000
[ "${PCIO_LONG:-0}" = 0 ] || lists=100000

for name in defaults errors failures id_types list_bytes list_classes old_calls type_calls; do
  arguments=()
  [ $name != list_bytes ] || arguments=("$lists" "${PCIO_SEED:-1}")
  # shellcheck disable=SC2086 # flags are words
  ${PCIO_CC:-cc} -std=c99 -O0 -w $PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS \
    "$PCIO_SRCDIR/test/oracle/$name.c" -o "$tmp/theirs" $PCIO_HDF5_MPI_LIBS $PCIO_MPI_LIBS ||
    { echo "FAIL: $name.c does not build"; exit 1; }
  timeout 60 "$tmp/theirs" "${arguments[@]}" > "$tmp/theirs.txt"
  timeout 60 "$PCIO_BUILDDIR/test/oracle/$name" "${arguments[@]}" > "$tmp/ours.txt"
  [ -s "$tmp/theirs.txt" ] || { echo "FAIL: nothing was printed"; exit 1; }
  diff "$tmp/theirs.txt" "$tmp/ours.txt" || { echo "FAIL: '<' is libhdf5, '>' is libpcio"; exit 1; }
  echo "$name: $(grep -c . "$tmp/ours.txt") lines equal"
  [ $name != list_bytes ] || echo "seed ${PCIO_SEED:-1}: $(tail -1 "$tmp/ours.txt")"
done
