#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Lives of files with shared object header messages (one to three indexes, lists and trees and changes between
# them, all bounds of format), changed at random by libpcio and libhdf5 by turns; after each turn both compare all
# of it with a model, and h5dump reads the file. In the end all is deleted, and nothing may be left in any heap:
# who counts a reference too many or too few is found. 6 lives in `make check`, 400 in `make check-long`; PCIO_SEED
# is the first seed. Room: test/oracle.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
lives=6
[ -z "${PCIO_LONG-}" ] || lives=400
lives=${PCIO_CASES:-$lives}
seed=${PCIO_SEED:-1}
first_seed=$seed
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/shared_turns.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
declare -A seen
fail() { echo "FAILED: seed $seed: $*"; failed=$((failed + 1)); }
play() { "$1/shared_turns" "$work/file.h5" "$seed" "$2" "$3" 2>"$work/err"; }

# turn PROGRAM FROM TO
turn() {
  local word count reader
  play "$1" "$2" "$3" >"$work/out" ||
    { fail "generations $2 to $3 by $1: $(tail -n 3 "$work/err")"; return 1; }
  while read -r word count; do
    [ "$1" = "$ORACLE_PCIO" ] && seen[$word]=$((${seen[$word]:-0} + count))
  done <"$work/out"
  for reader in "$ORACLE_HDF5" "$ORACLE_PCIO"; do
    play "$reader" check "$3" || { fail "after generation $3 (by $1) $reader: $(tail -n 3 "$work/err")"; return 1; }
  done
  [ -z "${H5DUMP-}" ] || "$H5DUMP" -H "$work/file.h5" >/dev/null 2>&1 ||
    { fail "h5dump after generation $3"; return 1; }
}

for ((n = 0; n < lives; ++n, ++seed)); do
  rm -f "$work/file.h5"
  if [ $((seed % 2)) = 0 ]; then one=$ORACLE_PCIO two=$ORACLE_HDF5; else one=$ORACLE_HDF5 two=$ORACLE_PCIO; fi
  turn "$one" 0 1 && turn "$two" 1 2 && turn "$one" 2 3 && turn "$two" 3 5 && turn "$one" 5 6 || continue
  if [ $((seed / 2 % 2)) = 0 ]; then one=$two; fi
  play "$one" end 6 || { fail "deleting all by $one: $(tail -n 3 "$work/err")"; continue; }
  for reader in "$ORACLE_HDF5" "$ORACLE_PCIO"; do
    play "$reader" empty 6 || fail "something is left after $one: $reader: $(tail -n 3 "$work/err")"
  done
done
line="shared turns: seeds $first_seed to $((seed - 1))"
for word in made removed grown rewritten renamed huge dense flushes reopened list tree; do
  line="$line, $word ${seen[$word]:-0}"
  [ "${seen[$word]:-0}" -gt 0 ] || fail "no $word"
done
echo "$line, failures $failed"
[ $failed = 0 ]
