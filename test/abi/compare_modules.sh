#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What libhdf5's Fortran modules offer and ours don't, or otherwise, is what test/abi/missing_fortran.txt says: that
# list can only shrink. With --renew it is written anew, if it does. Constants of Fortran are those of C, each function
# of pcio.h has its subroutine in module pcio, and each procedure of all modules is called by a test.
set -eu
. "$(dirname "$0")/abi_env.sh"

[ "${PCIO_WITH_FORTRAN-no}" = yes ] || skip "no Fortran module"
[ -f "$top_builddir/fortran/hdf5.mod" ] || skip "fortran/hdf5.mod is not built"
gunzip < "$top_builddir/fortran/hdf5.mod" 2> /dev/null | grep -q '^GFORTRAN module' || skip "not gfortran's module files"
python=${PYTHON:-python3}
command -v "$python" > /dev/null || skip "no Python"
theirs=
for folder in $(echo "${PCIO_HDF5_MPI_CPPFLAGS-}" | tr ' ' '\n' | sed -n 's/^-I//p'); do
  [ ! -f "$folder/hdf5.mod" ] || theirs=$folder
done
# The argument lists of the generic names, and of module pcio, are those that doc/FORTRAN.md has.
"$python" "$top_srcdir/tools/compare-modules" --ours "$top_builddir/fortran" --documented "$top_srcdir/doc/FORTRAN.md" --listing "$tmp/list" \
  ${theirs:+--theirs "$theirs"} > "$tmp/all" || fail "tools/compare-modules"
! grep -E '^not (there|documented) ' "$tmp/all" || fail "doc/FORTRAN.md has other argument lists than the modules"

# The names that are shorter in Fortran.
c_name() {
  sed -E 's/^(H5_SZIP_.*)_OM /\1_OPTION_MASK /; s/_DFLT /_DEFAULT /; s/_MPIO_CONTIG_/_MPIO_CONTIGUOUS_/
    s/SPACE_STS/SPACE_STATUS/; s/^(H5O_COPY_(EXPAND_.*|SHALLOW_HIERARCHY)) /\1_FLAG /; s/ORDER_INDEX /ORDER_INDEXED /
    s/ORDER_TRACK /ORDER_TRACKED /; s/PHASE_CHA /PHASE_CHANGE /; s/^H5Z_FILTER_(..CODE_ENABLED) /H5Z_FILTER_CONFIG_\1 /'
}
{
  printf '#include <hdf5.h>\n#include <pcio.h>\n#include <stdio.h>\nint main(void) {\n  int bad = 0;\n'
    sed -nE 's/^((h5|pcio_)[a-z0-9_]+)_f integer\([0-9]+\) = (-?[0-9]+)$/\1 \3/p' "$tmp/list" | tr 'a-z' 'A-Z' |
    grep -v '^H5R_DSET_REG_REF_BUF_SIZE ' | sed 's/^\(H5D_CHUNK_CACHE.*\) -1$/\1 ((size_t)-1)/' | c_name |
    sed 's/^\([^ ]*\) \(.*\)/  if ((long long)(\1) != (long long)(\2)) bad = puts("\1");/'
  printf '  return bad != 0;\n}\n'
} > "$tmp/constants.c"
[ "$(grep -c puts "$tmp/constants.c")" -gt 260 ] || fail "the constants of the modules were not found"
# shellcheck disable=SC2086
"$CC" $sanitize "-I$top_builddir/include" "-I$top_srcdir/include" $mpi_cppflags "$tmp/constants.c" -o "$tmp/constants" \
  "$libpcio" || fail "constants of Fortran that C has not"
LD_LIBRARY_PATH=$top_builddir/.libs "$tmp/constants" || fail "constants are other ones in Fortran"

# What the modules offer: each procedure is called by a test, each function of pcio.h has its subroutine, and what
# tools/count-fortran counts is there.
sed -nE 's/^((h5|pcio_)[a-z0-9_]*_f) \(.*/\1/p' "$tmp/list" | sort -u > "$tmp/offered"
cat "$top_srcdir"/fortran/test_*.?90 "$top_srcdir"/testpar/*.f90 2> /dev/null | tr 'A-Z' 'a-z' |
  sed -nE 's/.*(call|call is\() ?((h5|pcio_)[a-z0-9_]*_f)\(.*/\2/p' | sort -u > "$tmp/called"
comm -23 "$tmp/offered" "$tmp/called" > "$tmp/uncalled"
[ ! -s "$tmp/uncalled" ] || { cat "$tmp/uncalled"; fail "procedures that no test calls"; }
grep -oE '\bpcio_[a-z0-9_]+\(' "$top_srcdir/include/pcio.h" | sed 's/($/_f/' | sort -u > "$tmp/functions"
[ "$(wc -l < "$tmp/functions")" -gt 25 ] || fail "the functions of pcio.h were not found"
comm -23 "$tmp/functions" "$tmp/offered" > "$tmp/more"
[ ! -s "$tmp/more" ] || { cat "$tmp/more"; fail "functions of pcio.h that module pcio has not"; }
PYTHONDONTWRITEBYTECODE=1 "$python" "$top_srcdir/tools/count-fortran" --names | sort > "$tmp/counted"
comm -23 "$tmp/counted" "$tmp/offered" > "$tmp/more"
[ ! -s "$tmp/more" ] || { cat "$tmp/more"; fail "tools/count-fortran counts what the modules don't offer"; }

[ -n "$theirs" ] || skip "no Fortran modules of a parallel libhdf5 to compare with"
list=$top_srcdir/test/abi/missing_fortran.txt
grep -v '^#' "$list" | sort > "$tmp/listed" || true
sort "$tmp/all" > "$tmp/found"
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
echo "$(wc -l < "$tmp/offered") procedures; missing: $(cut -d ' ' -f 1 "$tmp/found" | sort | uniq -c | tr -s ' \n' ' ')"
