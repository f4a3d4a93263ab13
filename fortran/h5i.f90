! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5i: ids.
! Room: fortran. Fortran 2003 over the public C interface.

module h5i
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5iget_type_f, h5iis_valid_f, h5iinc_ref_f, h5idec_ref_f

contains

  !> What an id refers to.
  subroutine h5iget_type_f(obj_id, type, hdferr)
    integer(HID_T), intent(in) :: obj_id
    integer, intent(out) :: type
    integer, intent(out) :: hdferr
    interface
      function c_call(obj_id) bind(C, name='H5Iget_type') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: obj_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(obj_id)
    type = int(answer)
    hdferr = error_of(answer)
  end subroutine h5iget_type_f

  !> Whether an id refers to something open.
  subroutine h5iis_valid_f(id, valid, hdferr)
    integer(HID_T), intent(in) :: id
    logical, intent(out) :: valid
    integer, intent(out) :: hdferr
    interface
      function c_call(id) bind(C, name='H5Iis_valid') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(id)
    valid = answer > 0
    hdferr = error_of(answer)
  end subroutine h5iis_valid_f

  !> Counts one more reference.
  subroutine h5iinc_ref_f(obj_id, ref_count, hdferr)
    integer(HID_T), intent(in) :: obj_id
    integer, intent(out) :: ref_count
    integer, intent(out) :: hdferr
    interface
      function c_call(obj_id) bind(C, name='H5Iinc_ref') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: obj_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(obj_id)
    ref_count = int(answer)
    hdferr = error_of(answer)
  end subroutine h5iinc_ref_f

  !> Counts one reference less.
  subroutine h5idec_ref_f(obj_id, ref_count, hdferr)
    integer(HID_T), intent(in) :: obj_id
    integer, intent(out) :: ref_count
    integer, intent(out) :: hdferr
    interface
      function c_call(obj_id) bind(C, name='H5Idec_ref') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: obj_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(obj_id)
    ref_count = int(answer)
    hdferr = error_of(answer)
  end subroutine h5idec_ref_f

end module h5i
