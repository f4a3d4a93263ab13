! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Cells of an unstructured mesh: committed types, an enumeration, an array type; every rank has cells here and there
! (points, spaced slabs, unions of slabs). Fortran 2003 with mpi_f08 and type(c_ptr). Arguments: the file.

program cells
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use hdf5
  implicit none

  integer, parameter :: n = 60, corners = 4
  integer :: e, rank, ranks, i, mine, type_class
  integer, allocatable, target :: nodes(:, :), got(:, :), marks(:), got_marks(:)
  integer(HID_T) :: fapl, dxpl, file, quad, kinds, whole, part, set, opened
  integer(HSIZE_T) :: dims(1) = [n], start(1), count(1), stride(1), few(1), points_dims(1), array_dims(1) = [corners]
  integer(HSIZE_T), allocatable :: points(:, :)
  integer(HSIZE_T) :: selected
  character(len=256) :: name
  character(len=10) :: member
  type(c_ptr) :: place
  logical :: same

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, e)
  call h5open_f(e)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD%mpi_val, MPI_INFO_NULL%mpi_val, e)
  call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
  if (e /= 0) call stops('h5fcreate_f')
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, e)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, e)
  call h5tarray_create_f(H5T_NATIVE_INTEGER, 1, array_dims, quad, e)
  call h5tcommit_f(file, 'quad', quad, e)
  call h5tenum_create_f(H5T_NATIVE_INTEGER, kinds, e)
  call h5tenum_insert_f(kinds, 'INNER', 0, e)
  call h5tenum_insert_f(kinds, 'WALL', 1, e)
  call h5tenum_insert_f(kinds, 'INLET', 7, e)
  call h5tcommit_f(file, 'kinds', kinds, e)
  if (e /= 0) call stops('h5tcommit_f')

  ! Each rank has every ranks-th cell.
  mine = (n - rank + ranks - 1) / ranks
  allocate (nodes(corners, mine), got(corners, mine))
  do i = 1, mine
    nodes(:, i) = (rank + (i - 1) * ranks) * 10 + [1, 2, 3, 4]
  end do
  call h5screate_simple_f(1, dims, whole, e)
  start = rank
  stride = ranks
  count = mine
  call h5sselect_hyperslab_f(whole, H5S_SELECT_SET_F, start, count, e, stride)
  call h5screate_simple_f(1, count, part, e)
  call h5dcreate_f(file, 'nodes', quad, whole, set, e)
  place = c_loc(nodes)
  call h5dwrite_f(set, quad, place, e, part, whole, dxpl)
  if (e /= 0) call stops('h5dwrite_f of nodes')
  got = 0
  place = c_loc(got)
  call h5dread_f(set, quad, place, e, part, whole, dxpl)
  if (e /= 0 .or. any(got /= nodes)) call stops('nodes')
  call h5dget_type_f(set, opened, e)
  call h5tequal_f(opened, quad, same, e)
  call h5tget_class_f(opened, type_class, e)
  if (.not. same .or. type_class /= H5T_ARRAY_F) call stops('its type')
  call h5tclose_f(opened, e)
  call h5dclose_f(set, e)
  call h5sclose_f(part, e)

  ! Marks at points, backward; then two slabs of each rank in one selection.
  allocate (points(1, mine), marks(mine), got_marks(mine))
  do i = 1, mine
    points(1, i) = rank + (mine - i) * ranks + 1
    marks(i) = merge(7, merge(1, 0, mod(int(points(1, i)), 2) == 0), mod(int(points(1, i)), 5) == 0)
  end do
  points_dims = mine
  call h5sselect_elements_f(whole, H5S_SELECT_SET_F, 1, int(mine, SIZE_T), points, e)
  call h5screate_simple_f(1, points_dims, part, e)
  call h5dcreate_f(file, 'marks', kinds, whole, set, e)
  place = c_loc(marks)
  call h5dwrite_f(set, kinds, place, e, part, whole, dxpl)
  if (e /= 0) call stops('h5dwrite_f of marks')
  got_marks = -1
  place = c_loc(got_marks)
  call h5dread_f(set, kinds, place, e, part, whole, dxpl)
  if (e /= 0 .or. any(got_marks /= marks)) call stops('marks')
  call h5tenum_nameof_f(kinds, marks(1), 10_SIZE_T, member, e)
  if (e /= 0) call stops('a name of a mark')
  call h5dclose_f(set, e)
  call h5sclose_f(part, e)
  few = n / (2 * ranks)
  start = rank * few
  call h5sselect_hyperslab_f(whole, H5S_SELECT_SET_F, start, few, e)
  start = n / 2 + rank * few
  call h5sselect_hyperslab_f(whole, H5S_SELECT_OR_F, start, few, e)
  call h5sget_select_npoints_f(whole, selected, e)
  if (selected /= 2 * few(1)) call stops('two slabs')
  deallocate (got_marks)
  allocate (got_marks(2 * few(1)), source=rank)
  few = 2 * few
  call h5screate_simple_f(1, few, part, e)
  call h5dcreate_f(file, 'owner', H5T_STD_U16LE, whole, set, e)
  call h5dwrite_f(set, H5T_NATIVE_INTEGER, got_marks, few, e, part, whole, dxpl)
  if (e /= 0) call stops('h5dwrite_f of owners')
  call h5dclose_f(set, e)
  call h5sclose_f(part, e)
  call h5sclose_f(whole, e)
  call h5topen_f(file, 'kinds', opened, e)
  call h5tget_member_value_f(opened, 2, i, e)
  if (e /= 0 .or. i /= 7) call stops('a member')
  call h5tclose_f(opened, e)
  call h5tclose_f(kinds, e)
  call h5tclose_f(quad, e)
  call h5pclose_f(dxpl, e)
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
end program cells
