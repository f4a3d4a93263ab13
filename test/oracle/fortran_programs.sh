#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Fortran programs as codes write them (test/fortran_programs), compiled with libpcio's modules and with libhdf5's without
# a changed line: both run and print the same, and h5diff finds no difference between their files. Some of them on 4 ranks; with PCIO_LONG=1
# all of them on 1, 2, 3 and 4.
set -eu
. "$(dirname "$0")/../abi/abi_env.sh"

[ "${PCIO_WITH_FORTRAN-no}" = yes ] || skip "no Fortran module"
theirs=
for folder in $(echo "${PCIO_HDF5_MPI_CPPFLAGS-}" | tr ' ' '\n' | sed -n 's/^-I//p'); do
  [ ! -f "$folder/hdf5.mod" ] || theirs=$folder
done
[ -n "$theirs" ] || skip "no Fortran modules of a parallel libhdf5 to compare with"
command -v h5diff > /dev/null || skip "no h5diff"
[ -n "${PCIO_RUN_PAR-}" ] || skip "no way to start ranks"
their_libs=$(their_fortran_libs)
ranks=4 names="pencils.f90 particles.f90 scales.f90 gallery.f90 catalogue.f90"
[ -z "${PCIO_LONG-}" ] || { ranks="1 2 3 4" names=$(cd "$top_srcdir/test/fortran_programs" && echo *.f*); }

# run RANKS NAME WHOSE: the program of that name with the library of that one. libhdf5's runs without Open MPI's ompio:
# of 65 runs of pencils with 4.1.4 on 4 ranks, 7 left a file with half of the values wrong and no error.
run() {
  local io=
  [ "$3" = libpcio ] || io=OMPI_MCA_io=^ompio
  env $io $PCIO_RUN_PAR "$1" 60 "$tmp/$2.$3" "$tmp/$2.$3.h5" > "$tmp/$2.$3.out" 2>&1 && grep -qx 'all right' "$tmp/$2.$3.out" ||
    { cat "$tmp/$2.$3.out"; fail "$2 with $3 on $1 ranks"; }
}

compared=0
for name in $names; do
  source=$top_srcdir/test/fortran_programs/$name
  name=${name%.f*}
  # shellcheck disable=SC2086 # flags are words
  "$PCIO_FC" -J "$tmp" "-I$theirs" $PCIO_MPI_FCFLAGS "$source" -o "$tmp/$name.libhdf5" $their_libs $PCIO_MPI_FCLIBS > "$tmp/log" 2>&1 ||
    { cat "$tmp/log"; skip "$name can't be compiled for libhdf5"; }
  # shellcheck disable=SC2086
  "$PCIO_FC" -J "$tmp" $sanitize "-I$top_builddir/fortran" $PCIO_MPI_FCFLAGS "$source" -o "$tmp/$name.libpcio" \
    "-L$top_builddir/.libs" "-Wl,-rpath,$top_builddir/.libs" -lpcio_hl_fortran -lpcio_hl -lpcio_fortran -lpcio $PCIO_MPI_FCLIBS > "$tmp/log" 2>&1 ||
    { cat "$tmp/log"; fail "$name can't be compiled for libpcio"; }
  for n in $ranks; do
    run "$n" "$name" libhdf5
    run "$n" "$name" libpcio
    # Not the launcher's own line.
    sed -i '/^PASS: /d' "$tmp/$name.libhdf5.out" "$tmp/$name.libpcio.out"
    diff "$tmp/$name.libhdf5.out" "$tmp/$name.libpcio.out" || fail "$name on $n ranks: libhdf5 (<) and libpcio (>) print other things"
    h5diff -c "$tmp/$name.libhdf5.h5" "$tmp/$name.libpcio.h5" > "$tmp/log" 2>&1 && [ ! -s "$tmp/log" ] ||
      { cat "$tmp/log"; fail "$name on $n ranks: the files differ"; }
    compared=$((compared + 1))
  done
done
[ "$compared" -gt 0 ] || fail "no program was run"
echo "$compared pairs of files"
