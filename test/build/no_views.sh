#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Where configure is told that MPI's derived types or special collective I/O don't work, the library is built
# so. That it then works is tested by the environment (make check-p-no-views), which has the same effect.
set -u
work=$(mktemp -d "$PCIO_TEST_TMP/no_views.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$work" || exit 1
"$PCIO_SRCDIR/configure" --without-complex-derived-datatypes --without-special-collective-io \
  --disable-fortran CC="$PCIO_CC" CXX="$PCIO_CXX" MPICC="$MPICC" MPIRUN="$MPIRUN" >log 2>&1 || { tail -n 20 log; exit 1; }
for name in COMPLEX_DERIVED_DATATYPE_WORKS SPECIAL_COLLECTIVE_IO_WORKS; do
  grep -qx "#define PCIO_$name 0" config.h || { echo "FAIL: config.h says otherwise of $name"; exit 1; }
done
cat >seen.c <<'EOF'
#include <H5pubconf.h>
#if defined(H5_MPI_COMPLEX_DERIVED_DATATYPE_WORKS) || defined(H5_MPI_SPECIAL_COLLECTIVE_IO_WORKS)
#error programs are told otherwise
#endif
EOF
$PCIO_CC -Iinclude -fsyntax-only seen.c || exit 1
