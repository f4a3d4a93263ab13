# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# h5py on MPI: its tests that are meant for several ranks, and a program on 4. Room: test/dropin/parts.
"$PYTHON" -c 'import h5py._debian_h5py_mpi, mpi4py' 2>/dev/null || { skip "no h5py on MPI (python3-h5py-mpi)"; return; }
if "$PYTHON" -c 'import pytest_mpi' 2>/dev/null; then
  tests=$("$PYTHON" -c 'import h5py, os; print(os.path.dirname(h5py.__file__))')/_debian_h5py_mpi/tests/test_file.py
  for ranks in 2 4; do
    for with in env "$run"; do
      $with "$PCIO_RUN_PAR" $ranks "$clock" "$PYTHON" -m pytest -q -p no:cacheprovider --with-mpi -m mpi "$tests" >mpi.log 2>&1 &&
        [ "$(grep -ac '^.*4 passed' mpi.log)" = $ranks ]
      verdict $? "h5py's tests for MPI on $ranks ranks, $with: $(tail -n 5 mpi.log | cut -c1-300)"
    done
  done
else
  skip "no pytest_mpi for h5py's own tests on MPI"
fi
export PCIO_RUN_QUIET=1
# As in test/oracle/fortran_programs.sh: Open MPI's ompio may leave wrong files of libhdf5's.
OMPI_MCA_io=^ompio "$PCIO_RUN_PAR" 4 "$clock" "$PYTHON" "$here/h5py_ranks.py" theirs_ranks.h5 >theirs.out 2>&1
verdict $? "h5py on 4 ranks with libhdf5: $(tail -n 3 theirs.out)"
status 0 "h5py on 4 ranks" "$run" "$PCIO_RUN_PAR" 4 "$clock" "$PYTHON" "$here/h5py_ranks.py" ours_ranks.h5
says err "pcio-run: 8 transfers were asked to be collective, 8 of them were; 16 independent; 0 failed"
cmp -s theirs.out out; verdict $? "h5py on 4 ranks prints the same: $(diff theirs.out out)"
h5diff theirs_ranks.h5 ours_ranks.h5 >log; verdict $? "h5py on 4 ranks wrote the same through both: $(cat log)"
