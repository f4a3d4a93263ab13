#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What fortran/test_calls expects is what libhdf5's Fortran modules do, but for what the source says. And each procedure
# of our modules is called by a test.
set -eu
. "$(dirname "$0")/../abi/abi_env.sh"

[ "${PCIO_WITH_FORTRAN-no}" = yes ] || skip "no Fortran module"
python=${PYTHON:-python3}
gunzip < "$top_builddir/fortran/hdf5.mod" 2> /dev/null | grep -q '^GFORTRAN module' || skip "not gfortran's module files"
"$python" "$top_srcdir/tools/compare-modules" --list "$top_builddir/fortran" | sed -n 's/^\(h5[a-z0-9_]*_f\) (.*/\1/p' |
  sort -u > "$tmp/offered"
cat "$top_srcdir"/fortran/test_*.?90 "$top_srcdir"/testpar/*.f90 2> /dev/null | tr 'A-Z' 'a-z' |
  sed -n 's/.*call \(h5[a-z0-9_]*_f\)(.*/\1/p' | sort -u > "$tmp/called"
comm -23 "$tmp/offered" "$tmp/called" > "$tmp/uncalled"
[ ! -s "$tmp/uncalled" ] || { cat "$tmp/uncalled"; fail "procedures that no test calls"; }

theirs=
for folder in $(echo "${PCIO_HDF5_MPI_CPPFLAGS-}" | tr ' ' '\n' | sed -n 's/^-I//p'); do
  [ ! -f "$folder/hdf5.mod" ] || theirs=$folder
done
[ -n "$theirs" ] || skip "no Fortran modules of a parallel libhdf5 to compare with"
# shellcheck disable=SC2086
"$PCIO_FC" -cpp -DWITH_LIBHDF5 $PCIO_FC_KIND_FLAGS -ffree-line-length-none -J "$tmp" -w "-I$theirs" "$top_srcdir/fortran/test_calls.F90" \
  -o "$tmp/calls" $(echo "$PCIO_HDF5_MPI_LIBS" | sed 's/-lhdf5\b/-lhdf5_fortran -lhdf5/') > "$tmp/log" 2>&1 ||
  { cat "$tmp/log"; skip "a Fortran program can't be compiled for libhdf5"; }
PCIO_TEST_TMP=$tmp timeout 60 "$tmp/calls" > "$tmp/log" 2>&1 || { cat "$tmp/log"; fail "libhdf5 does otherwise"; }
grep -qx 'all right' "$tmp/log" || { cat "$tmp/log"; fail "libhdf5 does otherwise"; }
echo "$(wc -l < "$tmp/offered") procedures"
