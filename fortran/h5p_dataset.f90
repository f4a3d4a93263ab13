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

  include 'h5p_dataset_pairs.inc'

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

end module h5p_dataset
