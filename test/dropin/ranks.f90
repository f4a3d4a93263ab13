! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! A parallel program with Debian's Fortran library of HDF5 (room: test/dropin): each rank writes its columns and reads
! them back, both collectively.  ranks FILE
program ranks
  use hdf5
  use mpi
  implicit none
  integer :: status, rank, size, wrong
  integer(hid_t) :: file, access, space, dataset, memory, transfer
  integer(hsize_t) :: dims(2), start(2), count(2)
  integer :: mine(10, 4), back(10, 4)
  character(len=200) :: name

  call mpi_init(status)
  call mpi_comm_rank(mpi_comm_world, rank, status)
  call mpi_comm_size(mpi_comm_world, size, status)
  call get_command_argument(1, name)
  call h5open_f(status)
  call h5pcreate_f(H5P_FILE_ACCESS_F, access, status)
  call h5pset_fapl_mpio_f(access, mpi_comm_world, mpi_info_null, status)
  call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, status, access_prp=access)
  dims = (/10, 4 * size/)
  start = (/0, 4 * rank/)
  count = (/10, 4/)
  call h5screate_simple_f(2, dims, space, status)
  call h5screate_simple_f(2, count, memory, status)
  call h5dcreate_f(file, "d", H5T_NATIVE_INTEGER, space, dataset, status)
  call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, start, count, status)
  call h5pcreate_f(H5P_DATASET_XFER_F, transfer, status)
  call h5pset_dxpl_mpio_f(transfer, H5FD_MPIO_COLLECTIVE_F, status)
  mine = rank + 7
  back = 0
  call h5dwrite_f(dataset, H5T_NATIVE_INTEGER, mine, count, status, memory, space, transfer)
  call h5dread_f(dataset, H5T_NATIVE_INTEGER, back, count, status, memory, space, transfer)
  wrong = merge(1, 0, any(mine /= back))
  call h5dclose_f(dataset, status)
  call h5fclose_f(file, status)
  call h5close_f(status)
  if (wrong /= 0) call mpi_abort(mpi_comm_world, 3, status)
  call mpi_finalize(status)
end program ranks
