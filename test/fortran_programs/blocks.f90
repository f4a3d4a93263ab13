! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! A 3-D field in blocks, in chunks with and without a filter, and a mask of it in integers of one byte.
! Fortran 90 with module mpi; ghost cells lie around each block. What is read back is compared.
! Arguments: the file.

program blocks
  use mpi
  use hdf5
  implicit none

  integer, parameter :: ni = 11, nj = 9, nk = 13, ghost = 2
  integer :: e, rank, ranks, shape3(3) = 0, place(3), low(3), many(3), i, j, k, which, cart
  logical :: around(3) = .true.
  real, allocatable :: u(:, :, :), again(:, :, :)
  integer(kind=selected_int_kind(2)), allocatable :: mask(:, :, :), mask_again(:, :, :)
  character(len=8) :: names(2) = [character(len=8) :: 'plain', 'smaller']
  character(len=256) :: name
  integer(HID_T) :: fapl, dxpl, dcpl, file, group, whole, part, set, byte
  integer(HSIZE_T) :: dims(3) = [ni, nj, nk], chunk(3) = [4, 4, 4], start(3), count(3), outer(3), inner(3)

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, e)
  call mpi_dims_create(ranks, 3, shape3, e)
  call mpi_cart_create(MPI_COMM_WORLD, 3, shape3, around, .false., cart, e)
  call mpi_comm_rank(cart, rank, e)
  call mpi_cart_coords(cart, rank, 3, place, e)
  low = [ni, nj, nk] * place / shape3
  many = [ni, nj, nk] * (place + 1) / shape3 - low
  allocate (u(1 - ghost:many(1) + ghost, 1 - ghost:many(2) + ghost, 1 - ghost:many(3) + ghost))
  allocate (again, mold=u)
  allocate (mask(many(1), many(2), many(3)), mask_again(many(1), many(2), many(3)))
  u = huge(1.0)
  do k = 1, many(3)
    do j = 1, many(2)
      do i = 1, many(1)
        u(i, j, k) = sin(0.1 * (low(1) + i)) + (low(2) + j) + 16 * (low(3) + k)
        mask(i, j, k) = int(mod(low(1) + i + 3 * (low(2) + j) + 5 * (low(3) + k), 7), kind(mask))
      end do
    end do
  end do

  call h5open_f(e)
  byte = h5kind_to_type(kind(mask), H5_INTEGER_KIND)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, cart, MPI_INFO_NULL, e)
  call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
  if (e /= 0) call stops('h5fcreate_f')
  call h5gcreate_f(file, '/fields', group, e)
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, e)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, e)
  start = low
  count = many
  outer = shape(u)
  inner = ghost
  call h5screate_simple_f(3, dims, whole, e)
  call h5sselect_hyperslab_f(whole, H5S_SELECT_SET_F, start, count, e)
  call h5screate_simple_f(3, outer, part, e)
  call h5sselect_hyperslab_f(part, H5S_SELECT_SET_F, inner, count, e)
  do which = 1, 2
    call h5pcreate_f(H5P_DATASET_CREATE_F, dcpl, e)
    call h5pset_chunk_f(dcpl, 3, chunk, e)
    call h5pset_fill_value_f(dcpl, H5T_NATIVE_REAL, -1.0, e)
    if (which == 2) then
      call h5pset_shuffle_f(dcpl, e)
      call h5pset_deflate_f(dcpl, 6, e)
    end if
    call h5dcreate_f(group, trim(names(which)), H5T_NATIVE_REAL, whole, set, e, dcpl)
    if (e /= 0) call stops('h5dcreate_f')
    call h5dwrite_f(set, H5T_NATIVE_REAL, u, outer, e, part, whole, dxpl)
    if (e /= 0) call stops('h5dwrite_f')
    again = huge(1.0)
    call h5dread_f(set, H5T_NATIVE_REAL, again, outer, e, part, whole, dxpl)
    if (e /= 0 .or. any(again /= u)) call stops(names(which))
    call h5dclose_f(set, e)
    call h5pclose_f(dcpl, e)
  end do
  call h5sclose_f(part, e)
  call h5screate_simple_f(3, count, part, e)
  call h5dcreate_f(group, 'mask', H5T_STD_I8LE, whole, set, e)
  call h5dwrite_f(set, byte, mask, count, e, part, whole, dxpl)
  if (e /= 0) call stops('h5dwrite_f of bytes')
  call h5dread_f(set, byte, mask_again, count, e, part, whole, dxpl)
  if (e /= 0 .or. any(mask_again /= mask)) call stops('mask')
  call h5dclose_f(set, e)
  call h5sclose_f(part, e)
  call h5sclose_f(whole, e)
  call h5gclose_f(group, e)
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
end program blocks
