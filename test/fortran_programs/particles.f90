! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Particles as a compound, each rank another number of them, and some ranks none; names of fixed length beside.
! Fortran 2003 with mpi_f08 and c_loc; what is read back is compared.
! Arguments: the file.

program particles
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use hdf5
  implicit none

  type, bind(c) :: particle_t
    integer(c_int) :: number
    real(c_double) :: x(3)
    real(c_float) :: mass
  end type particle_t

  integer :: e, rank, ranks, mine, before, i
  type(particle_t), allocatable, target :: have(:), back(:)
  type(particle_t), target :: like(2)
  character(len=8), target :: kinds(3) = [character(len=8) :: 'electron', 'ion', 'neutral'], again(3)
  integer(HID_T) :: fapl, file, dxpl, type, triple, text, whole, part, set, names
  integer(HSIZE_T) :: all_of(1), start(1), count(1)
  character(len=256) :: name
  type(c_ptr) :: place

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, e)
  mine = 5 * mod(rank + 1, 3)
  before = 0
  do i = 0, rank - 1
    before = before + 5 * mod(i + 1, 3)
  end do
  call mpi_allreduce(mine, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, e)
  all_of = i
  start = before
  count = mine
  allocate (have(max(mine, 1)), back(max(mine, 1)))
  do i = 1, mine
    have(i)%number = before + i
    have(i)%x = [0.5d0, 1.5d0, 2.5d0] + before + i
    have(i)%mass = 0.125 * i
  end do

  call h5open_f(e)
  call h5tarray_create_f(H5T_NATIVE_DOUBLE, 1, [3_HSIZE_T], triple, e)
  call h5tcreate_f(H5T_COMPOUND_F, h5offsetof(c_loc(like(1)), c_loc(like(2))), type, e)
  call h5tinsert_f(type, 'number', h5offsetof(c_loc(like(1)), c_loc(like(1)%number)), H5T_NATIVE_INTEGER, e)
  call h5tinsert_f(type, 'x', h5offsetof(c_loc(like(1)), c_loc(like(1)%x)), triple, e)
  call h5tinsert_f(type, 'mass', h5offsetof(c_loc(like(1)), c_loc(like(1)%mass)), H5T_NATIVE_REAL, e)
  if (e /= 0) call stops('h5tinsert_f')
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD%mpi_val, MPI_INFO_NULL%mpi_val, e)
  call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
  if (e /= 0) call stops('h5fcreate_f')
  call h5screate_simple_f(1, all_of, whole, e)
  call h5screate_simple_f(1, [int(max(mine, 1), HSIZE_T)], part, e)
  if (mine > 0) then
    call h5sselect_hyperslab_f(whole, H5S_SELECT_SET_F, start, count, e)
  else
    call h5sselect_none_f(whole, e)
    call h5sselect_none_f(part, e)
  end if
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, e)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, e)
  call h5dcreate_f(file, 'particles', type, whole, set, e)
  place = c_loc(have)
  call h5dwrite_f(set, type, place, e, mem_space_id=part, file_space_id=whole, xfer_prp=dxpl)
  if (e /= 0) call stops('h5dwrite_f of particles')
  back%number = 0
  back%mass = 0
  place = c_loc(back)
  call h5dread_f(set, type, place, e, mem_space_id=part, file_space_id=whole, xfer_prp=dxpl)
  if (e /= 0) call stops('h5dread_f of particles')
  do i = 1, mine
    if (back(i)%number /= have(i)%number .or. any(back(i)%x /= have(i)%x) .or. back(i)%mass /= have(i)%mass) &
      call stops('particles')
  end do
  call h5dclose_f(set, e)
  call h5sclose_f(part, e)
  call h5sclose_f(whole, e)

  call h5tcopy_f(H5T_FORTRAN_S1, text, e)
  call h5tset_size_f(text, 8_SIZE_T, e)
  call h5screate_simple_f(1, [3_HSIZE_T], names, e)
  call h5dcreate_f(file, 'kinds', text, names, set, e)
  call h5dwrite_f(set, text, kinds, [3_HSIZE_T], e, xfer_prp=dxpl)
  call h5dread_f(set, text, again, [3_HSIZE_T], e, xfer_prp=dxpl)
  if (e /= 0 .or. any(again /= kinds)) call stops('names')
  call h5dclose_f(set, e)
  call h5sclose_f(names, e)
  call h5tclose_f(text, e)
  call h5tclose_f(triple, e)
  call h5tclose_f(type, e)
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
end program particles
