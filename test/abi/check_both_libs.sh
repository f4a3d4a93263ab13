#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# One program uses libpcio and, through its high-level library, libhdf5 (see both_libs.c).
set -eu
. "$(dirname "$0")/abi_env.sh"

[ -f "$libpcio" ] || skip "$libpcio is not built"
# Two MPI libraries in one process do not go together: take libhdf5 for ours.
case ${MPI_FLAVOR:-openmpi} in
  *[mM][pP][iI][cC][hH]*) flavor=mpich ;;
  *) flavor=openmpi ;;
esac
hl=hdf5_${flavor}_hl
printf 'int main(void) { return 0; }\n' > "$tmp/empty.c"
$CC "$tmp/empty.c" -Wl,--no-as-needed -l"$hl" -o "$tmp/empty" 2> "$tmp/log" ||
  skip "lib$hl can not be linked: $(head -1 "$tmp/log")"
libhdf5=$(ldd "$tmp/empty" | awk -v n="libhdf5_$flavor.so" 'index($1, n) == 1 { print $1; exit }')
[ -n "$libhdf5" ] || skip "lib$hl does not need libhdf5_$flavor"

# Only what is named is linked: no -lhdf5 here.
# shellcheck disable=SC2086
$CC -std=c99 -Wall -Wextra -I"$top_builddir/include" -I"$top_srcdir/include" $mpi_cppflags \
  "$top_srcdir/test/abi/both_libs.c" -o "$tmp/both_libs" \
  -L"$top_builddir/.libs" -lpcio -l"$hl" ${PCIO_MPI_LIBS-} -ldl $sanitize ||
  fail "both_libs.c does not build"
export LD_LIBRARY_PATH=$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

for binding in lazy now; do
  if [ $binding = now ]; then export LD_BIND_NOW=1; fi
  timeout "${ABI_SECONDS:-60}" "$tmp/both_libs" "$tmp/ours.h5" "$tmp/theirs.h5" "$libhdf5" ||
    fail "both_libs, binding $binding"
done
