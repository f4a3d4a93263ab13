#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Every function of libhdf5_hl both ways: what each library has written the other one changes and reads. All answers are
# equal, and so are the files, by h5dump and h5diff. That no function is left out is counted. Then netCDF reads dimension
# scales, where its ncdump is there (PCIO_NCDUMP names another one).
set -u
. "$PCIO_SRCDIR/test/hl/beside.sh" both
failed=0
fail() { echo "FAILED: $1"; failed=1; }
declare -A run=([hdf5]=$work/hdf5 [pcio]=$program)
dump() { h5dump "$1" | sed '1d; s/DATASET [0-9]* /DATASET /g'; }
same() { # the first one, another one, what they are
  diff "$1" "$2" >"$work/log" && return
  fail "$3 differ"
  head -n 10 "$work/log"
}

nm -D --defined-only "$PCIO_BUILDDIR/.libs/libpcio_hl.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/all"
nm -u "$work/hdf5" | awk '{ sub(/@.*/, "", $2); print $2 }' | sort >"$work/called"
called=$(comm -12 "$work/all" "$work/called" | wc -l)
[ -s "$work/all" ] && [ "$called" -eq "$(wc -l <"$work/all")" ] ||
  fail "not called: $(comm -23 "$work/all" "$work/called" | tr '\n' ' ')"

read_by_both() { # file, words: both read it, and say what was read first
  local reader
  for reader in hdf5 pcio; do
    timeout 60 "${run[$reader]}" read "$1" ${3-} >"$work/answers" || fail "$reader reads $1"
    [ -s "$work/$2.answers" ] || cp "$work/answers" "$work/$2.answers"
    same "$work/$2.answers" "$work/answers" "answers of $reader for $(basename "$1")"
  done
  dump "$1" >"$work/dump"
  [ -s "$work/$2.dump" ] || { cp "$work/dump" "$work/$2.dump"; cp "$1" "$work/$2.h5"; }
  same "$work/$2.dump" "$work/dump" "dumps of $(basename "$1")"
  h5diff "$work/$2.h5" "$1" >"$work/log" 2>&1 || { fail "h5diff of $(basename "$1")"; head -n 5 "$work/log"; }
}
for writer in hdf5 pcio; do
  timeout 60 "${run[$writer]}" write "$work/by_$writer.h5" || fail "$writer writes"
  read_by_both "$work/by_$writer.h5" written
  for changer in hdf5 pcio; do
    file=$work/by_${writer}_and_$changer.h5
    cp "$work/by_$writer.h5" "$file"
    timeout 60 "${run[$changer]}" change "$file" || fail "$changer changes what $writer wrote"
    read_by_both "$file" changed changed
  done
done
[ "$(wc -l <"$work/changed.answers")" -gt 60 ] && [ "$(wc -l <"$work/changed.dump")" -gt 300 ] || fail "nothing to compare"
echo "$called of $(wc -l <"$work/all") functions on files of both libraries: 6 files, $(wc -l <"$work/changed.answers") answers each"

ncdump=${PCIO_NCDUMP:-ncdump}
if "$ncdump" -k "$work/by_hdf5.h5" >"$work/log" 2>&1; then
  for file in by_pcio_and_pcio by_hdf5_and_pcio; do
    "$ncdump" -v x,w "$work/$file.h5" >"$work/log" 2>&1 || fail "ncdump of $file"
    for wanted in 'x = 3 ;' 'w = 4 ;' 'float of\ float(x, w) ;' ' x = -7, -4, -1 ;'; do
      grep -qF -- "$wanted" "$work/log" || fail "netCDF doesn't see \"$wanted\" in $file"
    done
  done
  [ "$failed" -ne 0 ] || echo "netCDF reads the dimension scales"
else
  echo "SKIP of a part: no ncdump to read dimension scales with"
fi
exit $failed
