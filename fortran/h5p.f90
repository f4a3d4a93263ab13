! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5p: property lists.
! Room: fortran. Fortran 2003 over the public C interface.

module h5p
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5pcreate_f, h5pcopy_f, h5pclose_f, h5pset_layout_f, h5pget_layout_f, &
      h5pset_deflate_f, h5pset_shuffle_f, h5pset_fletcher32_f, h5pget_nfilters_f, &
      h5pset_alloc_time_f, h5pget_alloc_time_f, h5pset_fill_time_f, h5pget_fill_time_f, &
      h5pset_userblock_f, h5pget_userblock_f, h5pset_alignment_f, h5pset_sieve_buf_size_f, &
      h5pset_fclose_degree_f, h5pset_libver_bounds_f, h5pset_create_inter_group_f, &
      h5pset_link_creation_order_f, h5pset_dxpl_mpio_f, h5pget_dxpl_mpio_f, &
      h5pget_mpio_actual_io_mode_f, h5pset_all_coll_metadata_ops_f, &
      h5pget_all_coll_metadata_ops_f, h5pset_coll_metadata_write_f, &
      h5pget_coll_metadata_write_f, h5pget_driver_f, h5pset_fapl_sec2_f, h5pset_fapl_core_f, &
      h5pset_preserve_f, h5pset_chunk_f, h5pget_chunk_f, h5pset_fapl_mpio_f, &
      h5pget_fapl_mpio_f, h5pget_filter_f, h5pset_buffer_f, h5pget_buffer_f

contains

  !> Creates a list of a class.
  subroutine h5pcreate_f(class, prp_id, hdferr)
    integer(HID_T), intent(in) :: class
    integer(HID_T), intent(out) :: prp_id
    integer, intent(out) :: hdferr
    interface
      function c_call(class) bind(C, name='H5Pcreate') result(status)
        import :: HID_T
        integer(HID_T), value :: class
        integer(HID_T) :: status
      end function c_call
    end interface
    prp_id = c_call(class)
    hdferr = merge(-1, 0, prp_id < 0)
  end subroutine h5pcreate_f

  !> A list like another.
  subroutine h5pcopy_f(prp_id, new_prp_id, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(HID_T), intent(out) :: new_prp_id
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pcopy') result(status)
        import :: HID_T
        integer(HID_T), value :: prp_id
        integer(HID_T) :: status
      end function c_call
    end interface
    new_prp_id = c_call(prp_id)
    hdferr = merge(-1, 0, new_prp_id < 0)
  end subroutine h5pcopy_f

  !> Closes a list.
  subroutine h5pclose_f(prp_id, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pclose') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id))
  end subroutine h5pclose_f

  !> Compact, contiguous or chunked.
  subroutine h5pset_layout_f(prp_id, layout, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: layout
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, layout) bind(C, name='H5Pset_layout') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: layout
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(layout, c_int)))
  end subroutine h5pset_layout_f

  !> Compact, contiguous or chunked.
  subroutine h5pget_layout_f(prp_id, layout, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: layout
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pget_layout') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(prp_id)
    layout = int(answer)
    hdferr = error_of(answer)
  end subroutine h5pget_layout_f

  !> Adds compression by deflate.
  subroutine h5pset_deflate_f(prp_id, level, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: level
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, level) bind(C, name='H5Pset_deflate') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: level
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(level, c_int)))
  end subroutine h5pset_deflate_f

  !> Adds the sorting of bytes by significance.
  subroutine h5pset_shuffle_f(prp_id, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pset_shuffle') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id))
  end subroutine h5pset_shuffle_f

  !> Adds a checksum.
  subroutine h5pset_fletcher32_f(prp_id, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pset_fletcher32') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id))
  end subroutine h5pset_fletcher32_f

  !> The number of filters.
  subroutine h5pget_nfilters_f(prp_id, nfilters, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: nfilters
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pget_nfilters') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(prp_id)
    nfilters = int(answer)
    hdferr = error_of(answer)
  end subroutine h5pget_nfilters_f

  !> When space in the file is taken: H5D_ALLOC_TIME_*_F.
  subroutine h5pset_alloc_time_f(plist_id, flag, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer, intent(in) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, flag) bind(C, name='H5Pset_alloc_time') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: plist_id
        integer(c_int), value :: flag
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, int(flag, c_int)))
  end subroutine h5pset_alloc_time_f

  !> When space in the file is taken: H5D_ALLOC_TIME_*_F.
  subroutine h5pget_alloc_time_f(plist_id, flag, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer, intent(out) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, flag) bind(C, name='H5Pget_alloc_time') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: plist_id
        integer(c_int), intent(out) :: flag
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: number_flag
    hdferr = error_of(c_call(plist_id, number_flag))
    flag = int(number_flag)
  end subroutine h5pget_alloc_time_f

  !> When fill values are written: H5D_FILL_TIME_*_F.
  subroutine h5pset_fill_time_f(plist_id, flag, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer, intent(in) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, flag) bind(C, name='H5Pset_fill_time') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: plist_id
        integer(c_int), value :: flag
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, int(flag, c_int)))
  end subroutine h5pset_fill_time_f

  !> When fill values are written: H5D_FILL_TIME_*_F.
  subroutine h5pget_fill_time_f(plist_id, flag, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer, intent(out) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, flag) bind(C, name='H5Pget_fill_time') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: plist_id
        integer(c_int), intent(out) :: flag
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: number_flag
    hdferr = error_of(c_call(plist_id, number_flag))
    flag = int(number_flag)
  end subroutine h5pget_fill_time_f

  !> Bytes before the HDF5 data.
  subroutine h5pset_userblock_f(prp_id, size, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(HSIZE_T), intent(in) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, size) bind(C, name='H5Pset_userblock') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: prp_id
        integer(HSIZE_T), value :: size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, size))
  end subroutine h5pset_userblock_f

  !> Bytes before the HDF5 data.
  subroutine h5pget_userblock_f(prp_id, block_size, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(HSIZE_T), intent(out) :: block_size
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, block_size) bind(C, name='H5Pget_userblock') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: prp_id
        integer(HSIZE_T), intent(out) :: block_size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, block_size))
  end subroutine h5pget_userblock_f

  !> Objects from `threshold` bytes on begin at multiples of `alignment`.
  subroutine h5pset_alignment_f(prp_id, threshold, alignment, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(HSIZE_T), intent(in) :: threshold
    integer(HSIZE_T), intent(in) :: alignment
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, threshold, &
          alignment) bind(C, name='H5Pset_alignment') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: prp_id
        integer(HSIZE_T), value :: threshold
        integer(HSIZE_T), value :: alignment
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, threshold, alignment))
  end subroutine h5pset_alignment_f

  !> Bytes of the sieve buffer.
  subroutine h5pset_sieve_buf_size_f(plist_id, size, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer(SIZE_T), intent(in) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, size) bind(C, name='H5Pset_sieve_buf_size') result(status)
        import :: HID_T, SIZE_T, c_int
        integer(HID_T), value :: plist_id
        integer(SIZE_T), value :: size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, size))
  end subroutine h5pset_sieve_buf_size_f

  !> What a close does with open objects: H5F_CLOSE_*_F.
  subroutine h5pset_fclose_degree_f(fapl_id, degree, hdferr)
    integer(HID_T), intent(in) :: fapl_id
    integer, intent(in) :: degree
    integer, intent(out) :: hdferr
    interface
      function c_call(fapl_id, degree) bind(C, name='H5Pset_fclose_degree') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: fapl_id
        integer(c_int), value :: degree
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(fapl_id, int(degree, c_int)))
  end subroutine h5pset_fclose_degree_f

  !> The oldest and newest format to write: H5F_LIBVER_*_F.
  subroutine h5pset_libver_bounds_f(fapl_id, low, high, hdferr)
    integer(HID_T), intent(in) :: fapl_id
    integer, intent(in) :: low
    integer, intent(in) :: high
    integer, intent(out) :: hdferr
    interface
      function c_call(fapl_id, low, high) bind(C, name='H5Pset_libver_bounds') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: fapl_id
        integer(c_int), value :: low
        integer(c_int), value :: high
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(fapl_id, int(low, c_int), int(high, c_int)))
  end subroutine h5pset_libver_bounds_f

  !> Whether missing groups of a path are created: 1 yes.
  subroutine h5pset_create_inter_group_f(lcpl_id, crt_intermed_group, hdferr)
    integer(HID_T), intent(in) :: lcpl_id
    integer, intent(in) :: crt_intermed_group
    integer, intent(out) :: hdferr
    interface
      function c_call(lcpl_id, &
          crt_intermed_group) bind(C, name='H5Pset_create_intermediate_group') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: lcpl_id
        integer(c_int), value :: crt_intermed_group
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(lcpl_id, int(crt_intermed_group, c_int)))
  end subroutine h5pset_create_inter_group_f

  !> Whether a group notes the order of its links.
  subroutine h5pset_link_creation_order_f(gcpl_id, crt_order_flags, hdferr)
    integer(HID_T), intent(in) :: gcpl_id
    integer, intent(in) :: crt_order_flags
    integer, intent(out) :: hdferr
    interface
      function c_call(gcpl_id, &
          crt_order_flags) bind(C, name='H5Pset_link_creation_order') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: gcpl_id
        integer(c_int), value :: crt_order_flags
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(gcpl_id, int(crt_order_flags, c_int)))
  end subroutine h5pset_link_creation_order_f

  !> Collective or independent transfer: H5FD_MPIO_*_F.
  subroutine h5pset_dxpl_mpio_f(prp_id, data_xfer_mode, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: data_xfer_mode
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, data_xfer_mode) bind(C, name='H5Pset_dxpl_mpio') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: data_xfer_mode
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(data_xfer_mode, c_int)))
  end subroutine h5pset_dxpl_mpio_f

  !> Collective or independent transfer: H5FD_MPIO_*_F.
  subroutine h5pget_dxpl_mpio_f(prp_id, data_xfer_mode, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: data_xfer_mode
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, data_xfer_mode) bind(C, name='H5Pget_dxpl_mpio') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), intent(out) :: data_xfer_mode
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: number_data_xfer_mode
    hdferr = error_of(c_call(prp_id, number_data_xfer_mode))
    data_xfer_mode = int(number_data_xfer_mode)
  end subroutine h5pget_dxpl_mpio_f

  !> What the last transfer with a list really did.
  subroutine h5pget_mpio_actual_io_mode_f(dxpl_id, actual_io_mode, hdferr)
    integer(HID_T), intent(in) :: dxpl_id
    integer, intent(out) :: actual_io_mode
    integer, intent(out) :: hdferr
    interface
      function c_call(dxpl_id, &
          actual_io_mode) bind(C, name='H5Pget_mpio_actual_io_mode') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: dxpl_id
        integer(c_int), intent(out) :: actual_io_mode
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: number_actual_io_mode
    hdferr = error_of(c_call(dxpl_id, number_actual_io_mode))
    actual_io_mode = int(number_actual_io_mode)
  end subroutine h5pget_mpio_actual_io_mode_f

  !> Whether opens of objects are collective.
  subroutine h5pset_all_coll_metadata_ops_f(plist_id, is_collective, hdferr)
    integer(HID_T), intent(in) :: plist_id
    logical, intent(in) :: is_collective
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, &
          is_collective) bind(C, name='H5Pset_all_coll_metadata_ops') result(status)
        import :: HID_T, c_bool, c_int
        integer(HID_T), value :: plist_id
        logical(c_bool), value :: is_collective
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, logical(is_collective, c_bool)))
  end subroutine h5pset_all_coll_metadata_ops_f

  !> Whether opens of objects are collective.
  subroutine h5pget_all_coll_metadata_ops_f(plist_id, is_collective, hdferr)
    integer(HID_T), intent(in) :: plist_id
    logical, intent(out) :: is_collective
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, &
          is_collective) bind(C, name='H5Pget_all_coll_metadata_ops') result(status)
        import :: HID_T, c_bool, c_int
        integer(HID_T), value :: plist_id
        logical(c_bool), intent(out) :: is_collective
        integer(c_int) :: status
      end function c_call
    end interface
    logical(c_bool) :: flag
    hdferr = error_of(c_call(plist_id, flag))
    is_collective = logical(flag)
  end subroutine h5pget_all_coll_metadata_ops_f

  !> Whether metadata are written collectively.
  subroutine h5pset_coll_metadata_write_f(plist_id, is_collective, hdferr)
    integer(HID_T), intent(in) :: plist_id
    logical, intent(in) :: is_collective
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, &
          is_collective) bind(C, name='H5Pset_coll_metadata_write') result(status)
        import :: HID_T, c_bool, c_int
        integer(HID_T), value :: plist_id
        logical(c_bool), value :: is_collective
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, logical(is_collective, c_bool)))
  end subroutine h5pset_coll_metadata_write_f

  !> Whether metadata are written collectively.
  subroutine h5pget_coll_metadata_write_f(plist_id, is_collective, hdferr)
    integer(HID_T), intent(in) :: plist_id
    logical, intent(out) :: is_collective
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, &
          is_collective) bind(C, name='H5Pget_coll_metadata_write') result(status)
        import :: HID_T, c_bool, c_int
        integer(HID_T), value :: plist_id
        logical(c_bool), intent(out) :: is_collective
        integer(c_int) :: status
      end function c_call
    end interface
    logical(c_bool) :: flag
    hdferr = error_of(c_call(plist_id, flag))
    is_collective = logical(flag)
  end subroutine h5pget_coll_metadata_write_f

  !> The driver of a file access list.
  subroutine h5pget_driver_f(prp_id, driver, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(HID_T), intent(out) :: driver
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pget_driver') result(status)
        import :: HID_T
        integer(HID_T), value :: prp_id
        integer(HID_T) :: status
      end function c_call
    end interface
    driver = c_call(prp_id)
    hdferr = merge(-1, 0, driver < 0)
  end subroutine h5pget_driver_f

  !> POSIX files.
  subroutine h5pset_fapl_sec2_f(prp_id, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pset_fapl_sec2') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id))
  end subroutine h5pset_fapl_sec2_f

  !> Files in memory, growing by `increment` bytes.
  subroutine h5pset_fapl_core_f(prp_id, increment, backing_store, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(SIZE_T), intent(in) :: increment
    logical, intent(in) :: backing_store
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, increment, &
          backing_store) bind(C, name='H5Pset_fapl_core') result(status)
        import :: HID_T, SIZE_T, c_bool, c_int
        integer(HID_T), value :: prp_id
        integer(SIZE_T), value :: increment
        logical(c_bool), value :: backing_store
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, increment, logical(backing_store, c_bool)))
  end subroutine h5pset_fapl_core_f

  !> Kept for older codes: members of compounds are always preserved.
  subroutine h5pset_preserve_f(prp_id, flag, hdferr)
    integer(HID_T), intent(in) :: prp_id
    logical, intent(in) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, flag) bind(C, name='H5Pset_preserve') result(status)
        import :: HID_T, c_bool, c_int
        integer(HID_T), value :: prp_id
        logical(c_bool), value :: flag
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, logical(flag, c_bool)))
  end subroutine h5pset_preserve_f

  !> The shape of chunks, in Fortran's order.
  subroutine h5pset_chunk_f(prp_id, ndims, dims, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: ndims
    integer(HSIZE_T), intent(in) :: dims(ndims)
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, ndims, dims) bind(C, name='H5Pset_chunk') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: ndims
        integer(HSIZE_T), intent(in) :: dims(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(ndims, c_int), dims(ndims:1:-1)))
  end subroutine h5pset_chunk_f

  !> The shape of chunks, in Fortran's order; hdferr is the number of dimensions, or -1.
  subroutine h5pget_chunk_f(prp_id, ndims, dims, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: ndims
    integer(HSIZE_T), intent(out) :: dims(ndims)
    integer, intent(out) :: hdferr
    integer(HSIZE_T) :: found(kMostDimensions)
    integer :: n
    interface
      function c_call(prp_id, most, dims) bind(C, name='H5Pget_chunk') result(ndims)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: most
        integer(HSIZE_T), intent(out) :: dims(*)
        integer(c_int) :: ndims
      end function c_call
    end interface
    hdferr = int(c_call(prp_id, int(kMostDimensions, c_int), found))
    if (hdferr < 0) return
    n = min(hdferr, ndims)
    dims(1:n) = found(hdferr:hdferr - n + 1:-1)
  end subroutine h5pget_chunk_f

  !> MPI-IO on `comm`; communicator and info are those of Fortran's MPI.
  subroutine h5pset_fapl_mpio_f(prp_id, comm, info, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: comm, info
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, comm, info) bind(C, name='pcio_fortran_set_fapl_mpio') &
          result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: comm, info
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(comm, c_int), int(info, c_int)))
  end subroutine h5pset_fapl_mpio_f

  !> Communicator and info of a list, to be freed by the caller.
  subroutine h5pget_fapl_mpio_f(prp_id, comm, info, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: comm, info, hdferr
    integer(c_int) :: c_comm, c_info
    interface
      function c_call(prp_id, comm, info) bind(C, name='pcio_fortran_get_fapl_mpio') &
          result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), intent(out) :: comm, info
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, c_comm, c_info))
    comm = int(c_comm)
    info = int(c_info)
  end subroutine h5pget_fapl_mpio_f

  !> Filter number `filter_number`, from 0: its number, flags, values and name. `cd_nelmts`: room in
  !> `cd_values` on entry, how many values the filter has on return.
  subroutine h5pget_filter_f(prp_id, filter_number, flags, cd_nelmts, cd_values, namelen, name, &
      filter_id, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: filter_number
    integer, intent(out) :: flags
    integer(SIZE_T), intent(inout) :: cd_nelmts
    integer, intent(out) :: cd_values(*)
    integer(SIZE_T), intent(in) :: namelen
    character(len=*), intent(out) :: name
    integer, intent(out) :: filter_id, hdferr
    interface
      function c_call(list, number, flags, count, values, bytes, name, config) &
          bind(C, name='H5Pget_filter2') result(filter)
        import :: HID_T, c_int, c_size_t, c_char, c_ptr
        integer(HID_T), value :: list
        integer(c_int), value :: number
        integer(c_int), intent(out) :: flags
        integer(c_size_t), intent(inout) :: count
        integer(c_int), intent(out) :: values(*)
        integer(c_size_t), value :: bytes
        character(kind=c_char), intent(out) :: name(*)
        type(c_ptr), value :: config
        integer(c_int) :: filter
      end function c_call
    end interface
    character(kind=c_char) :: buffer(len(name) + 1)
    integer(c_int) :: found, bits
    bits = 0
    buffer = c_null_char
    found = c_call(prp_id, int(filter_number, c_int), bits, cd_nelmts, cd_values, &
        min(namelen, len(name, kind=c_size_t)) + 1, buffer, c_null_ptr)
    flags = int(bits)
    filter_id = int(found)
    hdferr = error_of(found)
    call take_text(buffer, name)
  end subroutine h5pget_filter_f

  !> Bytes that a conversion may use; the library takes a buffer of its own.
  subroutine h5pset_buffer_f(plist_id, size, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer(HSIZE_T), intent(in) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(list, bytes, conversion, background) bind(C, name='H5Pset_buffer') &
          result(status)
        import :: HID_T, c_int, c_size_t, c_ptr
        integer(HID_T), value :: list
        integer(c_size_t), value :: bytes
        type(c_ptr), value :: conversion, background
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, int(size, c_size_t), c_null_ptr, c_null_ptr))
  end subroutine h5pset_buffer_f

  !> Bytes that a conversion may use.
  subroutine h5pget_buffer_f(plist_id, size, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer(HSIZE_T), intent(out) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(list, conversion, background) bind(C, name='H5Pget_buffer') result(bytes)
        import :: HID_T, c_size_t, c_ptr
        integer(HID_T), value :: list
        type(c_ptr), value :: conversion, background
        integer(c_size_t) :: bytes
      end function c_call
    end interface
    size = int(c_call(plist_id, c_null_ptr, c_null_ptr), HSIZE_T)
    hdferr = merge(-1, 0, size == 0)
  end subroutine h5pget_buffer_f

end module h5p
