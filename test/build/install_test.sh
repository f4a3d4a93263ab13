#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# What a user finds after make install; the program in the README compiles with the installed pciocc
# and runs on 3 ranks; a Fortran program that says `use hdf5` does so with pciofc. (test/abi/check_programs.sh builds others through pkg-config.)
set -u
if [ "$PCIO_WITH_ASAN" = yes ]; then echo "SKIP: a sanitized library is not for users"; exit 77; fi
work=$(mktemp -d "$PCIO_TEST_TMP/install.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
# Into a staging folder, as packagers do; the libraries are linked for the configured prefix.
"$PCIO_SRCDIR/tools/alone" make -C "$PCIO_BUILDDIR" install DESTDIR="$work/stage" >"$work/install.log" 2>&1 || {
  tail -n 20 "$work/install.log"; echo "FAIL: make install"; exit 1; }
wrapper=$(find "$work/stage" -path '*/bin/pciocc')
prefix=${wrapper%/bin/pciocc}
pc=$(find "$work/stage" -name pcio.pc)
libdir=${pc%/pkgconfig/pcio.pc}
passed=0 failed=0
# verdict STATUS WHAT
verdict() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $2"; fi
}
x=$PCIO_LIBRARY_SUFFIX
for file in "$pc" "$libdir/libpcio$x.so.0" "$libdir/libpcio.so" "$prefix/include/pcio/hdf5.h" \
    "$prefix/include/pcio/H5pubconf.h" "$prefix/bin/pciocc" "$prefix/bin/pcioinfo" \
    "$libdir/cmake/libpcio/libpcioConfig.cmake" "$libdir/cmake/libpcio/libpcioConfigVersion.cmake" \
    "$prefix/share/doc/libpcio/LICENSE" "$prefix/share/doc/libpcio/NEWS" "$prefix/share/doc/libpcio/README.md" \
    "$prefix/share/doc/libpcio/SECURITY.md" "$prefix/share/doc/libpcio/doc/REPORT.md"; do
  [ -e "$file" ]; verdict $? "$file is installed"
done
if [ "$PCIO_WITH_FORTRAN" = yes ]; then
  for file in "$libdir/libpcio_fortran$x.so.0" "$prefix/include/pcio/hdf5.mod" "$prefix/bin/pciofc" \
    "$libdir/libpcio_hl_fortran$x.so.0" "$libdir/pkgconfig/pcio_fortran.pc" "$prefix/include/pcio/h5lt_const.mod" "$libdir/pkgconfig/pcio_hl_fortran.pc"; do
    [ -e "$file" ]; verdict $? "$file is installed"
  done
fi
[ ! -e "$prefix/include/hdf5.h" ]; verdict $? "no header outside include/pcio"
for name in libpcio libpcio_hl libpcio_fortran libpcio_hl_fortran; do
  [ -e "$libdir/$name.so" ] || continue
  readelf -d "$libdir/$name.so" | grep -q "SONAME.*\[$name$x\.so\.0\]"; verdict $? "SONAME of $name"
done
# Each installed program has its page of the manual, which man has nothing to say against.
for program in "$prefix"/bin/*; do
  page=$prefix/share/man/man1/${program##*/}.1
  [ -e "$page" ]; verdict $? "$page is installed"
  ! command -v man >/dev/null || [ -z "$(man --warnings -l "$page" 2>&1 >/dev/null)" ]; verdict $? "$page is well-formed"
done

# The wrapper names the configured prefix.
for wrapper in pciocc pciofc; do
  [ -e "$prefix/bin/$wrapper" ] || continue
  sed -i -e "s|^prefix=.*|prefix=$prefix|" -e "s|^exec_prefix=.*|exec_prefix=$prefix|" \
    -e "s|^libdir=.*|libdir=$libdir|" -e "s|^includedir=.*|includedir=$prefix/include|" \
    "$prefix/bin/$wrapper"
done
cd "$work" || exit 1
sed -n '/^```c$/,/^```$/p' "$PCIO_SRCDIR/README.md" | sed '/^```/d' > readme.c
[ "$(wc -l < readme.c)" -le 33 ]; verdict $? "the README's program is short"
"$prefix/bin/pciocc" -Wall -Werror -o readme readme.c; status=$?
verdict $status "the README's program compiles with pciocc"
if [ $status -eq 0 ]; then
  "$PCIO_RUN_PAR" 3 60 ./readme >readme.log 2>&1; status=$?
  [ $status -eq 0 ] || tail -n 20 readme.log
  verdict $status "the README's program runs on 3 ranks"
  if [ -n "$H5DUMP" ] && [ $status -eq 0 ]; then
    # The last element of the last row is 1000 * 2 + 999.
    "$H5DUMP" -d /rows -s 2,999 -c 1,1 rows.h5 | grep -q 2999; verdict $? "h5dump reads rows.h5"
  fi
fi
if [ "$PCIO_WITH_FORTRAN" = yes ]; then
  cat > rows.f90 <<'EOF'
program rows
  use mpi
  use hdf5
  use h5lt
  implicit none
  integer(HID_T) :: fapl, file, space, memory, data, dxpl
  integer(HSIZE_T) :: dims(2), start(2), count(2)
  integer :: row(10, 1), mpi_rank, ranks, i, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, mpi_rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call h5open_f(error)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, error)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, error)
  call h5fcreate_f('fortran.h5', H5F_ACC_TRUNC_F, file, error, access_prp=fapl)
  if (error /= 0) stop 1
  dims = [10, ranks]
  start = [0, mpi_rank]
  count = [10, 1]
  row(:, 1) = [(100 * mpi_rank + i, i = 1, 10)]
  call h5screate_simple_f(2, dims, space, error)
  call h5screate_simple_f(2, count, memory, error)
  call h5dcreate_f(file, 'rows', H5T_NATIVE_INTEGER, space, data, error)
  call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, start, count, error)
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, error)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, error)
  call h5dwrite_f(data, H5T_NATIVE_INTEGER, row, count, error, memory, space, dxpl)
  if (error /= 0) stop 2
  row = 0
  call h5dread_f(data, H5T_NATIVE_INTEGER, row, count, error, memory, space, dxpl)
  if (error /= 0 .or. row(10, 1) /= 100 * mpi_rank + 10) stop 3
  call h5dclose_f(data, error)
  call h5ltset_attribute_string_f(file, 'rows', 'made by', 'ranks', error)
  if (error /= 0) stop 5
  call h5fclose_f(file, error)
  if (error /= 0) stop 4
  call h5close_f(error)
  call MPI_Finalize(error)
end program rows
EOF
  "$prefix/bin/pciofc" -o rows rows.f90; status=$?
  verdict $status "a program that says use hdf5 compiles with pciofc"
  if [ $status -eq 0 ]; then
    # libpcio_fortran looks for libpcio where both are to be, not in the staging folder.
    LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH+:$LD_LIBRARY_PATH} "$PCIO_RUN_PAR" 3 60 ./rows >rows.log 2>&1; status=$?
    [ $status -eq 0 ] || tail -n 20 rows.log
    verdict $status "the Fortran program runs on 3 ranks"
    if [ -n "$H5DUMP" ] && [ $status -eq 0 ]; then
      "$H5DUMP" -d /rows -s 2,9 -c 1,1 fortran.h5 | grep -q 210; verdict $? "h5dump reads fortran.h5"
    fi
  fi
fi
if [ "$PCIO_WITH_FORTRAN" = yes ]; then . "$PCIO_SRCDIR/test/build/fortran_beside.sh"; fi
. "$PCIO_SRCDIR/test/dropin/prefix.sh"
. "$PCIO_SRCDIR/test/dropin/recompiled.sh"
. "$PCIO_SRCDIR/test/build/find_package.sh"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
