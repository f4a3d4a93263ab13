#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Files of libhdf5's with shared object header messages (spaces, types, fill values, pipelines, attributes,
# some of these in dense storage), in lists and in trees, read after each change by both libraries.
# Room: test/oracle.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/shared.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0 checks=0
fail() { echo "FAILED: $*"; failed=$((failed + 1)); }
check() {
  local reader
  for reader in "$ORACLE_HDF5" "$ORACLE_PCIO"; do
    "$reader/shared_messages" "$work/file.h5" check "$1" || fail "list $2, after change $1: $reader"
    checks=$((checks + 1))
  done
  [ -z "${H5DUMP-}" ] || "$H5DUMP" -o /dev/null "$work/file.h5" >/dev/null 2>&1 || fail "h5dump after change $1"
}
for list in 0 10 50; do
  rm -f "$work/file.h5"
  "$ORACLE_HDF5/shared_messages" "$work/file.h5" make "$list" || fail "make $list"
  check 0 "$list"
  for change in 1 2 3 4; do
    "$ORACLE_HDF5/shared_messages" "$work/file.h5" change "$change" || fail "list $list: change $change"
    check "$change" "$list"
  done
done
# Writing to one is refused, in words, and leaves it as it is; so is making one.
cp "$work/file.h5" "$work/copy.h5"
"$ORACLE_PCIO/shared_messages" "$work/copy.h5" change 5 2>"$work/err" && fail "libpcio changed one"
grep -q "shared object header messages" "$work/err" || fail "the error does not say why: $(cat "$work/err")"
cmp -s "$work/file.h5" "$work/copy.h5" || fail "the file is not what it was"
"$ORACLE_PCIO/shared_messages" "$work/none.h5" make 50 2>"$work/err" && fail "libpcio made one"
grep -q "shared" "$work/err" || fail "the error does not say why: $(head -n 3 "$work/err")"
echo "shared messages: checks $checks, failures $failed"
[ $failed = 0 ]
