! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5lib: start and end of the library, and the types of kinds.
! Room: fortran. Fortran 2003 over the public C interface.

module h5lib
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  use h5i, only: h5iis_valid_f
  use h5t, only: h5tset_size_f, h5tset_precision_f
  implicit none
  public
  include 'h5_private.inc'
  include 'h5lib_names.inc'
  private :: make_type

contains

  include 'h5lib_calls.inc'

  !> Starts the library and sets the predefined ids; to be called before anything else.
  subroutine h5open_f(error)
    integer, intent(out) :: error
    interface
      function c_open() bind(C, name='H5open') result(status)
        import :: c_int
        integer(c_int) :: status
      end function c_open
      subroutine c_ids(ids) bind(C, name='pcio_fortran_ids')
        import :: HID_T
        integer(HID_T), intent(out) :: ids(*)
      end subroutine c_ids
    end interface
    include 'ids_count.inc'
    integer(HID_T) :: ids(kPredefinedIds)
    integer(SIZE_T), parameter :: kVariable = -1
    error = error_of(c_open())
    if (error < 0) return
    call c_ids(ids)
    include 'ids_set.inc'
    call make_type(H5T_STRING, H5T_C_S1, kVariable, 0_SIZE_T, error)
    if (error < 0) return
    call make_type(H5T_NATIVE_INTEGER_16, H5T_NATIVE_INTEGER_8, 16_SIZE_T, 128_SIZE_T, error)
    if (error < 0) return
    H5T_NATIVE_INTEGER_KIND = [H5T_NATIVE_INTEGER_1, H5T_NATIVE_INTEGER_2, H5T_NATIVE_INTEGER_4, &
        H5T_NATIVE_INTEGER_8, H5T_NATIVE_INTEGER_16]
    ! As libhdf5's: 16 bytes that are moved as they are, with the fields of a float of 4 bytes.
    call make_type(H5T_NATIVE_FLOAT_128, H5T_NATIVE_REAL_4, 16_SIZE_T, 128_SIZE_T, error)
  end subroutine h5open_f

  !> A type like another one, of `bytes` bytes and, but for 0, `bits` bits. Made once; h5open_f may be called again.
  subroutine make_type(id, like, bytes, bits, error)
    integer(HID_T), intent(inout) :: id
    integer(HID_T), intent(in) :: like
    integer(SIZE_T), intent(in) :: bytes, bits
    integer, intent(out) :: error
    logical :: valid
    interface
      function c_type_like(type) bind(C, name='pcio_fortran_type_like') result(id)
        import :: HID_T
        integer(HID_T), value, intent(in) :: type
        integer(HID_T) :: id
      end function c_type_like
    end interface
    error = 0
    if (id >= 0) then
      call h5iis_valid_f(id, valid, error)
      if (valid) return
    end if
    id = c_type_like(like)
    if (id < 0) error = -1
    if (error >= 0) call h5tset_size_f(id, bytes, error)
    if (error >= 0 .and. bits > 0) call h5tset_precision_f(id, bits, error)
  end subroutine make_type

  !> Ends the use of the library by Fortran; C parts of the program may go on with it.
  subroutine h5close_f(error)
    integer, intent(out) :: error
    error = 0
  end subroutine h5close_f

  !> The type of a kind; `flag` is H5_INTEGER_KIND or H5_REAL_KIND. -1 where there is none.
  function h5kind_to_type(ikind, flag) result(id)
    integer, intent(in) :: ikind, flag
    integer(HID_T) :: id
    integer, parameter :: kInteger16 = selected_int_kind(38), kReal16 = selected_real_kind(33, 4931)
    id = -1
    if (ikind <= 0) return
    if (flag == H5_INTEGER_KIND) then
      if (ikind == c_int8_t) id = H5T_NATIVE_INTEGER_1
      if (ikind == c_int16_t) id = H5T_NATIVE_INTEGER_2
      if (ikind == c_int32_t) id = H5T_NATIVE_INTEGER_4
      if (ikind == c_int64_t) id = H5T_NATIVE_INTEGER_8
      if (ikind == kInteger16) id = H5T_NATIVE_INTEGER_16
    else if (flag == H5_REAL_KIND) then
      if (ikind == kReal16) id = H5T_NATIVE_FLOAT_128
      if (ikind == c_long_double) id = H5T_NATIVE_REAL_C_LONG_DOUBLE
      if (ikind == c_double) id = H5T_NATIVE_REAL_8
      if (ikind == c_float) id = H5T_NATIVE_REAL_4
    end if
  end function h5kind_to_type

  !> Bytes from one address to another, for the members of a compound type.
  function h5offsetof(start, end) result(offset)
    type(c_ptr), value, intent(in) :: start, end
    integer(SIZE_T) :: offset
    offset = int(transfer(end, 0_c_intptr_t) - transfer(start, 0_c_intptr_t), SIZE_T)
  end function h5offsetof

  !> Seconds since 1970 as date_and_time gives a time: year, month, day, minutes from UTC (0), hour, minute, second, and
  !> milliseconds, which are not known.
  function h5gmtime(stdtime_t) result(parts)
    integer(TIME_T), intent(in) :: stdtime_t
    integer :: parts(8)
    parts = utc_parts(stdtime_t)
  end function h5gmtime

end module h5lib
