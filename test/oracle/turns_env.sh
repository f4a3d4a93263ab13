# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Sourced: the frame of lives by turns, where one C program is built with libpcio and with libhdf5, and both compare
# the file with a model. $program, and the lives of a sample ($sample) and of make check-long ($all), are set before.
# PCIO_SEED is the first seed. Room: test/oracle.
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
lives=$sample
[ -z "${PCIO_LONG-}" ] || lives=$all
lives=${PCIO_CASES:-$lives}
seed=${PCIO_SEED:-1}
first_seed=$seed
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/$program.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
declare -A seen
fail() { echo "FAILED: seed $seed: $*"; failed=$((failed + 1)); }
# play LIBRARY WORDS...: the program of this life.
play() { "$1/$program" "$work/file.h5" "$seed" "${@:2}" 2>"$work/err"; }

# turn LIBRARY FROM TO: generations, counted in `seen` where they are libpcio's; then everybody looks.
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

# begin_life: a new file; by the seed one library ($one) or the other ($two) begins.
begin_life() {
  rm -f "$work/file.h5"
  if [ $((seed % 2)) = 0 ]; then one=$ORACLE_PCIO two=$ORACLE_HDF5; else one=$ORACLE_HDF5 two=$ORACLE_PCIO; fi
}

# sum_up WORD...: the last line; what was never seen is a failure. Status of the script.
sum_up() {
  local line word
  line="${program//_/ }: seeds $first_seed to $((seed - 1))"
  for word do
    line="$line, $word ${seen[$word]:-0}"
    [ "${seen[$word]:-0}" -gt 0 ] || fail "no $word"
  done
  echo "$line, failures $failed"
  [ $failed = 0 ]
}
