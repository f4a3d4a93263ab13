! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5g: groups.
! Room: fortran. Fortran 2003 over the public C interface.

module h5g
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  public
  include 'h5_private.inc'
  include 'h5g_names.inc'

contains

  include 'h5g_calls.inc'

  !> Number of links in the group `name`.
  subroutine h5gn_members_f(loc_id, name, nmembers, hdferr)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer, intent(out) :: nmembers, hdferr
    integer(HID_T) :: group
    integer :: storage_type, max_corder, closed
    nmembers = -1
    call h5gopen_f(loc_id, name, group, hdferr)
    if (hdferr < 0) return
    call h5gget_info_f(group, storage_type, nmembers, max_corder, hdferr)
    call h5gclose_f(group, closed)
  end subroutine h5gn_members_f

  !> Name and kind (H5G_GROUP_F ...) of link number `idx`, from 0, of the group `name`.
  subroutine h5gget_obj_info_idx_f(loc_id, name, idx, obj_name, obj_type, hdferr)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer, intent(in) :: idx
    character(len=*), intent(out) :: obj_name
    integer, intent(out) :: obj_type, hdferr
    interface
      function c_name(group, idx, name, size) bind(C, name='H5Gget_objname_by_idx') result(length)
        import :: HID_T, HSIZE_T, c_char, c_size_t
        integer(HID_T), value :: group
        integer(HSIZE_T), value :: idx
        character(kind=c_char), intent(out) :: name(*)
        integer(c_size_t), value :: size
        integer(c_size_t) :: length
      end function c_name
      function c_type(group, idx) bind(C, name='H5Gget_objtype_by_idx') result(kind)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: group
        integer(HSIZE_T), value :: idx
        integer(c_int) :: kind
      end function c_type
    end interface
    character(kind=c_char) :: buffer(len(obj_name) + 1)
    integer(HID_T) :: group
    integer :: closed
    obj_name = ''
    obj_type = H5G_UNKNOWN_F
    call h5gopen_f(loc_id, name, group, hdferr)
    if (hdferr < 0) return
    if (c_name(group, int(idx, HSIZE_T), buffer, size(buffer, kind=c_size_t)) < 0) then
      hdferr = -1
    else
      call take_text(buffer, obj_name)
      obj_type = int(c_type(group, int(idx, HSIZE_T)))
      hdferr = merge(-1, 0, obj_type < 0)
    end if
    call h5gclose_f(group, closed)
  end subroutine h5gget_obj_info_idx_f

end module h5g
