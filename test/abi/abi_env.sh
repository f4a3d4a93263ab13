# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Sourced by the ABI tests: where things are, and a folder of the test's own that goes away.
# From the environment: top_srcdir, top_builddir, CC, CXX, or what tools/test-env sets.
export LC_ALL=C
top_srcdir=$(cd "${top_srcdir:-${PCIO_SRCDIR:-$(dirname "$0")/../..}}" && pwd)
top_builddir=$(cd "${top_builddir:-${PCIO_BUILDDIR:-$top_srcdir}}" && pwd)
CC=${CC:-${PCIO_CC:-cc}}
CXX=${CXX:-${PCIO_CXX:-c++}}
sanitize=${PCIO_SANITIZE_FLAGS-}
if [ -z "${PCIO_MPI_CPPFLAGS+set}" ]; then
  PCIO_MPI_CPPFLAGS=$(${MPICC:-mpicc} -show 2>/dev/null | tr ' ' '\n' | grep '^-[ID]' | tr '\n' ' ')
fi
# As system headers: their warnings are not ours.
mpi_cppflags=$(echo " $PCIO_MPI_CPPFLAGS" | sed 's/ -I *\([^ ]\)/ -isystem \1/g')
warn_flags="-Wall -Wextra -Wconversion -pedantic -Werror"
libpcio=$top_builddir/.libs/libpcio.so
tmp=$(mktemp -d "${PCIO_TEST_TMP:-${TMPDIR:-/tmp}}/abi.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAIL: $*" >&2; exit 1; }
skip() { echo "SKIP: $*"; exit 77; }

[ -f "$top_builddir/include/H5pubconf.h" ] || skip "include/H5pubconf.h is not there: not configured"

# What a Fortran program is linked with for a parallel libhdf5, its High Level library too, which has another name in Debian.
their_fortran_libs() {
  local high=-lhdf5_hl_fortran folder
  for folder in $(echo "$PCIO_HDF5_MPI_LIBS" | tr ' ' '\n' | sed -n 's/^-L//p'); do
    [ ! -e "$folder/libhdf5hl_fortran.so" ] || high=-lhdf5hl_fortran
  done
  echo "$PCIO_HDF5_MPI_LIBS" | sed "s/-lhdf5\\b/$high -lhdf5_hl -lhdf5_fortran -lhdf5/"
}
