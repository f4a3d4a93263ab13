! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Checkpoints of several steps, and a restart that reads the last of them with another decomposition: rows are
! written, columns are read. The number of the last step is an attribute that is written over.
! Fortran 2003 with module mpi. Arguments: the file.

program restart
  use mpi
  use hdf5
  implicit none

  integer, parameter :: nx = 14, ny = 15, steps = 3
  integer, parameter :: wp = selected_real_kind(12)
  integer :: e, rank, ranks, step, last, i, j, low, high
  real(wp), allocatable :: rows(:, :), columns(:, :)
  real(wp) :: time, clock
  logical :: there
  character(len=256) :: name
  character(len=9) :: group_name
  integer(HID_T) :: fapl, dxpl, file, group, whole, part, set, one, number
  integer(HSIZE_T) :: dims(2) = [nx, ny], start(2), count(2), single(1) = [1]

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, e)
  call h5open_f(e)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, e)
  call h5pset_fclose_degree_f(fapl, H5F_CLOSE_SEMI_F, e)
  call h5pset_libver_bounds_f(fapl, H5F_LIBVER_EARLIEST_F, H5F_LIBVER_LATEST_F, e)
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, e)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, e)
  call h5screate_f(H5S_SCALAR_F, one, e)

  do step = 1, steps
    if (step == 1) then
      call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
      call h5acreate_f(file, 'last step', H5T_NATIVE_INTEGER, one, number, e)
    else
      call h5fopen_f(trim(name), H5F_ACC_RDWR_F, file, e, access_prp=fapl)
      call h5aopen_f(file, 'last step', number, e)
    end if
    if (e /= 0) call stops('opening')
    write (group_name, '(a, i5.5)') 'step', step
    call h5gcreate_f(file, group_name, group, e)
    time = 0.25_wp * step
    call write_time(group, time)
    low = ny * rank / ranks
    high = ny * (rank + 1) / ranks
    allocate (rows(nx, high - low))
    do j = 1, high - low
      do i = 1, nx
        rows(i, j) = value_of(step, i, low + j)
      end do
    end do
    start = [0, low]
    count = [nx, high - low]
    call h5screate_simple_f(2, dims, whole, e)
    call h5screate_simple_f(2, count, part, e)
    if (high > low) then
      call h5sselect_hyperslab_f(whole, H5S_SELECT_SET_F, start, count, e)
    else
      call h5sselect_none_f(whole, e)
      call h5sselect_none_f(part, e)
    end if
    call h5dcreate_f(group, 'state', H5T_IEEE_F64BE, whole, set, e)
    call h5dwrite_f(set, H5T_NATIVE_DOUBLE, rows, count, e, file_space_id=whole, mem_space_id=part, xfer_prp=dxpl)
    if (e /= 0) call stops('h5dwrite_f')
    deallocate (rows)
    call h5awrite_f(number, H5T_NATIVE_INTEGER, step, single, e)
    call h5aclose_f(number, e)
    call h5dclose_f(set, e)
    call h5sclose_f(part, e)
    call h5sclose_f(whole, e)
    call h5gclose_f(group, e)
    call h5fclose_f(file, e)
    if (e /= 0) call stops('h5fclose_f')
  end do

  call h5fopen_f(trim(name), H5F_ACC_RDONLY_F, file, e, access_prp=fapl)
  call h5aopen_f(file, 'last step', number, e)
  call h5aread_f(number, H5T_NATIVE_INTEGER, last, single, e)
  call h5aclose_f(number, e)
  if (e /= 0 .or. last /= steps) call stops('the last step')
  write (group_name, '(a, i5.5)') 'step', last
  call h5lexists_f(file, group_name, there, e)
  if (.not. there) call stops('its group')
  call h5gopen_f(file, group_name, group, e)
  call h5aopen_f(group, 'time', number, e)
  call h5aread_f(number, H5T_NATIVE_DOUBLE, clock, single, e)
  call h5aclose_f(number, e)
  if (clock /= 0.25_wp * last) call stops('time')
  low = nx * rank / ranks
  high = nx * (rank + 1) / ranks
  allocate (columns(high - low, ny))
  start = [low, 0]
  count = [high - low, ny]
  call h5dopen_f(group, 'state', set, e)
  call h5dget_space_f(set, whole, e)
  call h5sselect_hyperslab_f(whole, H5S_SELECT_SET_F, start, count, e)
  call h5screate_simple_f(2, count, part, e)
  call h5dread_f(set, H5T_NATIVE_DOUBLE, columns, count, e, part, whole, dxpl)
  if (e /= 0) call stops('h5dread_f')
  do j = 1, ny
    do i = 1, high - low
      if (columns(i, j) /= value_of(last, low + i, j)) call stops('state')
    end do
  end do
  call h5sclose_f(part, e)
  call h5sclose_f(whole, e)
  call h5dclose_f(set, e)
  call h5gclose_f(group, e)
  call h5sclose_f(one, e)
  call h5pclose_f(dxpl, e)
  call h5fclose_f(file, e)
  if (e /= 0) call stops('h5fclose_f')
  call h5pclose_f(fapl, e)
  call h5close_f(e)
  if (rank == 0) write (*, '(a)') 'all right'
  call mpi_finalize(e)

contains

  pure real(wp) function value_of(step, i, j)
    integer, intent(in) :: step, i, j
    value_of = step + 0.001_wp * i - 1000 * j
  end function value_of

  subroutine write_time(where, time)
    integer(HID_T), intent(in) :: where
    real(wp), intent(in) :: time
    integer(HID_T) :: attribute
    call h5acreate_f(where, 'time', H5T_NATIVE_DOUBLE, one, attribute, e)
    call h5awrite_f(attribute, H5T_NATIVE_DOUBLE, time, single, e)
    call h5aclose_f(attribute, e)
  end subroutine write_time

  subroutine stops(what)
    character(len=*), intent(in) :: what
    write (*, '(2a)') 'not so: ', what
    call mpi_abort(MPI_COMM_WORLD, 1, e)
  end subroutine stops
end program restart
