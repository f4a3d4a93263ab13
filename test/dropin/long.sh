# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The long part of clients.sh, which sources it: h5dump of every file of the corpus, h5ls, h5stat, h5diff and
# h5repack, h5jam, h5mkgrp of the small ones, with libhdf5 and through the drop-in, h5py's own tests, and programs of
# packages that are not installed. Room: test/dropin.

# leave WHY WHAT: it is not compared; the end tells of each.
left=
leave() { left="$left  $2: $1"$'\n'; }
# differs FILE [TOOL]: what is known to be different; known_differences.txt says why.
differs() {
  grep -qxF -- "${2:+$2 }${1#"$PCIO_CORPUS/valid/"}" "$here/known_differences.txt" || return 1
  case $left in *"${2:-all tools} $1: "*) ;; *) leave "known to be different" "${2:-all tools} $1" ;; esac
}
# slow STATUS WHAT: a limit has ended it with libhdf5.
slow() {
  case $1 in 124 | 137 | 152) leave "too slow with libhdf5" "$2" ;; *) return 1 ;; esac
}
# alike TOOL FILE ARGUMENTS...: status and text are equal with both; what is too slow with libhdf5 is left out.
alike() {
  local tool=$1 file=$2 theirs ours
  shift 2
  ! differs "$file" "$tool" || return 0
  limited 20 "$tool" "$@" >theirs.out 2>&1; theirs=$?
  ! slow $theirs "$tool $file" || return 0
  LD_LIBRARY_PATH=$folder limited 60 "$tool" "$@" >ours.out 2>&1; ours=$?
  [ $theirs = $ours ] && cmp -s theirs.out ours.out
  verdict $? "$tool $*: status $ours, with libhdf5 $theirs: $(diff -a theirs.out ours.out | head -n 4)"
}
# repacks FILE: where h5repack works with libhdf5 and h5diff can compare what it makes, what the drop-in repacks holds what the file holds, as
# libhdf5 says. (Of references in variable-length members of attributes h5repack keeps memory that nobody has written, with either library.)
repacks() {
  ! differs "$1" h5repack || return 0
  rm -f packed.h5
  limited 20 h5repack -f GZIP=3 -m 10 "$1" packed.h5 >theirs.out 2>&1 && [ ! -s theirs.out ] ||
    { leave "libhdf5 does not repack it" "h5repack $1"; return 0; }
  limited 20 h5diff "$1" packed.h5 >theirs.out 2>&1
  case $? in 0) ;; *) leave "libhdf5 does not find in it what it has repacked" "h5repack $1"; return 0 ;; esac
  rm -f packed.h5
  LD_LIBRARY_PATH=$folder limited 60 h5repack -f GZIP=3 -m 10 "$1" packed.h5 >ours.err 2>&1 &&
    limited 20 h5diff "$1" packed.h5 >>ours.err 2>&1
  verdict $? "h5repack $1: $(head -n 3 ours.err)"
}
if [ -n "${PCIO_CORPUS-}" ]; then
  while read -r file; do
    ! differs "$file" || continue
    limited 60 h5dump "$file" >theirs.out 2>/dev/null; theirs=$?
    ! slow $theirs "h5dump $file" || continue
    [ "$(stat -c %s theirs.out)" -lt 10000000 ] || { leave "more than 10 MB of text" "h5dump $file"; continue; }
    LD_LIBRARY_PATH=$folder limited 60 h5dump "$file" >ours.out 2>ours.err; ours=$?
    [ $theirs = $ours ] && cmp -s theirs.out ours.out
    verdict $? "h5dump $file: status $ours, with libhdf5 $theirs: $(head -n 2 ours.err)"
  done <<<"$(find "$PCIO_CORPUS/valid" -type f \( -name '*.h5' -o -name '*.hdf5' -o -name '*.nc' \) -size -20M | LC_ALL=C sort)"
fi
if [ -n "${PCIO_CORPUS-}" ]; then
  while read -r file; do
    ! differs "$file" || continue
    alike h5ls "$file" -rv "$file"
    alike h5stat "$file" "$file"
    alike h5diff "$file" -v "$file" "$file"
    repacks "$file"
  done <<<"$(find "$PCIO_CORPUS/valid" -type f \( -name '*.h5' -o -name '*.hdf5' -o -name '*.nc' -o -name '*.jld2' \) -size -400k | LC_ALL=C sort)"
fi
# h5jam and h5unjam make the same bytes, h5mkgrp the same groups, wherever they work with libhdf5.
if [ -n "${PCIO_CORPUS-}" ]; then
  head -c 512 /dev/zero | tr '\0' u >user
  while read -r file; do
    for place in theirs ours; do
      [ $place = ours ] && path=$folder || path=
      rm -f jam.h5 unjam.h5 groups.h5
      cp "$file" groups.h5 && chmod u+w groups.h5
      {
        LD_LIBRARY_PATH=$path limited 20 h5jam -u user -i "$file" -o jam.h5 && cksum <jam.h5
        LD_LIBRARY_PATH=$path limited 20 h5unjam -i jam.h5 -u block -o unjam.h5 && cksum <unjam.h5
      } >$place.jam 2>&1
      LD_LIBRARY_PATH=$path limited 20 h5mkgrp -p groups.h5 /a_new_one/a >$place.groups 2>&1
      echo $? >$place.status
      limited 20 h5dump -n groups.h5 >>$place.groups 2>&1
    done
    cmp -s theirs.jam ours.jam; verdict $? "h5jam $file: $(diff theirs.jam ours.jam | head -n 4)"
    [ "$(cat theirs.status)" = 0 ] || { leave "libhdf5 fails" "h5mkgrp $file"; continue; }
    cmp -s theirs.groups ours.groups; verdict $? "h5mkgrp $file: $(diff -a theirs.groups ours.groups | head -n 4)"
  done <<<"$(find "$PCIO_CORPUS/valid" -type f \( -name '*.h5' -o -name '*.hdf5' -o -name '*.nc' \) -size -300k | LC_ALL=C sort)"
fi
if [ -n "${PYTHON-}" ] && "$PYTHON" -c 'import h5py.tests, pytest' 2>/dev/null; then
  tests=$("$PYTHON" -c 'import h5py, os; print(os.path.dirname(h5py._h5py.__file__))')/tests
  # outcome NAME COMMAND...: which of h5py's tests fail.
  outcome() {
    local name=$1 ended
    shift
    (cd "$work" && clock=3000 limited 1200 "$@" "$PYTHON" -m pytest -q -p no:cacheprovider -rfE "$tests") >"$name.log" 2>&1
    ended=$?
    # Neither a signal nor a hang: a file of Python's that stays open would be written when Python is gone.
    [ $ended -le 1 ]; verdict $? "h5py's own tests ($name) end as pytest ends: $(tail -n 3 "$name.log" | cut -c1-300)"
    grep -E '^(FAILED|ERROR) ' "$name.log" | awk '{ sub(".*/tests/", "", $2); print $2 }' | LC_ALL=C sort >"$name.failed"
    tail -n 1 "$name.log"
  }
  outcome theirs env
  outcome ours "$run"
  LC_ALL=C comm -13 theirs.failed ours.failed >new.failed
  grep -vxFf "$here/known_h5py_failures.txt" new.failed >unknown.failed
  [ ! -s unknown.failed ]; verdict $? "h5py's own tests: $(head -n 20 unknown.failed)"
else
  skip "no pytest for h5py's own tests"
fi
# The same on MPI: its tests that are meant for several ranks, and a program on 4.
if [ -n "${PYTHON-}" ] && PYTHONPATH=${PCIO_H5PY_MPI-} "$PYTHON" -c 'import h5py._debian_h5py_mpi, mpi4py' 2>/dev/null; then
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
else
  skip "no h5py on MPI"
fi

# ---- programs of packages that are not installed
# PCIO_CLIENTS: a folder in which they were unpacked (dpkg -x): netcdf-bin, libnetcdf19, libnetcdf-mpi-19, libnetcdf-mpi-dev,
# python3-netcdf4, python3-tables, python3-tables-lib, libsilo-bin, libmed-tools and what they need.
clients=${PCIO_CLIENTS-}
if [ -z "$clients" ]; then
  skip "no PCIO_CLIENTS, a folder with netCDF, PyTables and others"
else
  theirs_path=$clients/usr/lib/$(gcc -print-multiarch)
  # both NAME COMMAND...: NAME.theirs.out and NAME.ours.out, and the status of each; 1 where it is too slow with libhdf5.
  both() {
    local name=$1
    shift
    LD_LIBRARY_PATH=$theirs_path limited 30 "$@" >"$name.theirs.out" 2>&1; theirs=$?
    ! slow $theirs "$*" || return 1
    LD_LIBRARY_PATH=$folder:$theirs_path limited 60 "$@" >"$name.ours.out" 2>&1; ours=$?
  }
  # Files at which ncdump itself ends on a signal, with both, are left out.
  if [ -x "$clients/usr/bin/ncdump" ] && [ -n "${PCIO_CORPUS-}" ]; then
    while read -r file; do
      ! differs "$file" || continue
      both ncdump "$clients/usr/bin/ncdump" -s "$file" || continue
      [ $theirs -lt 124 ] || { leave "ends with status $theirs with libhdf5" "ncdump $file"; continue; }
      [ $theirs = $ours ] && cmp -s ncdump.theirs.out ncdump.ours.out
      verdict $? "ncdump $file: status $ours, with libhdf5 $theirs: $(diff -a ncdump.theirs.out ncdump.ours.out | head -n 4)"
      [ $theirs = 0 ] || { leave "ncdump fails with libhdf5" "nccopy $file"; continue; }
      for place in theirs ours; do
        [ $place = ours ] && path=$folder:$theirs_path || path=$theirs_path
        rm -f copy.nc
        LD_LIBRARY_PATH=$path limited 30 "$clients/usr/bin/nccopy" -k nc4 -d 1 "$file" copy.nc >/dev/null 2>&1
        echo $? >$place.copy
        LD_LIBRARY_PATH=$theirs_path limited 30 "$clients/usr/bin/ncdump" copy.nc >>$place.copy 2>&1
      done
      cmp -s theirs.copy ours.copy; verdict $? "nccopy $file: $(diff -a theirs.copy ours.copy | head -n 4)"
    done <<<"$(find "$PCIO_CORPUS/valid" -type f \( -name '*.h5' -o -name '*.hdf5' -o -name '*.nc' \) -size -3M | LC_ALL=C sort)"
  else
    skip "no ncdump"
  fi
  if [ -e "$theirs_path/libnetcdf_mpi.so.19" ]; then
    # shellcheck disable=SC2086
    $cc -I"$theirs_path/netcdf/mpi/include" $PCIO_MPI_CPPFLAGS "$here/netcdf_ranks.c" -o netcdf_ranks "$theirs_path/libnetcdf_mpi.so.19" \
      -Wl,-rpath-link,"$theirs_path" -Wl,--allow-shlib-undefined $PCIO_MPI_LIBS || exit 1
    LD_LIBRARY_PATH=$theirs_path "$PCIO_RUN_PAR" 4 "$clock" ./netcdf_ranks theirs.nc >log 2>&1; verdict $? "netCDF with libhdf5: $(tail -n 2 log)"
    LD_LIBRARY_PATH=$theirs_path status 0 "netCDF on 4 ranks" "$run" "$PCIO_RUN_PAR" 4 "$clock" ./netcdf_ranks ours.nc
    says err "pcio-run: 4 processes used libhdf5_openmpi.so.103 of libpcio"
    says err "pcio-run: 3 transfers were asked to be collective, 3 of them were; 4 independent; 0 failed"
    h5diff theirs.nc ours.nc >log; verdict $? "netCDF wrote the same through both: $(cat log)"
  else
    skip "no libnetcdf_mpi"
  fi
  # Its own tests; known: the space of a file that holds one small array (test_carray.py).
  if [ -d "$clients/usr/lib/python3/dist-packages/tables" ]; then
    mkdir -p pytables && cd pytables || exit 1
    PYTHONPATH=$clients/usr/lib/python3/dist-packages LD_LIBRARY_PATH=$folder:$theirs_path timeout 3600 "$PYTHON" -m tables.tests.test_all >../pytables.log 2>&1
    cd "$work" || exit 1
    grep -qa '^Ran [1-9][0-9]* tests' pytables.log; verdict $? "PyTables' own tests ran to the end: $(tail -n 3 pytables.log | cut -c1-300)"
    known="FAIL: None (tables.tests.test_carray.SizeOnDiskInMemoryPropertyTestCase.None)"
    ! grep -aE '^(FAIL|ERROR): ' pytables.log | grep -vxF "$known" >unknown.failed
    verdict $? "PyTables' own tests: $(head -n 20 unknown.failed)"
  else
    skip "no PyTables"
  fi
fi
