#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Files whose close moves rewritten chunks to holes before them: generations of rewriting by
# libpcio, one by libhdf5, and more by libpcio; after each turn both libraries compare all data with
# a model, h5dump reads the file, and no chunk overlaps another. 24 files in `make check`, 600 in
# `make check-long`; PCIO_SEED is the first seed. Room: test/oracle.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
files=24
[ -z "${PCIO_LONG-}" ] || files=600
seed=${PCIO_SEED:-1}
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/rewrites.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
declare -A moved
fail() { echo "FAILED: seed $seed: $*"; failed=$((failed + 1)); }

# turn PROGRAM FROM TO
turn() {
  local kind word count
  "$1/rewrites" "$work/file.h5" "$seed" "$2" "$3" >"$work/out" 2>"$work/err" ||
    { fail "generations $2 to $3 by $1: $(tail -1 "$work/err")"; return 1; }
  while read -r word kind count; do
    [ "$1" = "$ORACLE_PCIO" ] || continue
    moved[$word.$kind]=$((${moved[$word.$kind]:-0} + count))
    [ "$word" = stayed ] || moved[total]=$((${moved[total]:-0} + count))
  done <"$work/out"
  for reader in "$ORACLE_HDF5" "$ORACLE_PCIO"; do
    "$reader/rewrites" "$work/file.h5" "$seed" check "$3" 2>"$work/err" ||
      { fail "after generation $3 (by $1) $reader: $(tail -1 "$work/err")"; return 1; }
  done
  [ -z "${H5DUMP-}" ] || [ $((seed % 4)) != 0 ] ||
    "$H5DUMP" -o /dev/null "$work/file.h5" >/dev/null 2>&1 ||
    { fail "h5dump after generation $3"; return 1; }
}

for ((n = 0; n < files; ++n, ++seed)); do
  first=$((2 + seed % 4))
  rm -f "$work/file.h5"
  turn "$ORACLE_PCIO" 0 "$first" && turn "$ORACLE_HDF5" "$first" $((first + 1)) &&
    turn "$ORACLE_PCIO" $((first + 1)) $((first + 3))
done
line="rewrites: files $files, moved ${moved[total]:-0}"
for kind in btree1 single fixed extensible btree2; do
  line="$line, $kind ${moved[moved.$kind]:-0}"
  [ "${moved[moved.$kind]:-0}" -gt 0 ] || fail "no chunk of index $kind was moved"
done
echo "$line, stayed ${moved[stayed.all]:-0}, failures $failed"
[ $failed = 0 ]
