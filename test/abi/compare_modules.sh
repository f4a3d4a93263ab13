#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What libhdf5's Fortran modules offer and ours don't, or otherwise, is what test/abi/missing_fortran.txt says: that
# list can only shrink. With --renew it is written anew, if it does.
set -eu
. "$(dirname "$0")/abi_env.sh"

[ "${PCIO_WITH_FORTRAN-no}" = yes ] || skip "no Fortran module"
[ -f "$top_builddir/fortran/hdf5.mod" ] || skip "fortran/hdf5.mod is not built"
gunzip < "$top_builddir/fortran/hdf5.mod" 2> /dev/null | grep -q '^GFORTRAN module' || skip "not gfortran's module files"
theirs=
for folder in $(echo "${PCIO_HDF5_MPI_CPPFLAGS-}" | tr ' ' '\n' | sed -n 's/^-I//p'); do
  [ ! -f "$folder/hdf5.mod" ] || theirs=$folder
done
[ -n "$theirs" ] || skip "no Fortran modules of a parallel libhdf5 to compare with"
python=${PYTHON:-python3}
command -v "$python" > /dev/null || skip "no Python"
"$python" "$top_srcdir/tools/compare-modules" --ours "$top_builddir/fortran" --theirs "$theirs" > "$tmp/missing" ||
  fail "tools/compare-modules"
list=$top_srcdir/test/abi/missing_fortran.txt
grep -v '^#' "$list" | sort > "$tmp/listed" || true
sort "$tmp/missing" > "$tmp/found"
comm -13 "$tmp/listed" "$tmp/found" > "$tmp/more"
comm -23 "$tmp/listed" "$tmp/found" > "$tmp/fewer"
[ ! -s "$tmp/more" ] || { cat "$tmp/more"; fail "missing, or other than in libhdf5"; }
if [ "${1-}" = --renew ]; then
  { grep '^#' "$list"; cat "$tmp/found"; } > "$tmp/new"
  cp "$tmp/new" "$list"
elif [ -s "$tmp/fewer" ]; then
  cat "$tmp/fewer"
  fail "no longer missing: test/abi/compare_modules.sh --renew takes them off the list"
fi
echo "missing: $(cut -d ' ' -f 1 "$tmp/found" | sort | uniq -c | tr -s ' \n' ' ')"
