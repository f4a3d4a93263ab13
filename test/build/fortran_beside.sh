# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Sourced by test/build/install_test.sh, after make install: modules of a second Fortran compiler beside those of the first.
# A script stands in for it: it says that it is another one, and compiles as the first does. pciofc, h5pfc, pkg-config and
# CMake take what is that compiler's, and refuse one that has nothing there.
name_of() { sh "$libdir/pcio/fortran-name" -; }
while IFS='|' read -r name text; do
  [ "$(echo "$text" | name_of)" = "$name" ]; verdict $? "a compiler that says '$text' is called $name"
done <<'EOF'
gfortran-12|GNU Fortran (Debian 12.2.0-14+deb12u1) 12.2.0
gfortran-13|GNU Fortran (GCC) 13.2.1 20231011 (Red Hat 13.2.1-4)
flang-16|Debian flang-new version 16.0.6 (15~deb12u1)
flang-20|flang version 20.1.0
ifx-2024|ifx (IFX) 2024.0.0 20231017
nvfortran-23|nvfortran 23.11-0 64-bit target on x86-64 Linux -tp zen3
|something else 1.0
EOF
second=$work/second_fortran
printf '#!/bin/sh\nif [ "$1" = --version ]; then echo "flang version 99.0.1"; else exec %s "$@"; fi\n' "$PCIO_FC" >"$second"
sed 's/flang version/nobody knows version/' "$second" >"$work/unknown_fortran"
sed 's/flang version 99.0/nvfortran 98.0/' "$second" >"$work/third_fortran"
chmod +x "$second" "$work/unknown_fortran" "$work/third_fortran"
beside=$libdir/pcio/fortran-flang-99 modules=$prefix/include/pcio/fortran-flang-99
mkdir -p "$beside" "$modules"
cp "$prefix"/include/pcio/*.mod "$modules"
for library in libpcio_fortran libpcio_hl_fortran; do cp -L "$libdir/$library.so" "$beside"; done
sed -e 's/^own=.*/own=flang-99/' -e 's/^folder=.*/folder=fortran-flang-99/' \
  -e "s|\${PCIO_FC:-[^}]*}|\${PCIO_FC:-$second}|" "$prefix/bin/pciofc" >wrapper
sh "$PCIO_SRCDIR/fortran/install-beside" "" "$prefix/bin" "$beside" "$prefix/include" flang-99 wrapper
verdict $? "install-beside"
# takes COMMAND-LINE INCLUDE: modules and libraries of the second compiler come before those of the first.
takes() {
  case $1 in
    *"-I$2/fortran-flang-99 "*"-L"*"fortran-flang-99 "*)
      case ${1%%/fortran-flang-99 *} in *"-I$2 "*) return 1 ;; esac
      case ${1%%/fortran-flang-99 -W*} in *"-L$libdir "* | *"-L$libdir/pcio/hdf5/lib "*) return 1 ;; esac ;;
    *) return 1 ;;
  esac
}
wrapper=$prefix/bin/pciofc h5pfc=$libdir/pcio/hdf5/bin/h5pfc
said=$(PCIO_FC=$second "$wrapper" -show a.f90); takes "$said" "$prefix/include/pcio"; verdict $? "pciofc: $said"
said=$(env -u PCIO_FC "$wrapper-flang-99" -show a.f90); takes "$said" "$prefix/include/pcio"; verdict $? "pciofc-flang-99: $said"
said=$("$wrapper" -show a.f90); ! takes "$said" "$prefix/include/pcio"; verdict $? "pciofc of the first: $said"
said=$(PCIO_FC=$work/unknown_fortran "$wrapper" -show a.f90); verdict $? "a compiler that nobody knows is taken at its word: $said"
! said=$(PCIO_FC=$work/third_fortran "$wrapper" -show a.f90 2>&1) && echo "$said" | grep -q "nvfortran-98.*can't read modules of"
verdict $? "pciofc refuses a third: $said"
said=$(HDF5_FC=$second "$h5pfc" -show a.f90); takes "$said" "$libdir/pcio/hdf5/include"; verdict $? "h5pfc: $said"
said=$("$h5pfc" -show a.f90); ! takes "$said" "$libdir/pcio/hdf5/include"; verdict $? "h5pfc of the first: $said"
! said=$(HDF5_FC=$work/third_fortran "$h5pfc" -show a.f90 2>&1) && echo "$said" | grep -q "nvfortran-98.*can't read modules of"
verdict $? "h5pfc refuses a third: $said"
if command -v pkg-config >/dev/null; then
  said=$(PKG_CONFIG_PATH=$beside/pkgconfig:$libdir/pkgconfig pkg-config --cflags --libs pcio_hl_fortran)
  case $said in *"-I$modules "*fortran-flang-99*) true ;; *) false ;; esac; verdict $? "pkg-config: $said"
fi
if command -v cmake >/dev/null; then
  # What the file makes of a compiler that CMake has named; nothing is compiled.
  mkdir -p asked
  cat >asked/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.16)
project(asked C)
set(CMAKE_Fortran_COMPILER_ID "${ID}")
set(CMAKE_Fortran_COMPILER_VERSION "${VERSION}")
find_package(hdf5 1.10 CONFIG REQUIRED)
message(STATUS "modules: ${HDF5_INCLUDE_DIR_FORTRAN} libraries: ${HDF5_FORTRAN_FOLDER}.")
EOF
  # asked ID VERSION MODULES LIBRARIES: it takes folders that end so.
  asked() {
    said=$(CC=${PCIO_CC:-cc} cmake -S asked -B asked/build -DCMAKE_PREFIX_PATH="$libdir/pcio/hdf5" -DID="$1" -DVERSION="$2" 2>&1)
    echo "$said" | grep -q "modules: .*$3 libraries: .*$4\.\$"; verdict $? "CMake and $1 $2: $said"
  }
  asked LLVMFlang 99.0.1 include/fortran-flang-99 /fortran-flang-99
  asked LLVMFlang 98.0 include/fortran-flang-99 /fortran-flang-99
  asked GNU 14.2.0 /include /hdf5/lib
fi
rm -rf "$beside" "$modules" "$wrapper-flang-99"
