! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! The Fortran module without MPI: every form of reading and writing values, the order of dimensions,
! and what is asked of files, groups, links, spaces, types and lists.
! Room: fortran; a serial test.

program test_hdf5
  ! With the names of iso_c_binding, which programs take from it.
  use hdf5
  use pcio
  implicit none

  integer :: failures = 0, error
  character(len=512) :: folder, name
  integer(HID_T) :: file

  call get_environment_variable('PCIO_TEST_TMP', folder)
  if (folder == '') folder = '.'
  name = trim(folder) // '/fortran_test.h5'
  call h5open_f(error)
  call check(error == 0, 'h5open_f')
  call test_predefined_types()
  call h5fcreate_f(name, H5F_ACC_TRUNC_F, file, error)
  call check(error == 0, 'h5fcreate_f')
  call test_values()
  call test_small_kinds()
  call test_dimensions()
  call test_selections()
  call test_attributes()
  call test_groups()
  call test_types()
  call test_lists()
  call test_report()
  call test_errors()
  call test_names()
  call h5fclose_f(file, error)
  call check(error == 0, 'h5fclose_f')
  call h5close_f(error)
  open (10, file=trim(name))
  close (10, status='delete')
  if (failures > 0) stop 1
  write (*, '(a)') 'all right'

contains

  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (ok) return
    failures = failures + 1
    write (*, '(2a)') 'not so: ', what
  end subroutine check

  !> They are the program's to change and to close, and none that it has to close.
  subroutine test_predefined_types()
    integer(HID_T) :: all, native, type, ids(10)
    integer(SIZE_T) :: count, bytes
    all = H5F_OBJ_ALL_F
    call h5fget_obj_count_f(all, H5F_OBJ_DATATYPE_F, count, error)
    call check(error == 0 .and. count == 0, 'no type of the program is open')
    call h5tset_size_f(H5T_NATIVE_CHARACTER, 5_SIZE_T, error)
    call check(error == 0, 'h5tset_size_f of H5T_NATIVE_CHARACTER')
    call h5tget_size_f(H5T_NATIVE_CHARACTER, bytes, error)
    call check(bytes == 5, 'which has that size then')
    call h5tset_size_f(H5T_NATIVE_CHARACTER, 1_SIZE_T, error)
    native = H5T_STD_I16BE
    call h5tclose_f(native, error)
    call check(error == 0, 'h5tclose_f of H5T_STD_I16BE')
    call h5open_f(error)
    call h5tget_size_f(H5T_STD_I16BE, bytes, error)
    call check(error == 0 .and. bytes == 2, 'h5open_f makes it again')
    call h5tcopy_f(H5T_NATIVE_INTEGER, type, error)
    call h5fget_obj_count_f(all, H5F_OBJ_ALL_F, count, error)
    call check(count == 1, 'one type of the program is open')
    call h5fget_obj_ids_f(all, H5F_OBJ_ALL_F, 10_SIZE_T, ids, error, count)
    call check(count == 1 .and. ids(1) == type, 'that one')
    call h5tclose_f(type, error)
  end subroutine test_predefined_types

  function new_dataset(set_name, type, dims) result(dataset)
    character(len=*), intent(in) :: set_name
    integer(HID_T), intent(in) :: type
    integer(HSIZE_T), intent(in) :: dims(:)
    integer(HID_T) :: dataset, space
    call h5screate_simple_f(size(dims), dims, space, error)
    call h5dcreate_f(file, set_name, type, space, dataset, error)
    call check(error == 0, 'h5dcreate_f ' // set_name)
    call h5sclose_f(space, error)
  end function new_dataset

  !> Kinds, and numbers of dimensions from 0 to 4; C pointers; text.
  subroutine test_values()
    integer(HID_T) :: set, type, scalar
    integer(c_int64_t) :: i64(3), j64(3)
    real(c_float) :: r2(2, 3), s2(2, 3)
    real(c_double), target :: d4(2, 1, 2, 2), e4(2, 1, 2, 2)
    character(len=5) :: words(3), read_words(3)
    integer :: one, two, k
    i64 = [1_c_int64_t, -2_c_int64_t, 3_c_int64_t]
    set = new_dataset('i64', H5T_STD_I64BE, [3_HSIZE_T])
    call h5dwrite_f(set, h5kind_to_type(c_int64_t, H5_INTEGER_KIND), i64, [3_HSIZE_T], error)
    call h5dread_f(set, H5T_NATIVE_INTEGER_8, j64, [3_HSIZE_T], error)
    call check(error == 0 .and. all(i64 == j64), 'integers of 8 bytes')
    call h5dclose_f(set, error)
    r2 = reshape([(real(k, c_float) / 4, k=1, 6)], [2, 3])
    set = new_dataset('r2', H5T_IEEE_F32LE, [2_HSIZE_T, 3_HSIZE_T])
    call h5dwrite_f(set, H5T_NATIVE_REAL, r2, [2_HSIZE_T, 3_HSIZE_T], error)
    s2 = 0
    call h5dread_f(set, H5T_NATIVE_REAL, s2, [2_HSIZE_T, 3_HSIZE_T], error)
    call check(error == 0 .and. maxval(abs(r2 - s2)) <= 0, 'reals of two dimensions')
    call h5dclose_f(set, error)
    d4 = reshape([(real(k, c_double), k=1, 8)], [2, 1, 2, 2])
    set = new_dataset('d4', H5T_IEEE_F64BE, [2_HSIZE_T, 1_HSIZE_T, 2_HSIZE_T, 2_HSIZE_T])
    call h5dwrite_f(set, H5T_NATIVE_DOUBLE, c_loc(d4(1, 1, 1, 1)), error)
    call h5dread_f(set, H5T_NATIVE_DOUBLE, e4, [2_HSIZE_T], error)
    call check(error == 0 .and. maxval(abs(d4 - e4)) <= 0, 'a pointer, read as four dimensions')
    ! The first element stands for the array.
    e4 = 0
    call h5dread_f(set, H5T_NATIVE_DOUBLE, e4(1, 1, 1, 1), [2_HSIZE_T], error)
    call check(error == 0 .and. maxval(abs(d4 - e4)) <= 0, 'an element as the buffer')
    call h5dclose_f(set, error)
    call h5screate_f(H5S_SCALAR_F, scalar, error)
    call h5dcreate_f(file, 'one', H5T_NATIVE_INTEGER, scalar, set, error)
    one = 41
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, one, [1_HSIZE_T], error, xfer_prp=H5P_DEFAULT_F)
    call h5dread_f(set, H5T_NATIVE_INTEGER, two, [1_HSIZE_T], error, file_space_id=scalar)
    call check(error == 0 .and. two == 41, 'a scalar')
    call h5dclose_f(set, error)
    call h5sclose_f(scalar, error)
    words = ['alpha', 'be   ', 'gamma']
    call h5tcopy_f(H5T_FORTRAN_S1, type, error)
    call h5tset_size_f(type, 5_SIZE_T, error)
    set = new_dataset('words', type, [3_HSIZE_T])
    call h5dwrite_f(set, type, words, [3_HSIZE_T], error)
    call h5dread_f(set, type, read_words, [3_HSIZE_T], error)
    call check(error == 0 .and. all(words == read_words), 'words')
    call h5dclose_f(set, error)
    call h5tclose_f(type, error)
  end subroutine test_values

  !> Kinds of one and two bytes, text of several dimensions, fill values of all of them.
  subroutine test_small_kinds()
    integer(HID_T) :: set, type, list
    character(len=3) :: cube(2, 1, 2), read_cube(2, 1, 2), text
    integer(c_int8_t) :: i8(2, 2), j8(2, 2), byte
    integer(c_int16_t) :: i16(1, 1, 1, 1, 1, 2, 2), j16(1, 1, 1, 1, 1, 2, 2), short
    i8 = reshape([-127_c_int8_t, -1_c_int8_t, 1_c_int8_t, 127_c_int8_t], [2, 2])
    set = new_dataset('i8', h5kind_to_type(c_int8_t, H5_INTEGER_KIND), [2_HSIZE_T, 2_HSIZE_T])
    call h5dwrite_f(set, H5T_NATIVE_INTEGER_1, i8, [2_HSIZE_T, 2_HSIZE_T], error)
    j8 = 0
    call h5dread_f(set, H5T_NATIVE_INTEGER_1, j8, [2_HSIZE_T, 2_HSIZE_T], error)
    call check(error == 0 .and. all(i8 == j8), 'integers of one byte')
    call h5dclose_f(set, error)
    i16 = reshape([-32767_c_int16_t, 2_c_int16_t, 3_c_int16_t, 32767_c_int16_t], shape(i16))
    set = new_dataset('i16', H5T_STD_I16BE, int(shape(i16), HSIZE_T))
    call h5dwrite_f(set, H5T_NATIVE_INTEGER_2, i16, int(shape(i16), HSIZE_T), error)
    j16 = 0
    call h5dread_f(set, H5T_NATIVE_INTEGER_2, j16, int(shape(i16), HSIZE_T), error)
    call check(error == 0 .and. all(i16 == j16), 'integers of two bytes, seven dimensions')
    call h5dclose_f(set, error)
    cube = reshape(['abc', 'de ', '   ', 'xyz'], shape(cube))
    call h5tcopy_f(H5T_FORTRAN_S1, type, error)
    call h5tset_size_f(type, 3_SIZE_T, error)
    set = new_dataset('cube', type, int(shape(cube), HSIZE_T))
    call h5dwrite_f(set, type, cube, int(shape(cube), HSIZE_T), error)
    call h5dread_f(set, type, read_cube, int(shape(cube), HSIZE_T), error)
    call check(error == 0 .and. all(cube == read_cube), 'text of three dimensions')
    call h5dclose_f(set, error)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, error)
    call h5pset_fill_value_f(list, H5T_NATIVE_INTEGER_1, -5_c_int8_t, error)
    call h5pget_fill_value_f(list, H5T_NATIVE_INTEGER_2, short, error)
    call check(error == 0 .and. short == -5, 'a fill value of one byte, read as two')
    call h5pget_fill_value_f(list, H5T_NATIVE_INTEGER_1, byte, error)
    call check(error == 0 .and. byte == -5, 'a fill value of one byte')
    call h5pset_fill_value_f(list, type, 'no ', error)
    call h5pget_fill_value_f(list, type, text, error)
    call check(error == 0 .and. text == 'no ', 'a fill value that is text')
    call h5pclose_f(list, error)
    call h5tclose_f(type, error)
  end subroutine test_small_kinds

  !> The dimension that varies fastest is the first here; growing; chunk shapes.
  subroutine test_dimensions()
    integer(HID_T) :: set, space, list
    integer(HSIZE_T) :: dims(3), most(3), chunk(3)
    integer(HSSIZE_T) :: points
    integer :: rank
    call h5screate_simple_f(2, [4_HSIZE_T, 3_HSIZE_T], space, error, [4_HSIZE_T, H5S_UNLIMITED_F])
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, error)
    call h5pset_chunk_f(list, 2, [2_HSIZE_T, 1_HSIZE_T], error)
    call h5pset_fill_value_f(list, H5T_NATIVE_INTEGER, -7, error)
    call h5dcreate_f(file, 'grows', H5T_NATIVE_INTEGER, space, set, error, list)
    call check(error == 0, 'a chunked dataset')
    call h5pclose_f(list, error)
    call h5sclose_f(space, error)
    call h5dset_extent_f(set, [4_HSIZE_T, 5_HSIZE_T], error)
    call check(error == 0, 'h5dset_extent_f')
    call h5dget_space_f(set, space, error)
    call h5sget_simple_extent_dims_f(space, dims, most, error)
    call check(error == 2 .and. all(dims(1:2) == [4, 5]) .and. most(1) == 4 .and. &
        most(2) == H5S_UNLIMITED_F, 'h5sget_simple_extent_dims_f')
    call h5sget_simple_extent_ndims_f(space, rank, error)
    call h5sget_simple_extent_npoints_f(space, points, error)
    call check(rank == 2 .and. points == 20, 'numbers of dimensions and elements')
    call h5dget_create_plist_f(set, list, error)
    call h5pget_chunk_f(list, 3, chunk, error)
    call check(error == 2 .and. all(chunk(1:2) == [2, 1]), 'h5pget_chunk_f')
    call h5pclose_f(list, error)
    call h5sclose_f(space, error)
    call h5dclose_f(set, error)
  end subroutine test_dimensions

  subroutine test_selections()
    integer(HID_T) :: set, space, memory
    integer :: values(4, 5), part(2, 2), k, points(3)
    integer(HSSIZE_T) :: count
    integer(HSIZE_T) :: coord(2, 3)
    values = reshape([(k, k=1, 20)], [4, 5])
    call h5dopen_f(file, 'grows', set, error)
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, values, [4_HSIZE_T, 5_HSIZE_T], error)
    call h5dget_space_f(set, space, error)
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [1_HSIZE_T, 0_HSIZE_T], &
        [2_HSIZE_T, 2_HSIZE_T], error, stride=[2_HSIZE_T, 3_HSIZE_T])
    call h5screate_simple_f(2, [2_HSIZE_T, 2_HSIZE_T], memory, error)
    call h5dread_f(set, H5T_NATIVE_INTEGER, part, [2_HSIZE_T, 2_HSIZE_T], error, memory, space)
    call check(error == 0 .and. all(part == values(2:4:2, 1:4:3)), 'a strided hyperslab')
    call h5sclose_f(memory, error)
    coord = reshape([4_HSIZE_T, 5_HSIZE_T, 1_HSIZE_T, 1_HSIZE_T, 3_HSIZE_T, 2_HSIZE_T], [2, 3])
    call h5sselect_elements_f(space, H5S_SELECT_SET_F, 2, 3_SIZE_T, coord, error)
    call h5sget_select_npoints_f(space, count, error)
    call h5screate_simple_f(1, [3_HSIZE_T], memory, error)
    call h5dread_f(set, H5T_NATIVE_INTEGER, points, [3_HSIZE_T], error, memory, space)
    call check(count == 3 .and. all(points == [values(4, 5), values(1, 1), values(3, 2)]), 'points')
    call h5sclose_f(memory, error)
    call h5sclose_f(space, error)
    call h5dclose_f(set, error)
  end subroutine test_selections

  subroutine test_attributes()
    integer(HID_T) :: set, space, attribute, type
    integer(HSIZE_T) :: bytes
    real(c_double) :: numbers(2), again(2)
    character(len=7) :: word
    logical :: there
    call h5dopen_f(file, 'one', set, error)
    call h5screate_simple_f(1, [2_HSIZE_T], space, error)
    call h5acreate_f(set, 'numbers', H5T_IEEE_F64LE, space, attribute, error)
    numbers = [1.5d0, -2.25d0]
    call h5awrite_f(attribute, H5T_NATIVE_DOUBLE, numbers, [2_HSIZE_T], error)
    call h5aread_f(attribute, H5T_NATIVE_DOUBLE, again, [2_HSIZE_T], error)
    call check(error == 0 .and. maxval(abs(numbers - again)) <= 0, 'an attribute of two numbers')
    call h5aget_storage_size_f(attribute, bytes, error)
    call check(bytes == 16, 'h5aget_storage_size_f')
    call h5aclose_f(attribute, error)
    call h5sclose_f(space, error)
    call h5screate_f(H5S_SCALAR_F, space, error)
    call h5tcopy_f(H5T_FORTRAN_S1, type, error)
    call h5tset_size_f(type, 7_SIZE_T, error)
    call h5acreate_f(set, 'word', type, space, attribute, error)
    call h5awrite_f(attribute, type, 'kelvin ', [1_HSIZE_T], error)
    call h5aclose_f(attribute, error)
    call h5aopen_f(set, 'word', attribute, error)
    call h5aread_f(attribute, type, word, [1_HSIZE_T], error)
    call check(error == 0 .and. word == 'kelvin', 'an attribute of text')
    call h5aclose_f(attribute, error)
    call h5tclose_f(type, error)
    call h5sclose_f(space, error)
    call h5aexists_f(set, 'word', there, error)
    call check(there, 'h5aexists_f')
    call h5adelete_f(set, 'word', error)
    call h5aexists_by_name_f(file, 'one', 'word', there, error)
    call check(.not. there, 'h5adelete_f')
    call h5dclose_f(set, error)
  end subroutine test_attributes

  subroutine test_groups()
    integer(HID_T) :: group, inner
    integer :: members, kind
    logical :: there
    call h5gcreate_f(file, 'group', group, error)
    call h5gcreate_f(group, 'inner', inner, error)
    call h5gclose_f(inner, error)
    call h5lcreate_soft_f('/group/inner', file, 'soft', error)
    call h5lcreate_hard_f(file, 'one', group, 'hard', error)
    call h5gn_members_f(file, 'group', members, error)
    call check(members == 2, 'h5gn_members_f')
    call h5lexists_f(file, 'soft', there, error)
    call check(error == 0 .and. there, 'h5lexists_f')
    call h5lmove_f(group, 'hard', group, 'moved', error)
    call h5ldelete_f(group, 'moved', error)
    call h5lexists_f(group, 'moved', there, error)
    call check(.not. there, 'h5ldelete_f')
    call h5iget_type_f(group, kind, error)
    call check(kind == H5I_GROUP_F, 'h5iget_type_f')
    call h5gclose_f(group, error)
    call h5gopen_f(file, 'soft', group, error)
    call check(error == 0, 'a group through a soft link')
    call h5gclose_f(group, error)
  end subroutine test_groups

  subroutine test_types()
    integer(HID_T) :: type, other
    integer(SIZE_T) :: bytes
    integer :: class
    logical :: same
    call h5tcreate_f(H5T_COMPOUND_F, 12_SIZE_T, type, error)
    call h5tinsert_f(type, 'x', 0_SIZE_T, H5T_NATIVE_DOUBLE, error)
    call h5tinsert_f(type, 'n', 8_SIZE_T, H5T_NATIVE_INTEGER, error)
    call check(error == 0, 'h5tinsert_f')
    call h5tarray_create_f(type, 2, [3_HSIZE_T, 2_HSIZE_T], other, error)
    call h5tget_size_f(other, bytes, error)
    call h5tget_class_f(other, class, error)
    call check(bytes == 72 .and. class == H5T_ARRAY_F, 'h5tarray_create_f')
    call h5tequal_f(type, other, same, error)
    call check(.not. same, 'h5tequal_f')
    call h5tclose_f(other, error)
    call h5tclose_f(type, error)
  end subroutine test_types

  subroutine test_lists()
    integer(HID_T) :: list
    integer(HSIZE_T) :: block
    integer :: layout
    call h5pcreate_f(H5P_FILE_CREATE_F, list, error)
    call h5pset_userblock_f(list, 1024_HSIZE_T, error)
    call h5pget_userblock_f(list, block, error)
    call check(error == 0 .and. block == 1024, 'h5pset_userblock_f')
    call h5pclose_f(list, error)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, error)
    call h5pset_layout_f(list, H5D_COMPACT_F, error)
    call h5pget_layout_f(list, layout, error)
    call check(layout == H5D_COMPACT_F, 'h5pset_layout_f')
    call h5pclose_f(list, error)
  end subroutine test_lists

  !> What the library says of a transfer, and of one that has not been made.
  subroutine test_report()
    integer(HID_T) :: list, set, space
    integer(HSIZE_T), parameter :: dims(1) = [6]
    integer(SIZE_T) :: bytes, count
    integer :: values(6) = [1, 2, 3, 4, 5, 6], number, length
    logical :: keep
    character(len=2000) :: text
    type(pcio_transfer_report_t) :: report, plan
    type(pcio_chunk_mode_t) :: modes(3)
    call h5pcreate_f(H5P_DATASET_XFER_F, list, error)
    call pcio_set_dxpl_transport_f(list, PCIO_TRANSPORT_DIRECT_F, error)
    call pcio_get_dxpl_transport_f(list, number, error)
    call check(error == 0 .and. number == PCIO_TRANSPORT_DIRECT_F, 'pcio_set_dxpl_transport_f')
    call pcio_set_dxpl_exchange_memory_f(list, 2097152_SIZE_T, error)
    call pcio_get_dxpl_exchange_memory_f(list, bytes, error)
    call check(error == 0 .and. bytes == 2097152, 'pcio_set_dxpl_exchange_memory_f')
    call pcio_set_dxpl_report_chunks_f(list, .true., error)
    call pcio_get_dxpl_report_chunks_f(list, keep, error)
    call check(error == 0 .and. keep, 'pcio_set_dxpl_report_chunks_f')
    call h5screate_simple_f(1, dims, space, error)
    call h5dcreate_f(file, 'reported', H5T_NATIVE_INTEGER, space, set, error)
    call pcio_explain_f(set, H5T_NATIVE_INTEGER, H5S_ALL_F, H5S_ALL_F, list, &
        PCIO_DIRECTION_WRITE_F, plan, error)
    call check(error == 0 .and. plan%bytes_selected == 24, 'pcio_explain_f')
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, values, dims, error, xfer_prp=list)
    call pcio_get_transfer_report_f(list, report, error)
    call check(error == 0 .and. report%direction == PCIO_DIRECTION_WRITE_F, &
        'pcio_get_transfer_report_f')
    call check(report%succeeded == 1 .and. report%bytes_written == 24, 'bytes of a report')
    call check(report%posix_writes == plan%posix_writes, 'as planned')
    call pcio_transport_why_f(report, text)
    call check(text /= '', 'pcio_transport_why_f')
    call pcio_transfer_report_json_f(list, text, length, error)
    call check(error == 0 .and. length == len_trim(text), 'pcio_transfer_report_json_f')
    call check(index(text, '"bytes_written":24') > 0, 'a number in the JSON')
    call pcio_cause_text_f(0_c_int32_t, text, error)
    call check(text == 'collective', 'pcio_cause_text_f')
    call pcio_get_chunk_modes_f(list, modes, count, error)
    call check(error == 0 .and. count == 0, 'pcio_get_chunk_modes_f')
    call h5dclose_f(set, error)
    call h5sclose_f(space, error)
    call h5pclose_f(list, error)
  end subroutine test_report

  !> Failures are -1, and silent when that was asked for.
  subroutine test_errors()
    integer(HID_T) :: id
    call h5eset_auto_f(0, error)
    call h5dopen_f(file, 'nothing', id, error)
    call check(error == -1 .and. id < 0, 'a dataset that is not there')
    call h5fopen_f('/no/such/file.h5', H5F_ACC_RDONLY_F, id, error)
    call check(error == -1, 'a file that is not there')
    call h5eclear_f(error, 0_HID_T)
    call check(error == 0, 'h5eclear_f with a stack')
    call h5eset_auto_f(1, error, estack_id=0_HID_T)
    call check(error == 0, 'h5eset_auto_f')
  end subroutine test_errors

  !> Names and keywords that programs for HDF5 use.
  subroutine test_names()
    integer(HID_T) :: group, list, copy
    integer :: kind, flags, values(4), filter, number
    integer(SIZE_T) :: count, length
    integer(HSIZE_T) :: bytes
    character(len=12) :: name
    character(len=3) :: short
    logical :: flag
    interface
      function c_variable(type_id) bind(C, name='H5Tis_variable_str') result(answer)
        import :: HID_T, c_int
        integer(HID_T), value :: type_id
        integer(c_int) :: answer
      end function c_variable
    end interface
    call check(c_variable(H5T_STRING) == 1, 'H5T_STRING is of variable length')
    call check(H5D_MPIO_CONTIG_COLLECTIVE_F == 4, 'H5D_MPIO_CONTIG_COLLECTIVE_F')
    call h5gcreate_f(file, 'names', group, error)
    call h5gcreate_f(group, 'second', copy, error)
    call h5gclose_f(copy, error)
    call h5lcreate_soft_f('/names', group, 'first', error)
    call h5gget_obj_info_idx_f(file, 'names', 0, name, kind, error)
    call check(error == 0 .and. name == 'first' .and. kind == H5G_LINK_F, 'h5gget_obj_info_idx_f')
    call h5gget_obj_info_idx_f(file, 'names', 1, short, kind, error)
    call check(error == 0 .and. short == 'sec' .and. kind == H5G_GROUP_F, 'a name that is cut')
    call h5gmove_f(group, 'first', 'third', error)
    call h5lget_name_by_idx_f(file, 'names', H5_INDEX_NAME_F, H5_ITER_INC_F, 1_HSIZE_T, name, &
        error, length)
    call check(error == 0 .and. name == 'third' .and. length == 5, 'h5lget_name_by_idx_f')
    call h5eset_auto_f(0, error)
    call h5lget_name_by_idx_f(file, 'names', H5_INDEX_NAME_F, H5_ITER_INC_F, 2_HSIZE_T, name, error)
    call check(error == -1, 'a link that is not there')
    call h5eset_auto_f(1, error)
    call h5iis_valid_f(group, valid=flag, hdferr=error)
    call check(flag, 'h5iis_valid_f')
    call h5gclose_f(group, error)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, error)
    call h5pset_deflate_f(list, 7, error)
    count = 4
    call h5pget_filter_f(list, 0, flags, count, values, 12_SIZE_T, name, filter, error)
    call check(error == 0 .and. filter == H5Z_FILTER_DEFLATE_F .and. count == 1 .and. &
        values(1) == 7 .and. name == 'deflate' .and. flags == H5Z_FLAG_OPTIONAL_F, 'h5pget_filter_f')
    call h5pclose_f(list, error)
    call h5zget_filter_info_f(H5Z_FILTER_DEFLATE_F, number, error)
    call check(iand(number, H5Z_FILTER_ENCODE_ENABLED_F) /= 0, 'h5zget_filter_info_f')
    call h5pcreate_f(H5P_DATASET_XFER_F, list, error)
    call h5pset_buffer_f(list, 4096_HSIZE_T, error)
    call h5pget_buffer_f(list, bytes, error)
    call check(error == 0 .and. bytes == 4096, 'h5pset_buffer_f')
    call h5pclose_f(list, error)
  end subroutine test_names

end program test_hdf5
