#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# flang for real, beside the compiler that libpcio was built with: its modules are built as doc/FORTRAN.md says, the tests of
# the modules pass with them, what is installed compiles programs, and those of test/fortran_programs print and write with
# flang what they do with the first compiler. MPI's module files are that one's: a module mpi of flang's own is made of
# mpif.h; programs with mpi_f08, or with what flang has not got yet (polymorphic types in 16), are left out, and told.
# Each step has its time, so that none that hangs is waited for.
set -u
skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*"; exit 1; }
[ "$PCIO_WITH_ASAN" = no ] || skip "a sanitized library is not for users"
[ "$PCIO_WITH_FORTRAN" = yes ] || skip "no Fortran modules to be beside"
work=$(mktemp -d "$PCIO_TEST_TMP/flang.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
printf 'program one\n  print *, 1\nend program one\n' > one.f90
flang=
for name in ${PCIO_FLANG-} flang-new-{16..19} flang-{20..25} flang-new flang; do
  for flag in "" " -flang-experimental-exec"; do
    ! $name$flag one.f90 -o one > log 2>&1 || { flang=$name$flag; break 2; }
  done
done
[ -n "$flang" ] || skip "no flang that makes programs"
[ "$(sh "$PCIO_SRCDIR/fortran/fortran-name" $flang)" != "$(sh "$PCIO_SRCDIR/fortran/fortran-name" "$PCIO_FC")" ] || skip "flang is the first compiler"
echo "with $flang"
unset MAKEFLAGS MFLAGS MAKELEVEL
# step SECONDS WHAT COMMAND...: how long it took is told.
step() {
  local seconds=$1 what=$2 began=$SECONDS
  shift 2
  timeout --kill-after=10 "$seconds" "$@" > "$work/log" 2>&1 || { tail -n 20 "$work/log"; fail "$what (status $?)"; }
  echo "$what: $((SECONDS - began)) s"
}
# As after a make install of both.
step 1200 "make install" make -C "$PCIO_BUILDDIR" install DESTDIR="$work/stage"
pc=$(find "$work/stage" -name pcio.pc) libdir=${pc%/pkgconfig/pcio.pc} wrapper=$(find "$work/stage" -path '*/bin/pciocc')
prefix=${wrapper%/bin/pciocc}
# They name the place where the libraries are to be, not the staging folder; packages leave them out, too.
find "$work/stage" -name '*.la' -delete
mkdir beside
cd beside || exit 1
# Without optimization: what is shown is that it compiles and is right.
step 900 configure env "MPICC=$MPICC" "MPIRUN=$MPIRUN" "$PCIO_SRCDIR/configure" -q --prefix="$prefix" --libdir="$libdir" --enable-fortran=beside \
  CC="$PCIO_CC" CXX="$PCIO_CXX" FC="$flang" CFLAGS=-O0 CXXFLAGS=-O0 FCFLAGS=-O0
step 1800 "make fortran" make -j2 fortran
step 1800 "make check-fortran" make -j2 check-fortran
tests=$(grep -c '^PASS: ' "$work/log")
[ "${tests:-0}" -ge 6 ] || fail "make check-fortran ran $tests tests"
step 300 "make install-fortran" make install-fortran
cd "$work" || exit 1
# Wrong kinds are refused by it, too.
step 300 "wrong kinds" env PCIO_FC="${flang%% *}" PCIO_HDF5_MPI_CPPFLAGS= top_srcdir="$PCIO_SRCDIR" top_builddir="$work/beside" \
  PCIO_FC_KIND_FLAGS= bash "$PCIO_SRCDIR/test/abi/wrong_fortran.sh"
lines=$(sed -n 's/ pairs of lines$//p' log)

name=$(sh "$PCIO_SRCDIR/fortran/fortran-name" $flang)
own_mpi=$work/mpi
mkdir "$own_mpi" || exit 1
printf "module mpi\n  include 'mpif.h'\nend module mpi\n" > "$own_mpi/mpi.f90"
includes=$(echo "$PCIO_MPI_FCFLAGS" | tr ' ' '\n' | grep '^-I' | tr '\n' ' ')
# shellcheck disable=SC2086 # flags are words
(cd "$own_mpi" && $flang -c $includes mpi.f90) > log 2>&1 || { cat log; fail "a module mpi made of mpif.h"; }
# build SOURCE PROGRAM: the first compiler's in PROGRAM.first, flang's in PROGRAM.flang. Status 1: flang has not got what it uses.
build() {
  # Its own mpi comes before that in the flags of the wrapper.
  # shellcheck disable=SC2086
  PCIO_FC="$flang -I$own_mpi" "$prefix/bin/pciofc-$name" "$1" -o "$2.flang" > log 2>&1 || {
    ! grep -q 'not yet implemented' log || return 1
    cat log; fail "$1: pciofc-$name"; }
  # shellcheck disable=SC2086
  "$PCIO_FC" -J "$work" "-I$PCIO_BUILDDIR/fortran" $PCIO_MPI_FCFLAGS "$1" -o "$2.first" "-L$PCIO_BUILDDIR/.libs" \
    "-Wl,-rpath,$PCIO_BUILDDIR/.libs" -lpcio_hl_fortran -lpcio_hl -lpcio_fortran -lpcio $PCIO_MPI_FCLIBS > log 2>&1 || { cat log; fail "$1: $PCIO_FC"; }
}
pairs=0 left_out=
for source in "$PCIO_SRCDIR"/test/fortran_programs/*.f*; do
  program=$(basename "${source%.f*}")
  if grep -q '^ *use mpi_f08' "$source" || ! build "$source" "$program"; then left_out="$left_out $program"; continue; fi
  for ranks in 1 3; do
    for whose in first flang; do
      LD_LIBRARY_PATH=$libdir "$PCIO_RUN_PAR" $ranks 60 "./$program.$whose" "$program.$whose.h5" > "$whose.out" 2>&1 || {
        cat "$whose.out"; fail "$program of $whose on $ranks ranks"; }
      grep -v '^PASS: ' "$whose.out" > "$program.$whose.out"
    done
    diff "$program.first.out" "$program.flang.out" || fail "$program on $ranks ranks prints other things with flang"
    h5diff -c "$program.first.h5" "$program.flang.h5" > log 2>&1 && [ ! -s log ] || { cat log; fail "$program on $ranks ranks: h5diff"; }
    pairs=$((pairs + 1))
  done
done
[ "$pairs" -ge 20 ] || fail "only $pairs pairs of files; left out:$left_out"
build "$PCIO_SRCDIR/testpar/t_fortran.f90" t_fortran || fail "t_fortran"
for ranks in 1 2 3 4 6; do
  LD_LIBRARY_PATH=$libdir "$PCIO_RUN_PAR" $ranks 120 ./t_fortran.flang > log 2>&1 || { cat log; fail "t_fortran on $ranks ranks"; }
done
echo "$name: $tests test programs, $lines pairs of lines, t_fortran on 5 numbers of ranks, $pairs pairs of files; left out:$left_out"
