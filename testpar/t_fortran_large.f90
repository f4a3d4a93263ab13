! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! More than 2 GiB a rank in one call of Fortran, both ways: reals of 8 bytes in two dimensions, and more bytes than a
! default integer counts. Room: testpar. Run by large.sh, on two ranks, where there is room for it.

program t_fortran_large
  use, intrinsic :: iso_fortran_env, only: int8, int64, real64
  use mpi
  use hdf5
  implicit none
  integer, parameter :: rows = 2**20, columns = 269
  integer(int64), parameter :: bytes = 2_int64**31 + 12345
  integer :: e, rank, ranks, failures = 0, all_failures
  integer(HID_T) :: file, fapl, dxpl
  character(len=512) :: folder, name

  call mpi_init(e)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, e)
  call get_environment_variable('PCIO_TEST_TMP', folder)
  if (folder == '') folder = '.'
  name = trim(folder) // '/large_fortran.h5'
  call h5open_f(e)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, e)
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, e)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, e)
  call of_reals()
  call of_bytes()
  call h5pclose_f(dxpl, e)
  call h5pclose_f(fapl, e)
  call h5close_f(e)
  call mpi_allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, e)
  if (rank == 0) call mpi_file_delete(trim(name), MPI_INFO_NULL, e)
  call mpi_finalize(e)
  if (all_failures > 0) stop 1
  if (rank == 0) write (*, '(a)') 'all right'

contains

  subroutine is(so, what)
    logical, intent(in) :: so
    character(len=*), intent(in) :: what
    if (so) return
    failures = failures + 1
    write (*, '(a,i0,2a)') 'rank ', rank, ', not so: ', what
  end subroutine is

  !> A file with one dataset, whose last dimension the ranks share.
  subroutine create(type, dims, set, part, whole)
    integer(HID_T), intent(in) :: type
    integer(HSIZE_T), intent(in) :: dims(:)
    integer(HID_T), intent(out) :: set, part, whole
    integer(HSIZE_T) :: all(size(dims))
    all = dims
    all(size(dims)) = dims(size(dims)) * ranks
    call h5fcreate_f(name, H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
    call h5screate_simple_f(size(dims), all, whole, e)
    call h5screate_simple_f(size(dims), dims, part, e)
    call h5dcreate_f(file, 'data', type, whole, set, e)
    call is(e == 0, 'h5dcreate_f')
  end subroutine create

  !> The part of rank `whose`.
  subroutine choose(whole, dims, whose)
    integer(HID_T), intent(in) :: whole
    integer(HSIZE_T), intent(in) :: dims(:)
    integer, intent(in) :: whose
    integer(HSIZE_T) :: start(size(dims))
    start = 0
    start(size(dims)) = dims(size(dims)) * whose
    call h5sselect_hyperslab_f(whole, H5S_SELECT_SET_F, start, dims, e)
    call is(e == 0, 'h5sselect_hyperslab_f')
  end subroutine choose

  subroutine finish(set, part, whole)
    integer(HID_T), intent(in) :: set, part, whole
    call h5dclose_f(set, e)
    call h5sclose_f(part, e)
    call h5sclose_f(whole, e)
    call h5fclose_f(file, e)
    call is(e == 0, 'h5fclose_f')
  end subroutine finish

  subroutine of_reals()
    real(real64), allocatable :: values(:, :)
    integer(HSIZE_T) :: dims(2) = [rows, columns]
    integer(HID_T) :: set, part, whole
    integer(int64) :: wrong
    integer :: i, j, other
    allocate (values(rows, columns))
    do j = 1, columns
      do i = 1, rows
        values(i, j) = real(rank * 1000 + j, real64) * rows + i
      end do
    end do
    call create(H5T_NATIVE_DOUBLE, dims, set, part, whole)
    call choose(whole, dims, rank)
    call h5dwrite_f(set, H5T_NATIVE_DOUBLE, values, dims, e, part, whole, dxpl)
    call is(e == 0, 'h5dwrite_f of reals')
    values = 0
    other = mod(rank + 1, ranks)
    call choose(whole, dims, other)
    call h5dread_f(set, H5T_NATIVE_DOUBLE, values, dims, e, part, whole, dxpl)
    call is(e == 0, 'h5dread_f of reals')
    wrong = 0
    do j = 1, columns
      do i = 1, rows
        if (values(i, j) /= real(other * 1000 + j, real64) * rows + i) wrong = wrong + 1
      end do
    end do
    call is(wrong == 0, 'reals')
    call finish(set, part, whole)
  end subroutine of_reals

  subroutine of_bytes()
    integer(int8), allocatable :: values(:)
    integer(HSIZE_T) :: dims(1) = [bytes]
    integer(HID_T) :: set, part, whole
    integer(int64) :: wrong, i
    integer :: other
    allocate (values(bytes))
    do i = 1, bytes
      values(i) = byte_at(i, rank)
    end do
    call create(H5T_STD_I8LE, dims, set, part, whole)
    call choose(whole, dims, rank)
    call h5dwrite_f(set, H5T_STD_I8LE, values, dims, e, part, whole, dxpl)
    call is(e == 0, 'h5dwrite_f of bytes')
    values = 0
    other = mod(rank + 1, ranks)
    call choose(whole, dims, other)
    call h5dread_f(set, H5T_STD_I8LE, values, dims, e, part, whole, dxpl)
    call is(e == 0, 'h5dread_f of bytes')
    wrong = 0
    do i = 1, bytes
      if (values(i) /= byte_at(i, other)) wrong = wrong + 1
    end do
    call is(wrong == 0, 'bytes')
    call finish(set, part, whole)
  end subroutine of_bytes

  !> No period of a power of two.
  pure function byte_at(i, of_rank) result(value)
    integer(int64), intent(in) :: i
    integer, intent(in) :: of_rank
    integer(int8) :: value
    value = int(mod(i + 7 * of_rank, 251_int64) - 125, int8)
  end function byte_at

end program t_fortran_large
