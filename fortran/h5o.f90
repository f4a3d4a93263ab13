! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5o: objects of any kind.
! Room: fortran. Fortran 2003 over the public C interface.

module h5o
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5oopen_f, h5oclose_f, h5oexists_by_name_f

contains

  !> Opens a group, a dataset or a committed type.
  subroutine h5oopen_f(loc_id, name, obj_id, hdferr, lapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer(HID_T), intent(out) :: obj_id
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, name, lapl_id) bind(C, name='H5Oopen') result(status)
        import :: HID_T, c_char
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(HID_T), value :: lapl_id
        integer(HID_T) :: status
      end function c_call
    end interface
    obj_id = c_call(loc_id, c_text(name), given(lapl_id))
    hdferr = merge(-1, 0, obj_id < 0)
  end subroutine h5oopen_f

  !> Closes what h5oopen_f opened.
  subroutine h5oclose_f(object_id, hdferr)
    integer(HID_T), intent(in) :: object_id
    integer, intent(out) :: hdferr
    interface
      function c_call(object_id) bind(C, name='H5Oclose') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: object_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(object_id))
  end subroutine h5oclose_f

  !> Whether a path leads to an object.
  subroutine h5oexists_by_name_f(loc_id, name, link_exists, hdferr, lapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    logical, intent(out) :: link_exists
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, name, lapl_id) bind(C, name='H5Oexists_by_name') result(status)
        import :: HID_T, c_char, c_int
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(HID_T), value :: lapl_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(loc_id, c_text(name), given(lapl_id))
    link_exists = answer > 0
    hdferr = error_of(answer)
  end subroutine h5oexists_by_name_f

end module h5o
