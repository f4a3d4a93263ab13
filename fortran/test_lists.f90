! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Property lists in Fortran: what is set is got again, and filters that were asked for are used.
! Room: fortran; a serial test.

program test_lists
  use, intrinsic :: iso_c_binding
  use hdf5
  implicit none

  integer :: failures = 0, error
  character(len=512) :: folder, name

  call get_environment_variable('PCIO_TEST_TMP', folder)
  if (folder == '') folder = '.'
  name = trim(folder) // '/fortran_lists.h5'
  call h5open_f(error)
  call test_space()
  call test_caches()
  call test_groups()
  call test_transfers()
  call test_filters()
  call h5close_f(error)
  if (failures > 0) stop 1
  write (*, '(a)') 'all right'

contains

  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (ok .and. error >= 0) return
    failures = failures + 1
    write (*, '(2a)') 'not so: ', what
  end subroutine check

  !> Sizes and places of files.
  subroutine test_space()
    integer(HID_T) :: list
    integer(SIZE_T) :: address, length
    integer(HSIZE_T) :: first, second
    integer :: one, two
    call h5pcreate_f(H5P_FILE_CREATE_F, list, error)
    call h5pset_sizes_f(list, 4_SIZE_T, 8_SIZE_T, error)
    call h5pget_sizes_f(list, address, length, error)
    call check(address == 4 .and. length == 8, 'sizes')
    call h5pset_sym_k_f(list, 20, 6, error)
    call h5pget_sym_k_f(list, one, two, error)
    call check(one == 20 .and. two == 6, 'sym_k')
    call h5pset_istore_k_f(list, 40, error)
    call h5pget_istore_k_f(list, one, error)
    call check(one == 40, 'istore_k')
    call h5pclose_f(list, error)
    call h5pcreate_f(H5P_FILE_ACCESS_F, list, error)
    call h5pset_alignment_f(list, 1024_HSIZE_T, 4096_HSIZE_T, error)
    call h5pget_alignment_f(list, first, second, error)
    call check(first == 1024 .and. second == 4096, 'alignment')
    call h5pset_meta_block_size_f(list, 8192_HSIZE_T, error)
    call h5pget_meta_block_size_f(list, first, error)
    call check(first == 8192, 'meta_block_size')
    call h5pset_small_data_block_size_f(list, 16384_HSIZE_T, error)
    call h5pget_small_data_block_size_f(list, first, error)
    call check(first == 16384, 'small_data_block_size')
    call h5pset_libver_bounds_f(list, H5F_LIBVER_V18_F, H5F_LIBVER_LATEST_F, error)
    call h5pget_libver_bounds_f(list, one, two, error)
    call check(one == H5F_LIBVER_V18_F .and. two == H5F_LIBVER_LATEST_F, 'libver_bounds')
    call h5pset_fclose_degree_f(list, H5F_CLOSE_STRONG_F, error)
    call h5pget_fclose_degree_f(list, one, error)
    call check(one == H5F_CLOSE_STRONG_F, 'fclose_degree')
    call h5pclose_f(list, error)
  end subroutine test_space

  subroutine test_caches()
    integer(HID_T) :: list, other
    integer(SIZE_T) :: slots, bytes
    integer :: entries
    logical :: keeps
    real :: w0
    call h5pcreate_f(H5P_FILE_ACCESS_F, list, error)
    call h5pset_cache_f(list, 0, 101_SIZE_T, 2000000_SIZE_T, 0.25, error)
    call h5pget_cache_f(list, entries, slots, bytes, w0, error)
    call check(slots == 101 .and. bytes == 2000000 .and. abs(w0 - 0.25) <= 0, 'cache')
    call h5pset_sieve_buf_size_f(list, 12345_SIZE_T, error)
    call h5pget_sieve_buf_size_f(list, bytes, error)
    call check(bytes == 12345, 'sieve_buf_size')
    call h5pset_fapl_core_f(list, 65536_SIZE_T, .true., error)
    call h5pget_fapl_core_f(list, bytes, keeps, error)
    call check(bytes == 65536 .and. keeps, 'fapl_core')
    call h5pcopy_f(list, other, error)
    call h5pequal_f(list, other, keeps, error)
    call check(keeps, 'a list and its copy')
    call h5pset_sieve_buf_size_f(other, 1_SIZE_T, error)
    call h5pequal_f(list, other, keeps, error)
    call check(.not. keeps, 'a list and a changed copy')
    call h5pclose_f(other, error)
    call h5pclose_f(list, error)
    call h5pcreate_f(H5P_DATASET_ACCESS_F, list, error)
    call h5pset_chunk_cache_f(list, 7_SIZE_T, 300000_SIZE_T, 0.5, error)
    call h5pget_chunk_cache_f(list, slots, bytes, w0, error)
    call check(slots == 7 .and. bytes == 300000 .and. abs(w0 - 0.5) <= 0, 'chunk_cache')
    call h5pclose_f(list, error)
  end subroutine test_caches

  subroutine test_groups()
    integer(HID_T) :: list
    integer(SIZE_T) :: bytes
    integer :: one, two
    logical :: times
    call h5pcreate_f(H5P_GROUP_CREATE_F, list, error)
    call h5pset_link_phase_change_f(list, 12, 9, error)
    call h5pget_link_phase_change_f(list, one, two, error)
    call check(one == 12 .and. two == 9, 'link_phase_change')
    call h5pset_est_link_info_f(list, 5, 11, error)
    call h5pget_est_link_info_f(list, one, two, error)
    call check(one == 5 .and. two == 11, 'est_link_info')
    call h5pset_local_heap_size_hint_f(list, 512_SIZE_T, error)
    call h5pget_local_heap_size_hint_f(list, bytes, error)
    call check(bytes == 512, 'local_heap_size_hint')
    one = ior(H5P_CRT_ORDER_TRACKED_F, H5P_CRT_ORDER_INDEXED_F)
    call h5pset_link_creation_order_f(list, one, error)
    call h5pget_link_creation_order_f(list, two, error)
    call check(one == two, 'link_creation_order')
    call h5pset_attr_creation_order_f(list, H5P_CRT_ORDER_TRACKED_F, error)
    call h5pget_attr_creation_order_f(list, two, error)
    call check(two == H5P_CRT_ORDER_TRACKED_F, 'attr_creation_order')
    call h5pset_attr_phase_change_f(list, 10, 4, error)
    call h5pget_attr_phase_change_f(list, one, two, error)
    call check(one == 10 .and. two == 4, 'attr_phase_change')
    call h5pset_obj_track_times_f(list, .false., error)
    call h5pget_obj_track_times_f(list, times, error)
    call check(.not. times, 'obj_track_times')
    call h5pclose_f(list, error)
    call h5pcreate_f(H5P_LINK_CREATE_F, list, error)
    call h5pset_char_encoding_f(list, H5T_CSET_UTF8_F, error)
    call h5pget_char_encoding_f(list, one, error)
    call check(one == H5T_CSET_UTF8_F, 'char_encoding')
    call h5pset_create_inter_group_f(list, 1, error)
    call h5pget_create_inter_group_f(list, one, error)
    call check(one == 1, 'create_inter_group')
    call h5pclose_f(list, error)
  end subroutine test_groups

  subroutine test_transfers()
    integer(HID_T) :: list
    integer(SIZE_T) :: length
    integer :: check_edc
    character(len=20) :: expression
    call h5pcreate_f(H5P_DATASET_XFER_F, list, error)
    call h5pset_edc_check_f(list, H5Z_DISABLE_EDC_F, error)
    call h5pget_edc_check_f(list, check_edc, error)
    call check(check_edc == H5Z_DISABLE_EDC_F, 'edc_check')
    call h5pset_data_transform_f(list, '2*x+1', error)
    call h5pget_data_transform_f(list, expression, error, length)
    call check(expression == '2*x+1' .and. length == 5, 'data_transform')
    call h5pclose_f(list, error)
  end subroutine test_transfers

  !> Scale-offset, szip, and a filter by its number, used and found again in the file.
  subroutine test_filters()
    integer(HID_T) :: file, space, list, set
    integer(HSIZE_T), parameter :: dims(2) = [40, 30]
    integer(SIZE_T) :: count
    integer :: values(40, 30), found(40, 30), k, flags, parameters(8), defined
    character(len=40) :: label
    logical :: available
    values = reshape([(mod(k * 7, 1000), k=1, 1200)], shape(values))
    call h5fcreate_f(name, H5F_ACC_TRUNC_F, file, error)
    call h5screate_simple_f(2, dims, space, error)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, error)
    call h5pset_chunk_f(list, 2, [20_HSIZE_T, 10_HSIZE_T], error)
    call h5pset_nbit_f(list, error)
    call h5premove_filter_f(list, H5Z_FILTER_ALL_F, error)
    call h5pset_scaleoffset_f(list, H5Z_SO_INT_F, H5Z_SO_INT_MINBITS_DEFAULT_F, error)
    call h5pset_filter_f(list, H5Z_FILTER_DEFLATE_F, H5Z_FLAG_OPTIONAL_F, 1_SIZE_T, [3], error)
    call h5pmodify_filter_f(list, H5Z_FILTER_DEFLATE_F, H5Z_FLAG_OPTIONAL_F, 1_SIZE_T, [5], error)
    call check(.true., 'filters of a list')
    call h5pall_filters_avail_f(list, available, error)
    call check(available, 'h5pall_filters_avail_f')
    call h5pfill_value_defined_f(list, defined, error)
    call check(defined == H5D_FILL_VALUE_DEFAULT_F, 'h5pfill_value_defined_f')
    call h5dcreate_f(file, 'packed', H5T_NATIVE_INTEGER, space, set, error, list)
    call h5pclose_f(list, error)
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, values, dims, error)
    call h5dclose_f(set, error)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, error)
    call h5pset_chunk_f(list, 2, [20_HSIZE_T, 10_HSIZE_T], error)
    call h5pset_szip_f(list, H5_SZIP_NN_OM_F, 8, error)
    call h5dcreate_f(file, 'zipped', H5T_NATIVE_INTEGER, space, set, error, list)
    call h5pclose_f(list, error)
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, values, dims, error)
    call check(.true., 'writing through szip')
    call h5dread_f(set, H5T_NATIVE_INTEGER, found, dims, error)
    call check(all(found == values), 'reading through szip')
    call h5dclose_f(set, error)
    call h5dopen_f(file, 'packed', set, error)
    found = 0
    call h5dread_f(set, H5T_NATIVE_INTEGER, found, dims, error)
    call check(all(found == values), 'reading through scale-offset and deflate')
    call h5dget_create_plist_f(set, list, error)
    count = size(parameters)
    call h5pget_filter_by_id_f(list, H5Z_FILTER_DEFLATE_F, flags, count, parameters, &
        len(label, kind=SIZE_T), label, error)
    call check(count == 1 .and. parameters(1) == 5 .and. flags == H5Z_FLAG_OPTIONAL_F .and. &
        label == 'deflate', 'h5pget_filter_by_id_f')
    call h5pclose_f(list, error)
    call h5dclose_f(set, error)
    call h5sclose_f(space, error)
    call h5fclose_f(file, error)
    open (10, file=trim(name))
    close (10, status='delete')
    call h5zunregister_f(400, error)
    available = error < 0
    error = 0
    call check(available, 'a filter that was never registered is no filter to forget')
  end subroutine test_filters

end program test_lists
