#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# References to regions and objects: calls answer as libhdf5's do; each library, h5dump and h5py read what
# either has written, and what one has changed in a file of the other. Room: test/api.
set -u
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
dir=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/region_calls.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -std=c99 -O0 $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/api/region_calls.c" \
    -o "$dir/hdf5" $PCIO_HDF5_SERIAL_LIBS || exit 1
ln -s "$(cd "$PCIO_BUILDDIR" && pwd)/test/api/region_calls" "$dir/pcio"
cd "$dir" || exit 1
failed=0
fail() { echo "$1"; failed=1; }
# same WHAT A B: two texts
same() { diff -u "$2" "$3" >diff || { fail "$1 differs"; head -40 diff; }; }

for library in hdf5 pcio; do
  ./$library edges edges_$library.h5 >edges_$library || fail "$library edges"
  ./$library make $library.h5 >make_$library || fail "$library make"
  ./$library show $library.h5 >show_$library || fail "$library show"
done
same "what calls return" edges_hdf5 edges_pcio
same "what making returns" make_hdf5 make_pcio
same "what is read" show_hdf5 show_pcio
[ "$(wc -l <show_hdf5)" -gt 150 ] || fail "too little is shown"
[ "$(grep -c ' null' show_hdf5)" -gt 20 ] || fail "no null references"
! grep -q failed show_pcio || fail "something failed"
./hdf5 show pcio.h5 >crossed; same "what libhdf5 reads of ours" show_hdf5 crossed
./pcio show hdf5.h5 >crossed; same "what we read of libhdf5's" show_hdf5 crossed

# Changed by the other library than the one that made it, and by the same.
cp hdf5.h5 hdf5_pcio.h5; cp pcio.h5 pcio_hdf5.h5
./hdf5 rewrite hdf5.h5 >rewrite_wanted; ./hdf5 show hdf5.h5 >show_wanted
cmp -s show_hdf5 show_wanted && fail "a change changes nothing"
for turn in "pcio pcio.h5" "pcio hdf5_pcio.h5" "hdf5 pcio_hdf5.h5"; do
  set -- $turn
  ./"$1" rewrite "$2" >rewrite || fail "$1 rewrite $2"
  same "what changing $2 returns" rewrite_wanted rewrite
  for reader in hdf5 pcio; do
    ./$reader show "$2" >shown; same "what $reader reads of $2 then" show_wanted shown
  done
done
if [ -n "${H5DUMP-}" ]; then
  for pair in "hdf5.h5 pcio.h5" "hdf5.h5 hdf5_pcio.h5"; do
    set -- $pair
    for file in "$1" "$2"; do
      "$H5DUMP" "$file" 2>&1 | sed -e 1d -e 's/\(GROUP\|DATASET\) [0-9]* "/\1 "/g' >"dump_$file" || fail "h5dump $file"
    done
    same "h5dump" "dump_$1" "dump_$2"
  done
  grep -q 'REGION_TYPE BLOCK' dump_pcio.h5 || fail "h5dump shows no region"
fi
if "${PYTHON:-python3}" -c 'import h5py' 2>/dev/null; then
  "${PYTHON:-python3}" - <<'PY' || fail "h5py"
import h5py
f = h5py.File("pcio.h5", "r")
refs = f["/contiguous plain"][...]
assert f[refs[0]].name == "/data/numbers"
shapes = [f[r][r].size if r else None for r in refs]
assert shapes == [3, 8, 0, 9, 3, 8], shapes
assert [f[r[0]].name for r in f["/data/numbers"].attrs["DIMENSION_LIST"]] == ["/data", "/"]
PY
else
  echo "without h5py"
fi
exit $failed
