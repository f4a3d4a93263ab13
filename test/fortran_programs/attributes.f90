! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Attributes of all kinds on a file, a group and a dataset: numbers, arrays, texts, logical values as an enumeration;
! asked about, renamed, written over and deleted. Fortran 2003 with module mpi. Arguments: the file.

program attributes
  use mpi
  use hdf5
  implicit none

  integer :: e, rank, i, flags(4) = [1, 0, 0, 1], got_flags(4), storage, corder
  integer(HID_T) :: fapl, file, group, set, space, one, pair, four, text, bool, attribute
  integer(HSIZE_T) :: dims(2) = [3, 2], two(1) = [2], some(1) = [4], single(1) = [1], bytes
  real :: range(2) = [-1.5, 2.5], got_range(2)
  double precision :: matrix(3, 2), got_matrix(3, 2)
  character(len=256) :: name
  character(len=12) :: words(2) = [character(len=12) :: 'density', 'g/cm3'], got_words(2)
  character(len=40) :: found
  integer(HID_T) :: number
  integer :: many
  logical :: there, valid
  integer(SIZE_T) :: size

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call h5open_f(e)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, e)
  call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
  if (e /= 0) call stops('h5fcreate_f')
  call h5gcreate_f(file, 'run', group, e)
  call h5screate_f(H5S_SCALAR_F, one, e)
  call h5screate_simple_f(1, two, pair, e)
  call h5screate_simple_f(1, some, four, e)
  call h5screate_simple_f(2, dims, space, e)
  call h5dcreate_f(group, 'nothing', H5T_NATIVE_INTEGER, space, set, e)

  call h5acreate_f(file, 'version', H5T_NATIVE_INTEGER, one, attribute, e)
  call h5awrite_f(attribute, H5T_NATIVE_INTEGER, 17, single, e)
  call h5aclose_f(attribute, e)
  call h5acreate_f(group, 'range', H5T_IEEE_F32LE, pair, attribute, e)
  call h5awrite_f(attribute, H5T_NATIVE_REAL, range, two, e)
  call h5aread_f(attribute, H5T_NATIVE_REAL, got_range, two, e)
  if (e /= 0 .or. any(got_range /= range)) call stops('range')
  call h5aclose_f(attribute, e)
  matrix = reshape([(i * 0.5d0, i=1, 6)], [3, 2])
  call h5acreate_f(set, 'matrix', H5T_NATIVE_DOUBLE, space, attribute, e)
  call h5awrite_f(attribute, H5T_NATIVE_DOUBLE, matrix, dims, e)
  call h5aread_f(attribute, H5T_NATIVE_DOUBLE, got_matrix, dims, e)
  if (e /= 0 .or. any(got_matrix /= matrix)) call stops('matrix')
  call h5aget_storage_size_f(attribute, bytes, e)
  if (bytes /= 48) call stops('its bytes')
  call h5aclose_f(attribute, e)
  call h5tcopy_f(H5T_FORTRAN_S1, text, e)
  size = 12
  call h5tset_size_f(text, size, e)
  call h5acreate_f(set, 'words', text, pair, attribute, e)
  call h5awrite_f(attribute, text, words, two, e)
  call h5aread_f(attribute, text, got_words, two, e)
  if (e /= 0 .or. any(got_words /= words)) call stops('words')
  call h5aget_name_f(attribute, 40_SIZE_T, found, many)
  if (many /= 5 .or. found(1:5) /= 'words') call stops('a name')
  call h5aclose_f(attribute, e)

  call h5tenum_create_f(H5T_NATIVE_INTEGER, bool, e)
  call h5tenum_insert_f(bool, 'FALSE', 0, e)
  call h5tenum_insert_f(bool, 'TRUE', 1, e)
  call h5acreate_by_name_f(file, 'run/nothing', 'flags', bool, four, attribute, e)
  call h5awrite_f(attribute, bool, flags, some, e)
  call h5aread_f(attribute, bool, got_flags, some, e)
  if (e /= 0 .or. any(got_flags /= flags)) call stops('flags')
  call h5aclose_f(attribute, e)

  call h5arename_f(set, 'words', 'long name', e)
  call h5aexists_f(set, 'words', there, e)
  if (there) call stops('the old name')
  call h5aexists_by_name_f(file, 'run/nothing', 'long name', there, e)
  if (.not. there) call stops('the new name')
  call h5acreate_f(set, 'short life', H5T_NATIVE_INTEGER, one, attribute, e)
  call h5awrite_f(attribute, H5T_NATIVE_INTEGER, 1, single, e)
  call h5aclose_f(attribute, e)
  call h5aget_num_attrs_f(set, many, e)
  if (many /= 4) call stops('four attributes')
  call h5adelete_f(set, 'short life', e)
  call h5aopen_by_idx_f(file, 'run/nothing', H5_INDEX_NAME_F, H5_ITER_INC_F, 0_HSIZE_T, attribute, e)
  call h5aget_info_f(attribute, valid, corder, storage, bytes, e)
  if (e /= 0 .or. bytes /= 16) call stops('the first by name')
  call h5aclose_f(attribute, e)
  call h5aopen_name_f(file, 'version', attribute, e)
  call h5awrite_f(attribute, H5T_NATIVE_INTEGER, 18, single, e)
  call h5aread_f(attribute, H5T_NATIVE_INTEGER, i, single, e)
  if (i /= 18) call stops('version')
  call h5aget_space_f(attribute, number, e)
  call h5sget_simple_extent_npoints_f(number, bytes, e)
  if (bytes /= 1) call stops('a scalar')
  call h5sclose_f(number, e)
  call h5aclose_f(attribute, e)

  call h5tclose_f(bool, e)
  call h5tclose_f(text, e)
  call h5dclose_f(set, e)
  call h5sclose_f(space, e)
  call h5sclose_f(four, e)
  call h5sclose_f(pair, e)
  call h5sclose_f(one, e)
  call h5gclose_f(group, e)
  call h5pclose_f(fapl, e)
  call h5fclose_f(file, e)
  if (e /= 0) call stops('h5fclose_f')
  call h5close_f(e)
  if (rank == 0) write (*, '(a)') 'all right'
  call mpi_finalize(e)

contains

  subroutine stops(what)
    character(len=*), intent(in) :: what
    write (*, '(2a)') 'not so: ', what
    call mpi_abort(MPI_COMM_WORLD, 1, e)
  end subroutine stops
end program attributes
