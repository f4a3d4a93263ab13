! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! An index of objects and regions: references to datasets, groups and parts of a dataset, followed back. One rank has
! the file; the others wait. Fortran 2003 with module mpi. Arguments: the file.

program references
  use, intrinsic :: iso_c_binding
  use mpi
  use hdf5
  implicit none

  integer :: e, rank
  character(len=256) :: name

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call h5open_f(e)
  if (rank == 0) call write_file
  call mpi_barrier(MPI_COMM_WORLD, e)
  call h5close_f(e)
  if (rank == 0) write (*, '(a)') 'all right'
  call mpi_finalize(e)

contains

  subroutine write_file
    integer(HID_T) :: file, group, space, set
    integer(HSIZE_T) :: dims(2) = [8, 5]
    integer :: values(8, 5), i
    values = reshape([(i, i=1, 40)], [8, 5])
    call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e)
    if (e /= 0) call stops('h5fcreate_f')
    call h5gcreate_f(file, 'parts', group, e)
    call h5screate_simple_f(2, dims, space, e)
    call h5dcreate_f(group, 'field', H5T_NATIVE_INTEGER, space, set, e)
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, values, dims, e)
    call objects(file)
    call regions(file, set, space, values)
    call h5dclose_f(set, e)
    call h5sclose_f(space, e)
    call h5gclose_f(group, e)
    call h5fclose_f(file, e)
    if (e /= 0) call stops('h5fclose_f')
  end subroutine write_file

  subroutine objects(file)
    integer(HID_T), intent(in) :: file
    type(hobj_ref_t_f) :: refs(2), got(2)
    integer(HID_T) :: space, set, object
    integer(HSIZE_T) :: dims(1) = [2]
    integer :: type
    character(len=30) :: path
    integer(SIZE_T) :: length
    call h5rcreate_f(file, 'parts', refs(1), e)
    call h5rcreate_f(file, 'parts/field', refs(2), e)
    if (e /= 0) call stops('h5rcreate_f')
    call h5screate_simple_f(1, dims, space, e)
    call h5dcreate_f(file, 'objects', H5T_STD_REF_OBJ, space, set, e)
    call h5dwrite_f(set, H5T_STD_REF_OBJ, refs, dims, e)
    call h5dread_f(set, H5T_STD_REF_OBJ, got, dims, e)
    if (e /= 0) call stops('objects')
    call h5rget_object_type_f(set, got(1), type, e)
    if (type /= H5G_GROUP_F) call stops('a group')
    call h5rdereference_f(set, got(2), object, e)
    if (e /= 0) call stops('h5rdereference_f')
    call h5iget_name_f(object, path, 30_SIZE_T, length, e)
    if (path(1:length) /= '/parts/field') call stops('its name')
    call h5dclose_f(object, e)
    call h5dclose_f(set, e)
    call h5sclose_f(space, e)
  end subroutine objects

  subroutine regions(file, field, space, values)
    integer(HID_T), intent(in) :: file, field, space
    integer, intent(in) :: values(8, 5)
    type(hdset_reg_ref_t_f) :: refs(2), got(2)
    integer(HID_T) :: list, set, object, region, memory
    integer(HSIZE_T) :: dims(1) = [2], start(2) = [2, 1], count(2) = [3, 2], points(2, 3), six(1) = [6], found
    integer(HSIZE_T) :: low(2), high(2)
    integer :: some(6)
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, start, count, e)
    call h5rcreate_f(file, 'parts/field', space, refs(1), e)
    points = reshape([integer(HSIZE_T) :: 1, 1, 8, 5, 4, 2], [2, 3])
    call h5sselect_elements_f(space, H5S_SELECT_SET_F, 2, 3_SIZE_T, points, e)
    call h5rcreate_f(file, 'parts/field', space, refs(2), e)
    if (e /= 0) call stops('h5rcreate_f of regions')
    call h5screate_simple_f(1, dims, list, e)
    call h5dcreate_f(file, 'regions', H5T_STD_REF_DSETREG, list, set, e)
    call h5dwrite_f(set, H5T_STD_REF_DSETREG, refs, dims, e)
    call h5dread_f(set, H5T_STD_REF_DSETREG, got, dims, e)
    if (e /= 0) call stops('regions')
    call h5rdereference_f(set, got(1), object, e)
    call h5rget_region_f(set, got(1), region, e)
    call h5sget_select_bounds_f(region, low, high, e)
    if (any(low /= [3, 2]) .or. any(high /= [5, 3])) call stops('bounds')
    call h5screate_simple_f(1, six, memory, e)
    call h5dread_f(object, H5T_NATIVE_INTEGER, some, six, e, memory, region)
    if (e /= 0 .or. any(some /= reshape(values(3:5, 2:3), [6]))) call stops('its values')
    call h5sclose_f(memory, e)
    call h5sclose_f(region, e)
    call h5dclose_f(object, e)
    call h5rget_region_f(set, got(2), region, e)
    call h5sget_select_npoints_f(region, found, e)
    if (found /= 3) call stops('points')
    call h5sclose_f(region, e)
    call h5dclose_f(set, e)
    call h5sclose_f(list, e)
  end subroutine regions

  subroutine stops(what)
    character(len=*), intent(in) :: what
    write (*, '(2a)') 'not so: ', what
    call mpi_abort(MPI_COMM_WORLD, 1, e)
  end subroutine stops
end program references
