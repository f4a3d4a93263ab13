#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What fortran/test_calls and test_high_level expect is what libhdf5's Fortran modules do, but for what the sources say. And
# each procedure of our modules is called by a test.
set -eu
. "$(dirname "$0")/../abi/abi_env.sh"

[ "${PCIO_WITH_FORTRAN-no}" = yes ] || skip "no Fortran module"
python=${PYTHON:-python3}
gunzip < "$top_builddir/fortran/hdf5.mod" 2> /dev/null | grep -q '^GFORTRAN module' || skip "not gfortran's module files"
"$python" "$top_srcdir/tools/compare-modules" --list "$top_builddir/fortran" | sed -n 's/^\(h5[a-z0-9_]*_f\) (.*/\1/p' |
  sort -u > "$tmp/offered"
cat "$top_srcdir"/fortran/test_*.?90 "$top_srcdir"/testpar/*.f90 2> /dev/null | tr 'A-Z' 'a-z' |
  sed -nE 's/.*(call|call is\() ?(h5[a-z0-9_]*_f)\(.*/\2/p' | sort -u > "$tmp/called"
comm -23 "$tmp/offered" "$tmp/called" > "$tmp/uncalled"
[ ! -s "$tmp/uncalled" ] || { cat "$tmp/uncalled"; fail "procedures that no test calls"; }

theirs=
for folder in $(echo "${PCIO_HDF5_MPI_CPPFLAGS-}" | tr ' ' '\n' | sed -n 's/^-I//p'); do
  [ ! -f "$folder/hdf5.mod" ] || theirs=$folder
done
[ -n "$theirs" ] || skip "no Fortran modules of a parallel libhdf5 to compare with"
# their_program NAME LIBRARIES: it runs well with libhdf5.
their_program() {
  # shellcheck disable=SC2086
  "$PCIO_FC" -cpp -DWITH_LIBHDF5 $PCIO_FC_KIND_FLAGS -ffree-line-length-none -J "$tmp" -w "-I$theirs" \
    "$top_srcdir/fortran/$1.F90" -o "$tmp/calls" $2 > "$tmp/log" 2>&1 ||
    { cat "$tmp/log"; skip "$1 can't be compiled for libhdf5"; }
  PCIO_TEST_TMP=$tmp timeout 60 "$tmp/calls" > "$tmp/log" 2>&1 || { cat "$tmp/log"; fail "$1: libhdf5 does otherwise"; }
  grep -qx 'all right' "$tmp/log" || { cat "$tmp/log"; fail "$1: libhdf5 does otherwise"; }
}
their_program test_calls "$(their_fortran_libs)"
their_program test_high_level "$(their_fortran_libs)"
echo "$(wc -l < "$tmp/offered") procedures"
