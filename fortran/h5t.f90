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
