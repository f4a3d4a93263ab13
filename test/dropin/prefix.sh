# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Sourced by test/build/install_test.sh, after make install: build systems that look for HDF5 find libpcio in
# LIBDIR/pcio/hdf5, by h5pcc and h5pfc, pkg-config and CMake. Room: test/dropin.
hdf5=$libdir/pcio/hdf5
# is_ours PROGRAM: it needs libpcio, and finds all its libraries without help.
is_ours() { readelf -d "$1" | grep -q "NEEDED.*\[libpcio$PCIO_LIBRARY_SUFFIX\.so\.0\]" && ! ldd "$1" | grep -q 'not found'; }
"$hdf5/bin/h5pcc" -show prog.c | grep -q -- "-I$hdf5/include prog.c -L$hdf5/lib .*-lhdf5_hl -lhdf5"
verdict $? "h5pcc -show: $("$hdf5/bin/h5pcc" -show prog.c)"
[ "$("$hdf5/bin/h5pcc" -show -c prog.c | grep -c -- -lhdf5)" = 0 ]; verdict $? "h5pcc -show -c links nothing"
"$hdf5/bin/h5cc" -showconfig | grep -q '^ *Parallel HDF5: yes$'; verdict $? "h5cc -showconfig"
# Autotools' finders of HDF5 (AX_LIB_HDF5) take the place and the flags from there, for a compiler that knows nothing of MPI.
place=$("$hdf5/bin/h5cc" -showconfig | awk '/Installation point:/ { print $NF }')
[ "$place" -ef "$hdf5" ]; verdict $? "h5cc -showconfig knows its place: $place"
case $(awk '/Installation point:/ { print $NF }' "$hdf5/lib/libhdf5.settings") in /*/pcio/hdf5) true ;; *) false ;; esac
verdict $? "libhdf5.settings has a path: $(grep 'Installation point' "$hdf5/lib/libhdf5.settings")"
flags=$("$hdf5/bin/h5cc" -showconfig | grep 'FLAGS\|Extra libraries:' | awk -F: '{ printf("%s ", $2) }')
printf '#include <hdf5.h>\nint main(void) { return H5open() < 0; }\n' >serial.c
# shellcheck disable=SC2086 # flags are words
${PCIO_CC:-cc} -I"$place/include" serial.c -o by_settings -L"$place/lib" -Wl,-rpath,"$place/lib" -lhdf5 $flags >log 2>&1 && is_ours by_settings
verdict $? "a program with the flags of the settings is ours: $(tail -n 3 log)"
HDF5_CC=/bin/echo "$hdf5/bin/h5pcc" -c prog.c | grep -q -- '-c prog.c'; verdict $? "HDF5_CC is another compiler"
sed 's/^int main/#include <hdf5_hl.h>\n&/' readme.c >hdf5.c
"$hdf5/bin/h5pcc" -noshlib -o by_h5pcc hdf5.c && is_ours by_h5pcc
verdict $? "a program that h5pcc compiled is ours"
"$PCIO_RUN_PAR" 2 60 ./by_h5pcc >log 2>&1; verdict $? "it runs on 2 ranks: $(tail -n 3 log)"
if [ "$PCIO_WITH_FORTRAN" = yes ]; then
  # uses_high PROGRAM: it needs libpcio's High Level Fortran library, which looks for the others where they are to be, not
  # in the staging folder.
  uses_high() { readelf -d "$1" | grep -q "NEEDED.*\[libpcio_hl_fortran$PCIO_LIBRARY_SUFFIX\.so\.0\]"; }
  "$hdf5/bin/h5pfc" -o by_h5pfc rows.f90 && uses_high by_h5pfc
  verdict $? "a program that h5pfc compiled is ours"
fi
if command -v pkg-config >/dev/null; then
  # shellcheck disable=SC2046 # flags are words
  PKG_CONFIG_PATH=$hdf5/lib/pkgconfig ${PCIO_CC:-cc} hdf5.c -o by_pkg_config \
    $(PKG_CONFIG_PATH=$hdf5/lib/pkgconfig pkg-config --cflags --libs hdf5 hdf5_hl) && is_ours by_pkg_config
  verdict $? "a program with pkg-config's flags is ours"
  if [ "$PCIO_WITH_FORTRAN" = yes ]; then
    # shellcheck disable=SC2046,SC2086 # flags are words
    PKG_CONFIG_PATH=$hdf5/lib/pkgconfig $PCIO_FC $PCIO_MPI_FCFLAGS rows.f90 -o fortran_by_pkg_config \
      $(PKG_CONFIG_PATH=$hdf5/lib/pkgconfig pkg-config --cflags --libs hdf5_hl_fortran) $PCIO_MPI_FCLIBS && uses_high fortran_by_pkg_config
    verdict $? "a Fortran program with pkg-config's flags is ours"
  fi
fi
if command -v cmake >/dev/null; then
  mkdir project
  cp hdf5.c project
  fortran=OFF
  [ "$PCIO_WITH_FORTRAN" = no ] || { cp rows.f90 project && fortran=ON; }
  # By the file that is in the prefix, and by CMake's own search, which asks h5pcc.
  cat >project/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.16)
project(with_hdf5 C)
if(BY_CONFIG)
  find_package(hdf5 1.10 CONFIG REQUIRED COMPONENTS C HL shared)
  add_executable(program hdf5.c)
  target_link_libraries(program PRIVATE hdf5::hdf5_hl-shared hdf5::hdf5-shared)
  if(FORTRAN)
    enable_language(Fortran)
    find_package(hdf5 1.10 CONFIG REQUIRED COMPONENTS Fortran Fortran_HL shared)
    find_package(MPI REQUIRED COMPONENTS Fortran)
    add_executable(rows rows.f90)
    target_link_libraries(rows PRIVATE ${HDF5_FORTRAN_HL_LIBRARIES} MPI::MPI_Fortran)
  endif()
else()
  set(HDF5_PREFER_PARALLEL TRUE)
  find_package(HDF5 1.10 MODULE REQUIRED COMPONENTS C)
  find_package(MPI REQUIRED COMPONENTS C)
  add_executable(program hdf5.c)
  target_include_directories(program PRIVATE ${HDF5_INCLUDE_DIRS})
  target_link_libraries(program PRIVATE ${HDF5_LIBRARIES} MPI::MPI_C)
endif()
if(NOT HDF5_IS_PARALLEL)
  message(FATAL_ERROR "not parallel")
endif()
EOF
  for way in ON OFF; do
    CC=${PCIO_CC:-cc} HDF5_ROOT=$hdf5 cmake -S project -B "project/$way" -DBY_CONFIG=$way -DFORTRAN=$fortran -DCMAKE_PREFIX_PATH="$hdf5" \
      -DMPI_C_COMPILER="$MPICC" ${PCIO_FC:+-DCMAKE_Fortran_COMPILER="$PCIO_FC"} >log 2>&1 && cmake --build "project/$way" >>log 2>&1 && is_ours "project/$way/program"
    verdict $? "a program of CMake's (config file: $way) is ours: $(tail -n 5 log)"
  done
  if [ $fortran = ON ]; then uses_high project/ON/rows; verdict $? "a Fortran program of CMake's is ours"; fi
fi
# Plugins of Debian write through the links of the prefix too: their calls come to libpcio by its shim.
plugins=$(find /usr/lib -path '*hdf5/serial/plugins/libH5Zblosc.so' 2>/dev/null | head -n 1)
if [ -n "$plugins" ]; then
  "$hdf5/bin/h5cc" -o plugin_use "$PCIO_SRCDIR/test/filter/plugin_use.c" &&
    HDF5_PLUGIN_PATH=${plugins%/*} ./plugin_use write plugin.h5 32001 2 2 0 0 5 1 0 >log 2>&1
  verdict $? "a plugin writes for a program of the prefix: $(head -n 8 log)"
fi
# netCDF's configure asks the linker whether there is szip.
echo 'char H5Z_SZIP(void); int main(void) { return H5Z_SZIP(); }' >szip.c
"$hdf5/bin/h5cc" -o szip szip.c >log 2>&1; verdict $? "the linker finds szip: $(tail -n 3 log)"
# The drop-in libraries are found by pcio-run from its own place.
if [ "$PCIO_WITH_DROPIN" = yes ] && [ -x "$prefix/bin/pcio-run" ]; then
  [ -e "$libdir/pcio/dropin/libpcio/libhdf5_serial.so.103" ]; verdict $? "the shim of the drop-in is installed"
  found=$("$prefix/bin/pcio-run" sh -c 'echo "$LD_LIBRARY_PATH"' 2>/dev/null)
  [ "${found%%:*}" = "$libdir/pcio/dropin" ]; verdict $? "pcio-run finds the installed drop-ins: $found"
fi
