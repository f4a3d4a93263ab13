#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The programs of doc/FORTRAN.md are compiled as they stand there, without a warning, and run on 2 ranks.
set -eu
. "$(dirname "$0")/abi_env.sh"

[ "${PCIO_WITH_FORTRAN-no}" = yes ] || skip "no Fortran module"
[ -n "${PCIO_RUN_PAR-}" ] || skip "no way to start ranks"
awk -v folder="$tmp" '/^```fortran(fixed)?$/ { n++; inside = 1; form = /fixed/ ? ".f" : ".f90"; next } /^```$/ { inside = 0 }
  inside { print > (folder "/" n form) }' "$top_srcdir/doc/FORTRAN.md"
ran=0
for source in "$tmp"/*.f "$tmp"/*.f90; do
  # shellcheck disable=SC2086 # flags are words
  "$PCIO_FC" -J "$tmp" $sanitize "-I$top_builddir/fortran" $PCIO_MPI_FCFLAGS -Werror "$source" -o "${source%.f*}" \
    "-L$top_builddir/.libs" "-Wl,-rpath,$top_builddir/.libs" -lpcio_fortran -lpcio $PCIO_MPI_FCLIBS > "$tmp/log" 2>&1 ||
    { cat "$tmp/log"; fail "program $(basename "$source") of doc/FORTRAN.md can't be compiled"; }
  ranks=1
  ! grep -qi mpi_init "$source" || ranks=2
  (cd "$tmp" && $PCIO_RUN_PAR $ranks 60 "${source%.f*}") > "$tmp/log" 2>&1 ||
    { cat "$tmp/log"; fail "program $(basename "$source") of doc/FORTRAN.md"; }
  ! grep -q '^not ' "$tmp/log" || { cat "$tmp/log"; fail "program $(basename "$source") of doc/FORTRAN.md does not do what it says"; }
  ran=$((ran + 1))
done
[ "$ran" -eq 5 ] || fail "doc/FORTRAN.md has five programs; found: $ran"
echo "$ran programs of doc/FORTRAN.md"
