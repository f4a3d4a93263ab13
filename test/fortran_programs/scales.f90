! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! A climate code's output: a field over time, latitude and longitude, its coordinates as dimension scales with names and
! labels, each rank's latitudes written collectively; then what a reader asks about them. High Level module h5ds, mpif.h.
! Arguments: the file.

program scales
  use hdf5
  use h5ds
  implicit none
  include 'mpif.h'
  integer, parameter :: nlon = 8, each = 3, nt = 2
  integer :: e, rank, ranks, i, n, nlat
  integer(HID_T) :: fapl, file, space, part, field, lon, lat, time, other, dxpl
  integer(HSIZE_T) :: dims(3), start(3), count(3), one(1)
  integer(SIZE_T) :: length
  double precision, allocatable :: values(:, :, :), back(:, :, :)
  character(len=256) :: name
  character(len=16) :: text
  logical :: yes

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, e)
  nlat = each * ranks
  call h5open_f(e)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, e)
  call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
  if (e /= 0) call stops('h5fcreate_f')

  lon = coordinate('lon', nlon, 45d0)
  lat = coordinate('lat', nlat, 10d0)
  time = coordinate('time', nt, 3600d0)
  other = coordinate('other lat', nlat, 20d0)
  dims = [nlon, nlat, nt]
  start = [0, each * rank, 0]
  count = [nlon, each, nt]
  call h5screate_simple_f(3, dims, space, e)
  call h5screate_simple_f(3, count, part, e)
  call h5dcreate_f(file, 'temperature', H5T_IEEE_F64LE, space, field, e)
  if (e /= 0) call stops('h5dcreate_f')
  call h5dsset_scale_f(lon, e, 'longitude')
  call h5dsset_scale_f(lat, e, 'latitude')
  call h5dsset_scale_f(time, e)
  call h5dsset_scale_f(other, e, 'latitude, rotated')
  if (e /= 0) call stops('h5dsset_scale_f')
  ! The slowest dimension of Fortran is number 1.
  call h5dsattach_scale_f(field, time, 1, e)
  call h5dsattach_scale_f(field, lat, 2, e)
  call h5dsattach_scale_f(field, other, 2, e)
  call h5dsattach_scale_f(field, lon, 3, e)
  if (e /= 0) call stops('h5dsattach_scale_f')
  call h5dsset_label_f(field, 2, 'north', e)
  call h5dsset_label_f(field, 3, 'east', e)
  if (e /= 0) call stops('h5dsset_label_f')

  allocate (values(nlon, each, nt), back(nlon, each, nt))
  values = reshape([(rank * 1000 + i / 4d0, i = 1, size(values))], shape(values))
  call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, start, count, e)
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, e)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, e)
  call h5dwrite_f(field, H5T_NATIVE_DOUBLE, values, count, e, part, space, dxpl)
  if (e /= 0) call stops('h5dwrite_f')

  call h5dsget_num_scales_f(field, 2, n, e)
  if (e /= 0 .or. n /= 2) call stops('h5dsget_num_scales_f')
  call h5dsdetach_scale_f(field, other, 2, e)
  call h5dsget_num_scales_f(field, 2, n, e)
  if (e /= 0 .or. n /= 1) call stops('h5dsdetach_scale_f')
  call h5dsis_attached_f(field, lon, 3, yes, e)
  if (e /= 0 .or. .not. yes) call stops('h5dsis_attached_f')
  call h5dsis_attached_f(field, lon, 1, yes, e)
  if (e /= 0 .or. yes) call stops('h5dsis_attached_f of another dimension')
  call h5dsis_scale_f(time, yes, e)
  if (e /= 0 .or. .not. yes) call stops('h5dsis_scale_f')
  length = len(text)
  call h5dsget_label_f(field, 3, text, length, e)
  if (e /= 0 .or. length /= 4 .or. text(1:4) /= 'east') call stops('h5dsget_label_f')
  length = len(text)
  call h5dsget_scale_name_f(lat, text, length, e)
  if (e /= 0 .or. length /= 8 .or. text(1:8) /= 'latitude') call stops('h5dsget_scale_name_f')
  call h5dread_f(field, H5T_NATIVE_DOUBLE, back, count, e, part, space, dxpl)
  if (e /= 0 .or. any(back /= values)) call stops('h5dread_f')

  call h5dclose_f(field, e)
  call h5dclose_f(lon, e)
  call h5dclose_f(lat, e)
  call h5dclose_f(time, e)
  call h5dclose_f(other, e)
  call h5fclose_f(file, e)
  if (e /= 0) call stops('h5fclose_f')
  call h5close_f(e)
  if (rank == 0) print '(a)', 'all right'
  call mpi_finalize(e)

contains

  !> A dataset of `many` values, which all ranks write alike.
  function coordinate(path, many, step) result(id)
    character(len=*), intent(in) :: path
    integer, intent(in) :: many
    double precision, intent(in) :: step
    integer(HID_T) :: id, line
    one = many
    call h5screate_simple_f(1, one, line, e)
    call h5dcreate_f(file, path, H5T_NATIVE_DOUBLE, line, id, e)
    call h5dwrite_f(id, H5T_NATIVE_DOUBLE, [(step * i, i = 0, many - 1)], one, e)
    if (e /= 0) call stops(path)
    call h5sclose_f(line, e)
  end function coordinate

  subroutine stops(what)
    character(len=*), intent(in) :: what
    integer :: error
    print '(2a)', 'wrong: ', what
    call mpi_abort(MPI_COMM_WORLD, 1, error)
  end subroutine stops

end program scales
