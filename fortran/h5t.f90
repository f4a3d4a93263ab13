! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5t: datatypes.
! Room: fortran. Fortran 2003 over the public C interface.

module h5t
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  public
  include 'h5_private.inc'
  include 'h5t_names.inc'

  interface h5tenum_insert_f
    module procedure enum_insert, enum_insert_ptr
  end interface h5tenum_insert_f

contains

  include 'h5t_calls.inc'

  !> A type as bytes, h5tdecode_f reads them; `nalloc` is the room there is, 0 to ask, and then what it takes.
  subroutine h5tencode_f(obj_id, buf, nalloc, hdferr)
    integer(HID_T), intent(in) :: obj_id
    character(len=*), intent(out), target :: buf
    integer(SIZE_T), intent(inout) :: nalloc
    integer, intent(out) :: hdferr
    interface
      function c_call(obj_id, buf, bytes) bind(C, name='H5Tencode') result(status)
        import :: HID_T, c_int, c_ptr, c_size_t
        integer(HID_T), value :: obj_id
        type(c_ptr), value :: buf
        integer(c_size_t), intent(inout) :: bytes
        integer(c_int) :: status
      end function c_call
    end interface
    integer(SIZE_T) :: room, needed
    buf = ''
    room = min(nalloc, len(buf, SIZE_T))
    needed = 0
    hdferr = error_of(c_call(obj_id, c_null_ptr, needed))
    if (hdferr >= 0 .and. room >= needed) hdferr = error_of(c_call(obj_id, c_loc(buf(1:1)), room))
    if (hdferr >= 0) nalloc = needed
  end subroutine h5tencode_f

  !> A type that h5tencode_f made bytes of.
  subroutine h5tdecode_f(buf, obj_id, hdferr)
    character(len=*), intent(in), target :: buf
    integer(HID_T), intent(out) :: obj_id
    integer, intent(out) :: hdferr
    interface
      function c_call(buf) bind(C, name='H5Tdecode') result(id)
        import :: HID_T, c_ptr
        type(c_ptr), value :: buf
        integer(HID_T) :: id
      end function c_call
    end interface
    obj_id = c_call(c_loc(buf(1:1)))
    hdferr = merge(-1, 0, obj_id < 0)
  end subroutine h5tdecode_f

  !> The shape of an array type, in Fortran's order.
  subroutine h5tget_array_dims_f(type_id, dims, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer(HSIZE_T), intent(out) :: dims(*)
    integer, intent(out) :: hdferr
    integer(HSIZE_T) :: found(kMostDimensions)
    interface
      function c_call(type_id, dims) bind(C, name='H5Tget_array_dims2') result(ndims)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: type_id
        integer(HSIZE_T), intent(out) :: dims(*)
        integer(c_int) :: ndims
      end function c_call
    end interface
    integer :: rank
    rank = int(c_call(type_id, found))
    hdferr = min(0, rank)
    if (rank > 0) dims(1:rank) = found(rank:1:-1)
  end subroutine h5tget_array_dims_f

end module h5t
