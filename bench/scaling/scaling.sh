#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Every count that scaling_counts knows is doubled twice; work, memory and bytes of files may grow with the
# count to the power of 1.25 at most. Counted and not timed: instructions by valgrind, the rest by the
# program itself, so every run of one build says the same. What does not grow with a count is subtracted.
set -u
most=1.25 count=${1:-400}
counts=$PCIO_BUILDDIR/bench/scaling_counts
command -v valgrind >/dev/null || { echo "SKIP: no valgrind"; exit 77; }
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/scaling.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

# once CASE COUNT: instructions, bytes of memory and bytes of files, on one line; nothing where it failed.
once() {
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file="$work/log" \
    "$counts" -1 -n "$2" -d "$work" "$1" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; return; }
  echo "$(sed -n 's/.*I *refs: *//p' "$work/log" | tr -d ,)" \
    "$(sed -n 's/.*memory=\([0-9]*\) moved=\([0-9]*\)$/\1 \2/p' "$work/out")"
}

# exponents CASE: of work, memory and bytes; a fourth word where one is too large or a run has failed.
exponents() {
  { once "$1" "$count"; once "$1" $((2 * count)); once "$1" $((4 * count)); } | awk -v most=$most '
    function exponent(a, b, c, least) {  # of what is above a; what grows by less than noise does not grow
      if (c - b < least || b - a < least / 2) return 1
      return log((c - b) / (b - a)) / log(2)
    }
    { for (i = 1; i <= 3; ++i) seen[NR, i] = $i; if (NF != 3) bad = 1 }
    END {
      # Pages of tables double now and then: 256 KiB of memory say nothing.
      split("200000 262144 262144", least, " ")
      for (i = 1; i <= 3; ++i) {
        e = exponent(seen[1, i], seen[2, i], seen[3, i], least[i])
        printf "%.2f ", e
        if (e > most) bad = 1
      }
      if (NR != 3) bad = 1
      print bad ? "TOO MUCH" : ""
    }'
}

failed=0 cases=0 largest=0
for name in $("$counts" -l); do
  read -r -a found <<<"$(exponents "$name")"
  cases=$((cases + 1))
  printf '%-24s work %s memory %s moved %s\n' "$name" "${found[@]:0:3}"
  largest=$(printf '%s\n' "$largest" "${found[@]:0:3}" | sort -n | tail -n 1)
  [ ${#found[@]} -eq 3 ] || { failed=$((failed + 1)); echo "FAIL: $name: ${found[*]}"; }
done
# And it would be seen.
read -r -a found <<<"$(exponents planted_square)"
[ ${#found[@]} -gt 3 ] || { failed=$((failed + 1)); echo "FAIL: a planted square is not seen: ${found[*]}"; }
[ $cases -gt 40 ] || { failed=$((failed + 1)); echo "FAIL: only $cases cases"; }
echo "$cases counts doubled from $count, largest exponent $largest, $failed failed"
[ $failed -eq 0 ]
