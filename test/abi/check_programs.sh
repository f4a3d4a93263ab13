#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Programs in C, C++ and the dialects of 1.6 and 1.8 build against an installed library with nothing
# but what pkg-config says, run, and leave files that h5dump reads.
#
# The library is the one in PCIO_PREFIX, else one installed from the build folder into a folder of
# this test. With ABI_CFLAGS and ABI_LIBS set, those are used instead, so that the programs
# themselves can be tried with another implementation of the interface.
set -eu
. "$(dirname "$0")/abi_env.sh"
here=$top_srcdir/test/abi

if [ -z "${ABI_LIBS-}" ]; then
  if [ -z "${PCIO_PREFIX-}" ]; then
    [ -f "$libpcio" ] || skip "$libpcio is not built"
    # Staged, not with another prefix: libtool links for the configured one.
    # Not the flags of the make that runs this test: its job slots are not ours to use.
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "$top_srcdir/tools/alone" "${MAKE:-make}" -C "$top_builddir" install \
      DESTDIR="$tmp/stage" > "$tmp/install.log" 2>&1 || {
      tail -30 "$tmp/install.log"
      fail "make install DESTDIR=$tmp/stage"
    }
    header=$(find "$tmp/stage" -path '*/include/pcio/hdf5.h')
    PCIO_PREFIX=${header%/include/pcio/hdf5.h}
  fi
  pc=$(find "$PCIO_PREFIX" -name pcio.pc | head -1)
  [ -n "$pc" ] || fail "no pcio.pc under $PCIO_PREFIX"
  libdir=$(dirname "$(dirname "$pc")")
  query() {
    PKG_CONFIG_PATH=$(dirname "$pc") ${PKG_CONFIG:-pkg-config} --define-variable=prefix="$PCIO_PREFIX" \
      --define-variable=exec_prefix="$PCIO_PREFIX" --define-variable=libdir="$libdir" \
      --define-variable=includedir="$PCIO_PREFIX/include" "$@" pcio
  }
  ABI_CFLAGS=$(query --cflags)
  ABI_LIBS=$(query --libs)
  export LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  # What the library was built with is needed by those who link it.
  ABI_LIBS="$ABI_LIBS $sanitize"
fi
h5dump=${H5DUMP:-$(command -v h5dump || true)}

bad=0
try() { # name, compiler and language flags, source
  # shellcheck disable=SC2086
  $2 $ABI_CFLAGS "$here/$3" -o "$tmp/$1" $ABI_LIBS > "$tmp/$1.log" 2>&1 || {
    bad=$((bad + 1)); echo "FAIL: $1 does not build"; head -20 "$tmp/$1.log"; return
  }
  if grep -q 'warning:' "$tmp/$1.log"; then
    bad=$((bad + 1)); echo "FAIL: $1 builds with warnings"; head -20 "$tmp/$1.log"
  fi
  (cd "$tmp" && timeout "${ABI_SECONDS:-60}" "./$1" "$1.h5") > "$tmp/$1.out" 2>&1 || {
    bad=$((bad + 1)); echo "FAIL: $1 does not run"; head -40 "$tmp/$1.out"; return
  }
  tail -1 "$tmp/$1.out"
  if [ -n "$h5dump" ]; then
    "$h5dump" "$tmp/$1.h5" > "$tmp/$1.dump" 2>&1 || {
      bad=$((bad + 1)); echo "FAIL: h5dump can not read what $1 wrote"; head -20 "$tmp/$1.dump"
    }
  fi
}
try dialect16 "$CC -std=c99 -Wall -Wextra" dialect16.c
try dialect18 "$CC -std=c99 -Wall -Wextra" dialect18.c
try prog_c99 "$CC -std=c99 -Wall -Wextra" prog_c99.c
try prog_cxx "$CXX -std=c++14 -Wall -Wextra" prog_cxx.cpp
if [ -e "$tmp/dialect18-never-on-disk.h5" ]; then
  bad=$((bad + 1)); echo "FAIL: a memory file without backing store is on disk"
fi

[ "$bad" -eq 0 ] || fail "$bad of the checks failed"
[ -n "$h5dump" ] || echo "(h5dump was not there: the files were not checked with it)"
