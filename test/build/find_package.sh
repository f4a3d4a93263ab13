# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Sourced by test/build/install_test.sh, after make install: projects of CMake's find libpcio by its own name, in a folder that isn't the
# configured one.
if command -v cmake >/dev/null; then
  mkdir own
  sed 's/^int main/#include <hdf5_hl.h>\n&/' readme.c >own/high.c
  cp readme.c own
  fortran=OFF
  [ "$PCIO_WITH_FORTRAN" = no ] || { cp rows.f90 own && fortran=ON; }
  cat >own/CMakeLists.txt <<'EOT'
cmake_minimum_required(VERSION 3.16)
project(own C)
find_package(libpcio ${WANTED} REQUIRED COMPONENTS C HL OPTIONAL_COMPONENTS Fortran Fortran_HL)
if(NOT libpcio_MPI STREQUAL "${FLAVOR}" OR NOT libpcio_HDF5_VERSION VERSION_EQUAL 1.10.8)
  message(FATAL_ERROR "MPI is ${libpcio_MPI}, HDF5 ${libpcio_HDF5_VERSION}")
endif()
# Once more, as a part of a project does.
find_package(libpcio REQUIRED)
add_executable(readme readme.c)
target_link_libraries(readme PRIVATE pcio::pcio)
add_executable(high high.c)
target_link_libraries(high PRIVATE pcio::pcio_hl)
if(FORTRAN)
  if(NOT libpcio_Fortran_FOUND OR NOT libpcio_Fortran_HL_FOUND)
    message(FATAL_ERROR "no Fortran")
  endif()
  enable_language(Fortran)
  add_executable(rows rows.f90)
  target_link_libraries(rows PRIVATE pcio::pcio_hl_fortran)
endif()
EOT
  # ask FOLDER OPTION...: what CMake says of the project.
  ask() {
    CC=${PCIO_CC:-cc} FC=${PCIO_FC:-} cmake -S own -B "own/$1" -DFLAVOR="$MPI_FLAVOR" -DFORTRAN=$fortran -DCMAKE_PREFIX_PATH="$prefix" \
      -DCMAKE_LIBRARY_ARCHITECTURE="$(${PCIO_CC:-cc} -print-multiarch 2>/dev/null)" "${@:2}" >log 2>&1
  }
  ask made -DWANTED=0.1 && cmake --build own/made >>log 2>&1; verdict $? "find_package(libpcio): $(tail -n 5 log)"
  for program in readme high; do
    is_ours "own/made/$program"; verdict $? "CMake's $program is ours"
  done
  "$PCIO_RUN_PAR" 2 60 own/made/readme >log 2>&1; verdict $? "it runs on 2 ranks: $(tail -n 3 log)"
  if [ $fortran = ON ]; then uses_high own/made/rows; verdict $? "CMake's Fortran program is ours"; fi
  ! ask newer -DWANTED=99.0 && grep -q '99\.0' log; verdict $? "a version that is to come is not found: $(tail -n 3 log)"
  sed -i 's/COMPONENTS C HL/& Pascal/' own/CMakeLists.txt
  ! ask more -DWANTED=0.1 && grep -q 'no component Pascal' log; verdict $? "a component that there is none of is told: $(tail -n 3 log)"
fi
