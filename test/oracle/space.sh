#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Files whose free space is paged or kept, changed by libpcio and libhdf5 in turn. After each turn
# all data are checked by both, and h5stat accounts for every byte where the file keeps its free
# space. 24 files in `make check`, 400 in `make check-long`; PCIO_SPACE_SEED is the first seed.
set -u
. "$PCIO_SRCDIR/test/oracle/oracle_env.sh"
files=24
[ -z "${PCIO_LONG-}" ] || files=400
seed=${PCIO_SPACE_SEED:-1}
work=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/space.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
declare -A bins
fail() { echo "FAILED: seed $seed: $*"; failed=$((failed + 1)); }

# Bytes that h5stat can't explain: where free space is kept there are none, in files without pages and
# of the earliest format (in others it finds such in libhdf5's own files too).
unaccounted() { h5stat -S "$1" 2>/dev/null | awk '/Unaccounted space/ { print $3 }'; }

tracked() { h5stat -S "$1" 2>/dev/null | sed -n 's|.*tracked free space: \([0-9]*\) bytes.*|\1|p'; }

run_one() {
  local strategy=$1 persist=$2 latest=$3 page file=$work/space.h5 turn who rest
  page=$((512 << (seed % 4)))
  rm -f "$file"
  for turn in 0 1 2 3 4 5; do
    who=$(((seed + turn) % 2))
    [ $who = 0 ] && program=$ORACLE_PCIO/spacealt || program=$ORACLE_HDF5/spacealt
    if [ $turn = 0 ]; then
      set -- "$strategy" "$persist" "$page" "$latest"
    else
      set --
    fi
    if ! "$program" "$file" $((seed * 10 + turn)) 25 "$@" >"$work/out" 2>"$work/err"; then
      fail "strategy $strategy persist $persist latest $latest turn $turn $program: $(grep -m1 spacealt: "$work/err")"
      return
    fi
    bins[by$who]=$((${bins[by$who]:-0} + 1))
    h5dump -H "$file" >/dev/null 2>&1 || { fail "h5dump refuses the file after turn $turn"; return; }
    [ "$persist" = 1 ] && [ $who = 0 ] || continue
    rest=$(unaccounted "$file")
    # libhdf5 finds as much free space as libpcio says.
    grep -q "free $(tracked "$file") " "$work/out" ||
      fail "turn $turn: $(cat "$work/out"), but h5stat: $(tracked "$file")"
    [ "$strategy$latest" != 00 ] || [ "${rest:-x}" = 0 ] || fail "turn $turn: ${rest:-no} bytes unaccounted for"
    bins[accounted]=$((${bins[accounted]:-0} + 1))
  done
}

for ((n = 0; n < files; ++n, ++seed)); do
  # Strategies 2 and 3 do not keep free space.
  case $((n % 6)) in
    0) set -- 0 0 ;; 1) set -- 0 1 ;; 2) set -- 1 0 ;; 3) set -- 1 1 ;; 4) set -- 2 0 ;; *) set -- 3 0 ;;
  esac
  latest=$((n / 6 % 2))
  bins[strategy$1.$2]=$((${bins[strategy$1.$2]:-0} + 1))
  bins[latest$latest]=$((${bins[latest$latest]:-0} + 1))
  run_one "$1" "$2" $latest
done
line="space: files $files"
for bin in by0 by1 accounted strategy0.0 strategy0.1 strategy1.0 strategy1.1 strategy2.0 strategy3.0 \
  latest0 latest1; do
  line="$line, $bin ${bins[$bin]:-0}"
  [ "${bins[$bin]:-0}" -gt 0 ] || fail "nothing was tried for $bin"
done
echo "$line, failures $failed"
[ $failed = 0 ]
