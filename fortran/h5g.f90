! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5g: groups.
! Room: fortran. Fortran 2003 over the public C interface.

module h5g
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5gopen_f, h5gclose_f, h5gcreate_f, h5gget_info_f, h5gn_members_f, &
      h5gget_obj_info_idx_f, h5gmove_f

  !> As H5G_info_t.
  type, bind(C) :: group_info
    integer(c_int) :: storage_type
    integer(HSIZE_T) :: nlinks
    integer(c_int64_t) :: max_corder
    logical(c_bool) :: mounted
  end type group_info

contains

  !> Opens a group.
  subroutine h5gopen_f(loc_id, name, grp_id, hdferr, gapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer(HID_T), intent(out) :: grp_id
    integer(HID_T), intent(in), optional :: gapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, name, gapl_id) bind(C, name='H5Gopen2') result(status)
        import :: HID_T, c_char
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(HID_T), value :: gapl_id
        integer(HID_T) :: status
      end function c_call
    end interface
    grp_id = c_call(loc_id, c_text(name), given(gapl_id))
    hdferr = merge(-1, 0, grp_id < 0)
  end subroutine h5gopen_f

  !> Closes a group.
  subroutine h5gclose_f(grp_id, hdferr)
    integer(HID_T), intent(in) :: grp_id
    integer, intent(out) :: hdferr
    interface
      function c_call(grp_id) bind(C, name='H5Gclose') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: grp_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(grp_id))
  end subroutine h5gclose_f

  !> Creates a group. The size of names expected, `size_hint`, is not needed and is ignored.
  subroutine h5gcreate_f(loc_id, name, grp_id, hdferr, size_hint, lcpl_id, gcpl_id, gapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer(HID_T), intent(out) :: grp_id
    integer, intent(out) :: hdferr
    integer(SIZE_T), intent(in), optional :: size_hint
    integer(HID_T), intent(in), optional :: lcpl_id, gcpl_id, gapl_id
    interface
      function c_call(loc_id, name, links, creation, access) bind(C, name='H5Gcreate2') &
          result(group)
        import :: HID_T, c_char
        integer(HID_T), value :: loc_id, links, creation, access
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(HID_T) :: group
      end function c_call
    end interface
    if (present(size_hint)) continue
    grp_id = c_call(loc_id, c_text(name), given(lcpl_id), given(gcpl_id), given(gapl_id))
    hdferr = merge(-1, 0, grp_id < 0)
  end subroutine h5gcreate_f

  !> Storage, number of links and creation order of a group.
  subroutine h5gget_info_f(group_id, storage_type, nlinks, max_corder, hdferr, mounted)
    integer(HID_T), intent(in) :: group_id
    integer, intent(out) :: storage_type, nlinks, max_corder, hdferr
    logical, intent(out), optional :: mounted
    type(group_info) :: info
    interface
      function c_call(group_id, info) bind(C, name='H5Gget_info') result(status)
        import :: HID_T, group_info, c_int
        integer(HID_T), value :: group_id
        type(group_info), intent(out) :: info
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(group_id, info))
    storage_type = int(info%storage_type)
    nlinks = int(info%nlinks)
    max_corder = int(info%max_corder)
    if (present(mounted)) mounted = info%mounted .neqv. .false._c_bool
  end subroutine h5gget_info_f

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

  !> Gives the link `name` the name `new_name`.
  subroutine h5gmove_f(loc_id, name, new_name, hdferr)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name, new_name
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, name, new_name) bind(C, name='H5Gmove') result(status)
        import :: HID_T, c_char, c_int
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: name, new_name
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(loc_id, c_text(name), c_text(new_name)))
  end subroutine h5gmove_f

end module h5g
