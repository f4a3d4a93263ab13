! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! The Fortran modules on any number of ranks: communicators there and back, collective transfers of several kinds,
! sequences of any length, the High Level modules, and one rank's failure, which reaches all.
! Room: testpar. Fortran 2003; modules hdf5, h5lt, h5ds and mpi.

program t_fortran
  use, intrinsic :: iso_c_binding
  use mpi
  use hdf5
  use h5lt
  use h5ds
  use pcio
  implicit none

  integer :: failures = 0, all_failures, e, rank, ranks
  character(len=512) :: folder, name
  integer(HID_T) :: file, fapl, dxpl

  call mpi_init(e)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, e)
  call get_environment_variable('PCIO_TEST_TMP', folder)
  if (folder == '') folder = '.'
  name = trim(folder) // '/t_fortran.h5'
  call h5open_f(e)
  call of_communicators()
  call h5fcreate_f(name, H5F_ACC_TRUNC_F, file, e, access_prp=fapl)
  call is(e == 0, 'h5fcreate_f')
  call h5pcreate_f(H5P_DATASET_XFER_F, dxpl, e)
  call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, e)
  call of_columns()
  call of_sequences()
  call of_nothing()
  call of_failure()
  call of_high_level()
  call of_high_level_failure()
  call h5pclose_f(dxpl, e)
  call h5pclose_f(fapl, e)
  call h5fclose_f(file, e)
  call is(e == 0, 'h5fclose_f')
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

  !> The list keeps a communicator of its own, and gives one more.
  subroutine of_communicators()
    integer :: comm, info, alike, mode
    call h5pcreate_f(H5P_FILE_ACCESS_F, fapl, e)
    call h5pset_fapl_mpio_f(fapl, MPI_COMM_WORLD, MPI_INFO_NULL, e)
    call is(e == 0, 'h5pset_fapl_mpio_f')
    call h5pget_fapl_mpio_f(fapl, comm, info, e)
    call is(e == 0, 'h5pget_fapl_mpio_f')
    call mpi_comm_compare(comm, MPI_COMM_WORLD, alike, mode)
    call is(alike == MPI_CONGRUENT .or. alike == MPI_IDENT, 'h5pget_fapl_mpio_f, its communicator')
    call mpi_comm_free(comm, mode)
    if (info /= MPI_INFO_NULL) call mpi_info_free(info, mode)
  end subroutine of_communicators

  !> Whether nothing was collective because MPI's derived types don't work here, or are said not to.
  logical function without_derived_types()
    integer :: local, global
    call h5pget_mpio_no_collective_cause_f(dxpl, local, global, e)
    without_derived_types = e == 0 .and. global == H5D_MPIO_MPI_OPT_TYPES_ENV_VAR_DISABLED_F
  end function without_derived_types

  !> Each rank a column of a chunked dataset, then that of its neighbour.
  subroutine of_columns()
    integer(HID_T) :: space, memory, list, set
    real(c_double) :: column(5, 1), other(5, 1)
    integer :: k, mode
    integer(HSIZE_T) :: place(2)
    call h5screate_simple_f(2, [5_HSIZE_T, int(ranks, HSIZE_T)], space, e)
    call h5screate_simple_f(2, [5_HSIZE_T, 1_HSIZE_T], memory, e)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, e)
    call h5pset_chunk_f(list, 2, [3_HSIZE_T, 1_HSIZE_T], e)
    call h5dcreate_f(file, 'columns', H5T_IEEE_F64LE, space, set, e, list)
    call is(e == 0, 'h5dcreate_f')
    column(:, 1) = [(100 * rank + k, k=1, 5)]
    place = [0_HSIZE_T, int(rank, HSIZE_T)]
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, place, [5_HSIZE_T, 1_HSIZE_T], e)
    call h5dwrite_f(set, H5T_NATIVE_DOUBLE, column, [5_HSIZE_T, 1_HSIZE_T], e, memory, space, dxpl)
    call is(e == 0, 'h5dwrite_f')
    call h5pget_mpio_actual_io_mode_f(dxpl, mode, e)
    call is(e == 0 .and. (mode == H5D_MPIO_CHUNK_COLLECTIVE_F .or. mode == H5D_MPIO_CHUNK_MIXED_F .or. &
        (mode == H5D_MPIO_NO_COLLECTIVE_F .and. without_derived_types())), 'h5pget_mpio_actual_io_mode_f')
    call of_chunk_options(set, column, memory, space)
    place(2) = mod(rank + 1, ranks)
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, place, [5_HSIZE_T, 1_HSIZE_T], e)
    call h5dread_f(set, H5T_NATIVE_DOUBLE, other, [5_HSIZE_T, 1_HSIZE_T], e, memory, space, dxpl)
    call is(e == 0 .and. nint(other(2, 1)) == 100 * mod(rank + 1, ranks) + 2, 'h5dread_f')
    call h5dclose_f(set, e)
    call h5pclose_f(list, e)
    call h5sclose_f(memory, e)
    call h5sclose_f(space, e)
  end subroutine of_columns

  !> Chunks one by one, and all at once, as the list says; where nothing was collective neither.
  subroutine of_chunk_options(set, column, memory, space)
    integer(HID_T), intent(in) :: set, memory, space
    real(c_double), intent(in) :: column(:, :)
    integer, parameter :: asked(2) = [H5FD_MPIO_CHUNK_MULTI_IO_F, H5FD_MPIO_CHUNK_ONE_IO_F], &
        told(2) = [H5D_MPIO_MULTI_CHUNK_F, H5D_MPIO_LINK_CHUNK_F]
    integer :: k, way, local, global
    integer(SIZE_T) :: count
    type(pcio_chunk_mode_t) :: modes(3)
    logical :: atomic
    call pcio_set_dxpl_report_chunks_f(dxpl, .true., e)
    do k = 1, 2
      call h5pset_dxpl_mpio_chunk_opt_f(dxpl, asked(k), e)
      call h5dwrite_f(set, H5T_NATIVE_DOUBLE, column, [5_HSIZE_T, 1_HSIZE_T], e, memory, space, dxpl)
      call is(e == 0, 'h5dwrite_f with chunk options')
      call h5pget_mpio_actual_chunk_opt_mode_f(dxpl, way, e)
      call is(way == told(k) .or. without_derived_types(), 'h5pget_mpio_actual_chunk_opt_mode_f')
      ! Two chunks in the first dimension, and this rank's place in the second.
      call pcio_get_chunk_modes_f(dxpl, modes, count, e)
      call is(e == 0 .and. count == 2, 'pcio_get_chunk_modes_f')
      call is(all(modes(1:2)%ordinal == [0, 1] + 2 * rank), 'chunks are counted along the first dimension')
    end do
    call pcio_set_dxpl_report_chunks_f(dxpl, .false., e)
    call h5pset_dxpl_mpio_chunk_opt_f(dxpl, H5FD_MPIO_CHUNK_DEFAULT_F, e)
    call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_INDEPENDENT_F, e)
    call h5dwrite_f(set, H5T_NATIVE_DOUBLE, column, [5_HSIZE_T, 1_HSIZE_T], e, memory, space, dxpl)
    call h5pget_mpio_no_collective_cause_f(dxpl, local, global, e)
    call is(local == H5D_MPIO_SET_INDEPENDENT_F .and. global == H5D_MPIO_SET_INDEPENDENT_F, 'h5pget_mpio_no_collective_cause_f')
    call h5pset_dxpl_mpio_f(dxpl, H5FD_MPIO_COLLECTIVE_F, e)
    call h5fset_mpi_atomicity_f(file, .true., e)
    call is(e == 0, 'h5fset_mpi_atomicity_f')
    call h5fget_mpi_atomicity_f(file, atomic, e)
    call is(e == 0 .and. atomic, 'h5fget_mpi_atomicity_f')
    call h5fset_mpi_atomicity_f(file, .false., e)
  end subroutine of_chunk_options

  !> Rank r has r columns, the first one none; each writes and reads its own, from arrays of these sizes.
  subroutine of_nothing()
    integer(HID_T) :: space, memory, set
    double precision, allocatable :: mine(:, :), back(:, :)
    integer :: i, first
    integer(HSIZE_T) :: dims(2)
    first = rank * (rank - 1) / 2
    dims = [3, ranks * (ranks - 1) / 2]
    call h5screate_simple_f(2, max(1_HSIZE_T, dims), space, e)
    call h5dcreate_f(file, 'uneven', H5T_NATIVE_DOUBLE, space, set, e)
    dims(2) = rank
    allocate (mine(3, rank), back(3, rank))
    mine = reshape([(first * 3 + i / 2d0, i = 1, 3 * rank)], [3, rank])
    call h5screate_simple_f(2, dims, memory, e)
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [0_HSIZE_T, int(first, HSIZE_T)], dims, e)
    call is(e == 0, 'h5sselect_hyperslab_f of nothing')
    call h5dwrite_f(set, H5T_NATIVE_DOUBLE, mine, dims, e, memory, space, dxpl)
    call is(e == 0, 'h5dwrite_f where a rank has no element')
    back = 0
    call h5dread_f(set, H5T_NATIVE_DOUBLE, back, dims, e, memory, space, dxpl)
    call is(e == 0 .and. all(back == mine), 'h5dread_f where a rank has no element')
    call h5dclose_f(set, e)
    call h5sclose_f(memory, e)
    call h5sclose_f(space, e)
  end subroutine of_nothing

  !> Rank r writes r + 1 integers, and reads what its neighbour wrote.
  subroutine of_sequences()
    integer(HID_T) :: space, memory, set, type
    integer :: values(16, 1), found(16, 1), k, other
    integer(SIZE_T) :: length(1)
    call h5tvlen_create_f(H5T_NATIVE_INTEGER, type, e)
    call h5screate_simple_f(1, [int(ranks, HSIZE_T)], space, e)
    call h5screate_simple_f(1, [1_HSIZE_T], memory, e)
    call h5dcreate_f(file, 'sequences', type, space, set, e)
    values(:, 1) = [(1000 * rank + k, k=1, 16)]
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [int(rank, HSIZE_T)], [1_HSIZE_T], e)
    length = rank + 1
    call h5dwrite_vl_f(set, type, values, [16_HSIZE_T, 1_HSIZE_T], length, e, memory, space, dxpl)
    call is(e == 0, 'h5dwrite_vl_f')
    other = mod(rank + 1, ranks)
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [int(other, HSIZE_T)], [1_HSIZE_T], e)
    found = 0
    call h5dread_vl_f(set, type, found, [16_HSIZE_T, 1_HSIZE_T], length, e, memory, space, dxpl)
    call is(e == 0 .and. length(1) == other + 1 .and. found(other + 1, 1) == 1000 * other + other + 1 .and. &
        found(16, 1) == 0, 'h5dread_vl_f')
    call h5dclose_f(set, e)
    call h5sclose_f(memory, e)
    call h5sclose_f(space, e)
    call h5tclose_f(type, e)
  end subroutine of_sequences

  !> The last rank's sequence is longer than its column: all are told, and the file can be used on.
  subroutine of_failure()
    integer(HID_T) :: space, memory, set, type
    integer :: values(2, 1), ignored
    integer(SIZE_T) :: length(1)
    logical :: there
    call h5eset_auto_f(PRINTOFF, ignored)
    call h5tvlen_create_f(H5T_NATIVE_INTEGER, type, e)
    call h5dopen_f(file, 'sequences', set, e)
    call h5dget_space_f(set, space, e)
    call h5screate_simple_f(1, [1_HSIZE_T], memory, e)
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [int(rank, HSIZE_T)], [1_HSIZE_T], e)
    values = 5
    length = merge(3, 2, rank == ranks - 1)
    call h5dwrite_vl_f(set, type, values, [2_HSIZE_T, 1_HSIZE_T], length, e, memory, space, dxpl)
    call is(e == -1, 'one rank''s sequence that is too long')
    call h5eset_auto_f(PRINTON, ignored)
    length = 1
    call h5dwrite_vl_f(set, type, values, [2_HSIZE_T, 1_HSIZE_T], length, e, memory, space, dxpl)
    call is(e == 0, 'what all write behind it')
    call h5lexists_f(file, 'columns', there, e)
    call is(e == 0 .and. there, 'the file behind it')
    call h5dclose_f(set, e)
    call h5sclose_f(memory, e)
    call h5sclose_f(space, e)
    call h5tclose_f(type, e)
  end subroutine of_failure

  !> All ranks call alike; what is only asked, one rank may ask alone.
  subroutine of_high_level()
    integer :: values(3, 2), found(3, 2), i, many
    integer(HID_T) :: set, scale
    integer(SIZE_T) :: length
    character(len=8) :: label
    double precision, target :: pair(2)
    values = reshape([(i, i = 1, 6)], [3, 2])
    call h5ltmake_dataset_int_f(file, 'small', 2, [3_HSIZE_T, 2_HSIZE_T], values, e)
    call is(e == 0, 'h5ltmake_dataset_int_f')
    call h5ltmake_dataset_int_f(file, 'scale', 1, [3_HSIZE_T], values(:, 1), e)
    call h5ltread_dataset_int_f(file, 'small', found, [3_HSIZE_T, 2_HSIZE_T], e)
    call is(e == 0 .and. all(found == values), 'h5ltread_dataset_int_f')
    call h5dopen_f(file, 'small', set, e)
    call h5dopen_f(file, 'scale', scale, e)
    call h5dsattach_scale_f(set, scale, 2, e)
    call is(e == 0, 'h5dsattach_scale_f')
    call h5dsset_label_f(set, 2, 'across', e)
    call is(e == 0, 'h5dsset_label_f')
    call h5dsget_num_scales_f(set, 2, many, e)
    call is(e == 0 .and. many == 1, 'h5dsget_num_scales_f')
    call h5ltset_attribute_f(file, 'small', 'pair', c_loc(pair), 'REAL', 8_SIZE_T, 2_SIZE_T, e)
    pair = [1.5d0, 2.5d0]
    call h5ltset_attribute_f(file, 'small', 'pair', c_loc(pair), 'REAL', 8_SIZE_T, 2_SIZE_T, e)
    call is(e == 0, 'h5ltset_attribute_f')
    if (rank == 0) then
      length = len(label)
      call h5dsget_label_f(set, 2, label, length, e)
      call is(e == 0 .and. length == 6 .and. label == 'across', 'h5dsget_label_f of one rank')
    end if
    call h5dclose_f(scale, e)
    call h5dclose_f(set, e)
  end subroutine of_high_level

  !> The last rank names no type: all are told, and the attribute that was to be replaced is still there.
  subroutine of_high_level_failure()
    double precision, target :: pair(2)
    integer :: ignored
    pair = 0
    call h5eset_auto_f(PRINTOFF, ignored)
    call h5ltset_attribute_f(file, 'small', 'pair', c_loc(pair), merge('zoo ', 'REAL', rank == ranks - 1), 8_SIZE_T, &
        2_SIZE_T, e)
    call is(e == -1, 'one rank''s type that is none')
    if (rank == ranks - 1) call h5ltget_attribute_f(file, 'small', 'pair', c_loc(pair), 'zoo', 8_SIZE_T, e)
    call is(e == -1, 'a type that is none, of one rank alone')
    call h5eset_auto_f(PRINTON, ignored)
    call h5ltget_attribute_f(file, 'small', 'pair', c_loc(pair), 'REAL', 8_SIZE_T, e)
    call is(e == 0 .and. all(pair == [1.5d0, 2.5d0]), 'the attribute behind it')
  end subroutine of_high_level_failure

end program t_fortran
