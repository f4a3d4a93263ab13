! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5_support: what the other modules need to call C: text there and back, optional arguments, and structures that
! C fills. Programs do not use it.
! Room: fortran. Fortran 2003 over the public C interface.

module h5_support
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: kMostDimensions, attribute_info, group_info, link_info, c_text, take_text, take_c_string, take_constant, &
      room_of, given, given_id, given_int, given_ptr, given_function, error_of, utc_parts, rank_of, &
      refused

  integer, parameter :: kMostDimensions = 32

  include 'h5_support_declared.inc'

contains

  !> The text as C wants it: without blanks at its end, with a NUL.
  pure function c_text(text) result(terminated)
    character(len=*), intent(in) :: text
    character(kind=c_char, len=len_trim(text) + 1) :: terminated
    terminated = trim(text) // c_null_char
  end function c_text

  !> Text that C wrote, with blanks after its end; what `text` has no room for is cut off.
  subroutine take_text(buffer, text)
    character(kind=c_char), intent(in) :: buffer(:)
    character(len=*), intent(out) :: text
    integer :: i
    text = ''
    do i = 1, min(size(buffer), len(text))
      if (buffer(i) == c_null_char) return
      text(i:i) = buffer(i)
    end do
  end subroutine take_text

  !> Text that stays C's; blanks where there is none.
  subroutine take_constant(string, text)
    type(c_ptr), intent(in) :: string
    character(len=*), intent(out) :: text
    character(kind=c_char), pointer :: letters(:)
    text = ''
    if (.not. c_associated(string)) return
    call c_f_pointer(string, letters, [length_of(string)])
    call take_text(letters, text)
  end subroutine take_constant

  !> Text that C made and this frees, and how long it is; -1 where there is none.
  subroutine take_c_string(string, text, length)
    type(c_ptr), intent(in) :: string
    character(len=*), intent(out) :: text
    integer, intent(out) :: length
    integer(c_int) :: freed
    interface
      function c_free(string) bind(C, name='H5free_memory') result(status)
        import :: c_ptr, c_int
        type(c_ptr), value :: string
        integer(c_int) :: status
      end function c_free
    end interface
    call take_constant(string, text)
    length = -1
    if (.not. c_associated(string)) return
    length = length_of(string)
    freed = c_free(string)
  end subroutine take_c_string

  !> The characters of a text of C's.
  function length_of(string) result(length)
    type(c_ptr), intent(in) :: string
    integer :: length
    interface
      function c_length(string) bind(C, name='strlen') result(length)
        import :: c_ptr, c_size_t
        type(c_ptr), value :: string
        integer(c_size_t) :: length
      end function c_length
    end interface
    length = int(c_length(string))
  end function length_of

  !> The bytes that C may write for a text of which the program wants `most` characters.
  pure function room_of(text, most) result(bytes)
    character(len=*), intent(in) :: text
    integer(c_size_t), intent(in) :: most
    integer(c_size_t) :: bytes
    bytes = max(0_c_size_t, min(len(text, c_size_t), most)) + 1
  end function room_of

  !> An optional list, or the default.
  pure function given(list) result(id)
    integer(HID_T), intent(in), optional :: list
    integer(HID_T) :: id
    id = H5P_DEFAULT_F
    if (present(list)) id = list
  end function given

  !> An optional id, or what it is without.
  pure function given_id(default, number) result(value)
    integer, intent(in) :: default
    integer(HID_T), intent(in), optional :: number
    integer(HID_T) :: value
    value = default
    if (present(number)) value = number
  end function given_id

  !> An optional number, or what it is without.
  pure function given_int(default, number) result(value)
    integer, intent(in) :: default
    integer, intent(in), optional :: number
    integer :: value
    value = default
    if (present(number)) value = number
  end function given_int

  !> An optional address, or none.
  pure function given_ptr(address) result(value)
    type(c_ptr), intent(in), optional :: address
    type(c_ptr) :: value
    value = c_null_ptr
    if (present(address)) value = address
  end function given_ptr

  !> An optional function, or none.
  pure function given_function(address) result(value)
    type(c_funptr), intent(in), optional :: address
    type(c_funptr) :: value
    value = c_null_funptr
    if (present(address)) value = address
  end function given_function

  !> hdferr of a C result: 0 or -1.
  pure function error_of(status) result(hdferr)
    integer(c_int), intent(in) :: status
    integer :: hdferr
    hdferr = merge(-1, 0, status < 0)
  end function error_of

  !> The number of dimensions of a space; -1 where it is none, or where it has more than there may be.
  function rank_of(space_id) result(rank)
    integer(HID_T), intent(in) :: space_id
    integer :: rank
    interface
      function c_call(space_id) bind(C, name='H5Sget_simple_extent_ndims') result(ndims)
        import :: HID_T, c_int
        integer(HID_T), value :: space_id
        integer(c_int) :: ndims
      end function c_call
    end interface
    rank = int(c_call(space_id))
    if (rank > kMostDimensions) rank = -1
  end function rank_of

  !> hdferr of a call that C would not refuse: the error stack says why, and it is printed as those of C are.
  function refused(routine, reason) result(hdferr)
    character(len=*), intent(in) :: routine, reason
    integer :: hdferr
    interface
      subroutine c_call(routine, reason) bind(C, name='pcio_fortran_refuse')
        import :: c_char
        character(kind=c_char), intent(in) :: routine(*), reason(*)
      end subroutine c_call
    end interface
    call c_call(c_text(routine), c_text(reason))
    hdferr = -1
  end function refused

  !> The parts of a time in seconds since 1970, by the proleptic Gregorian calendar.
  pure function utc_parts(seconds) result(parts)
    integer(TIME_T), intent(in) :: seconds
    integer :: parts(8)
    integer(TIME_T) :: days, of_day, era, of_era, year, of_year, month
    days = (seconds - modulo(seconds, 86400_TIME_T)) / 86400
    of_day = modulo(seconds, 86400_TIME_T)
    ! Years begin in March here, so that the odd day is their last; 719468 days are from there to 1970.
    days = days + 719468
    of_era = modulo(days, 146097_TIME_T)
    era = (days - of_era) / 146097
    year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365
    of_year = of_era - (365 * year + year / 4 - year / 100)
    month = (5 * of_year + 2) / 153
    parts(3) = int(of_year - (153 * month + 2) / 5 + 1)
    parts(2) = int(merge(month + 3, month - 9, month < 10))
    parts(1) = int(year + era * 400) + merge(1, 0, parts(2) <= 2)
    parts(4) = 0
    parts(5) = int(of_day / 3600)
    parts(6) = int(modulo(of_day, 3600_TIME_T) / 60)
    parts(7) = int(modulo(of_day, 60_TIME_T))
    parts(8) = -32767
  end function utc_parts

end module h5_support
