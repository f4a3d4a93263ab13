#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What fortran/test_calls and test_high_level expect is what libhdf5's Fortran modules do, but for what the sources say.
set -eu
. "$(dirname "$0")/../abi/abi_env.sh"

[ "${PCIO_WITH_FORTRAN-no}" = yes ] || skip "no Fortran module"
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
echo "both with libhdf5"
