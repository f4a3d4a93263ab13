#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Lives of groups with many links and attributes in dense storage (up to 4,000 and 400; each fiftieth life
# 20,000 and 2,000), changed at random by libpcio and libhdf5 by turns; after each turn both compare all of
# it with a model, and h5dump reads the file. 4 lives in `make check`, 300 in `make check-long`; PCIO_SEED is the first seed. Room: test/oracle.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
lives=4
[ -z "${PCIO_LONG-}" ] || lives=300
lives=${PCIO_CASES:-$lives}
seed=${PCIO_SEED:-1}
first_seed=$seed
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/dense.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
declare -A seen
fail() { echo "FAILED: seed $seed: $*"; failed=$((failed + 1)); }

# turn PROGRAM FROM TO
turn() {
  local word count reader
  "$1/dense_turns" "$work/file.h5" "$seed" "$2" "$3" >"$work/out" 2>"$work/err" ||
    { fail "generations $2 to $3 by $1: $(tail -n 3 "$work/err")"; return 1; }
  while read -r word count; do
    [ "$1" = "$ORACLE_PCIO" ] && seen[$word]=$((${seen[$word]:-0} + count))
  done <"$work/out"
  for reader in "$ORACLE_HDF5" "$ORACLE_PCIO"; do
    "$reader/dense_turns" "$work/file.h5" "$seed" check "$3" 2>"$work/err" ||
      { fail "after generation $3 (by $1) $reader: $(tail -n 3 "$work/err")"; return 1; }
  done
  [ -z "${H5DUMP-}" ] || "$H5DUMP" -H "$work/file.h5" >/dev/null 2>&1 ||
    { fail "h5dump after generation $3"; return 1; }
}

for ((n = 0; n < lives; ++n, ++seed)); do
  rm -f "$work/file.h5"
  if [ $((seed % 2)) = 0 ]; then one=$ORACLE_PCIO two=$ORACLE_HDF5; else one=$ORACLE_HDF5 two=$ORACLE_PCIO; fi
  turn "$one" 0 2 && turn "$two" 2 3 && turn "$one" 3 5 && turn "$two" 5 7 && turn "$one" 7 8
done
line="dense turns: seeds $first_seed to $((seed - 1))"
for word in dense compact huge large removed renamed rewritten flushes; do
  line="$line, $word ${seen[$word]:-0}"
  [ "${seen[$word]:-0}" -gt 0 ] || fail "no $word"
done
echo "$line, failures $failed"
[ $failed = 0 ]
