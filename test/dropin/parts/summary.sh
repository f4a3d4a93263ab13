# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What pcio-run tells of programs is what a counter between them and the library has seen. Room: test/dropin/parts.
$PCIO_CC -shared -fPIC -std=gnu99 "$here/counted.c" -o counted.so -ldl || exit 1
export PCIO_RUN_QUIET=1
# counted WHAT RANKS COMMAND...: RANKS 0: without a launcher.
counted() {
  local what=$1 ranks=$2 said
  shift 2
  [ "$ranks" = 0 ] || set -- "$PCIO_RUN_PAR" "$ranks" "$clock" "$@"
  rm -f notes.*
  LD_LIBRARY_PATH=$theirs_path COUNTED=$PWD/notes status 0 "$what" "$run" env LD_PRELOAD="$PWD/counted.so" "$@"
  said=$("$PYTHON" "$here/counted.py" notes err $((ranks > 0 ? ranks : 1))); verdict $? "pcio-run of $what: $said"
  echo "$what: $said"
}
if [ -n "${PCIO_HDF5_MPI_LIBS-}" ]; then
  # shellcheck disable=SC2086 # flags are words
  $PCIO_CC $PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS "$here/ranks.c" -o ranks $PCIO_HDF5_MPI_LIBS $PCIO_MPI_LIBS || exit 1
  # shellcheck disable=SC2086
  $PCIO_CC $PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS "$here/programs/blocks.c" -o blocks $PCIO_HDF5_MPI_LIBS $PCIO_MPI_LIBS || exit 1
  counted "ranks" 3 ./ranks r.h5
  counted "blocks, independent" 4 ./blocks blocks.0.h5
  # Chunks with filters are written by the close: the transfers have written nothing, the file has.
  counted "blocks, independent and filtered" 4 ./blocks -k 16 -z 4 blocks.0.h5
  grep -q ', .* 0 bytes written, ' err && grep -q ' KiB written besides: ' err; verdict $? "what the close wrote is told: $(cat err)"
  counted "blocks, collective and filtered" 4 ./blocks -c -C -k 32 -z 4 blocks.0.h5
else
  skip "no libhdf5 of the parallel kind"
fi
if "$PYTHON" -c 'import h5py' 2>/dev/null; then counted "h5py" 0 "$PYTHON" "$here/serial.py" s.h5; else skip "no h5py"; fi
if "$PYTHON" -c 'import h5py._debian_h5py_mpi, mpi4py' 2>/dev/null; then
  counted "h5py on 4 ranks" 4 "$PYTHON" "$here/h5py_ranks.py" y.h5
else
  skip "no h5py on MPI (python3-h5py-mpi)"
fi
if "$PYTHON" -c 'import petsc4py' 2>/dev/null; then counted "PETSc's viewer" 3 "$PYTHON" "$here/petsc_view.py" p.h5; else skip "no PETSc (python3-petsc4py)"; fi
