#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Arguments of a wrong kind, rank or type are refused when a Fortran program is compiled. Each pair below is a right
# line and a wrong one that differs from it in one argument; libhdf5's modules, where they are, take and refuse the same.
# Where it says so the argument is a constant, which some compilers (flang 16) convert instead: the call is right then.
# All right lines are one program and all wrong ones another, each of whose lines must be an error.
set -eu
. "$(dirname "$0")/abi_env.sh"

[ "${PCIO_WITH_FORTRAN-no}" = yes ] || skip "no Fortran module"
[ -f "$top_builddir/fortran/hdf5.mod" ] || skip "no module files here"

cat > "$tmp/pairs" << 'PAIRS'
call h5fopen_f('a', H5F_ACC_RDWR_F, id, e) | call h5fopen_f('a', H5F_ACC_RDWR_F, small, e)
call h5fopen_f('a', H5F_ACC_RDWR_F, id, e) | call h5fopen_f(1, H5F_ACC_RDWR_F, id, e)
call h5fcreate_f('a', H5F_ACC_TRUNC_F, id, e, access_prp=id2) | call h5fcreate_f('a', H5F_ACC_TRUNC_F, id, e, access=id2)
call h5fclose_f(id, e) | call h5fclose_f(id)
call h5screate_simple_f(2, dims, id, e) | call h5screate_simple_f(2, small_dims, id, e)
call h5screate_simple_f(2, dims, id, e) | call h5screate_simple_f(2, real_dims, id, e)
call h5sselect_hyperslab_f(id, 0, dims, dims, e) | call h5sselect_hyperslab_f(id, 0, small_dims, dims, e)
call h5sget_simple_extent_dims_f(id, dims, dims2, e) | call h5sget_simple_extent_dims_f(id, dims, small_dims, e)
call h5dcreate_f(id, 'a', id2, id3, id4, e) | call h5dcreate_f(id, 'a', small, id3, id4, e)
call h5dwrite_f(id, id2, doubles, dims, e) | call h5dwrite_f(small, id2, doubles, dims, e)
call h5dwrite_f(id, id2, doubles, dims, e) | call h5dwrite_f(id, id2, c_funloc(h5open_f), dims, e)
call h5dwrite_f(id, id2, doubles, dims, e) | call h5dwrite_f(id, id2, particle, dims, e)
call h5dwrite_f(id, id2, c_loc(particle), e) | call h5dwrite_f(id, id2, c_loc(particle), small_dims, e)
call h5dread_f(id, id2, doubles, dims, e) | call h5dread_f(id, id2, doubles, small_dims, e)
call h5dread_f(id, id2, doubles, dims, e, xfer_prp=id3) | call h5dread_f(id, id2, doubles, dims, e, xfer_prp=small)
call h5awrite_f(id, id2, doubles, dims, e) | call h5awrite_f(id, id2, doubles, small_dims, e)
call h5awrite_f(id, id2, 'a', dims, e) | call h5awrite_f(id, id2, particle(1), dims, e)
call h5tset_size_f(id, 8_SIZE_T, e) | call h5tset_size_f(id, small, e)
call h5pset_alignment_f(id, dims(1), dims(1), e) | call h5pset_alignment_f(id, small, small, e)
call h5tset_size_f(id, 8_SIZE_T, e) | call h5tset_size_f(id, 8, e) | constant
call h5tinsert_f(id, 'a', 8_SIZE_T, id2, e) | call h5tinsert_f(id, 'a', 8, id2, e) | constant
call h5pset_chunk_f(id, 2, dims, e) | call h5pset_chunk_f(id, 2, small_dims, e)
call h5pset_alignment_f(id, 1_HSIZE_T, 1_HSIZE_T, e) | call h5pset_alignment_f(id, 1, 1, e) | constant
call h5pset_fill_value_f(id, id2, 1.0d0, e) | call h5pset_fill_value_f(id, id2, doubles, e)
call h5lexists_f(id, 'a', flags(1), e) | call h5lexists_f(id, 'a', small, e)
call h5dget_offset_f(id, offset, e) | call h5dget_offset_f(id, small, e)
call h5pset_fapl_mpio_f(id, small, small, e) | call h5pset_fapl_mpio_f(id, id2, small, e)
call h5pget_fapl_mpio_f(id, small, small, e) | call h5pget_fapl_mpio_f(id, small, real_dims(1), e)
call h5ltmake_dataset_int_f(id, 'a', 1, dims, small_dims, e) | call h5ltmake_dataset_int_f(id, 'a', 1, dims, real_dims, e)
call h5ltread_dataset_double_f(id, 'a', doubles, dims, e) | call h5ltread_dataset_double_f(id, 'a', doubles, small_dims, e)
call h5ltset_attribute_int_f(id, 'a', 'b', small_dims, 2_SIZE_T, e) | call h5ltset_attribute_int_f(id, 'a', 'b', dims, 2_SIZE_T, e)
call h5dsattach_scale_f(id, id2, 1, e) | call h5dsattach_scale_f(id, id2, 1_HSIZE_T, e) | constant
call h5immake_image_8bit_f(id, 'a', 2_HSIZE_T, 1_HSIZE_T, small_dims, e) | call h5immake_image_8bit_f(id, 'a', 2, 1, small_dims, e) | constant
call h5tbread_field_index_f(id, 'a', 1, 0_HSIZE_T, 2_HSIZE_T, 4_SIZE_T, small_dims, e) | call h5tbread_field_index_f(id, 'a', 1, 0_HSIZE_T, 2_HSIZE_T, 4_SIZE_T, flags, e)
PAIRS

cat > "$tmp/begin" << 'PROGRAM'
program lines_of_pairs
  use, intrinsic :: iso_c_binding
  use hdf5
  use h5lt
  use h5ds
  use h5im
  use h5tb
  implicit none
  type, bind(c) :: particle_t
    real(c_double) :: x(3)
  end type particle_t
  type(particle_t), target :: particle(4)
  integer(HID_T) :: id, id2, id3, id4
  integer(HSIZE_T) :: dims(2), dims2(2)
  integer(HADDR_T) :: offset
  integer :: e, small, small_dims(2)
  real :: real_dims(2)
  real(c_double) :: doubles(2, 2)
  logical :: flags(4)
PROGRAM
before=$(wc -l < "$tmp/begin") all=$(wc -l < "$tmp/pairs")
for column in 1 2; do
  { cat "$tmp/begin"; awk -F ' [|] ' -v column=$column '{ print "  " $column }' "$tmp/pairs"; echo 'end program lines_of_pairs'; } > "$tmp/$column.f90"
done

# compiled COLUMN FOLDER: whether the program of the right lines (1), or of the wrong ones (2), compiles with the modules of the
# folder; all errors are in log.
compiled() {
  # shellcheck disable=SC2086 # flags are words
  "$PCIO_FC" $PCIO_FC_KIND_FLAGS -w $every_error -fsyntax-only "-I$2" "$tmp/$1.f90" > "$tmp/log" 2>&1
}
# Others tell every one by themselves.
every_error=-fmax-errors=0
echo end > "$tmp/end.f90"
"$PCIO_FC" $every_error -fsyntax-only "$tmp/end.f90" > "$tmp/log" 2>&1 || every_error=
"$PCIO_FC" -w -fsyntax-only "$tmp/end.f90" > "$tmp/log" 2>&1 || skip "$PCIO_FC can't check a program without compiling it"
folders=$top_builddir/fortran
for folder in $(echo "${PCIO_HDF5_MPI_CPPFLAGS-}" | tr ' ' '\n' | sed -n 's/^-I//p'); do
  [ ! -f "$folder/hdf5.mod" ] || folders="$folders $folder"
done
printf '  call s(8)\ncontains\n  subroutine s(n)\n  integer(8), intent(in) :: n\n  print *, n\n  end subroutine s\nend\n' > "$tmp/converted.f90"
converts=no
"$PCIO_FC" -w -fsyntax-only "$tmp/converted.f90" > "$tmp/log" 2>&1 && converts=yes
fail_unless_converted() {
  case $1/$converts in
    *' | constant/yes') ;;
    *) fail "taken with $folder: $1" ;;
  esac
}
lines=0
for folder in $folders; do
  compiled 1 "$folder" || { cat "$tmp/log"; fail "right lines are refused with $folder"; }
  ! compiled 2 "$folder" || fail "wrong lines are taken with $folder"
  # FILE:LINE:COLUMN: of errors, with what it is behind it where others are told that way too.
  grep -E '2\.f90:[0-9]+:' "$tmp/log" | grep -vE ': (warning|portability|because):' | sed -E 's/.*2\.f90:([0-9]+):.*/\1/' | sort -u > "$tmp/refused"
  for ((line = 1; line <= all; line++)); do
    grep -qx $((before + line)) "$tmp/refused" || fail_unless_converted "$(sed -n "${line}p" "$tmp/pairs")"
  done
  lines=$((lines + all))
done
[ "$lines" -gt 0 ] || fail "no line was compiled"
echo "$lines pairs of lines"
