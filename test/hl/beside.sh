# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Builds test/hl/$1.c against libhdf5_hl as $work/hdf5; libpcio's is $program. For scripts of test/hl.
work=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/$1.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
[ -n "${PCIO_HDF5_SERIAL_LIBS-}" ] || { echo "SKIP: no libhdf5 to compare with"; exit 77; }
cc="${PCIO_CC:-cc} -std=gnu99"
# shellcheck disable=SC2086 # flags are words
echo 'int main(void) { return 0; }' >"$work/none.c"
$cc "$work/none.c" -o "$work/none" -lhdf5_serial_hl $PCIO_HDF5_SERIAL_LIBS 2>"$work/log" ||
  { echo "SKIP: no libhdf5_hl to compare with"; exit 77; }
$cc $PCIO_HDF5_SERIAL_CPPFLAGS "$PCIO_SRCDIR/test/hl/$1.c" -o "$work/hdf5" -lhdf5_serial_hl $PCIO_HDF5_SERIAL_LIBS 2>"$work/log" ||
  { echo "FAILED: test/hl/$1.c is not built with libhdf5_hl"; cat "$work/log"; exit 1; }
program=$PCIO_BUILDDIR/test/hl/$1
# compare_files: outputs and files of both are equal.
compare_files() {
  dump() { h5dump "$1" | sed '1d; s/DATASET [0-9]* /DATASET /g'; }
  timeout 60 "$work/hdf5" "$work/hdf5.h5" >"$work/hdf5.txt" || exit 1
  timeout 60 "$program" "$work/pcio.h5" >"$work/pcio.txt" || { echo "FAILED: the program"; exit 1; }
  dump "$work/hdf5.h5" >"$work/hdf5.dump"
  dump "$work/pcio.h5" >"$work/pcio.dump"
  [ -s "$work/hdf5.dump" ] && [ "$(wc -l <"$work/hdf5.txt")" -gt 100 ] || { echo "FAILED: nothing to compare"; exit 1; }
  diff "$work/hdf5.txt" "$work/pcio.txt" && diff "$work/hdf5.dump" "$work/pcio.dump" &&
    h5diff "$work/hdf5.h5" "$work/pcio.h5"
}
