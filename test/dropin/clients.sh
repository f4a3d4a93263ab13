#!/usr/bin/env bash
# shellcheck disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Programs that were built for Debian's libhdf5, unchanged, through pcio-run: a parallel program on 2 ranks, HDF5's
# tools, h5py; what pcio-run says of them, with --check too. With PCIO_LONG=1 the parts of long.sh. Room: test/dropin.
. "$PCIO_SRCDIR/test/dropin/common.sh"

# ---- what pcio-run does without HDF5
status 7 "the command's status" "$run" sh -c 'exit 7'
says err "pcio-run: the program has not used HDF5 through libpcio: it has none, or has it linked in, or under another name (pcio-run --check tells)"
status 137 "a command that a signal ended" "$run" sh -c 'kill -9 $$'
status 127 "a command that isn't there" "$run" ./nowhere
status 2 "an unknown option" "$run" --nonsense true
status 2 "no command" "$run" --explain
status 3 "--check without HDF5" "$run" --check sh

# ---- what it says of a dataset, from lines of this release and of one before it
metric() { printf '"%s":{"sum":%s,"min":0,"min_rank":0,"max":%s,"max_rank":0}' "$1" "$2" "$2"; }
line() {
  printf '{"schema":1,"kind":"collective","file":"f","dataset":"/%s","direction":"write","succeeded":true,' "$1"
  printf '"causes":{"bits":0,"text":[]},"transport":{"exchange":2},"transport_why":"so",%s"totals":{' "$2"
  metric bytes_written 10; printf ,; metric bytes_read 0; printf ,; metric nanoseconds 1000; printf '%s}}\n' "$3"
}
# Independent transfers of a dataset, and a file whose creation and close wrote.
alone() {
  printf '{"schema":2,"kind":"independent","file":"f","dataset":"/alone","direction":"read","transferring":2,"transfers":6,"failed":1,'
  printf '"local_causes":{"bits":1,"text":["independent I/O was asked for"]},"transport":{"direct":6},%s"totals":{' "$stored"
  metric bytes_written 0; printf ,; metric bytes_read 30; printf ,; metric nanoseconds 1000; printf ,; metric converted 4; printf '}}\n'
}
closed() {
  printf '{"schema":2,"kind":"file","file":"f","ranks":2,"metadata":{'
  printf '"create":{"calls":1,"bytes_written":{"sum":100,"max":100}},"close":{"calls":1,"bytes_written":{"sum":411,"max":300}}}}\n'
}
stored='"stored":{"layout":"chunked","element_bytes":4,"extent":[400,7],"chunk":[100,7],"chunk_bytes":2800,"filters":["deflate (1)"]},'
split=,$(metric nanoseconds_agreement 100),$(metric nanoseconds_exchange 200),$(metric nanoseconds_file 300)
split=$split,$(metric nanoseconds_filters 5),$(metric nanoseconds_conversion 0),$(metric converted 1),$(metric chunks_touched 40)
{ line new "$stored" "$split"; line old "" ""; alone; closed; } > lines
status 0 "lines" "$run" --report told.jsonl --explain sh -c 'cat lines >> told.jsonl'
says err "pcio-run:   chunks of 100 x 7 elements, 2.7 KiB; deflate (1)"
says err "pcio-run:     these are small chunks, 40 a transfer: larger ones (about 1 MiB) make fewer calls and a smaller index"
says err "pcio-run:   types were converted in 1 transfer: a dataset of the type that the program has in memory needs none"
says err "pcio-run:   time of all ranks: 10 % agreeing and waiting for the last rank, 20 % exchange between ranks, 30 % the file, 39 % selecting and copying"
says err "pcio-run: f:/old, write: 1 transfer, 1 of them collective; 10 bytes written, 0 bytes read, 0.000 s"
says err "pcio-run: 2 transfers were asked to be collective, 2 of them were; 6 independent; 1 failed"
says err "pcio-run: f:/alone, read: 6 transfers, 0 of them collective, 1 failed; 0 bytes written, 30 bytes read, 0.000 s"
says err "pcio-run:   6 not: independent I/O was asked for"
says err "pcio-run:   6 by direct"
says err "pcio-run:   types were converted in 4 transfers: a dataset of the type that the program has in memory needs none"
says err "pcio-run: 511 bytes written besides: metadata, and chunks with filters that independent transfers leave to a flush or close"
[ "$(grep -c 'time of all ranks' err)" = 1 ]; verdict $? "no time of a line that has none"

# ---- a parallel program
cc=${PCIO_CC:-cc}
if [ -n "${PCIO_HDF5_MPI_LIBS-}" ]; then
  # shellcheck disable=SC2086 # flags are words
  $cc $PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS "$here/ranks.c" -o ranks $PCIO_HDF5_MPI_LIBS $PCIO_MPI_LIBS || exit 1
  export PCIO_RUN_QUIET=1
  status 0 "2 ranks" "$run" --report io.jsonl --explain "$PCIO_RUN_PAR" 2 "$clock" ./ranks r.h5
  says out 1.10.8
  says err "pcio-run: 2 processes used libhdf5_openmpi.so.103 of libpcio"
  says err "pcio-run: 1 transfer was asked to be collective, 1 of them was; 2 independent; 0 failed"
  says err "pcio-run:   2 not collective: independent I/O was asked for"
  grep -q '^pcio-run: r.h5:/rows, write: 1 transfer, 1 of them collective; 64 bytes written, 0 bytes read' err
  verdict $? "--explain tells of the dataset: $(cat err)"
  grep -q '^pcio-run: r.h5:/rows, read: 2 transfers, 0 of them collective; 0 bytes written, 64 bytes read' err
  verdict $? "--explain tells of independent transfers: $(cat err)"
  grep -q '^pcio-run: .* written besides: metadata' err; verdict $? "what creating and closing wrote is told: $(cat err)"
  [ "$(grep -c '"kind":"collective"' io.jsonl)" = 1 ]; verdict $? "--report keeps the lines"
  status 5 "the status of ranks" "$run" "$PCIO_RUN_PAR" 2 "$clock" ./ranks r.h5 5
  # Launchers with and without variables of their own, which Open MPI does not take by both of its ways.
  for launch in "$MPIRUN" "$MPIRUN -x PATH" "env $MPIRUN -x PATH"; do
    # shellcheck disable=SC2086 # words
    status 0 "$launch" timeout "$clock" env OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 \
      OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none "$run" $launch -n 2 ./ranks r.h5
    says err "pcio-run: 2 processes used libhdf5_openmpi.so.103 of libpcio"
  done
  status 0 "a misspelt variable" env PCIO_REPROT=x "$run" "$PCIO_RUN_PAR" 2 "$clock" ./ranks r.h5
  [ "$(grep -c 'libpcio: warning: nothing reads the variable PCIO_REPROT: is PCIO_REPORT meant?' err)" = 1 ]
  verdict $? "a misspelt variable is told once: $(cat err)"
  # What was in the report before is not told again.
  status 0 "2 ranks again" "$run" --report io.jsonl "$PCIO_RUN_PAR" 2 "$clock" ./ranks r.h5
  says err "pcio-run: 1 transfer was asked to be collective, 1 of them was; 2 independent; 0 failed"
  status 0 "--check of a whole program" "$run" --check mpirun -n 2 ./ranks
  says out "./ranks: nothing is missing"

  # Debian's Fortran and C++ libraries of HDF5, on top of the drop-in.
  libdirs=$(for word in $PCIO_HDF5_MPI_LIBS; do case $word in -L*) echo "$word" ;; esac; done)
  if [ "$PCIO_WITH_FORTRAN" = yes ] && [ -n "$(find /usr/include/hdf5/openmpi -name hdf5.mod 2>/dev/null)" ]; then
    # shellcheck disable=SC2086
    $PCIO_FC $PCIO_MPI_FCFLAGS -I/usr/include/hdf5/openmpi "$here/ranks.f90" -o ranks_f $libdirs -lhdf5_fortran -lhdf5 \
      $PCIO_MPI_FCLIBS || exit 1
    status 0 "Fortran on 2 ranks" "$run" "$PCIO_RUN_PAR" 2 "$clock" ./ranks_f f.h5
    says err "pcio-run: 2 processes used libhdf5_openmpi.so.103 of libpcio"
    says err "pcio-run: 2 transfers were asked to be collective, 2 of them were; 0 independent; 0 failed"
  else
    skip "no libhdf5_fortran of the parallel kind"
  fi
  if [ -e /usr/include/hdf5/openmpi/H5Cpp.h ]; then
    # shellcheck disable=SC2086
    ${PCIO_CXX:-c++} -std=c++17 $PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS "$here/cxx.cpp" -o cxx $libdirs -lhdf5_cpp -lhdf5 \
      $PCIO_MPI_LIBS || exit 1
    ./cxx theirs_cxx.h5 >cxx.out; verdict $? "C++ with libhdf5"
    status 0 "C++" "$run" ./cxx ours_cxx.h5
    cmp -s out cxx.out; verdict $? "C++ says the same with both: $(diff cxx.out out)"
    says err "pcio-run: 1 process used libhdf5_openmpi.so.103 of libpcio"
  else
    skip "no libhdf5_cpp of the parallel kind"
  fi

  # A program that needs what there isn't: made with a library of the same name that has more.
  printf 'HDF5_MPI_1.8.7 { global: H5absent; };\nHDF5_MPI_9.9.9 { global: H5later; };\n' >more.map
  echo 'void H5absent(void) {} void H5later(void) {}' >more.c
  $cc -shared -fPIC -Wl,-soname,libhdf5_openmpi.so.103 -Wl,--version-script=more.map more.c -o libmore.so || exit 1
  echo 'void H5absent(void); void H5later(void); int main(void) { H5absent(); H5later(); return 0; }' >needs.c
  $cc needs.c -o needs ./libmore.so || exit 1
  status 1 "--check of a program that needs more" "$run" --check ./needs
  says out "./needs: missing: version HDF5_MPI_9.9.9"
  grep -q '^./needs: missing: H5absent' out; verdict $? "--check names the function: $(cat out)"

  # Plugins of Debian need libhdf5_serial: they get the library that is there.
  plugins=$(find /usr/lib -path '*hdf5/serial/plugins/libH5Zblosc.so' 2>/dev/null | head -n 1)
  if [ -n "$plugins" ]; then
    # shellcheck disable=SC2086
    $cc $PCIO_HDF5_MPI_CPPFLAGS $PCIO_MPI_CPPFLAGS "$PCIO_SRCDIR/test/filter/plugin_use.c" -o plugin_use $PCIO_HDF5_MPI_LIBS || exit 1
    status 0 "a plugin writes" "$run" ./plugin_use write p.h5 32001 2 2 0 0 5 1 0
    says err "pcio-run: 1 process used libhdf5_openmpi.so.103 of libpcio"
    ! grep -q libhdf5_serial err; verdict $? "the plugin has loaded the drop-in of libhdf5_serial: $(cat err)"
    HDF5_PLUGIN_PATH=${plugins%/*} ./plugin_use read p.h5; verdict $? "libhdf5 reads what the plugin wrote"
  else
    skip "no plugin of Debian's for blosc"
  fi
else
  skip "no libhdf5 of the parallel kind"
fi

# ---- two libraries in one process
$cc "$here/both.c" -o both -ldl || exit 1
# told LIBRARIES...: one line says so, and the program goes on.
told() {
  LD_LIBRARY_PATH=$folder:$PCIO_BUILDDIR/.libs ./both "$@" >out 2>err
  verdict $? "$*: the program goes on"
  says out opened
  [ "$(grep -c '^libpcio: this program has loaded' err)" = 1 ]; verdict $? "$*: one line tells: $(cat err)"
}
told libhdf5_openmpi.so.103 libhdf5_serial.so.103
told libhdf5_serial.so.103 libhdf5_openmpi.so.103
told libpcio.so.0 libhdf5_openmpi.so.103
told libhdf5_serial.so.103 libpcio.so.0
LD_LIBRARY_PATH=$folder ./both libhdf5_serial.so.103 2>err >out
[ ! -s err ]; verdict $? "one library alone: nothing is told: $(cat err)"

# ---- HDF5's tools
# same COMMAND...: the same output and status with libhdf5 and through pcio-run.
same() {
  local theirs ours
  limited 60 "$@" >theirs.out 2>theirs.err
  theirs=$?
  limited 60 "$run" "$@" >ours.out 2>ours.err
  ours=$?
  # What is no message of pcio-run's is the program's.
  grep -v '^pcio-run: ' ours.err >ours.own
  [ $theirs = $ours ] && cmp -s theirs.out ours.out && cmp -s theirs.err ours.own
  verdict $? "$*: status $ours, with libhdf5 $theirs: $(diff theirs.out ours.out | head -n 3) $(head -n 2 ours.own)"
  grep -q '^pcio-run: 1 process used libhdf5_serial.so.103' ours.err || { [ $theirs != 0 ] && [ ! -s theirs.out ]; }
  verdict $? "$*: libhdf5 was replaced"
}
if command -v h5dump >/dev/null && command -v h5ls >/dev/null && command -v h5diff >/dev/null; then
  files=
  if [ -n "${PYTHON-}" ] && "$PYTHON" -c 'import h5py' 2>/dev/null; then
    "$PYTHON" "$here/serial.py" made.h5 >out || exit 1
    files=made.h5
    status 0 "h5py" "$run" "$PYTHON" "$here/serial.py" ours.h5
    says out "['$folder/libhdf5_serial.so.103.0.0']"
    h5diff made.h5 ours.h5 >out; verdict $? "h5py wrote the same through both: $(cat out)"
  fi
  if [ -n "${PCIO_CORPUS-}" ]; then
    for file in h5py/vlen_string_dset_utc.h5 hdf5-suite/h5diff_attr1.h5 hdf5-suite/tcompound.h5 hdf5-suite/tgroup.h5; do
      [ ! -e "$PCIO_CORPUS/valid/$file" ] || files="$files $PCIO_CORPUS/valid/$file"
    done
  fi
  for file in $files; do
    same h5dump "$file"
    same h5dump -p -H "$file"
    same h5ls -rv "$file"
  done
  for file in $files; do set -- "$file"; done
  [ -z "$files" ] || same h5dump --onlyattr "$1"
  [ -z "$files" ] || same h5dump -A 0 -w 40 "$1"
  same h5diff made.h5 "$1"
  same h5diff made.h5 made.h5
  status 1 "an option that isn't there" "$run" h5dump --nonsense made.h5
  says err "h5dump: there is no option --nonsense"
  same h5dump nowhere.h5
else
  skip "no tools of HDF5's"
fi

# ---- h5py on MPI
# PCIO_H5PY_MPI: a folder with h5py and mpi4py, where they aren't installed.
if [ -n "${PYTHON-}" ] && PYTHONPATH=${PCIO_H5PY_MPI-} "$PYTHON" -c 'import h5py._debian_h5py_mpi, mpi4py' 2>/dev/null; then
  export PYTHONPATH=${PCIO_H5PY_MPI-}
  status 0 "h5py on 2 ranks" "$run" "$PCIO_RUN_PAR" 2 "$clock" "$PYTHON" "$here/parallel.py" py.h5
  says err "pcio-run: 2 processes used libhdf5_openmpi.so.103 of libpcio"
  grep -q '^pcio-run: 1 transfer was asked to be collective, 1 of them was' err
  verdict $? "h5py's collective transfer: $(cat err)"
else
  skip "no h5py on MPI (python3-h5py-mpi)"
fi
finish || exit 1
[ "${PCIO_LONG-}" != 1 ] || bash "$here/long.sh"
