! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5p_dataset: lists of datasets: layout, filters, fill values, chunk cache.
! Room: fortran. Fortran 2003 over the public C interface.

module h5p_dataset
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5pset_layout_f, h5pget_layout_f, h5pset_chunk_f, h5pget_chunk_f, &
      h5pset_chunk_cache_f, h5pget_chunk_cache_f, h5pset_deflate_f, h5pset_shuffle_f, &
      h5pset_fletcher32_f, h5pset_szip_f, h5pset_nbit_f, h5pset_scaleoffset_f, h5pset_filter_f, &
      h5pmodify_filter_f, h5premove_filter_f, h5pget_nfilters_f, h5pget_filter_f, &
      h5pget_filter_by_id_f, h5pall_filters_avail_f, h5pset_alloc_time_f, h5pget_alloc_time_f, &
      h5pset_fill_time_f, h5pget_fill_time_f, h5pfill_value_defined_f

contains

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

  !> The chunk cache of a dataset: chunks, bytes, preemption.
  subroutine h5pset_chunk_cache_f(dapl_id, rdcc_nslots, rdcc_nbytes, rdcc_w0, hdferr)
    integer(HID_T), intent(in) :: dapl_id
    integer(SIZE_T), intent(in) :: rdcc_nslots
    integer(SIZE_T), intent(in) :: rdcc_nbytes
    real, intent(in) :: rdcc_w0
    integer, intent(out) :: hdferr
    interface
      function c_call(dapl_id, rdcc_nslots, rdcc_nbytes, rdcc_w0) bind(C, &
          name='H5Pset_chunk_cache') result(status)
        import :: HID_T, c_int, c_size_t, c_double
        integer(HID_T), value :: dapl_id
        integer(c_size_t), value :: rdcc_nslots
        integer(c_size_t), value :: rdcc_nbytes
        real(c_double), value :: rdcc_w0
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(dapl_id, rdcc_nslots, rdcc_nbytes, real(rdcc_w0, c_double)))
  end subroutine h5pset_chunk_cache_f

  !> The chunk cache of a dataset.
  subroutine h5pget_chunk_cache_f(dapl_id, rdcc_nslots, rdcc_nbytes, rdcc_w0, hdferr)
    integer(HID_T), intent(in) :: dapl_id
    integer(SIZE_T), intent(out) :: rdcc_nslots
    integer(SIZE_T), intent(out) :: rdcc_nbytes
    real, intent(out) :: rdcc_w0
    integer, intent(out) :: hdferr
    interface
      function c_call(dapl_id, rdcc_nslots, rdcc_nbytes, rdcc_w0) bind(C, &
          name='H5Pget_chunk_cache') result(status)
        import :: HID_T, c_int, c_size_t, c_double
        integer(HID_T), value :: dapl_id
        integer(c_size_t), intent(out) :: rdcc_nslots
        integer(c_size_t), intent(out) :: rdcc_nbytes
        real(c_double), intent(out) :: rdcc_w0
        integer(c_int) :: status
      end function c_call
    end interface
    real(c_double) :: c_rdcc_w0
    rdcc_nslots = 0
    rdcc_nbytes = 0
    c_rdcc_w0 = 0
    hdferr = error_of(c_call(dapl_id, rdcc_nslots, rdcc_nbytes, c_rdcc_w0))
    rdcc_w0 = real(c_rdcc_w0)
  end subroutine h5pget_chunk_cache_f

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

  !> Adds compression by szip.
  subroutine h5pset_szip_f(prp_id, options_mask, pixels_per_block, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: options_mask
    integer, intent(in) :: pixels_per_block
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, options_mask, pixels_per_block) bind(C, &
          name='H5Pset_szip') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: options_mask
        integer(c_int), value :: pixels_per_block
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(options_mask, c_int), int(pixels_per_block, c_int)))
  end subroutine h5pset_szip_f

  !> Adds the n-bit filter: significant bits only.
  subroutine h5pset_nbit_f(plist_id, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id) bind(C, name='H5Pset_nbit') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: plist_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id))
  end subroutine h5pset_nbit_f

  !> Adds the scale-offset filter.
  subroutine h5pset_scaleoffset_f(plist_id, scale_type, scale_factor, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer, intent(in) :: scale_type
    integer, intent(in) :: scale_factor
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, scale_type, scale_factor) bind(C, &
          name='H5Pset_scaleoffset') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: plist_id
        integer(c_int), value :: scale_type
        integer(c_int), value :: scale_factor
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, int(scale_type, c_int), int(scale_factor, c_int)))
  end subroutine h5pset_scaleoffset_f

  !> Adds a filter by its number.
  subroutine h5pset_filter_f(prp_id, filter, flags, cd_nelmts, cd_values, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: filter, flags
    integer(SIZE_T), intent(in) :: cd_nelmts
    integer, intent(in) :: cd_values(*)
    integer, intent(out) :: hdferr
    interface
      function c_call(list, filter, flags, count, values) bind(C, name='H5Pset_filter') &
          result(status)
        import :: HID_T, c_int, c_size_t
        integer(HID_T), value :: list
        integer(c_int), value :: filter, flags
        integer(c_size_t), value :: count
        integer(c_int), intent(in) :: values(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(filter, c_int), int(flags, c_int), cd_nelmts, &
        int(cd_values(1:cd_nelmts), c_int)))
  end subroutine h5pset_filter_f

  !> Gives a filter other flags and values.
  subroutine h5pmodify_filter_f(prp_id, filter, flags, cd_nelmts, cd_values, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: filter, flags
    integer(SIZE_T), intent(in) :: cd_nelmts
    integer, intent(in) :: cd_values(*)
    integer, intent(out) :: hdferr
    interface
      function c_call(list, filter, flags, count, values) bind(C, name='H5Pmodify_filter') &
          result(status)
        import :: HID_T, c_int, c_size_t
        integer(HID_T), value :: list
        integer(c_int), value :: filter, flags
        integer(c_size_t), value :: count
        integer(c_int), intent(in) :: values(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(filter, c_int), int(flags, c_int), cd_nelmts, &
        int(cd_values(1:cd_nelmts), c_int)))
  end subroutine h5pmodify_filter_f

  !> Takes a filter out, or all of them: H5Z_FILTER_ALL_F.
  subroutine h5premove_filter_f(prp_id, filter, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: filter
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, filter) bind(C, name='H5Premove_filter') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: filter
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(filter, c_int)))
  end subroutine h5premove_filter_f

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

  !> Flags, values and name of a filter. `cd_nelmts`: room in `cd_values` on entry, how many values
  !> the filter has on return.
  subroutine h5pget_filter_by_id_f(prp_id, filter_id, flags, cd_nelmts, cd_values, namelen, name, &
      hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: filter_id
    integer, intent(out) :: flags
    integer(SIZE_T), intent(inout) :: cd_nelmts
    integer, intent(out) :: cd_values(*)
    integer(SIZE_T), intent(in) :: namelen
    character(len=*), intent(out) :: name
    integer, intent(out) :: hdferr
    interface
      function c_call(list, filter, flags, count, values, bytes, name, config) &
          bind(C, name='H5Pget_filter_by_id2') result(status)
        import :: HID_T, c_int, c_size_t, c_char, c_ptr
        integer(HID_T), value :: list
        integer(c_int), value :: filter
        integer(c_int), intent(out) :: flags
        integer(c_size_t), intent(inout) :: count
        integer(c_int), intent(out) :: values(*)
        integer(c_size_t), value :: bytes
        character(kind=c_char), intent(out) :: name(*)
        type(c_ptr), value :: config
        integer(c_int) :: status
      end function c_call
    end interface
    character(kind=c_char) :: buffer(len(name) + 1)
    integer(c_int) :: bits
    bits = 0
    buffer = c_null_char
    hdferr = error_of(c_call(prp_id, int(filter_id, c_int), bits, cd_nelmts, cd_values, &
        min(namelen, len(name, kind=c_size_t)) + 1, buffer, c_null_ptr))
    flags = int(bits)
    call take_text(buffer, name)
  end subroutine h5pget_filter_by_id_f

  !> Whether all filters of a list can be used.
  subroutine h5pall_filters_avail_f(prp_id, flag, hdferr)
    integer(HID_T), intent(in) :: prp_id
    logical, intent(out) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pall_filters_avail') result(answer)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int) :: answer
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(prp_id)
    flag = answer > 0
    hdferr = error_of(answer)
  end subroutine h5pall_filters_avail_f

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

  !> Whether there is a fill value: H5D_FILL_VALUE_UNDEFINED_F, _DEFAULT_F or _USER_DEFINED_F.
  subroutine h5pfill_value_defined_f(plist_id, flag, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer, intent(out) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, flag) bind(C, name='H5Pfill_value_defined') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: plist_id
        integer(c_int), intent(out) :: flag
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_flag
    c_flag = 0
    hdferr = error_of(c_call(plist_id, c_flag))
    flag = int(c_flag)
  end subroutine h5pfill_value_defined_f

end module h5p_dataset
