#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# pcioexplain as a program: what it tells, its exit statuses, its one line for each error; files stay as they are.
# Room: test/explain.
set -u
tool=$PCIO_BUILDDIR/tools/pcioexplain
[ -x "$tool" ] || { echo "SKIP: built without pcioexplain (CLI11, fmt, Open MPI)"; exit 77; }
work=$(mktemp -d "${PCIO_TEST_TMP:-.}/explain.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export TMPDIR=$PWD
passed=0 failed=0
bad() { failed=$((failed + 1)); echo "FAILED $1"; tail -n 5 log; }
# expect STATUS WHAT ARGS...: one line on stderr where it fails.
expect() {
  local wanted=$1 what=$2 status
  shift 2
  "$tool" "$@" >out 2>log
  status=$?
  if [ $status -ne "$wanted" ]; then bad "$what: exit status $status"
  elif [ "$wanted" -eq 1 ] && [ "$(wc -l <log)" -ne 1 ]; then bad "$what: not one line"
  else passed=$((passed + 1)); fi
}
has() { if grep -qF -- "$2" "$1"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: no \"$2\" in $1"; cat "$1"; fi; }

expect 0 "--help" --help
has out "--slabs"
expect 0 "--version" --version
has out "pcioexplain "
made="--shape 64x96 --chunk 16x32 --type f8"
expect 0 "blocks" $made --ranks 2x3
has out "by 6 ranks, blocks by a grid of 2x3"
has out "chunk collective, link chunk"
has out "12 of 12 touched, none of them by more than one rank"
expect 0 "cyclic" $made --ranks 2x3 --cyclic
has out "12 of 12 touched, 12 of them (100 %) by more than one rank"
expect 0 "filters" $made --ranks 3x1 --filter shuffle,deflate=4
has out "shuffle, deflate of level 4"
has out "each chunk has one owner"
has out "What to change:"
expect 0 "a comparison" $made --ranks 3x1 --try 8x32,16x16
has out "8x32"
has out "as given"
expect 0 "a map here" $made --ranks 2x3 --map -
has out "a b c"
expect 0 "a map in a file" $made --ranks 2x3 --map map.svg
has map.svg "prefers-color-scheme"
expect 0 "JSON" $made --ranks 2x3 --json
has out '"chunks_shared": 0'
printf '0x0 32x96\n32x0 2x1 16x1 1x96 # every second row\nnone\n' >slabs
expect 0 "slabs" $made --slabs slabs
has out "1 rank with nothing selected"
expect 0 "a contiguous dataset" --shape 1000x1000 --ranks 1x4
expect 0 "nodes" $made --ranks 4x1 --nodes 2
between() { sed -n '/"bytes_between_nodes"/,/}/ s/ *"sum": \([0-9]*\).*/\1/p' out | head -n 1; }
expect 0 "ranks of nodes in turn" --shape 64x65536 --ranks 1x4 --nodes 4 --json
near=$(between)
expect 0 "stripes" --shape 64x65536 --ranks 1x4 --nodes 4 --stripe 1MiB --json
has out '"stripe": 1048576'
has out '"transport_why": "runs shorter than a stripe"'
[ "${near:-x}" = 0 ] && [ "$(between)" -gt 0 ] || bad "stripes: $near and $(between) bytes between nodes"
expect 2 "no stripe" $made --ranks 4x1 --stripe 5000
has log "--stripe 5000: a multiple of 4096 bytes"
expect 0 "many ranks" --shape 4096x4096 --chunk 128x128 --ranks 32x16

# Files: read, and left alone.
if [ -n "$PCIO_SRCDIR" ] && [ -x "$PCIO_BUILDDIR/tools/pcioinfo" ] && "$PYTHON" -c 'import h5py' 2>/dev/null; then
  "$PYTHON" - <<'EOF'
import h5py, numpy
with h5py.File('a.h5', 'w') as f:
    f.create_dataset('g/x', data=numpy.arange(6000.).reshape(60, 100), chunks=(20, 50), compression='gzip')
    f.create_dataset('s', data=['a', 'bc'], dtype=h5py.string_dtype())
    f.create_dataset('e', shape=(0, 5), chunks=(1, 5), maxshape=(None, 5))
EOF
  before=$(cksum a.h5)
  expect 0 "a file" a.h5 g/x --ranks 3x2
  has out "H5Dwrite of g/x of 60 × 100 elements f8"
  expect 0 "a read of a file" a.h5 g/x --ranks 2x2 --read
  expect 2 "a comparison of reads of filtered chunks" a.h5 g/x --ranks 2x2 --read --try
  [ "$before" = "$(cksum a.h5)" ] || bad "the file has changed"
  chmod a-w a.h5
  expect 0 "a file that may not be written" a.h5 g/x --ranks 3x2
  expect 1 "no such dataset" a.h5 none --ranks 3
  expect 1 "a group" a.h5 g --ranks 3
  expect 1 "text of variable length" a.h5 s --ranks 2
  expect 1 "nothing to share out" a.h5 e --ranks 2x1
  expect 2 "other dimensions" a.h5 g/x --ranks 3
  head -c 700 a.h5 >cut.h5
  expect 1 "a file that is cut" cut.h5 g/x --ranks 3x2
fi
expect 1 "no file" none.h5 /x --ranks 2
echo "not HDF5" >text
expect 1 "no HDF5 file" text /x --ranks 2
expect 1 "a folder" . /x --ranks 2
expect 1 "no slabs" $made --slabs none
printf '0x0 65x96\n' >slabs
expect 1 "slabs that leave the dataset" $made --slabs slabs
has log "slabs, line 1"
expect 1 "no map of what has no chunks" --shape 10x10 --ranks 2x2 --map map2.svg
expect 1 "a map that can't be written" $made --ranks 2x2 --map none/map.svg
expect 2 "nothing to plan" --ranks 2
expect 2 "no ranks" $made
expect 2 "both" $made --ranks 2x2 --slabs slabs
expect 2 "a file without a dataset" a.h5 --ranks 2
expect 2 "too many ranks" $made --ranks 65x64
expect 2 "more ranks than can be counted" $made --ranks 4294967296x4294967296
expect 2 "other dimensions" $made --ranks 2
expect 2 "zero" --shape 0x4 --ranks 1x1
expect 2 "a chunk that is too large" --shape 4 --chunk 5 --ranks 1
expect 2 "an unknown type" --shape 4 --type x --ranks 1
expect 2 "an unknown filter" $made --filter lzf --ranks 2x2
expect 2 "a level" $made --filter deflate=10 --ranks 2x2
expect 2 "an unknown transport" $made --transport post --ranks 2x2
expect 2 "more nodes than ranks" $made --ranks 2x2 --nodes 5
expect 2 "more bytes than there can be" --shape 4294967296x4294967296 --ranks 1x1
expect 2 "an unknown option" --no-such
[ -z "$(ls -d pcioexplain-* 2>/dev/null)" ] || bad "folders are left behind"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
