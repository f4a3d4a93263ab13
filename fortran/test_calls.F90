! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Calls of the Fortran modules that no other test makes, so that each procedure is called and what it gives back looked
! at. test/oracle/fortran_calls.sh compiles it for libhdf5 too, with WITH_LIBHDF5, where what libhdf5 gets wrong is left
! out: all else is so there.
! Room: fortran; a serial test.

!> What h5literate_f and h5ovisit_f call.
module test_callbacks
  use, intrinsic :: iso_c_binding
  use hdf5
  implicit none
  integer :: links_seen = 0, objects_seen = 0, corder_seen = -1
  character(len=8) :: names_seen(16) = ''
contains

  subroutine take(name, text)
    character(kind=c_char), intent(in) :: name(*)
    character(len=*), intent(out) :: text
    integer :: i
    text = ''
    do i = 1, len(text)
      if (name(i) == c_null_char) return
      text(i:i) = name(i)
    end do
  end subroutine take

  function on_link(group, name, info, data) bind(C, name='test_calls_on_link') result(answer)
    integer(HID_T), value :: group
    character(kind=c_char), intent(in) :: name(*)
    type(h5l_info_t), intent(in) :: info
    type(c_ptr), value :: data
    integer(c_int) :: answer
    integer, pointer :: stop_at
    links_seen = links_seen + 1
    call take(name, names_seen(links_seen))
    corder_seen = int(info%corder)
    call c_f_pointer(data, stop_at)
    answer = merge(7, 0, links_seen == stop_at .and. group > 0)
  end function on_link

  function on_object(object, name, info, data) bind(C, name='test_calls_on_object') result(answer)
    integer(HID_T), value :: object
    character(kind=c_char), intent(in) :: name(*)
    type(c_h5o_info_t), intent(in) :: info
    type(c_ptr), value :: data
    integer(c_int) :: answer
    integer, pointer :: groups
    character(len=8) :: text
    call take(name, text)
    objects_seen = objects_seen + 1
    call c_f_pointer(data, groups)
    if (info%type == H5O_TYPE_GROUP_F) groups = groups + 1
    answer = merge(0, 1, object > 0)
  end function on_object

  function on_close(class, data) bind(C, name='test_calls_on_close') result(answer)
    integer(HID_T), value :: class
    type(c_ptr), value :: data
    integer(c_int) :: answer
    integer, pointer :: closed
    call c_f_pointer(data, closed)
    closed = closed + 1
    answer = merge(0, 0, class > 0)
  end function on_close
end module test_callbacks

program test_calls
  use, intrinsic :: iso_c_binding
  use hdf5
  use test_callbacks
  implicit none

  integer :: failures = 0, e
  character(len=512) :: folder, name, other
  integer(HID_T) :: file
  integer(HID_T), parameter :: none = -1

  call get_environment_variable('PCIO_TEST_TMP', folder)
  if (folder == '') folder = '.'
  name = trim(folder) // '/fortran_calls.h5'
  other = trim(folder) // '/fortran_calls_other.h5'
  call h5open_f(e)
  call h5fcreate_f(name, H5F_ACC_TRUNC_F, file, e)
  call is(e == 0, 'h5fcreate_f')
  call of_library()
  call of_attributes()
  call of_datasets()
  call of_sequences()
  call of_links()
  call of_objects()
  call of_groups()
  call of_references()
  call of_spaces()
  call of_types()
  call of_enumerations()
  call of_classes()
  call of_values()
  call of_creation_lists()
  call of_virtual_lists()
  call of_drivers()
  call of_files()
  call of_errors()
  call h5fclose_f(file, e)
  call h5close_f(e)
  call remove(name)
  call remove(other)
  if (failures > 0) stop 1
  write (*, '(a)') 'all right'

contains

  subroutine is(so, what)
    logical, intent(in) :: so
    character(len=*), intent(in) :: what
    if (so) return
    failures = failures + 1
    write (*, '(2a)') 'not so: ', what
  end subroutine is

  subroutine remove(path)
    character(len=*), intent(in) :: path
    integer :: status
    open (10, file=trim(path), iostat=status)
    if (status == 0) close (10, status='delete')
  end subroutine remove

  !> A dataset of `count` integers.
  function integers(set_name, count) result(set)
    character(len=*), intent(in) :: set_name
    integer, intent(in) :: count
    integer(HID_T) :: set, space
    call h5screate_simple_f(1, [int(count, HSIZE_T)], space, e)
    call h5dcreate_f(file, set_name, H5T_NATIVE_INTEGER, space, set, e)
    call is(e == 0, 'h5dcreate_f ' // set_name)
    call h5sclose_f(space, e)
  end function integers

  subroutine of_library()
    integer :: major, minor, release, parts(8)
    type(c_ptr) :: first, second
    integer, target :: x(5)
    call h5get_libversion_f(major, minor, release, e)
    call is(e == 0 .and. major == 1 .and. minor == 10, 'h5get_libversion_f')
    call h5check_version_f(major, minor, release, e)
    call is(e == 0, 'h5check_version_f')
    call h5garbage_collect_f(e)
    call is(e == 0, 'h5garbage_collect_f')
    call h5dont_atexit_f(e)
    call is(e == 0 .or. e == -1, 'h5dont_atexit_f')
    first = c_loc(x(1))
    second = c_loc(x(4))
    call is(h5offsetof(first, second) == 12, 'h5offsetof')
    parts = h5gmtime(951827696_TIME_T)
    call is(all(parts == [2000, 2, 29, 0, 12, 34, 56, -32767]), 'h5gmtime, the odd day')
    parts = h5gmtime(4107542399_TIME_T)
    call is(all(parts(1:7) == [2100, 2, 28, 0, 23, 59, 59]), 'h5gmtime, a year without')
    call is(h5kind_to_type(kind(1), H5_INTEGER_KIND) > 0 .and. h5kind_to_type(kind(1.0), H5_REAL_KIND) > 0, &
        'h5kind_to_type')
  end subroutine of_library

  subroutine of_attributes()
    integer(HID_T) :: set, space, a, list, type, aspace
    integer :: n, corder, cset
    integer(HSIZE_T) :: bytes
    integer(SIZE_T) :: length
    logical :: there, valid, same
    character(len=8) :: text
    character(len=3) :: short
    set = integers('attributed', 3)
    call h5screate_simple_f(1, [2_HSIZE_T], space, e)
    call h5pcreate_f(H5P_ATTRIBUTE_CREATE_F, list, e)
    call h5pset_char_encoding_f(list, H5T_CSET_UTF8_F, e)
    call h5acreate_f(set, 'b  ', H5T_NATIVE_INTEGER, space, a, e, list)
    call h5awrite_f(a, H5T_NATIVE_INTEGER, [11, 12], [2_HSIZE_T], e)
    call h5aget_create_plist_f(a, type, e)
    call h5pget_char_encoding_f(type, cset, e)
    call is(cset == H5T_CSET_UTF8_F, 'h5aget_create_plist_f')
    call h5aget_type_f(a, type, e)
    call h5tequal_f(type, H5T_NATIVE_INTEGER, same, e)
    call is(same, 'h5aget_type_f')
    call h5aget_space_f(a, aspace, e)
    call h5sextent_equal_f(space, aspace, same, e)
    call is(e == 0 .and. same, 'h5aget_space_f, h5sextent_equal_f')
    call h5aget_info_f(a, valid, corder, cset, bytes, e)
    call is(e == 0 .and. cset == H5T_CSET_UTF8_F .and. bytes == 8, 'h5aget_info_f')
    call h5aget_storage_size_f(a, bytes, e)
    call is(bytes == 8, 'h5aget_storage_size_f')
    call h5aget_name_f(a, 8_SIZE_T, text, e)
    call is(e == 1 .and. text == 'b', 'h5aget_name_f')
    call h5aclose_f(a, e)
    call h5acreate_by_name_f(file, 'attributed', 'long_name', H5T_NATIVE_INTEGER, space, a, e)
    call is(e == 0, 'h5acreate_by_name_f')
    call h5aget_name_f(a, 3_SIZE_T, short, e)
    call is(e == 9 .and. short(1:2) == 'lo', 'h5aget_name_f, cut off')
    call h5aclose_f(a, e)
    call h5aget_num_attrs_f(set, n, e)
    call is(n == 2, 'h5aget_num_attrs_f')
    call h5aget_name_by_idx_f(file, 'attributed', H5_INDEX_NAME_F, H5_ITER_INC_F, 1_HSIZE_T, text, e, length)
    call is(e == 0 .and. length == 9 .and. text == 'long_nam', 'h5aget_name_by_idx_f')
    call h5aopen_by_idx_f(file, 'attributed', H5_INDEX_NAME_F, H5_ITER_DEC_F, 1_HSIZE_T, a, e)
    call h5aget_name_f(a, 8_SIZE_T, text, e)
    call is(text == 'b', 'h5aopen_by_idx_f')
    call h5aclose_f(a, e)
    call h5aopen_by_name_f(file, 'attributed', 'b', a, e)
    call is(e == 0, 'h5aopen_by_name_f')
    call h5aclose_f(a, e)
#ifndef WITH_LIBHDF5
    ! libhdf5 takes the attribute for none.
    call h5aopen_idx_f(set, 0, a, e)
    call is(e == 0, 'h5aopen_idx_f')
    call h5aclose_f(a, e)
#endif
    call h5aopen_name_f(set, 'b', a, e)
    call is(e == 0, 'h5aopen_name_f')
    call h5aclose_f(a, e)
    call h5aget_info_by_idx_f(file, 'attributed', H5_INDEX_NAME_F, H5_ITER_INC_F, 0_HSIZE_T, valid, corder, &
        cset, bytes, e)
    call is(cset == H5T_CSET_UTF8_F .and. bytes == 8, 'h5aget_info_by_idx_f')
    call h5aget_info_by_name_f(file, 'attributed', 'long_name', valid, corder, cset, bytes, e)
    call is(cset == H5T_CSET_ASCII_F .and. bytes == 8, 'h5aget_info_by_name_f')
    call h5arename_f(set, 'b', 'c', e)
    call h5aexists_f(set, 'c', there, e)
    call is(there, 'h5arename_f')
    call h5arename_by_name_f(file, 'attributed', 'c', 'd', e)
    call h5aexists_by_name_f(file, 'attributed', 'd', there, e)
    call is(there, 'h5arename_by_name_f')
    call h5adelete_by_name_f(file, 'attributed', 'd', e)
    call h5aexists_f(set, 'd', there, e)
    call is(.not. there, 'h5adelete_by_name_f')
    call h5adelete_by_idx_f(file, 'attributed', H5_INDEX_NAME_F, H5_ITER_INC_F, 0_HSIZE_T, e)
    call h5aget_num_attrs_f(set, n, e)
    call is(n == 0, 'h5adelete_by_idx_f')
    call h5dclose_f(set, e)
    call h5sclose_f(space, e)
    call h5sclose_f(aspace, e)
    call h5pclose_f(list, e)
  end subroutine of_attributes

  subroutine of_datasets()
    integer(HID_T) :: set, space, list, got
    integer(HADDR_T) :: offset
    integer(HSIZE_T) :: bytes, dims(2), most(2)
    integer :: status, fill(3), values(5)
    real(c_double) :: reals(2)
    logical :: valid
    set = integers('plain', 3)
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, [5, 6, 7], [3_HSIZE_T], e)
    call h5dget_offset_f(set, offset, e)
    call is(e == 0 .and. offset > 0, 'h5dget_offset_f')
    call h5dget_space_status_f(set, status, e)
    call is(status == H5D_SPACE_STS_ALLOCATED_F, 'h5dget_space_status_f')
    call h5dget_storage_size_f(set, bytes, e)
    call is(bytes == 12, 'h5dget_storage_size_f')
    call h5dget_type_f(set, got, e)
    call h5iis_valid_f(got, valid, e)
    call is(valid, 'h5dget_type_f')
    call h5tclose_f(got, e)
    call h5dget_access_plist_f(set, got, e)
    call h5pisa_class_f(got, H5P_DATASET_ACCESS_F, valid, e)
    call is(e == 0 .and. valid, 'h5dget_access_plist_f, h5pisa_class_f')
    call h5pclose_f(got, e)
    call h5dclose_f(set, e)
    call h5screate_simple_f(2, [2_HSIZE_T, 3_HSIZE_T], space, e, [H5S_UNLIMITED_F, 9_HSIZE_T])
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, e)
    call h5pset_chunk_f(list, 2, [2_HSIZE_T, 2_HSIZE_T], e)
    call h5dcreate_anon_f(file, H5T_NATIVE_INTEGER, space, set, e, list)
    call is(e == 0, 'h5dcreate_anon_f')
    call h5dextend_f(set, [4_HSIZE_T, 1_HSIZE_T], e)
    call h5sclose_f(space, e)
    call h5dget_space_f(set, space, e)
    call h5sget_simple_extent_dims_f(space, dims, most, e)
    call is(e == 2 .and. all(dims == [4, 1]), 'h5dextend_f')
    call h5dset_extent_f(set, [1_HSIZE_T, 5_HSIZE_T], e)
    call h5sclose_f(space, e)
    call h5dget_space_f(set, space, e)
    call h5sget_simple_extent_dims_f(space, dims, most, e)
    call is(all(dims == [1, 5]) .and. all(most == [H5S_UNLIMITED_F, 9_HSIZE_T]), 'h5dset_extent_f')
    call h5dclose_f(set, e)
    call h5pclose_f(list, e)
    call h5sclose_f(space, e)
    fill = 3
    values = 0
    call h5screate_simple_f(1, [5_HSIZE_T], space, e)
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [1_HSIZE_T], [3_HSIZE_T], e)
    call h5dfill_f(9, space, values, e)
    call is(e == 0 .and. all(values == [0, 9, 9, 9, 0]), 'h5dfill_f')
    call h5sclose_f(space, e)
    reals = 0
    call h5screate_simple_f(1, [2_HSIZE_T], space, e)
    call h5dfill_f(2.5_c_double, space, reals, e)
    call is(e == 0 .and. all(reals == 2.5_c_double), 'h5dfill_f of reals')
    call h5sclose_f(space, e)
  end subroutine of_datasets

  subroutine of_sequences()
    integer(HID_T) :: type, space, set
    integer :: v(3, 2), r(3, 2)
    integer(SIZE_T) :: lengths(2), longest
    type(hvl_t), target :: raw(2)
    type(c_ptr) :: where
    integer, pointer :: values(:)
    character(len=6) :: words(2), read_words(2)
    real :: reals(2, 2), read_reals(2, 2)
    logical :: variable
    call h5screate_simple_f(1, [2_HSIZE_T], space, e)
    call h5tvlen_create_f(H5T_NATIVE_INTEGER, type, e)
    call is(e == 0, 'h5tvlen_create_f')
    call h5dcreate_f(file, 'sequences', type, space, set, e)
    v = reshape([1, 2, 3, 4, 5, 6], [3, 2])
    call h5dwrite_vl_f(set, type, v, [3_HSIZE_T, 2_HSIZE_T], [3_SIZE_T, 1_SIZE_T], e)
    call is(e == 0, 'h5dwrite_vl_f')
    r = -1
    lengths = 0
    call h5dread_vl_f(set, type, r, [3_HSIZE_T, 2_HSIZE_T], lengths, e)
    call is(e == 0 .and. all(lengths == [3, 1]) .and. all(r(:, 1) == [1, 2, 3]) .and. r(1, 2) == 4, 'h5dread_vl_f')
    call h5dvlen_get_max_len_f(set, type, space, longest, e)
    call is(e == 0 .and. longest == 3, 'h5dvlen_get_max_len_f')
    where = c_loc(raw)
    call h5dread_f(set, type, where, e)
    call c_f_pointer(raw(1)%p, values, [raw(1)%len])
    call is(e == 0 .and. size(values) == 3 .and. values(3) == 3, 'hvl_t')
    call h5dvlen_reclaim_f(type, space, H5P_DEFAULT_F, where, e)
    call is(e == 0, 'h5dvlen_reclaim_f')
#ifndef WITH_LIBHDF5
    call quiet(.true.)
    call h5dwrite_vl_f(set, type, v, [3_HSIZE_T, 2_HSIZE_T], [4_SIZE_T, 1_SIZE_T], e)
    call is(e < 0, 'h5dwrite_vl_f, longer than its column')
    call quiet(.false.)
#endif
    call h5dclose_f(set, e)
    call h5tclose_f(type, e)
    call h5tvlen_create_f(H5T_NATIVE_REAL, type, e)
    call h5dcreate_f(file, 'real sequences', type, space, set, e)
    reals = reshape([1., 2., 3., 4.], [2, 2])
    call h5dwrite_vl_f(set, type, reals, [2_HSIZE_T, 2_HSIZE_T], [2_SIZE_T, 2_SIZE_T], e)
    read_reals = 0
    call h5dread_vl_f(set, type, read_reals, [2_HSIZE_T, 2_HSIZE_T], lengths, e)
    call is(e == 0 .and. all(read_reals == reals), 'h5dread_vl_f of reals')
    call h5dclose_f(set, e)
    call h5tclose_f(type, e)
    call h5tis_variable_str_f(H5T_STRING, variable, e)
    call is(variable, 'h5tis_variable_str_f')
    call h5dcreate_f(file, 'strings', H5T_STRING, space, set, e)
    words = ['one   ', 'eleven']
    call h5dwrite_vl_f(set, H5T_STRING, words, [6_HSIZE_T, 2_HSIZE_T], [3_SIZE_T, 6_SIZE_T], e)
    call is(e == 0, 'h5dwrite_vl_f of text')
    call h5dread_vl_f(set, H5T_STRING, read_words, [6_HSIZE_T, 2_HSIZE_T], lengths, e)
    call is(e == 0 .and. all(read_words == words) .and. all(lengths == [3, 6]), 'h5dread_vl_f of text')
    call h5dclose_f(set, e)
    call h5sclose_f(space, e)
  end subroutine of_sequences

  subroutine of_links()
    integer(HID_T) :: group, inner, list
    integer :: cset, corder, kind, answer
    integer, target :: stop_at
    logical :: valid, there
    integer(HADDR_T) :: address
    integer(SIZE_T) :: bytes
    integer(HSIZE_T) :: idx
    character(len=8) :: text
    call h5pcreate_f(H5P_GROUP_CREATE_F, list, e)
    call h5pset_link_creation_order_f(list, ior(H5P_CRT_ORDER_TRACKED_F, H5P_CRT_ORDER_INDEXED_F), e)
    call h5gcreate_f(file, 'links', group, e, gcpl_id=list)
    call h5gcreate_f(group, 'z', inner, e)
    call h5gclose_f(inner, e)
    call h5lcreate_soft_f('/links/z  ', group, 'soft', e)
    call h5lcreate_external_f('other.h5', '/x', group, 'external', e)
    call is(e == 0, 'h5lcreate_external_f')
    call h5lget_info_f(group, 'soft', cset, corder, valid, kind, address, bytes, e)
    call is(e == 0 .and. valid .and. corder == 1 .and. kind == H5L_TYPE_SOFT_F .and. bytes == 9, 'h5lget_info_f')
    call h5lget_info_by_idx_f(file, 'links', H5_INDEX_CRT_ORDER_F, H5_ITER_INC_F, 2_HSIZE_T, kind, valid, &
        corder, cset, address, bytes, e)
    call is(e == 0 .and. kind == H5L_TYPE_EXTERNAL_F .and. corder == 2, 'h5lget_info_by_idx_f')
    call h5lget_name_by_idx_f(file, 'links', H5_INDEX_CRT_ORDER_F, H5_ITER_INC_F, 0_HSIZE_T, text, e, bytes)
    call is(text == 'z' .and. bytes == 1, 'h5lget_name_by_idx_f')
    call h5lis_registered_f(H5L_TYPE_EXTERNAL_F, there, e)
    call is(e >= 0 .and. there, 'h5lis_registered_f')
    idx = 0
    stop_at = 2
    links_seen = 0
    call h5literate_f(group, H5_INDEX_CRT_ORDER_F, H5_ITER_INC_F, idx, c_funloc(on_link), c_loc(stop_at), answer, e)
    call is(e == 0 .and. answer == 7 .and. idx == 2 .and. links_seen == 2 .and. names_seen(2) == 'soft' .and. &
        corder_seen == 1, 'h5literate_f')
    idx = 0
    stop_at = 99
    links_seen = 0
    call h5literate_by_name_f(file, 'links', H5_INDEX_NAME_F, H5_ITER_DEC_F, idx, c_funloc(on_link), &
        c_loc(stop_at), answer, e)
    call is(e == 0 .and. answer == 0 .and. links_seen == 3 .and. names_seen(1) == 'z', 'h5literate_by_name_f')
    call h5lcopy_f(group, 'soft', group, 'softer', e)
    call h5lexists_f(group, 'softer', there, e)
    call is(there, 'h5lcopy_f')
    call h5lmove_f(group, 'softer', group, 'softest', e)
    call h5ldelete_by_idx_f(file, 'links', H5_INDEX_NAME_F, H5_ITER_INC_F, 2_HSIZE_T, e)
    call h5lexists_f(group, 'softest', there, e)
    call is(.not. there, 'h5ldelete_by_idx_f')
    call h5lexists_f(group, 'soft', there, e)
    call is(there, 'h5ldelete_by_idx_f, the others')
    call h5gclose_f(group, e)
    call h5pclose_f(list, e)
  end subroutine of_links

  subroutine of_objects()
    integer(HID_T) :: set, group, again, list
    type(h5o_info_t) :: info
    integer, target :: groups
    integer :: answer
    integer(SIZE_T) :: length
    logical :: there
    character(len=12) :: text
    call h5gcreate_f(file, 'objects', group, e)
    set = integers('objects/set', 2)
    call h5oset_comment_f(set, 'a remark  ', e)
    call h5oget_comment_f(set, text, e, length)
    call is(e == 0 .and. text == 'a remark' .and. length == 8, 'h5oget_comment_f')
    call h5oset_comment_by_name_f(group, 'set', 'another one', e)
    call h5oget_comment_by_name_f(group, 'set', text(1:4), e, length)
    call is(e == 0 .and. text(1:3) == 'ano' .and. length == 11, 'h5oget_comment_by_name_f')
    call h5oget_info_f(set, info, e)
    call is(e == 0 .and. info%type == H5O_TYPE_DATASET_F .and. info%rc == 1 .and. info%ctime(1) > 2000, 'h5oget_info_f')
    call h5oopen_by_addr_f(file, info%addr, again, e)
    call is(e == 0, 'h5oopen_by_addr_f')
    call h5oclose_f(again, e)
    call is(e == 0, 'h5oclose_f')
    call h5oget_info_by_name_f(file, 'objects', info, e, fields=H5O_INFO_BASIC_F)
    call is(e == 0 .and. info%type == H5O_TYPE_GROUP_F, 'h5oget_info_by_name_f')
    call h5oget_info_by_idx_f(file, 'objects', H5_INDEX_NAME_F, H5_ITER_INC_F, 0_HSIZE_T, info, e)
    call is(e == 0 .and. info%type == H5O_TYPE_DATASET_F, 'h5oget_info_by_idx_f')
    call h5oopen_by_idx_f(file, 'objects', H5_INDEX_NAME_F, H5_ITER_INC_F, 0_HSIZE_T, again, e)
    call is(e == 0, 'h5oopen_by_idx_f')
    call h5oclose_f(again, e)
    call h5oopen_f(group, 'set', again, e)
    call is(e == 0, 'h5oopen_f')
    call h5oclose_f(again, e)
    call h5olink_f(set, group, 'linked', e)
    call h5oexists_by_name_f(group, 'linked', there, e)
    call is(e == 0 .and. there, 'h5olink_f, h5oexists_by_name_f')
    call h5oincr_refcount_f(set, e)
    call h5oget_info_f(set, info, e)
    call is(info%rc == 3, 'h5oincr_refcount_f')
    call h5odecr_refcount_f(set, e)
    call h5oget_info_f(set, info, e)
    call is(info%rc == 2, 'h5odecr_refcount_f')
    call h5pcreate_f(H5P_OBJECT_COPY_F, list, e)
    call h5pset_copy_object_f(list, H5O_COPY_WITHOUT_ATTR_FLAG_F, e)
    call h5pget_copy_object_f(list, answer, e)
    call is(answer == H5O_COPY_WITHOUT_ATTR_FLAG_F, 'h5pget_copy_object_f')
    call h5ocopy_f(group, 'set', group, 'copy', e, list)
    call h5lexists_f(group, 'copy', there, e)
    call is(there, 'h5ocopy_f')
    groups = 0
    objects_seen = 0
    call h5ovisit_f(group, H5_INDEX_NAME_F, H5_ITER_INC_F, c_funloc(on_object), c_loc(groups), answer, e)
    call is(e == 0 .and. answer == 0 .and. objects_seen == 3 .and. groups == 1, 'h5ovisit_f')
    groups = 0
    objects_seen = 0
    call h5ovisit_by_name_f(file, 'objects', H5_INDEX_NAME_F, H5_ITER_INC_F, c_funloc(on_object), c_loc(groups), &
        answer, e, fields=H5O_INFO_BASIC_F)
    call is(e == 0 .and. objects_seen == 3 .and. groups == 1, 'h5ovisit_by_name_f')
    call h5dclose_f(set, e)
    call h5gclose_f(group, e)
    call h5pclose_f(list, e)
  end subroutine of_objects

  subroutine of_groups()
    integer(HID_T) :: group, inner, list
    integer :: storage, links, order
    logical :: mounted, there
    character(len=10) :: text
    call h5gcreate_f(file, 'groups', group, e, 1000_SIZE_T)
    call h5gcreate_anon_f(file, inner, e)
    call is(e == 0, 'h5gcreate_anon_f')
    call h5gclose_f(inner, e)
    call h5gcreate_f(group, 'inner', inner, e)
    call h5gclose_f(inner, e)
    call h5gget_info_f(group, storage, links, order, e, mounted)
    call is(e == 0 .and. links == 1 .and. .not. mounted, 'h5gget_info_f')
    call h5gget_info_by_name_f(file, 'groups', storage, links, order, e, mounted=mounted)
    call is(e == 0 .and. links == 1, 'h5gget_info_by_name_f')
    call h5gget_info_by_idx_f(file, 'groups', H5_INDEX_NAME_F, H5_ITER_INC_F, 0_HSIZE_T, storage, links, order, e)
    call is(e == 0 .and. links == 0, 'h5gget_info_by_idx_f')
    call h5gget_create_plist_f(group, list, e)
    call h5pisa_class_f(list, H5P_GROUP_CREATE_F, there, e)
    call is(there, 'h5gget_create_plist_f')
    call h5glink_f(group, H5G_LINK_SOFT_F, '/groups/inner', 'soft', e)
    call is(e == 0, 'h5glink_f')
    call h5gget_linkval_f(group, 'soft', 10_SIZE_T, text, e)
    call is(e == 0 .and. text(1:9) == '/groups/i', 'h5gget_linkval_f')
    call h5glink2_f(group, 'inner', H5G_LINK_HARD_F, file, 'hard', e)
    call h5gmove2_f(file, 'hard', group, 'harder', e)
    call h5lexists_f(group, 'harder', there, e)
    call is(there, 'h5glink2_f, h5gmove2_f')
    call h5gunlink_f(group, 'harder', e)
    call h5lexists_f(group, 'harder', there, e)
    call is(.not. there, 'h5gunlink_f')
    call h5gset_comment_f(group, 'inner', 'hello', e)
    call h5gget_comment_f(group, 'inner', 10_SIZE_T, text, e)
    call is(e == 0 .and. text == 'hello', 'h5gget_comment_f')
    call h5gclose_f(group, e)
  end subroutine of_groups

  subroutine of_references()
    integer(HID_T) :: set, refs, space, got
    type(hobj_ref_t_f), target :: object(2), read_object(2)
    type(hdset_reg_ref_t_f), target :: region(1), read_region(1)
    integer :: kind
    integer(SIZE_T) :: length
    integer(HSSIZE_T) :: count
    type(c_ptr) :: where
    character(len=12) :: text
    set = integers('referred', 4)
    call h5rcreate_f(file, 'referred', object(1), e)
    call is(e == 0, 'h5rcreate_f of an object')
    where = c_loc(object(2))
    call h5rcreate_f(file, '/', H5R_OBJECT_F, where, e)
    call is(e == 0, 'h5rcreate_f of an address')
    call h5screate_simple_f(1, [2_HSIZE_T], space, e)
    call h5dcreate_f(file, 'references', H5T_STD_REF_OBJ, space, refs, e)
    call h5dwrite_f(refs, H5T_STD_REF_OBJ, object, [2_HSIZE_T], e)
    call h5dread_f(refs, H5T_STD_REF_OBJ, read_object, [2_HSIZE_T], e)
    call is(e == 0 .and. read_object(1)%ref == object(1)%ref, 'references to objects in a dataset')
    call h5rdereference_f(refs, read_object(1), got, e)
    call is(e == 0 .and. got > 0, 'h5rdereference_f')
    call h5dclose_f(got, e)
    text = 'zzzzzzzzz'
    call h5rget_name_f(file, object(1), text, e, length)
    call is(e == 0 .and. text == '/referred' .and. length == 9, 'h5rget_name_f')
    call h5rget_object_type_f(file, object(1), kind, e)
    call is(e == 0 .and. kind == H5O_TYPE_DATASET_F, 'h5rget_object_type_f')
    call h5rget_obj_type_f(file, H5R_OBJECT_F, where, kind, e)
    call is(e == 0 .and. kind == H5O_TYPE_GROUP_F, 'h5rget_obj_type_f')
    call h5dclose_f(refs, e)
    call h5sclose_f(space, e)
    call h5screate_simple_f(1, [4_HSIZE_T], space, e)
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [1_HSIZE_T], [2_HSIZE_T], e)
    call h5rcreate_f(file, 'referred', space, region(1), e)
    call is(e == 0, 'h5rcreate_f of a region')
    call h5sclose_f(space, e)
    call h5screate_simple_f(1, [1_HSIZE_T], space, e)
    call h5dcreate_f(file, 'regions', H5T_STD_REF_DSETREG, space, refs, e)
    call h5dwrite_f(refs, H5T_STD_REF_DSETREG, region, [1_HSIZE_T], e)
    call h5dread_f(refs, H5T_STD_REF_DSETREG, read_region, [1_HSIZE_T], e)
    call h5sclose_f(space, e)
    call h5rget_region_f(refs, read_region(1), space, e)
    call h5sget_select_npoints_f(space, count, e)
    call is(e == 0 .and. count == 2, 'h5rget_region_f')
    call h5sclose_f(space, e)
    call h5rdereference_f(refs, read_region(1), got, e)
    call is(e == 0 .and. got > 0, 'h5rdereference_f of a region')
    call h5dclose_f(got, e)
    call h5rget_name_f(refs, read_region(1), text, e)
    call is(text == '/referred', 'h5rget_name_f of a region')
    where = c_loc(read_region)
    call h5rget_region_f(refs, where, space, e)
    call is(e == 0, 'h5rget_region_f of an address')
    call h5sclose_f(space, e)
    call h5rdereference_f(refs, H5R_DATASET_REGION_F, where, got, e)
    call is(e == 0, 'h5rdereference_f of an address')
    call h5dclose_f(got, e)
    call h5rget_name_f(refs, H5R_DATASET_REGION_F, where, text, e)
    call is(e == 0 .and. text == '/referred', 'h5rget_name_f of an address')
    call h5dclose_f(refs, e)
    call h5dclose_f(set, e)
  end subroutine of_references

  subroutine of_spaces()
    integer(HID_T) :: space, twin
    integer(HSIZE_T), dimension(2) :: first, last, stride, count, block
    integer(HSIZE_T) :: places(8)
    integer(HSSIZE_T) :: number
    integer :: kind
    integer(SIZE_T) :: bytes
    character(len=256) :: coded
    logical :: so
    call h5screate_simple_f(2, [10_HSIZE_T, 20_HSIZE_T], space, e)
    call h5sget_simple_extent_type_f(space, kind, e)
    call is(kind == H5S_SIMPLE_F, 'h5sget_simple_extent_type_f')
    call h5sis_simple_f(space, so, e)
    call is(so, 'h5sis_simple_f')
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [1_HSIZE_T, 2_HSIZE_T], [2_HSIZE_T, 3_HSIZE_T], e, &
        [4_HSIZE_T, 5_HSIZE_T], [2_HSIZE_T, 3_HSIZE_T])
    call h5sget_select_bounds_f(space, first, last, e)
    call is(e == 0 .and. all(first == [2, 3]) .and. all(last == [7, 15]), 'h5sget_select_bounds_f')
    call h5sis_regular_hyperslab_f(space, so, e)
    call is(e == 0 .and. so, 'h5sis_regular_hyperslab_f')
    call h5sget_regular_hyperslab_f(space, first, stride, count, block, e)
    call is(e == 0 .and. all(first == [1, 2]) .and. all(stride == [4, 5]) .and. all(count == [2, 3]) .and. &
        all(block == [2, 3]), 'h5sget_regular_hyperslab_f')
    call h5sget_select_type_f(space, kind, e)
    call is(kind == H5S_SEL_HYPERSLABS_F, 'h5sget_select_type_f')
    call h5sget_select_hyper_nblocks_f(space, number, e)
    call is(number == 6, 'h5sget_select_hyper_nblocks_f')
    call h5sget_select_hyper_blocklist_f(space, 1_HSIZE_T, 2_HSIZE_T, places, e)
    call is(e == 0 .and. all(places == [6, 3, 7, 5, 2, 8, 3, 10]), 'h5sget_select_hyper_blocklist_f')
    bytes = 0
    call h5sencode_f(space, coded, bytes, e)
    call is(e == 0 .and. bytes > 0 .and. bytes < 256, 'h5sencode_f, how much')
#ifndef WITH_LIBHDF5
    ! libhdf5 does not say how much it takes, and writes behind the text.
    number = bytes
    bytes = bytes - 1
    call h5sencode_f(space, coded, bytes, e)
    call is(e == 0 .and. bytes == number, 'h5sencode_f with a byte too few')
    bytes = len(coded)
    coded = repeat('x', len(coded))
    call h5sencode_f(space, coded(1:5), bytes, e)
    call is(e == 0 .and. bytes == number .and. coded(6:) == repeat('x', len(coded) - 5), 'h5sencode_f of a text that is too short')
#endif
    call h5sencode_f(space, coded, bytes, e)
    call h5sdecode_f(coded, twin, e)
    call h5sextent_equal_f(space, twin, so, e)
    call is(e == 0 .and. so, 'h5sencode_f, h5sdecode_f')
    call h5sget_select_npoints_f(twin, number, e)
    call is(number == 36, 'h5sdecode_f, the selection')
    call h5sclose_f(twin, e)
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [1_HSIZE_T, 2_HSIZE_T], [2_HSIZE_T, 3_HSIZE_T], e)
    call h5soffset_simple_f(space, [8_HSSIZE_T, 0_HSSIZE_T], e)
    call h5sselect_valid_f(space, so, e)
    call is(.not. so, 'h5soffset_simple_f, out of the space')
    call h5soffset_simple_f(space, [0_HSSIZE_T, 8_HSSIZE_T], e)
    call h5sselect_valid_f(space, so, e)
    call is(so, 'h5soffset_simple_f, within it')
    call h5sselect_elements_f(space, H5S_SELECT_SET_F, 2, 3_SIZE_T, reshape([1_HSIZE_T, 2_HSIZE_T, 3_HSIZE_T, &
        4_HSIZE_T, 10_HSIZE_T, 20_HSIZE_T], [2, 3]), e)
    call h5sget_select_elem_npoints_f(space, number, e)
    call is(number == 3, 'h5sget_select_elem_npoints_f')
    call h5sget_select_elem_pointlist_f(space, 1_HSIZE_T, 2_HSIZE_T, places, e)
    call is(e == 0 .and. all(places(1:4) == [3, 4, 10, 20]), 'h5sget_select_elem_pointlist_f')
    call h5sselect_none_f(space, e)
    call h5sget_select_npoints_f(space, number, e)
    call is(e == 0 .and. number == 0, 'h5sselect_none_f')
    call h5sselect_all_f(space, e)
    call h5sget_select_npoints_f(space, number, e)
    call is(number == 200, 'h5sselect_all_f')
    call h5sset_extent_simple_f(space, 2, [3_HSIZE_T, 4_HSIZE_T], [3_HSIZE_T, 8_HSIZE_T], e)
    call h5scopy_f(space, twin, e)
    call h5sget_simple_extent_dims_f(twin, first, last, e)
    call is(all(first == [3, 4]) .and. all(last == [3, 8]), 'h5sset_extent_simple_f, h5scopy_f')
    call h5sset_extent_none_f(space, e)
    call h5sextent_equal_f(space, twin, so, e)
    call is(.not. so, 'h5sset_extent_none_f')
    call h5sextent_copy_f(space, twin, e)
    call h5sextent_equal_f(space, twin, so, e)
    call is(so, 'h5sextent_copy_f')
    call h5sclose_f(twin, e)
    call h5sclose_f(space, e)
  end subroutine of_spaces

  subroutine of_types()
    integer(HID_T) :: type, twin
    integer :: n, m
    integer(SIZE_T) :: bits, a, b, c, d, f
    integer(HSIZE_T) :: dims(2)
    integer, target :: both(2)
    type(c_ptr) :: where
    character(len=5) :: text
    character(len=512) :: coded
    logical :: so
    call h5tcopy_f(H5T_STD_I32LE, type, e)
    call h5tset_precision_f(type, 12_SIZE_T, e)
    call h5tget_precision_f(type, bits, e)
    call is(bits == 12, 'h5tset_precision_f')
    call h5tset_offset_f(type, 3_SIZE_T, e)
    call is(e == 0, 'h5tset_offset_f')
#ifndef WITH_LIBHDF5
    ! A program that calls it can't be linked with libhdf5.
    call h5tget_offset_f(type, bits, e)
    call is(e == 0 .and. bits == 3, 'h5tget_offset_f')
#endif
    call h5tset_pad_f(type, H5T_PAD_ONE_F, H5T_PAD_BACKGROUND_F, e)
    call h5tget_pad_f(type, n, m, e)
    call is(n == H5T_PAD_ONE_F .and. m == H5T_PAD_BACKGROUND_F, 'h5tget_pad_f')
    call h5tset_sign_f(type, H5T_SGN_NONE_F, e)
    call h5tget_sign_f(type, n, e)
    call is(n == H5T_SGN_NONE_F, 'h5tget_sign_f')
    call h5tset_order_f(type, H5T_ORDER_BE_F, e)
    call h5tget_order_f(type, n, e)
    call is(n == H5T_ORDER_BE_F, 'h5tget_order_f')
    call h5tclose_f(type, e)
    call h5tcopy_f(H5T_IEEE_F64LE, type, e)
    call h5tset_fields_f(type, 47_SIZE_T, 40_SIZE_T, 7_SIZE_T, 0_SIZE_T, 40_SIZE_T, e)
    call h5tget_fields_f(type, a, b, c, d, f, e)
    call is(e == 0 .and. all([a, b, c, d, f] == [47, 40, 7, 0, 40]), 'h5tget_fields_f')
    call h5tset_ebias_f(type, 63_SIZE_T, e)
    call h5tget_ebias_f(type, bits, e)
    call is(bits == 63, 'h5tget_ebias_f')
    call h5tset_norm_f(type, H5T_NORM_MSBSET_F, e)
    call h5tget_norm_f(type, n, e)
    call is(n == H5T_NORM_MSBSET_F, 'h5tget_norm_f')
    call h5tset_inpad_f(type, H5T_PAD_ONE_F, e)
    call h5tget_inpad_f(type, n, e)
    call is(n == H5T_PAD_ONE_F, 'h5tget_inpad_f')
    bits = 0
    call h5tencode_f(type, coded, bits, e)
    call h5tencode_f(type, coded, bits, e)
    call h5tdecode_f(coded, twin, e)
    call h5tequal_f(type, twin, so, e)
    call is(e == 0 .and. so, 'h5tencode_f, h5tdecode_f')
    call h5tclose_f(twin, e)
    call h5tclose_f(type, e)
    call h5tcopy_f(H5T_FORTRAN_S1, type, e)
    call h5tset_size_f(type, 4_SIZE_T, e)
    call h5tset_strpad_f(type, H5T_STR_NULLPAD_F, e)
    call h5tget_strpad_f(type, n, e)
    call is(n == H5T_STR_NULLPAD_F, 'h5tget_strpad_f')
    call h5tset_cset_f(type, H5T_CSET_UTF8_F, e)
    call h5tget_cset_f(type, n, e)
    call is(n == H5T_CSET_UTF8_F, 'h5tget_cset_f')
    call h5tcommitted_f(type, so, e)
    call is(e == 0 .and. .not. so, 'h5tcommitted_f, not')
    call h5tcommit_anon_f(file, type, e)
    call h5tcommitted_f(type, so, e)
    call is(e == 0 .and. so, 'h5tcommit_anon_f')
    call h5tget_create_plist_f(type, twin, e)
    call h5pisa_class_f(twin, H5P_DATATYPE_CREATE_F, so, e)
    call is(so, 'h5tget_create_plist_f')
    call h5tclose_f(type, e)
    call h5tcreate_f(H5T_OPAQUE_F, 3_SIZE_T, type, e)
    call h5tset_tag_f(type, 'what it is  ', e)
    call h5tget_tag_f(type, text, n, e)
    call is(e == 0 .and. text == 'what' .and. n == 10, 'h5tget_tag_f')
    call h5tcommit_f(file, 'opaque', type, e)
    call h5tclose_f(type, e)
    call h5topen_f(file, 'opaque', type, e)
    call h5tget_class_f(type, n, e)
    call is(n == H5T_OPAQUE_F, 'h5tcommit_f, h5topen_f')
    call h5tclose_f(type, e)
    call h5tarray_create_f(H5T_NATIVE_REAL, 2, [3_HSIZE_T, 4_HSIZE_T], type, e)
    call h5tget_array_ndims_f(type, n, e)
    call h5tget_array_dims_f(type, dims, e)
    call is(e == 0 .and. n == 2 .and. all(dims == [3, 4]), 'h5tget_array_dims_f')
    call h5tget_super_f(type, twin, e)
    call h5tequal_f(twin, H5T_NATIVE_REAL, so, e)
    call is(so, 'h5tget_super_f')
    call h5tget_native_type_f(H5T_STD_I32BE, H5T_DIR_ASCEND_F, twin, e)
    call h5tequal_f(twin, H5T_NATIVE_INTEGER, so, e)
    call is(so, 'h5tget_native_type_f')
    call h5tcompiler_conv_f(H5T_NATIVE_INTEGER, H5T_NATIVE_DOUBLE, so, e)
    call is(e == 0 .and. so, 'h5tcompiler_conv_f')
    both = [1, 0]
    where = c_loc(both)
    call h5tconvert_f(H5T_STD_I32LE, H5T_STD_I32BE, 2_SIZE_T, where, e)
    call is(e == 0 .and. both(1) == 16777216, 'h5tconvert_f')
  end subroutine of_types

  subroutine of_enumerations()
    integer(HID_T) :: type, member
    integer :: n
    integer, target :: value
    integer(SIZE_T) :: bytes
    character(len=6) :: text
    type(c_ptr) :: where
    call h5tenum_create_f(H5T_NATIVE_INTEGER, type, e)
    call h5tenum_insert_f(type, 'seven ', 7, e)
    value = -5
    where = c_loc(value)
    call h5tenum_insert_f(type, 'less', where, e)
    call is(e == 0, 'h5tenum_insert_f')
    call h5tenum_nameof_f(type, 7, 6_SIZE_T, text, e)
    call is(e == 0 .and. text == 'seven', 'h5tenum_nameof_f')
    call h5tenum_valueof_f(type, 'less', n, e)
    call is(e == 0 .and. n == -5, 'h5tenum_valueof_f')
    call h5tget_member_value_f(type, 0, n, e)
    call is(e == 0 .and. n == 7, 'h5tget_member_value_f')
    call h5tclose_f(type, e)
    call h5tcreate_f(H5T_COMPOUND_F, 24_SIZE_T, type, e)
    call h5tinsert_f(type, 'first  ', 4_SIZE_T, H5T_NATIVE_INTEGER, e)
    call h5tinsert_f(type, 'second', 16_SIZE_T, H5T_NATIVE_DOUBLE, e)
    call h5tget_nmembers_f(type, n, e)
    call is(n == 2, 'h5tget_nmembers_f')
    call h5tget_member_name_f(type, 1, text, n, e)
    call is(e == 0 .and. text == 'second' .and. n == 6, 'h5tget_member_name_f')
    call h5tget_member_index_f(type, 'first', n, e)
    call is(e == 0 .and. n == 0, 'h5tget_member_index_f')
    call h5tget_member_class_f(type, 1, n, e)
    call is(n == H5T_FLOAT_F, 'h5tget_member_class_f')
    call h5tget_member_offset_f(type, 1, bytes, e)
    call is(e == 0 .and. bytes == 16, 'h5tget_member_offset_f')
    call h5tget_member_type_f(type, 0, member, e)
    call h5tget_class_f(member, n, e)
    call is(n == H5T_INTEGER_F, 'h5tget_member_type_f')
    call h5tpack_f(type, e)
    call h5tget_size_f(type, bytes, e)
    call is(bytes == 12, 'h5tpack_f')
    call h5tclose_f(type, e)
  end subroutine of_enumerations

  subroutine of_classes()
    integer(HID_T) :: class, parent, list, twin
    integer :: n
    integer, target :: closed, number
    integer(SIZE_T) :: count, bytes
    real :: single
    real(c_double) :: double
    type(c_ptr) :: where
    character(len=10) :: text
    logical :: so
    closed = 0
    call h5pcreate_class_f(H5P_ROOT_F, 'of mine  ', class, e, close=c_funloc(on_close), close_data=c_loc(closed))
    call is(e == 0, 'h5pcreate_class_f')
    call h5pregister_f(class, 'n', 4_SIZE_T, 17, e)
    call is(e == 0, 'h5pregister_f')
    call h5pregister_f(class, 'd', 8_SIZE_T, 2.5_c_double, e)
    call h5pregister_f(class, 'r', 4_SIZE_T, 0.5, e)
    number = 3
    where = c_loc(number)
    call h5pregister_f(class, 'p', 4_SIZE_T, where, e)
    call is(e == 0, 'h5pregister_f of an address')
    call h5pget_class_name_f(class, text, n, e)
    call is(e == 0 .and. text == 'of mine' .and. n == 7, 'h5pget_class_name_f')
    call h5pget_class_parent_f(class, parent, e)
    call h5pequal_f(parent, H5P_ROOT_F, so, e)
    call is(so, 'h5pget_class_parent_f')
    call h5pcreate_f(class, list, e)
    call h5pget_class_f(list, twin, e)
    call h5pequal_f(twin, class, so, e)
    call is(e == 0 .and. so, 'h5pget_class_f')
    call h5pclose_class_f(twin, e)
    call is(e == 0, 'h5pclose_class_f')
    call h5pget_nprops_f(list, count, e)
    call is(count == 4, 'h5pget_nprops_f')
    call h5pget_f(list, 'n', n, e)
    call is(e == 0 .and. n == 17, 'h5pget_f of an integer')
    call h5pget_f(list, 'd', double, e)
    call is(e == 0 .and. double == 2.5_c_double, 'h5pget_f of a double')
#ifndef WITH_LIBHDF5
    ! libhdf5 gives back what there is instead, and wants names of reals as arrays of letters.
    call h5pset_f(list, 'n', 18, e)
    call h5pset_f(list, 'r', 1.25, e)
    call h5pget_f(list, 'r', single, e)
    call is(single == 1.25, 'h5pset_f of a real')
    call h5pset_f(list, 'd', 7.5_c_double, e)
    call h5pget_f(list, 'd', double, e)
    call is(double == 7.5_c_double, 'h5pset_f of a double')
#endif
#ifndef WITH_LIBHDF5
    call h5pget_f(list, 'n', where, e)
    call is(e == 0 .and. number == 18, 'h5pget_f of an address')
    number = 20
    call h5pset_f(list, 'n', where, e)
    call h5pget_f(list, 'n', n, e)
    call is(n == 20, 'h5pset_f of an address')
#endif
    call h5pinsert_f(list, 'more', 4_SIZE_T, 5, e)
    call is(e == 0, 'h5pinsert_f')
    call h5pinsert_f(list, 'text', 6_SIZE_T, 'sieben', e)
    call is(e == 0, 'h5pinsert_f of text')
    text = ''
    call h5pget_f(list, 'text', text(1:6), e)
    call is(e == 0 .and. text == 'sieben', 'h5pget_f of text')
#ifndef WITH_LIBHDF5
    call h5pset_f(list, 'text', 'zwanzg', e)
    call h5pget_f(list, 'text', text(1:6), e)
    call is(text == 'zwanzg', 'h5pset_f of text')
#endif
    call h5pinsert_f(list, 'address', 4_SIZE_T, where, e)
    call h5pinsert_f(list, 'single', 4_SIZE_T, 1.5, e)
    call h5pinsert_f(list, 'double', 8_SIZE_T, 1.5_c_double, e)
    call is(e == 0, 'h5pinsert_f of reals')
    call h5pget_size_f(list, 'double', bytes, e)
    call is(bytes == 8, 'h5pget_size_f')
#ifndef WITH_LIBHDF5
    call quiet(.true.)
    call h5pset_f(list, 'double', 3, e)
    call is(e < 0, 'h5pset_f, smaller than the property')
    call quiet(.false.)
#endif
    call h5pexist_f(list, 'double ', so, e)
    call is(so, 'h5pexist_f')
    call h5premove_f(list, 'double', e)
    call h5pexist_f(list, 'double', so, e)
    call is(.not. so, 'h5premove_f')
    call h5pcreate_f(class, twin, e)
    call h5pcopy_prop_f(twin, list, 'more', e)
    call h5pget_f(twin, 'more', n, e)
    call is(e == 0 .and. n == 5, 'h5pcopy_prop_f')
    call h5pclose_f(twin, e)
    call h5pclose_f(list, e)
    call is(closed == 2, 'h5pcreate_class_f, its function')
    call h5punregister_f(class, 'n', e)
    call h5pexist_f(class, 'n', so, e)
    call is(.not. so, 'h5punregister_f')
    call h5pclose_class_f(class, e)
  end subroutine of_classes

  !> Kinds of buffers that the other tests don't have, and fill values.
  subroutine of_values()
    integer(HID_T) :: space, list
    character(len=1) :: letter
    integer :: n
    call h5screate_simple_f(1, [2_HSIZE_T], space, e)
#ifdef PCIO_INTEGER_16
    call of_long_integers(space)
#endif
#ifdef PCIO_REAL_10
    call of_extended_reals(space)
#endif
#ifdef PCIO_REAL_16
    call of_long_reals(space)
#endif
#ifndef WITH_LIBHDF5
    call of_complex(space)
#endif
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, e)
    call h5pset_fill_value_f(list, H5T_FORTRAN_S1, 'q', e)
    call h5pget_fill_value_f(list, H5T_FORTRAN_S1, letter, e)
    call is(e == 0 .and. letter == 'q', 'a fill value of text')
    call h5pset_fill_value_f(list, H5T_NATIVE_INTEGER, 12, e)
    call h5pget_fill_value_f(list, H5T_NATIVE_INTEGER, n, e)
    call is(n == 12, 'a fill value')
    call h5pclose_f(list, e)
    call h5sclose_f(space, e)
  end subroutine of_values

#ifdef PCIO_INTEGER_16
  subroutine of_long_integers(space)
    integer(HID_T), intent(in) :: space
    integer(HID_T) :: set, type
    integer(16) :: x(2), y(2)
    type = h5kind_to_type(16, H5_INTEGER_KIND)
    call h5dcreate_f(file, 'i16', type, space, set, e)
    x = [2_16**100, -7_16]
    call h5dwrite_f(set, type, x, [2_HSIZE_T], e)
    call h5dread_f(set, type, y, [2_HSIZE_T], e)
    call is(e == 0 .and. all(x == y), 'integers of 16 bytes')
    call h5dclose_f(set, e)
  end subroutine of_long_integers
#endif

#ifdef PCIO_REAL_10
  subroutine of_extended_reals(space)
    integer(HID_T), intent(in) :: space
    integer(HID_T) :: set, type, list
    real(10) :: x(2), y(2), fill
    type = h5kind_to_type(10, H5_REAL_KIND)
    call h5dcreate_f(file, 'r10', type, space, set, e)
    x = [1.0_10 / 3, -2.0_10**5000]
    call h5dwrite_f(set, type, x, [2_HSIZE_T], e)
    call h5dread_f(set, type, y, [2_HSIZE_T], e)
    call is(e == 0 .and. all(x == y), 'reals of 10 bytes')
    call h5dclose_f(set, e)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, e)
    call h5pset_fill_value_f(list, type, x(1), e)
    fill = 0
    call h5pget_fill_value_f(list, type, fill, e)
    call is(e == 0 .and. fill == x(1), 'a fill value of 10 bytes')
    call h5pclose_f(list, e)
  end subroutine of_extended_reals
#endif

#ifdef PCIO_REAL_16
  subroutine of_long_reals(space)
    integer(HID_T), intent(in) :: space
    integer(HID_T) :: set, type
    real(16) :: x(2), y(2)
    type = h5kind_to_type(16, H5_REAL_KIND)
    call h5dcreate_f(file, 'r16', type, space, set, e)
    x = [1.0_16 / 3, 2.0_16**9000]
    call h5dwrite_f(set, type, x, [2_HSIZE_T], e)
    call h5dread_f(set, type, y, [2_HSIZE_T], e)
    call is(e == 0 .and. all(x == y), 'reals of 16 bytes')
    call h5dclose_f(set, e)
  end subroutine of_long_reals
#endif

#ifndef WITH_LIBHDF5
  !> Complex numbers, which libhdf5 has no form for, as a compound type.
  subroutine of_complex(space)
    integer(HID_T), intent(in) :: space
    integer(HID_T) :: set, type
    complex(c_double) :: z(2), y(2)
    z = [(1.0_c_double, 2.0_c_double), (-3.0_c_double, 0.5_c_double)]
    call h5tcreate_f(H5T_COMPOUND_F, 16_SIZE_T, type, e)
    call h5tinsert_f(type, 'r', 0_SIZE_T, H5T_NATIVE_DOUBLE, e)
    call h5tinsert_f(type, 'i', 8_SIZE_T, H5T_NATIVE_DOUBLE, e)
    call h5dcreate_f(file, 'complex', type, space, set, e)
    call h5dwrite_f(set, type, z, [2_HSIZE_T], e)
    call h5dread_f(set, type, y, [2_HSIZE_T], e)
    call is(e == 0 .and. all(z == y), 'complex numbers')
    call h5dclose_f(set, e)
    call h5tclose_f(type, e)
  end subroutine of_complex
#endif

  subroutine of_creation_lists()
    integer(HID_T) :: list
    integer :: n, boot(1), freelist(1), stab(1), shhdr(1)
    integer(SIZE_T) :: size
    integer(HSIZE_T) :: bytes
    integer(OFF_T) :: offset
    character(len=10) :: text
    real :: a, b, c
    logical :: so
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, e)
    call h5pset_external_f(list, 'raw.bin  ', 16_OFF_T, 64_HSIZE_T, e)
    call h5pget_external_count_f(list, n, e)
    call is(n == 1, 'h5pget_external_count_f')
    call h5pget_external_f(list, 0, 10_SIZE_T, text, offset, bytes, e)
    call is(e == 0 .and. text == 'raw.bin' .and. offset == 16 .and. bytes == 64, 'h5pget_external_f')
    call h5pclose_f(list, e)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, e)
    call h5pset_chunk_f(list, 1, [4_HSIZE_T], e)
    call h5pset_shuffle_f(list, e)
    call h5pset_fletcher32_f(list, e)
    call h5pget_nfilters_f(list, n, e)
    call is(n == 2, 'h5pget_nfilters_f')
    call h5pset_alloc_time_f(list, H5D_ALLOC_TIME_EARLY_F, e)
    call h5pget_alloc_time_f(list, n, e)
    call is(n == H5D_ALLOC_TIME_EARLY_F, 'h5pget_alloc_time_f')
    call h5pset_fill_time_f(list, H5D_FILL_TIME_ALLOC_F, e)
    call h5pget_fill_time_f(list, n, e)
    call is(n == H5D_FILL_TIME_ALLOC_F, 'h5pget_fill_time_f')
    call h5pset_dset_no_attrs_hint_f(list, .true., e)
    call h5pget_dset_no_attrs_hint_f(list, so, e)
    call is(so, 'h5pget_dset_no_attrs_hint_f')
    call h5pclose_f(list, e)
    call h5pcreate_f(H5P_FILE_CREATE_F, list, e)
    call h5pget_version_f(list, boot, freelist, stab, shhdr, e)
    call is(e == 0 .and. boot(1) == 0 .and. shhdr(1) == 0, 'h5pget_version_f')
    call h5pset_shared_mesg_nindexes_f(list, 2, e)
    call h5pset_shared_mesg_index_f(list, 1, H5O_SHMESG_DTYPE_FLAG_F, 40, e)
    call is(e == 0, 'h5pset_shared_mesg_index_f')
    call h5pclose_f(list, e)
    call h5pcreate_f(H5P_DATASET_XFER_F, list, e)
    call h5pset_btree_ratios_f(list, 0.25, 0.5, 0.75, e)
    call h5pget_btree_ratios_f(list, a, b, c, e)
    call is(all([a, b, c] == [0.25, 0.5, 0.75]), 'h5pget_btree_ratios_f')
    call h5pset_hyper_vector_size_f(list, 77_SIZE_T, e)
    call h5pget_hyper_vector_size_f(list, size, e)
    call is(size == 77, 'h5pget_hyper_vector_size_f')
    call h5pset_preserve_f(list, .true., e)
    call h5pget_preserve_f(list, so, e)
    call is(e == 0, 'h5pget_preserve_f')
    call h5pclose_f(list, e)
    call h5pcreate_f(H5P_LINK_ACCESS_F, list, e)
    call h5pset_nlinks_f(list, 3_SIZE_T, e)
    call h5pget_nlinks_f(list, size, e)
    call is(size == 3, 'h5pget_nlinks_f')
    call h5pclose_f(list, e)
  end subroutine of_creation_lists

  subroutine of_virtual_lists()
    integer(HID_T) :: list, space, part, got
    integer(SIZE_T) :: count, length
    integer(HSSIZE_T) :: points
    integer(HSIZE_T) :: gap
    integer :: view
    character(len=10) :: text
    call h5screate_simple_f(1, [6_HSIZE_T], space, e)
    call h5screate_simple_f(1, [3_HSIZE_T], part, e)
    call h5sselect_hyperslab_f(space, H5S_SELECT_SET_F, [0_HSIZE_T], [3_HSIZE_T], e)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, e)
    call h5pset_virtual_f(list, space, 'source.h5  ', 'plain', part, e)
    call is(e == 0, 'h5pset_virtual_f')
    call h5pget_virtual_count_f(list, count, e)
    call is(count == 1, 'h5pget_virtual_count_f')
#ifndef WITH_LIBHDF5
    ! libhdf5 gives no text where the length is asked for too.
    call h5pget_virtual_filename_f(list, 0_SIZE_T, text, e, length)
    call is(e == 0 .and. text == 'source.h5' .and. length == 9, 'h5pget_virtual_filename_f')
    call h5pget_virtual_dsetname_f(list, 0_SIZE_T, text, e, length)
    call is(e == 0 .and. text == 'plain' .and. length == 5, 'h5pget_virtual_dsetname_f')
#endif
    call h5pget_virtual_vspace_f(list, 0_SIZE_T, got, e)
    call h5sget_select_npoints_f(got, points, e)
    call is(points == 3, 'h5pget_virtual_vspace_f')
    call h5pget_virtual_srcspace_f(list, 0_SIZE_T, got, e)
    call h5sget_simple_extent_npoints_f(got, points, e)
    call is(points == 3, 'h5pget_virtual_srcspace_f')
    call h5pclose_f(list, e)
    call h5pcreate_f(H5P_DATASET_ACCESS_F, list, e)
    call h5pset_virtual_view_f(list, H5D_VDS_FIRST_MISSING_F, e)
    call h5pget_virtual_view_f(list, view, e)
    call is(view == H5D_VDS_FIRST_MISSING_F, 'h5pget_virtual_view_f')
    call h5pset_virtual_printf_gap_f(list, 5_HSIZE_T, e)
    call h5pget_virtual_printf_gap_f(list, gap, e)
    call is(gap == 5, 'h5pget_virtual_printf_gap_f')
    call h5pclose_f(list, e)
    call h5sclose_f(space, e)
    call h5sclose_f(part, e)
  end subroutine of_virtual_lists

  !> An access list, anew.
  subroutine renew(list)
    integer(HID_T), intent(inout) :: list
    call h5pclose_f(list, e)
    call h5pcreate_f(H5P_FILE_ACCESS_F, list, e)
  end subroutine renew

  subroutine of_drivers()
    integer(HID_T) :: list, driver, member, fapls(0:6)
    integer(HSIZE_T) :: bytes
    integer :: map(0:6), longest
    character(len=12) :: names(0:6)
    real :: begins(0:6)
    logical :: so, ignored
    integer(SIZE_T) :: length
    integer :: n
    integer(c_int8_t), target :: image(8)
    integer(c_int8_t), pointer :: got(:)
    type(c_ptr) :: where(1)
    call h5pcreate_f(H5P_FILE_ACCESS_F, list, e)
    call h5pset_fapl_sec2_f(list, e)
    call h5pget_driver_f(list, driver, e)
    call is(e == 0 .and. driver == H5FD_SEC2_F, 'h5pset_fapl_sec2_f')
    call h5pset_fapl_stdio_f(list, e)
    call h5pget_driver_f(list, driver, e)
    call is(e == 0 .and. driver == H5FD_STDIO_F, 'h5pset_fapl_stdio_f')
    call renew(list)
    call h5pset_fapl_family_f(list, 4096_HSIZE_T, H5P_DEFAULT_F, e)
    call h5pget_fapl_family_f(list, bytes, member, e)
    call is(e == 0 .and. bytes == 4096, 'h5pget_fapl_family_f')
    call h5pset_family_offset_f(list, 8192_HSIZE_T, e)
    call is(e == 0, 'h5pset_family_offset_f')
    call renew(list)
    call h5pset_fapl_multi_f(list, .true., e)
    call is(e == 0, 'h5pset_fapl_multi_f, as usual')
    call renew(list)
    map = H5FD_MEM_SUPER_F
    map(H5FD_MEM_DRAW_F) = H5FD_MEM_DRAW_F
    fapls = H5P_DEFAULT_F
    names = '%s-s.h5'
    names(H5FD_MEM_DRAW_F) = '%s-raw.h5'
    begins = 0
    begins(H5FD_MEM_DRAW_F) = 0.5
    call h5pset_fapl_multi_f(list, map, fapls, names, begins, .true., e)
    call is(e == 0, 'h5pset_fapl_multi_f')
    names = ''
    map = -1
    call h5pget_fapl_multi_f(list, map, fapls, names, begins, so, e, longest)
    call is(e == 0 .and. so .and. map(H5FD_MEM_DRAW_F) == H5FD_MEM_DRAW_F .and. map(0) == H5FD_MEM_SUPER_F .and. &
        names(H5FD_MEM_DRAW_F) == '%s-raw.h5' .and. names(H5FD_MEM_SUPER_F) == '%s-s.h5' .and. longest == 9, &
        'h5pget_fapl_multi_f')
#ifndef WITH_LIBHDF5
    ! libhdf5 gives back 0 for all.
    call is(begins(H5FD_MEM_DRAW_F) == 0.5 .and. begins(H5FD_MEM_SUPER_F) == 0, 'h5pget_fapl_multi_f, where they begin')
#endif
    call renew(list)
    call h5pset_fapl_split_f(list, '.meta  ', H5P_DEFAULT_F, '.raw', H5P_DEFAULT_F, e)
    call is(e == 0, 'h5pset_fapl_split_f')
    call renew(list)
    call h5pset_fapl_core_f(list, 1024_SIZE_T, .false., e)
    image = [1_1, 2_1, 3_1, 4_1, 5_1, 6_1, 7_1, 8_1]
    where(1) = c_loc(image)
    call h5pset_file_image_f(list, where(1), 8_SIZE_T, e)
    call is(e == 0, 'h5pset_file_image_f')
    call h5pget_file_image_f(list, where, length, e)
    call c_f_pointer(where(1), got, [8])
    call is(e == 0 .and. length == 8 .and. all(got == image), 'h5pget_file_image_f')
    call renew(list)
    call h5pset_gc_references_f(list, 1, e)
    call h5pget_gc_references_f(list, n, e)
    call is(e == 0 .and. n == 1, 'h5pget_gc_references_f')
    call h5pset_file_locking_f(list, .false., .true., e)
    call h5pget_file_locking_f(list, so, ignored, e)
    call is(e == 0 .and. .not. so .and. ignored, 'h5pget_file_locking_f')
    call h5pset_all_coll_metadata_ops_f(list, .true., e)
    call h5pget_all_coll_metadata_ops_f(list, so, e)
    call is(e == 0 .and. so, 'h5pget_all_coll_metadata_ops_f')
    call h5pset_coll_metadata_write_f(list, .true., e)
    call h5pget_coll_metadata_write_f(list, so, e)
    call is(e == 0 .and. so, 'h5pget_coll_metadata_write_f')
    call h5pclose_f(list, e)
    call h5pcreate_f(H5P_DATASET_XFER_F, list, e)
    call h5pset_dxpl_mpio_f(list, H5FD_MPIO_COLLECTIVE_F, e)
    call h5pget_dxpl_mpio_f(list, n, e)
    call is(n == H5FD_MPIO_COLLECTIVE_F, 'h5pget_dxpl_mpio_f')
    call h5pclose_f(list, e)
    call h5zfilter_avail_f(H5Z_FILTER_SHUFFLE_F, so, e)
    call is(so, 'h5zfilter_avail_f')
  end subroutine of_drivers

  subroutine of_files()
    integer(HID_T) :: child, list, set, group, ids(64)
    integer(SIZE_T) :: count, length, all_of_it
    integer(HSIZE_T) :: bytes
    integer(HSSIZE_T) :: free
    integer :: n
    logical :: so
    character(len=512) :: text
    character(len=3) :: short
    type(c_ptr) :: where
    integer(c_int8_t), allocatable, target :: image(:)
    call h5fget_name_f(file, text, length, e)
    call is(e == 0 .and. text == name .and. length == len_trim(name), 'h5fget_name_f')
    call h5fget_filesize_f(file, bytes, e)
    call is(bytes > 0, 'h5fget_filesize_f')
    call h5fget_freespace_f(file, free, e)
    call is(e == 0 .and. free >= 0, 'h5fget_freespace_f')
    call h5fget_create_plist_f(file, list, e)
    call h5pisa_class_f(list, H5P_FILE_CREATE_F, so, e)
    call is(so, 'h5fget_create_plist_f')
    call h5pclose_f(list, e)
    call h5fget_access_plist_f(file, list, e)
    call h5pisa_class_f(list, H5P_FILE_ACCESS_F, so, e)
    call is(so, 'h5fget_access_plist_f')
    call h5pclose_f(list, e)
    call h5fflush_f(file, H5F_SCOPE_LOCAL_F, e)
    call is(e == 0, 'h5fflush_f')
    call h5freopen_f(file, child, e)
    call is(e == 0, 'h5freopen_f')
    call h5fclose_f(child, e)
    call h5fcreate_f(other, H5F_ACC_TRUNC_F, child, e)
    set = integers('counted', 2)
    call h5fget_obj_count_f(child, H5F_OBJ_ALL_F, count, e)
    call is(e == 0 .and. count == 1, 'h5fget_obj_count_f')
    call h5fget_obj_ids_f(child, H5F_OBJ_FILE_F, 64_SIZE_T, ids, e, count)
    call is(e == 0 .and. count == 1, 'h5fget_obj_ids_f')
    call h5iget_file_id_f(set, list, e)
    call is(e == 0 .and. list > 0, 'h5iget_file_id_f')
    call h5fclose_f(list, e)
    call h5iget_name_f(set, short, 3_SIZE_T, length, e)
    call is(e == 0 .and. short(1:2) == '/c' .and. length == 8, 'h5iget_name_f')
    call h5iinc_ref_f(set, n, e)
    call is(n == 2, 'h5iinc_ref_f')
    call h5iget_ref_f(set, n, e)
    call is(n == 2, 'h5iget_ref_f')
    call h5idec_ref_f(set, n, e)
    call is(n == 1, 'h5idec_ref_f')
    call h5dclose_f(set, e)
    call h5gcreate_f(file, 'mount', group, e)
    call h5gclose_f(group, e)
    call h5gcreate_f(child, 'below', group, e)
    call h5gclose_f(group, e)
    call h5fmount_f(file, 'mount', child, e)
    call h5lexists_f(file, 'mount/below', so, e)
    call is(so, 'h5fmount_f')
    call h5funmount_f(file, 'mount', e)
    call h5lexists_f(file, 'mount/below', so, e)
    call is(.not. so, 'h5funmount_f')
    call h5fset_dset_no_attrs_hint_f(child, .true., e)
    call h5fget_dset_no_attrs_hint_f(child, so, e)
    call is(e == 0 .and. so, 'h5fget_dset_no_attrs_hint_f')
    call h5fflush_f(child, H5F_SCOPE_GLOBAL_F, e)
    where = c_null_ptr
    call h5fget_file_image_f(child, where, 0_SIZE_T, e, all_of_it)
    call is(e == 0 .and. all_of_it > 0, 'h5fget_file_image_f, how much')
    allocate (image(all_of_it))
    where = c_loc(image)
    call h5fget_file_image_f(child, where, all_of_it, e, length)
    call is(e == 0 .and. length == all_of_it, 'h5fget_file_image_f')
#ifndef WITH_LIBHDF5
    call is(image(2) == iachar('H'), 'h5fget_file_image_f, its bytes')
#endif
    call h5fclose_f(child, e)
    call h5fis_hdf5_f(other, so, e)
    call is(e == 0 .and. so, 'h5fis_hdf5_f')
  end subroutine of_files

  subroutine quiet(on)
    logical, intent(in) :: on
    integer :: error
    call h5eset_auto_f(merge(PRINTOFF, PRINTON, on), error)
  end subroutine quiet

  !> What failed gives back -1 and blanks, zero or false.
  subroutine of_errors()
    character(len=8) :: text
    integer(HID_T) :: id
    integer :: n
    integer(SIZE_T) :: length, block, buffer
    logical :: so
    call quiet(.true.)
    id = none
    call h5dopen_f(file, 'not there', id, e)
    call is(e == -1 .and. id < 0, 'h5dopen_f of what is not there')
    call h5iget_name_f(none, text, 8_SIZE_T, length, e)
    call is(e == -1, 'h5iget_name_f of no id')
    call h5sget_simple_extent_ndims_f(none, n, e)
    call is(e == -1, 'h5sget_simple_extent_ndims_f of no id')
    call h5lexists_f(none, 'x', so, e)
    call is(e == -1 .and. .not. so, 'h5lexists_f of no id')
    call h5pget_class_name_f(none, text, n, e)
    call is(e == -1, 'h5pget_class_name_f of no id')
#ifndef WITH_LIBHDF5
    ! libhdf5 has the driver, and ends with a signal where it is asked for errors that there are none of.
    call h5pset_fapl_direct_f(H5P_DEFAULT_F, 1_SIZE_T, 1_SIZE_T, 1_SIZE_T, e)
    call is(e == -1, 'h5pset_fapl_direct_f')
    call h5pget_fapl_direct_f(H5P_DEFAULT_F, length, block, buffer, e)
    call is(e == -1, 'h5pget_fapl_direct_f')
    call h5eget_major_f(5, text, 8_SIZE_T, e)
    call is(e == -1 .and. text == '', 'h5eget_major_f')
    call h5eget_minor_f(5, text, e)
    call is(e == -1 .and. text == '', 'h5eget_minor_f')
#endif
    call h5dopen_f(file, 'not there', id, e)
    call h5eprint_f(e, trim(folder) // '/fortran_errors.txt')
    call is(e == 0, 'h5eprint_f')
    call remove(trim(folder) // '/fortran_errors.txt')
    call h5eclear_f(e)
    call is(e == 0, 'h5eclear_f')
    call quiet(.false.)
  end subroutine of_errors

end program test_calls
