! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! A file behind a user block: the block's text is written with Fortran's own streams, the data in parallel; the file
! is opened again and both are there. Fortran 2003 with module mpi. Arguments: the file.

program userblock
  use mpi
  use hdf5
  implicit none

  integer, parameter :: each = 6
  character(len=*), parameter :: head = 'A header that another program reads.'//new_line('a')
  integer :: e, rank, ranks, unit, i, values(each), got(each)
  integer(HID_T) :: fapl, fcpl, dxpl, file, whole, part, set
  integer(HSIZE_T) :: dims(1), start(1), count(1) = [each], bytes
  character(len=256) :: name
  character(len=len(head)) :: found
  logical :: is_hdf5

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, e)
  call h5open_f(e)
  call h5pcreate_f(H5P_FILE_CREATE_F, fcpl, e)
  call h5pset_userblock_f(fcpl, 1024_HSIZE_T, e)
  call h5pset_sizes_f(fcpl, 8_SIZE_T, 8_SIZE_T, e)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, e)
  call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e, fcpl, fapl)
  if (e /= 0) call stops('h5fcreate_f')
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, e)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, e)
  values = [(rank * 100 + i, i=1, each)]
  dims = each * ranks
  start = each * rank
  call h5screate_simple_f(1, dims, whole, e)
  call h5screate_simple_f(1, count, part, e)
  call h5sselect_hyperslab_f(whole, H5S_SELECT_SET_F, start, count, e)
  call h5dcreate_f(file, 'values', H5T_STD_I32BE, whole, set, e)
  call h5dwrite_f(set, H5T_NATIVE_INTEGER, values, count, e, part, whole, dxpl)
  if (e /= 0) call stops('h5dwrite_f')
  call h5dclose_f(set, e)
  call h5pclose_f(fcpl, e)
  call h5fclose_f(file, e)
  if (e /= 0) call stops('h5fclose_f')
  if (rank == 0) then
    open (newunit=unit, file=trim(name), access='stream', form='unformatted', status='old', action='readwrite')
    write (unit, pos=1) head
    close (unit)
  end if
  call mpi_barrier(MPI_COMM_WORLD, e)

  if (rank == 0) then
    call h5fis_hdf5_f(trim(name), is_hdf5, e)
    if (.not. is_hdf5) call stops('h5fis_hdf5_f')
  end if
  call h5fopen_f(trim(name), H5F_ACC_RDWR_F, file, e, fapl)
  if (e /= 0) call stops('h5fopen_f')
  call h5fget_create_plist_f(file, fcpl, e)
  call h5pget_userblock_f(fcpl, bytes, e)
  if (bytes /= 1024) call stops('the size of the block')
  call h5dopen_f(file, '/values', set, e)
  call h5dread_f(set, H5T_NATIVE_INTEGER, got, count, e, part, whole, dxpl)
  if (e /= 0 .or. any(got /= values)) call stops('values')
  values = -values
  call h5dwrite_f(set, H5T_NATIVE_INTEGER, values, count, e, part, whole, dxpl)
  call h5dclose_f(set, e)
  call h5sclose_f(part, e)
  call h5sclose_f(whole, e)
  call h5pclose_f(dxpl, e)
  call h5pclose_f(fcpl, e)
  call h5pclose_f(fapl, e)
  call h5fclose_f(file, e)
  if (e /= 0) call stops('h5fclose_f')
  if (rank == 0) then
    open (newunit=unit, file=trim(name), access='stream', form='unformatted', status='old', action='read')
    read (unit) found
    close (unit)
    if (found /= head) call stops('the header')
  end if
  call h5close_f(e)
  if (rank == 0) write (*, '(a)') 'all right'
  call mpi_finalize(e)

contains

  subroutine stops(what)
    character(len=*), intent(in) :: what
    write (*, '(2a)') 'not so: ', what
    call mpi_abort(MPI_COMM_WORLD, 1, e)
  end subroutine stops
end program userblock
