! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5p: property lists in general, and those of transfers.
! Room: fortran. Fortran 2003 over the public C interface.

module h5p
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5pcreate_f, h5pcopy_f, h5pclose_f, h5pequal_f, h5pset_dxpl_mpio_f, &
      h5pget_dxpl_mpio_f, h5pget_mpio_actual_io_mode_f, h5pset_preserve_f, h5pset_buffer_f, &
      h5pget_buffer_f, h5pset_edc_check_f, h5pget_edc_check_f, h5pset_data_transform_f, &
      h5pget_data_transform_f

contains

  include 'h5p_pairs.inc'

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

  !> Whether two lists have the same properties.
  subroutine h5pequal_f(plist1_id, plist2_id, flag, hdferr)
    integer(HID_T), intent(in) :: plist1_id, plist2_id
    logical, intent(out) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(plist1_id, plist2_id) bind(C, name='H5Pequal') result(answer)
        import :: HID_T, c_int
        integer(HID_T), value :: plist1_id, plist2_id
        integer(c_int) :: answer
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(plist1_id, plist2_id)
    flag = answer > 0
    hdferr = error_of(answer)
  end subroutine h5pequal_f

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

  !> Whether checksums are looked at.
  subroutine h5pget_edc_check_f(prp_id, flag, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pget_edc_check') result(answer)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int) :: answer
      end function c_call
    end interface
    flag = int(c_call(prp_id))
    hdferr = error_of(int(flag, c_int))
  end subroutine h5pget_edc_check_f

  !> An expression in x for each element on its way.
  subroutine h5pset_data_transform_f(plist_id, expression, hdferr)
    integer(HID_T), intent(in) :: plist_id
    character(len=*), intent(in) :: expression
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, expression) bind(C, name='H5Pset_data_transform') result(status)
        import :: HID_T, c_int, c_char
        integer(HID_T), value :: plist_id
        character(kind=c_char), intent(in) :: expression(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, c_text(expression)))
  end subroutine h5pset_data_transform_f

  !> The expression, as far as there is room, and its length.
  subroutine h5pget_data_transform_f(plist_id, expression, hdferr, size)
    integer(HID_T), intent(in) :: plist_id
    character(len=*), intent(out) :: expression
    integer, intent(out) :: hdferr
    integer(SIZE_T), intent(out), optional :: size
    interface
      function c_call(plist_id, expression, bytes) bind(C, name='H5Pget_data_transform') &
          result(length)
        import :: HID_T, c_size_t, c_char
        integer(HID_T), value :: plist_id
        character(kind=c_char), intent(out) :: expression(*)
        integer(c_size_t), value :: bytes
        integer(c_size_t) :: length
      end function c_call
    end interface
    character(kind=c_char) :: buffer(len(expression) + 1)
    integer(c_size_t) :: length
    buffer = c_null_char
    length = c_call(plist_id, buffer, len(expression, kind=c_size_t) + 1)
    hdferr = merge(-1, 0, length < 0)
    call take_text(buffer, expression)
    if (present(size)) size = length
  end subroutine h5pget_data_transform_f

end module h5p
