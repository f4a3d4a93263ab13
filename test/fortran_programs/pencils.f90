! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! A 3-D field in pencils: each rank has all of x and a part of y and z, with halos around it that are not written.
! Fortran 90 with module mpi, as solvers write their checkpoints; what is read back is compared.
! Arguments: the file.

program pencils
  use mpi
  use hdf5
  implicit none

  integer, parameter :: nx = 12, ny = 10, nz = 8, halo = 1
  integer :: e, rank, ranks, cart, shape2(2) = 0, place(2), step, again
  integer :: y0, z0, my, mz, i, j, k
  logical :: around(2) = .false.
  double precision, allocatable :: field(:, :, :), back(:, :, :)
  double precision :: time
  integer(HID_T) :: fapl, file, dxpl, whole, part, set, scalar, attribute
  integer(HSIZE_T) :: dims(3), start(3), count(3), outer(3), one(1) = 1
  character(len=256) :: name

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, e)
  call mpi_dims_create(ranks, 2, shape2, e)
  call mpi_cart_create(MPI_COMM_WORLD, 2, shape2, around, .true., cart, e)
  call mpi_comm_rank(cart, rank, e)
  call mpi_cart_coords(cart, rank, 2, place, e)
  y0 = ny * place(1) / shape2(1)
  my = ny * (place(1) + 1) / shape2(1) - y0
  z0 = nz * place(2) / shape2(2)
  mz = nz * (place(2) + 1) / shape2(2) - z0
  allocate (field(1 - halo:nx + halo, 1 - halo:my + halo, 1 - halo:mz + halo))
  allocate (back(1 - halo:nx + halo, 1 - halo:my + halo, 1 - halo:mz + halo))
  field = -1
  do k = 1, mz
    do j = 1, my
      do i = 1, nx
        field(i, j, k) = i + 100 * (y0 + j) + 10000 * (z0 + k)
      end do
    end do
  end do

  call h5open_f(e)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, cart, MPI_INFO_NULL, e)
  call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
  if (e /= 0) call stops('h5fcreate_f')
  dims = [nx, ny, nz]
  start = [0, y0, z0]
  count = [nx, my, mz]
  outer = shape(field)
  call h5screate_simple_f(3, dims, whole, e)
  call h5screate_simple_f(3, outer, part, e)
  call h5sselect_hyperslab_f(whole, H5S_SELECT_SET_F, start, count, e)
  call h5sselect_hyperslab_f(part, H5S_SELECT_SET_F, [1_HSIZE_T, 1_HSIZE_T, 1_HSIZE_T], count, e)
  call h5dcreate_f(file, 'density', H5T_NATIVE_DOUBLE, whole, set, e)
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, e)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, e)
  call h5dwrite_f(set, H5T_NATIVE_DOUBLE, field, outer, e, mem_space_id=part, file_space_id=whole, xfer_prp=dxpl)
  if (e /= 0) call stops('h5dwrite_f')
  call h5screate_f(H5S_SCALAR_F, scalar, e)
  call h5acreate_f(set, 'time', H5T_NATIVE_DOUBLE, scalar, attribute, e)
  call h5awrite_f(attribute, H5T_NATIVE_DOUBLE, 0.25d0, one, e)
  call h5aclose_f(attribute, e)
  call h5acreate_f(set, 'step', H5T_NATIVE_INTEGER, scalar, attribute, e)
  step = 42
  call h5awrite_f(attribute, H5T_NATIVE_INTEGER, step, one, e)
  call h5aclose_f(attribute, e)
  call h5dclose_f(set, e)
  call h5fclose_f(file, e)
  if (e /= 0) call stops('h5fclose_f')

  call h5fopen_f(trim(name), H5F_ACC_RDONLY_F, file, e, access_prp=fapl)
  call h5dopen_f(file, 'density', set, e)
  back = -1
  call h5dread_f(set, H5T_NATIVE_DOUBLE, back, outer, e, part, whole, dxpl)
  if (e /= 0 .or. any(back /= field)) call stops('h5dread_f')
  call h5aopen_f(set, 'time', attribute, e)
  call h5aread_f(attribute, H5T_NATIVE_DOUBLE, time, one, e)
  call h5aclose_f(attribute, e)
  call h5aopen_f(set, 'step', attribute, e)
  call h5aread_f(attribute, H5T_NATIVE_INTEGER, again, one, e)
  call h5aclose_f(attribute, e)
  if (time /= 0.25d0 .or. again /= step) call stops('attributes')
  call h5dclose_f(set, e)
  call h5sclose_f(scalar, e)
  call h5sclose_f(part, e)
  call h5sclose_f(whole, e)
  call h5pclose_f(dxpl, e)
  call h5pclose_f(fapl, e)
  call h5fclose_f(file, e)
  call h5close_f(e)
  if (rank == 0) write (*, '(a)') 'all right'
  call mpi_finalize(e)

contains

  subroutine stops(what)
    character(len=*), intent(in) :: what
    write (*, '(2a)') 'not so: ', what
    call mpi_abort(MPI_COMM_WORLD, 1, e)
  end subroutine stops
end program pencils
