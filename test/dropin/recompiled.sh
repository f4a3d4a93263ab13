# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Sourced by test/build/install_test.sh, after make install: projects in C and C++ that know of HDF5 only (test/dropin/programs),
# configured with CMake, by both of its ways, and with Autotools, against LIBDIR/pcio/hdf5. Each program runs on 4 ranks; its
# files and what it prints are those of the same source compiled for Debian's libhdf5. Room: test/dropin.
programs=$PCIO_SRCDIR/test/dropin/programs
# ways: PROGRAM, how many files it leaves, what it is run with; the names of its files begin with its own.
ways() {
  echo 'blocks 1 blocks.0.h5'
  echo 'blocks 1 -c -C -k 32 -z 4 blocks.0.h5'
  echo 'blocks 1 -c -b 90 -t 30 -s 3 -k 50 blocks.0.h5'
  echo 'checkpoint 3 checkpoint'
}
# recompiled WHERE: the two programs there are linked with libpcio, and do what libhdf5's do.
recompiled() {
  local program count options number=0 i
  for program in blocks checkpoint; do
    is_ours "$1/$program"; verdict $? "$1/$program is linked with libpcio"
  done
  while read -r program count options; do
    number=$((number + 1))
    mkdir -p "$1/run$number"
    # shellcheck disable=SC2086 # options are words
    (cd "$1/run$number" && "$PCIO_RUN_PAR" 4 120 "../$program" $options) >log 2>&1
    verdict $? "$1/$program $options on 4 ranks: $(tail -n 3 log)"
    grep -v '^PASS: ' log >"$1/run$number/out"
    [ -d "theirs/run$number" ] || continue
    cmp -s "theirs/run$number/out" "$1/run$number/out"; verdict $? "$1/$program $options prints what it does with libhdf5"
    for ((i = 0; i < count; ++i)); do
      h5diff -c "theirs/run$number/$program.$i.h5" "$1/run$number/$program.$i.h5" >log 2>&1 && [ ! -s log ]
      verdict $? "$1/$program $options, file $i is that of libhdf5: $(head -n 5 log)"
    done
  done < <(ways)
}
mkdir theirs
if [ -n "${PCIO_HDF5_MPI_LIBS-}" ] && command -v h5diff >/dev/null; then
  # shellcheck disable=SC2086 # flags are words
  ${PCIO_CC:-cc} $PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS "$programs/blocks.c" -o theirs/blocks $PCIO_HDF5_MPI_LIBS $PCIO_MPI_LIBS &&
    ${PCIO_CXX:-c++} -std=c++17 $PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS "$programs/checkpoint.cpp" -o theirs/checkpoint $PCIO_HDF5_MPI_LIBS $PCIO_MPI_LIBS
  verdict $? "the programs are compiled for libhdf5"
  number=0
  while read -r program count options; do
    number=$((number + 1))
    mkdir "theirs/run$number"
    # As in test/oracle/fortran_programs.sh: Open MPI's ompio may leave wrong files of libhdf5's.
    # shellcheck disable=SC2086 # options are words
    (cd "theirs/run$number" && OMPI_MCA_io=^ompio "$PCIO_RUN_PAR" 4 120 "../$program" $options) >log 2>&1
    verdict $? "$program $options with libhdf5 on 4 ranks: $(tail -n 3 log)"
    grep -v '^PASS: ' log >"theirs/run$number/out"
  done < <(ways)
else
  echo "not compared: no parallel libhdf5, or no h5diff"
fi
mpi_cxx=$(dirname "$(command -v "${MPICC%% *}")")/mpicxx
if command -v cmake >/dev/null; then
  for way in ON OFF; do
    CC=${PCIO_CC:-cc} CXX=${PCIO_CXX:-c++} HDF5_ROOT=$hdf5 cmake -S "$programs" -B "by_cmake_$way" -DBY_CONFIG=$way -DCMAKE_PREFIX_PATH="$hdf5" \
      -DMPI_C_COMPILER="$MPICC" -DMPI_CXX_COMPILER="$mpi_cxx" >log 2>&1 && cmake --build "by_cmake_$way" >>log 2>&1
    status=$?
    verdict $status "the programs are built by CMake (config file: $way): $(tail -n 5 log)"
    [ $status -ne 0 ] || recompiled "by_cmake_$way"
  done
fi
if command -v autoreconf >/dev/null && command -v pkg-config >/dev/null && [ -x "$mpi_cxx" ]; then
  mkdir by_autotools
  cp "$programs"/* by_autotools
  (cd by_autotools && autoreconf -i && ./configure CC="$hdf5/bin/h5pcc" CXX="$mpi_cxx" PKG_CONFIG_PATH="$hdf5/lib/pkgconfig" && make) >log 2>&1
  status=$?
  verdict $status "the programs are built by Autotools: $(tail -n 5 log)"
  [ $status -ne 0 ] || recompiled by_autotools
fi
