#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What configure is told holds, as packages tell it: what the MPI library can't do, and that the environment overrides it, either way; that
# libraries are where the loader looks, so that no program gets a path; a folder of its own for the linker's names; and the shim for plugins is
# made with the flags that were given.
set -u
work=$(mktemp -d "$PCIO_TEST_TMP/configured.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
mkdir "$work/built" && cd "$work/built" || exit 1
multiarch=$($PCIO_CC -print-multiarch 2>/dev/null)
libdir=/usr/lib${multiarch:+/$multiarch}
linkdir=$libdir/pcio/$MPI_FLAVOR/lib
"$PCIO_SRCDIR/configure" --prefix=/usr --libdir="$libdir" --with-link-folder="$linkdir" --enable-unity \
  --without-complex-derived-datatypes --without-special-collective-io --without-corpus \
  ${PCIO_FC:+FC="$PCIO_FC"} CC="$PCIO_CC" CXX="$PCIO_CXX" MPICC="$MPICC" MPIRUN="$MPIRUN" >log 2>&1 || { tail -n 20 log; exit 1; }
passed=0 failed=0
# verdict STATUS WHAT
verdict() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi
}

# Said at once, and not where the second library is linked.
mkdir "$work/a folder"
said=$(cd "$work/a folder" && "$PCIO_SRCDIR/configure" 2>&1); [ $? -eq 1 ]; verdict $? "a folder with a space is refused"
case $said in *"a folder with a space in its name"*) true ;; *) false ;; esac; verdict $? "and configure says why: $said"

# MPI's derived types and special collective I/O don't work. That the library then works is tested by the environment
# (make check-p-no-views), which has the same effect.
for name in COMPLEX_DERIVED_DATATYPE_WORKS SPECIAL_COLLECTIVE_IO_WORKS; do
  grep -qx "#define PCIO_$name 0" config.h; verdict $? "config.h says that $name"
done
cat >seen.c <<'EOT'
#include <H5pubconf.h>
#if defined(H5_MPI_COMPLEX_DERIVED_DATATYPE_WORKS) || defined(H5_MPI_SPECIAL_COLLECTIVE_IO_WORKS)
#error programs are told otherwise
#endif
EOT
$PCIO_CC -Iinclude -fsyntax-only seen.c; verdict $? "programs are told so"
# The room that reads the environment, compiled for what configure was told here, and for the other answer.
cat >asked.cpp <<'EOT'
#include <cstdio>
#include "agree/shared_environment.hpp"
int main() {
  const pcio::SharedEnvironment mine = pcio::read_environment();
  // What rank 0 has read is what the others decode.
  std::printf("%d%d\n", mine.derived_types, pcio::decode_environment(pcio::encode(mine)).derived_types);
}
EOT
mkdir other
sed 's/^\(#define PCIO_[A-Z_]*_WORKS\) 0$/\1 1/' config.h >other/config.h
while read -r folder unset zero one nonsense; do
  # shellcheck disable=SC2086 # flags are words
  $PCIO_CXX $PCIO_CXXSTD $PCIO_SANITIZE_FLAGS -DHAVE_CONFIG_H -I$folder -I"$PCIO_SRCDIR/src" asked.cpp "$PCIO_SRCDIR/src/agree/shared_environment.cpp" \
    "$PCIO_BUILDDIR/.libs/libpure.a" -o asked >log 2>&1; verdict $? "the environment's reader compiles: $(tail -n 3 log)"
  said="$(env -u HDF5_MPI_OPT_TYPES ./asked) $(HDF5_MPI_OPT_TYPES=0 ./asked) $(HDF5_MPI_OPT_TYPES=1 ./asked) $(HDF5_MPI_OPT_TYPES=yes ./asked)"
  [ "$said" = "$unset$unset $zero$zero $one$one $nonsense$nonsense" ]
  verdict $? "HDF5_MPI_OPT_TYPES unset, 0, 1 and yes, $folder/config.h: $said"
done <<'EOT'
. 0 0 1 0
other 1 0 1 1
EOT

# No path of libraries in programs where libdir is one of the system's; in this build's own wrappers there is one, unless it is
# configured so itself.
wrappers="tools/pciocc dropin/prefix/h5pcc"
[ ! -e fortran/pciofc ] || wrappers="$wrappers fortran/pciofc"
for wrapper in $wrappers; do
  said=$(sh "$wrapper" -show prog.o 2>&1); status=$?
  case $status$said in 0*rpath*) false ;; 0*-lpcio* | 0*-lhdf5*) true ;; *) false ;; esac
  verdict $? "$wrapper of a system's folder: $said"
  case $wrapper in *pcio?c) case $said in *"-L$linkdir "*) true ;; *) false ;; esac; verdict $? "$wrapper links from the folder that was given: $said" ;; esac
done
! grep -q rpath dropin/prefix/hdf5.pc; verdict $? "hdf5.pc names no path"
case $(grep '^libdir=' "$PCIO_BUILDDIR/tools/pciocc") in
  libdir=/usr/lib*) ;;
  *)
    for wrapper in $wrappers; do
      [ -e "$PCIO_BUILDDIR/$wrapper" ] || continue
      said=$(sh "$PCIO_BUILDDIR/$wrapper" -show prog.o 2>&1)
      case $said in *-Wl,-rpath,/*) true ;; *) false ;; esac; verdict $? "$wrapper of another folder names it: $said"
    done
    grep -q -- '-Wl,-rpath,' "$PCIO_BUILDDIR/dropin/prefix/hdf5.pc"; verdict $? "hdf5.pc of another folder names it" ;;
esac

# What only building programs needs goes to the link folder, the libraries to libdir.
stage=$work/stage
mkdir -p "$stage$libdir"
for name in libpcio libpcio_hl libpcio_fortran libpcio_hl_fortran; do
  : >"$stage$libdir/$name$PCIO_LIBRARY_SUFFIX.so.0"
  ln -s "$name$PCIO_LIBRARY_SUFFIX.so.0" "$stage$libdir/$name.so"
  : >"$stage$libdir/$name.la"
done
make install-exec-hook install-pkgconfigDATA install-nodist_cmakeDATA install-data-local DESTDIR="$stage" >log 2>&1
verdict $? "parts of make install: $(tail -n 3 log)"
for file in libpcio.so libpcio_hl.so pkgconfig/pcio.pc pkgconfig/pcio_hl.pc cmake/libpcio/libpcioConfig.cmake pcio/hdf5/lib/libhdf5.so; do
  [ -e "$stage$linkdir/$file" ]; verdict $? "$file is in the link folder, and leads somewhere"
done
[ "$stage$linkdir/libpcio.so" -ef "$stage$libdir/libpcio$PCIO_LIBRARY_SUFFIX.so.0" ]; verdict $? "the linker's name leads to the library"
for file in libpcio.so libpcio.la libpcio_hl.so; do
  [ ! -e "$stage$libdir/$file" ] && [ ! -L "$stage$libdir/$file" ]; verdict $? "$file is not in libdir"
done
case $(readlink "$stage$linkdir/libpcio.so") in /*) false ;; *) true ;; esac; verdict $? "links are relative"
if [ -e fortran/pciofc ]; then
  # pciofc finds there what tells compilers apart: it refuses one whose modules there are none of.
  make install-dist_fortrannameSCRIPTS DESTDIR="$stage" >log 2>&1; verdict $? "fortran-name is installed: $(tail -n 3 log)"
  printf '#!/bin/sh\necho "nvfortran 98.0-1 64-bit target"\n' >another
  chmod +x another
  sed "s|^linkdir=|&$stage|" fortran/pciofc >staged
  said=$(PCIO_FC=$PWD/another sh staged -show a.f90 2>&1); [ $? -eq 1 ]; verdict $? "pciofc refuses another compiler: $said"
  case $said in *"nvfortran-98"*"can't read modules of"*) true ;; *) false ;; esac; verdict $? "and says why: $said"
fi
if [ "$(pkg-config --version 2>/dev/null)" ]; then
  said=$(PKG_CONFIG_PATH=$stage$linkdir/pkgconfig pkg-config --libs pcio_hl)
  case $said in *"-L$linkdir "*) true ;; *) false ;; esac; verdict $? "pkg-config links from there: $said"
fi

# The shim is made with the flags that make was given.
if grep -q '^shim_file = ' "$PCIO_BUILDDIR/Makefile" && [ "$PCIO_WITH_ASAN" = no ]; then
  make -C "$PCIO_BUILDDIR" shim_file="$work/shim.so" shim_work="$work/shim" CPPFLAGS=-DSEEN_BY_CPP CFLAGS='-g3 -DSEEN_BY_CC' \
    LDFLAGS=-Wl,-rpath,/seen/by/linker "$work/shim.so" >log 2>&1
  verdict $? "the shim is made: $(tail -n 3 log)"
  for word in SEEN_BY_CPP SEEN_BY_CC; do
    # Macros are in its debug information.
    grep -q "$word" "$work/shim.so"; verdict $? "the shim's compiler was given $word"
  done
  readelf -d "$work/shim.so" | grep -q '/seen/by/linker'; verdict $? "the shim's linker was given LDFLAGS"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
