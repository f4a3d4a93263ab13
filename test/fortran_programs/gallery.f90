! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! What a code leaves for those who look at its results: a table of its time steps, pictures with a palette, small datasets
! and attributes in one call each. High Level modules h5tb, h5im, h5lt in a file of all ranks, which call them with the
! same values. Fortran 2003 with module mpi. Arguments: the file.

program gallery
  use mpi
  use h5lt
  use h5im
  use h5tb
  implicit none
  integer, parameter :: steps = 6
  integer :: e, rank, i, j, picture(5, 4), colours(3, 256), seen(256 * 3), rgb(3, 5, 4), numbers(steps)
  integer(HID_T) :: fapl, file, text
  integer(HSIZE_T) :: width, height, planes, palettes, fields, records, dims(2)
  integer(SIZE_T) :: sizes(4), places(4), bytes
  double precision :: energy(steps), few(2, 3), few_back(2, 3), whole
  real :: drift(steps)
  character(len=8) :: comments(steps), got(steps), names(4)
  character(len=24) :: interlace
  character(len=256) :: name
  logical :: valid

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call h5open_f(e)
  call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
  call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, e)
  call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
  if (e /= 0) call stops('h5fcreate_f')

  call h5tcopy_f(H5T_NATIVE_CHARACTER, text, e)
  bytes = 8
  call h5tset_size_f(text, bytes, e)
  call h5tbmake_table_f('steps of the run', file, 'steps', 3_HSIZE_T, int(steps, HSIZE_T), 20_SIZE_T, &
      ['step   ', 'energy ', 'comment'], [0_SIZE_T, 4_SIZE_T, 12_SIZE_T], [H5T_NATIVE_INTEGER, H5T_NATIVE_DOUBLE, text], &
      4_HSIZE_T, 0, e)
  call done('h5tbmake_table_f')
  numbers = [(10 * i, i = 1, steps)]
  energy = [(1d0 / i, i = 1, steps)]
  drift = real(energy) / 16
  comments = [character(len=8) :: 'begin', 'ok', 'ok', 'restart', 'ok', 'the end']
  call h5tbwrite_field_name_f(file, 'steps', 'step', 0_HSIZE_T, int(steps, HSIZE_T), 4_SIZE_T, numbers, e)
  call done('h5tbwrite_field_name_f')
  call h5tbwrite_field_index_f(file, 'steps', 2, 0_HSIZE_T, int(steps, HSIZE_T), 8_SIZE_T, energy, e)
  call done('h5tbwrite_field_index_f')
  call h5tbwrite_field_name_f(file, 'steps', 'comment', 0_HSIZE_T, int(steps, HSIZE_T), 8_SIZE_T, comments, e)
  call done('h5tbwrite_field_name_f of texts')
  call h5tbinsert_field_f(file, 'steps', 'drift', H5T_NATIVE_REAL, 3, drift, e)
  call done('h5tbinsert_field_f')
  call h5tbdelete_field_f(file, 'steps', 'energy', e)
  call done('h5tbdelete_field_f')
  call h5tbget_table_info_f(file, 'steps', fields, records, e)
  if (e /= 0 .or. fields /= 3 .or. records /= steps) call stops('h5tbget_table_info_f')
  call h5tbget_field_info_f(file, 'steps', fields, names, sizes, places, bytes, e)
  if (e /= 0 .or. names(2) /= 'comment' .and. names(2) /= 'drift') call stops('h5tbget_field_info_f')
  call h5tbread_field_name_f(file, 'steps', 'comment', 0_HSIZE_T, int(steps, HSIZE_T), 8_SIZE_T, got, e)
  if (e /= 0 .or. any(got /= comments)) call stops('h5tbread_field_name_f')
  drift = 0
  call h5tbread_field_name_f(file, 'steps', 'drift', 0_HSIZE_T, int(steps, HSIZE_T), 4_SIZE_T, drift, e)
  if (e /= 0 .or. any(drift /= real(energy) / 16)) call stops('h5tbread_field_name_f of reals')

  picture = reshape([(12 * i, i = 1, 20)], shape(picture))
  colours = reshape([((mod(i * j, 256), j = 1, 3), i = 0, 255)], shape(colours))
  rgb = reshape([(i, i = 101, 160)], shape(rgb))
  call h5immake_image_8bit_f(file, 'picture', 5_HSIZE_T, 4_HSIZE_T, picture, e)
  call done('h5immake_image_8bit_f')
  call h5immake_palette_f(file, 'colours', [256_HSIZE_T, 3_HSIZE_T], colours, e)
  call done('h5immake_palette_f')
  call h5imlink_palette_f(file, 'picture', 'colours', e)
  call done('h5imlink_palette_f')
  call h5immake_image_24bit_f(file, 'photograph', 5_HSIZE_T, 4_HSIZE_T, 'INTERLACE_PIXEL', rgb, e)
  call done('h5immake_image_24bit_f')
  call h5imget_image_info_f(file, 'photograph', width, height, planes, interlace, palettes, e)
  if (e /= 0 .or. width /= 5 .or. height /= 4 .or. planes /= 3 .or. interlace(1:15) /= 'INTERLACE_PIXEL') &
      call stops('h5imget_image_info_f')
  call h5imget_palette_f(file, 'picture', 0, seen, e)
  if (e /= 0 .or. any(seen /= reshape(colours, [768]))) call stops('h5imget_palette_f')
  call h5imread_image_f(file, 'picture', seen, e)
  if (e /= 0 .or. any(seen(1:20) /= reshape(picture, [20]))) call stops('h5imread_image_f')

  dims = [2, 3]
  few = reshape([(i / 8d0, i = 1, 6)], [2, 3])
  call h5ltmake_dataset_double_f(file, 'matrix', 2, dims, few, e)
  call done('h5ltmake_dataset_double_f')
  call h5ltset_attribute_string_f(file, 'matrix', 'units', 'm s-1', e)
  call done('h5ltset_attribute_string_f')
  call h5ltset_attribute_double_f(file, 'matrix', 'range', [0d0, 1d0], 2_SIZE_T, e)
  call done('h5ltset_attribute_double_f')
  call h5ltset_attribute_int_f(file, '/', 'steps', [steps], 1_SIZE_T, e)
  call done('attributes')
  call h5ltread_dataset_double_f(file, 'matrix', few_back, dims, e)
  if (e /= 0 .or. any(few_back /= few)) call stops('h5ltread_dataset_double_f')
  call h5ltmake_dataset_string_f(file, 'about', 'a run of six steps', e)
  call done('h5ltmake_dataset_string_f')
  call h5ltmake_dataset_double_f(file, 'whole', 0, dims, 2.5d0, e)
  call done('h5ltmake_dataset_double_f')
  call h5ltread_dataset_double_f(file, 'whole', whole, dims, e)
  if (e /= 0 .or. whole /= 2.5d0) call stops('a scalar')
  call h5ltpath_valid_f(file, '/steps', .true., valid, e)
  if (e /= 0 .or. .not. valid .or. h5imis_image_f(file, 'matrix') /= 0) call stops('h5ltpath_valid_f')

  call h5tclose_f(text, e)
  call h5fclose_f(file, e)
  if (e /= 0) call stops('h5fclose_f')
  call h5close_f(e)
  if (rank == 0) print '(a)', 'all right'
  call mpi_finalize(e)

contains

  !> Behind what changes the file: libhdf5's ranks each read and write the records by themselves, and must not be in
  !> two calls at once.
  subroutine done(what)
    character(len=*), intent(in) :: what
    integer :: error
    if (e /= 0) call stops(what)
    call mpi_barrier(MPI_COMM_WORLD, error)
  end subroutine done

  subroutine stops(what)
    character(len=*), intent(in) :: what
    integer :: error
    print '(2a)', 'wrong: ', what
    call mpi_abort(MPI_COMM_WORLD, 1, error)
  end subroutine stops

end program gallery
