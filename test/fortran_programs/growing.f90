! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Monitors of a run: datasets that grow with each step, written by all or by one rank alone, flushed as codes do that
! may be killed. Fortran 90 with module mpi. Arguments: the file.

program growing
  use mpi
  use hdf5
  implicit none

  integer, parameter :: probes = 3, steps = 7
  integer :: e, rank, ranks, step, i
  double precision :: signal(probes, 1), got(probes, 1)
  double precision, allocatable :: all_signals(:, :)
  integer :: clock(1)
  integer(HID_T) :: fapl, dcpl, dxpl, alone, file, space, part, signals, times
  integer(HSIZE_T) :: dims(2), limits(2), chunk(2) = [probes, 2], start(2), count(2) = [probes, 1]
  integer(HSIZE_T) :: length(1), most(1), few(1) = [4], single(1) = [1], at(1), is(2), may(2)
  character(len=256) :: name

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, e)
  call h5open_f(e)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, e)
  call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
  if (e /= 0) call stops('h5fcreate_f')
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, e)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, e)
  call h5pcreate_f(H5P_DATASET_XFER_F, alone, e)
  call h5pset_dxpl_mpio_f(alone, H5FD_MPIO_INDEPENDENT_F, e)
  call h5pcreate_f(H5P_DATASET_CREATE_F, dcpl, e)
  call h5pset_chunk_f(dcpl, 2, chunk, e)
  call h5pset_fill_value_f(dcpl, H5T_NATIVE_DOUBLE, -1.0d0, e)
  dims = [probes * ranks, 0]
  limits = [int(probes * ranks, HSIZE_T), H5S_UNLIMITED_F]
  call h5screate_simple_f(2, dims, space, e, limits)
  call h5dcreate_f(file, 'signals', H5T_NATIVE_DOUBLE, space, signals, e, dcpl)
  if (e /= 0) call stops('h5dcreate_f')
  call h5sclose_f(space, e)
  call h5pset_chunk_f(dcpl, 1, few, e)
  call h5pset_fill_value_f(dcpl, H5T_NATIVE_INTEGER, 0, e)
  length = 1
  most = H5S_UNLIMITED_F
  call h5screate_simple_f(1, length, space, e, most)
  call h5dcreate_f(file, 'times', H5T_NATIVE_INTEGER, space, times, e, dcpl)
  if (e /= 0) call stops('h5dcreate_f of times')
  call h5sclose_f(space, e)
  call h5pclose_f(dcpl, e)

  do step = 1, steps
    signal(:, 1) = [(rank + 0.1d0 * i + 100 * step, i=1, probes)]
    dims(2) = step
    call h5dset_extent_f(signals, dims, e)
    if (e /= 0) call stops('h5dset_extent_f')
    call h5dget_space_f(signals, space, e)
    start = [probes * rank, step - 1]
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, start, count, e)
    call h5screate_simple_f(2, count, part, e)
    call h5dwrite_f(signals, H5T_NATIVE_DOUBLE, signal, count, e, part, space, dxpl)
    if (e /= 0) call stops('h5dwrite_f')
    got = 0
    call h5dread_f(signals, H5T_NATIVE_DOUBLE, got, count, e, part, space, dxpl)
    if (any(got /= signal)) call stops('a step')
    call h5sclose_f(part, e)
    call h5sclose_f(space, e)
    length = step
    call h5dset_extent_f(times, length, e)
    if (rank == mod(step, ranks)) then
      clock = step * step
      at = step - 1
      call h5dget_space_f(times, space, e)
      call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, at, single, e)
      call h5screate_simple_f(1, single, part, e)
      call h5dwrite_f(times, H5T_NATIVE_INTEGER, clock, single, e, part, space, alone)
      if (e /= 0) call stops('h5dwrite_f alone')
      call h5sclose_f(part, e)
      call h5sclose_f(space, e)
    end if
    if (mod(step, 3) == 0) call h5fflush_f(file, H5F_SCOPE_GLOBAL_F, e)
    if (e /= 0) call stops('h5fflush_f')
  end do

  call h5dget_space_f(signals, space, e)
  call h5sget_simple_extent_dims_f(space, is, may, e)
  if (is(2) /= steps .or. may(2) /= H5S_UNLIMITED_F) call stops('the extent')
  call h5sclose_f(space, e)
  allocate (all_signals(probes * ranks, steps))
  call h5dread_f(signals, H5T_NATIVE_DOUBLE, all_signals, dims, e, xfer_prp=dxpl)
  if (e /= 0 .or. abs(all_signals(1, steps) - (100.1d0 - 100 + 100 * steps)) > 1d-9) call stops('all of it')
  dims(2) = 4
  call h5dset_extent_f(signals, dims, e)
  call h5dclose_f(signals, e)
  call h5dclose_f(times, e)
  call h5pclose_f(alone, e)
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
end program growing
