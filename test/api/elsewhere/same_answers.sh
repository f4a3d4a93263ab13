#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Comments, links that lead elsewhere, mounts, copies and names: the programs of this folder print the same
# with libpcio and with libhdf5 1.10.8. Room: test/api.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
for program in comments copied_data copies external fills heaps mounts user_links; do
  mkdir -p "$dir/$program/hdf5" "$dir/$program/pcio"
  # shellcheck disable=SC2086 # flags are words
  ${PCIO_CC:-cc} -std=c99 -O0 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/api/elsewhere/$program.c" \
      -o "$dir/$program/oracle" $PCIO_HDF5_SERIAL_LIBS || exit 1
  (cd "$dir/$program/hdf5" && ../oracle) >"$dir/$program.hdf5" || { echo "libhdf5 failed"; exit 1; }
  ours=$(cd "$PCIO_BUILDDIR" && pwd)/test/api/elsewhere/$program
  (cd "$dir/$program/pcio" && "$ours") >"$dir/$program.pcio" || { echo "$program failed"; failed=1; }
  echo "$program: $(wc -l <"$dir/$program.hdf5") answers compared"
  [ "$(wc -l <"$dir/$program.hdf5")" -gt 90 ] || failed=1
  diff -u "$dir/$program.hdf5" "$dir/$program.pcio" >"$dir/diff" || { head -60 "$dir/diff"; failed=1; }
done
# Copies by both libraries hold the same. (Empty datasets are "not comparable", which is no difference; what
# references alone lead to has an address in its name.)
same_content() {
  h5diff "$dir/copies/hdf5/$1.h5" "$dir/copies/pcio/$1.h5" "$2" "$2" >"$dir/diff" 2>&1 ||
    { echo "h5diff: $1.h5 $2"; head -20 "$dir/diff"; failed=1; }
}
if command -v h5diff >/dev/null; then
  for file in s1 s2; do same_content $file /; done
  for file in d1 d2; do
    for path in /all "/copy 0" "/copy 2" "/copy 4" "/copy 10" /deflated /typed "/by external"; do
      same_content $file "$path"
    done
  done
  # libhdf5 1.10.8 can't read its own file with addresses of two bytes.
  h5dump "$dir/heaps/pcio/short.h5" >"$dir/short" || failed=1
  [ "$(grep -c 'SOFTLINK\|ATTRIBUTE' "$dir/short")" -eq 300 ] || { echo "heaps: short.h5"; failed=1; }
  for file in f1 f2 large c1 c2; do
    h5diff "$dir/heaps/hdf5/$file.h5" "$dir/heaps/pcio/$file.h5" >"$dir/diff" 2>&1 ||
      { echo "h5diff: heaps $file.h5"; head -20 "$dir/diff"; failed=1; }
  done
fi
# Groups with filters, changed by both libraries in turn.
for file in f1 f2; do
  for from in hdf5 pcio; do
    cp "$dir/heaps/$from/$file.h5" "$dir/heaps/a.h5"
    cp "$dir/heaps/$from/$file.h5" "$dir/heaps/b.h5"
    for round in 3 4 5 6; do
      ours=$(cd "$PCIO_BUILDDIR" && pwd)/test/api/elsewhere/heaps theirs=$dir/heaps/oracle
      [ $((round % 2)) -eq 0 ] || { swap=$ours ours=$theirs theirs=$swap; }
      (cd "$dir/heaps" && "$ours" a.h5 $round) | sed 's/^a/x/' >"$dir/a.out"
      (cd "$dir/heaps" && "$theirs" b.h5 $round) | sed 's/^b/x/' >"$dir/b.out"
      [ "$(wc -l <"$dir/a.out")" -gt 40 ] || failed=1
      diff -u "$dir/a.out" "$dir/b.out" >"$dir/diff" ||
        { echo "heaps by turns: $from $file.h5, round $round"; head -20 "$dir/diff"; failed=1; }
    done
  done
done
# Each library looks at the other's fill values. (What libhdf5 1.10.8 copies between files has ids of the other one.)
looks_equal() {
  "$dir/fills/oracle" "$1" "$2" >"$dir/look.hdf5" || { echo "libhdf5 failed with $1"; failed=1; }
  cp "$1.kept" "$1"
  (cd "$PCIO_BUILDDIR" && test/api/elsewhere/fills "$1" "$2") >"$dir/look.pcio" || failed=1
  diff -u "$dir/look.hdf5" "$dir/look.pcio" >"$dir/diff" || { echo "$1"; head -20 "$dir/diff"; failed=1; }
  grep -q 'all: 0' "$dir/look.pcio" || failed=1
}
for file in hdf5/f1 hdf5/f3 pcio/f1 pcio/f3 pcio/f2 pcio/f4; do
  cp "$dir/fills/$file.h5" "$dir/fills/$file.h5.kept"
  case $file in *[24]) path=all ;; *) path=/ ;; esac
  looks_equal "$dir/fills/$file.h5" $path
done
exit $failed
