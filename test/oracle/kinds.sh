#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# A file with each kind of object, made by libpcio and by libhdf5: h5diff finds no difference, and what h5dump
# says of both is equal but for places and times. With the three low bounds. Room: test/oracle.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
[ -n "${H5DUMP-}" ] || { echo "SKIP: no h5dump"; exit 77; }
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/kinds.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=$((failed + 1)); }

# dump FOLDER OPTION...: without addresses and bytes that deflate needed, which are each library's own
dump() {
  local folder=$1
  shift
  (cd "$folder" && "$H5DUMP" "$@" kinds.h5 2>&1) |
    sed -E 's/^( *OFFSET) .*/\1/; s/^( *SIZE) [0-9]+ \([0-9.]+:1 COMPRESSION\)/\1/; s/((DATASET|GROUP|DATATYPE) )[0-9]+ ("\/)/\1\3/g'
}

for bound in earliest v18 v110; do
  mkdir -p "$work/$bound/pcio" "$work/$bound/hdf5"
  "$ORACLE_PCIO/kinds" "$work/$bound/pcio" $bound >"$work/pcio.out" || fail "$bound: libpcio"
  "$ORACLE_HDF5/kinds" "$work/$bound/hdf5" $bound >"$work/hdf5.out" || fail "$bound: libhdf5"
  cmp "$work/pcio.out" "$work/hdf5.out" || fail "$bound: not the same kinds"
  (cd "$work/$bound/pcio" && "$(dirname "$H5DUMP")/h5diff" kinds.h5 ../hdf5/kinds.h5) >"$work/diff.out" ||
    fail "$bound: h5diff: $(tail -n 5 "$work/diff.out")"
  for options in "" "-p" "-p -H -q creation_order"; do
    # shellcheck disable=SC2086 # options are words
    diff <(dump "$work/$bound/hdf5" $options) <(dump "$work/$bound/pcio" $options) || fail "$bound: h5dump $options"
  done
  for file in kinds1.bin kinds2.bin; do
    cmp "$work/$bound/pcio/$file" "$work/$bound/hdf5/$file" || fail "$bound: $file"
  done
  [ "$(sed 's/ kinds//' "$work/pcio.out")" -ge 100 ] || fail "$bound: fewer than 100 kinds"
done
echo "kinds: $(cat "$work/pcio.out") in each of 3 formats, failures $failed"
[ $failed = 0 ]
