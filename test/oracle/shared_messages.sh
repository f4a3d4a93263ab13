#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Files with shared object header messages (spaces, types, fill values, pipelines, attributes, some of these in
# dense storage), in lists and in trees, changed by libhdf5 and by both by turns, read after each change by both.
# Room: test/oracle.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/shared_messages.XXXXXX") || exit 1
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
# Made by one library, changed by both by turns, each in the list and tree forms; then nothing may be left.
for list in 0 3 10 50; do
  make=make
  for order in PHPHP HPPHH PPHHP HPHPH HHPPP; do
    if [ $order = HPHPH ]; then make=make-old; fi
    rm -f "$work/file.h5"
    for step in 0 1 2 3 4; do
      if [ "${order:step:1}" = P ]; then by=$ORACLE_PCIO; else by=$ORACLE_HDF5; fi
      if [ $step = 0 ]; then
        "$by/shared_messages" "$work/file.h5" "$make" "$list" || fail "$order: make $list"
      else
        "$by/shared_messages" "$work/file.h5" change $step || fail "$order: list $list: change $step"
      fi
      check $step "$list"
    done
    "$ORACLE_PCIO/shared_messages" "$work/file.h5" delete 4 || fail "$order: list $list: delete"
    "$ORACLE_HDF5/shared_messages" "$work/file.h5" empty 4 || fail "$order: list $list: something is left"
    checks=$((checks + 1))
  done
done
echo "shared messages: checks $checks, failures $failed"
[ $failed = 0 ]
