! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5l: links.
! Room: fortran. Fortran 2003 over the public C interface.

module h5l
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5lexists_f, h5ldelete_f, h5lcreate_soft_f, h5lcreate_hard_f, h5lmove_f, &
      h5lget_name_by_idx_f

contains

  !> Whether a link is there.
  subroutine h5lexists_f(loc_id, name, link_exists, hdferr, lapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    logical, intent(out) :: link_exists
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, name, lapl_id) bind(C, name='H5Lexists') result(status)
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
  end subroutine h5lexists_f

  !> Takes a link away.
  subroutine h5ldelete_f(loc_id, name, hdferr, lapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, name, lapl_id) bind(C, name='H5Ldelete') result(status)
        import :: HID_T, c_char, c_int
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(HID_T), value :: lapl_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(loc_id, c_text(name), given(lapl_id)))
  end subroutine h5ldelete_f

  !> Creates a link that holds a path.
  subroutine h5lcreate_soft_f(target_path, link_loc_id, link_name, hdferr, lcpl_id, lapl_id)
    character(len=*), intent(in) :: target_path
    integer(HID_T), intent(in) :: link_loc_id
    character(len=*), intent(in) :: link_name
    integer(HID_T), intent(in), optional :: lcpl_id
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(target_path, link_loc_id, link_name, lcpl_id, &
          lapl_id) bind(C, name='H5Lcreate_soft') result(status)
        import :: HID_T, c_char, c_int
        character(kind=c_char), dimension(*), intent(in) :: target_path
        integer(HID_T), value :: link_loc_id
        character(kind=c_char), dimension(*), intent(in) :: link_name
        integer(HID_T), value :: lcpl_id
        integer(HID_T), value :: lapl_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(c_text(target_path), link_loc_id, c_text(link_name), &
        given(lcpl_id), given(lapl_id)))
  end subroutine h5lcreate_soft_f

  !> Gives an object one more name.
  subroutine h5lcreate_hard_f(obj_loc_id, obj_name, link_loc_id, link_name, hdferr, lcpl_id, &
      lapl_id)
    integer(HID_T), intent(in) :: obj_loc_id
    character(len=*), intent(in) :: obj_name
    integer(HID_T), intent(in) :: link_loc_id
    character(len=*), intent(in) :: link_name
    integer(HID_T), intent(in), optional :: lcpl_id
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(obj_loc_id, obj_name, link_loc_id, link_name, lcpl_id, &
          lapl_id) bind(C, name='H5Lcreate_hard') result(status)
        import :: HID_T, c_char, c_int
        integer(HID_T), value :: obj_loc_id
        character(kind=c_char), dimension(*), intent(in) :: obj_name
        integer(HID_T), value :: link_loc_id
        character(kind=c_char), dimension(*), intent(in) :: link_name
        integer(HID_T), value :: lcpl_id
        integer(HID_T), value :: lapl_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(obj_loc_id, c_text(obj_name), link_loc_id, c_text(link_name), &
        given(lcpl_id), given(lapl_id)))
  end subroutine h5lcreate_hard_f

  !> Moves or renames a link.
  subroutine h5lmove_f(src_loc_id, src_name, dest_loc_id, dest_name, hdferr, lcpl_id, lapl_id)
    integer(HID_T), intent(in) :: src_loc_id
    character(len=*), intent(in) :: src_name
    integer(HID_T), intent(in) :: dest_loc_id
    character(len=*), intent(in) :: dest_name
    integer(HID_T), intent(in), optional :: lcpl_id
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(src_loc_id, src_name, dest_loc_id, dest_name, lcpl_id, &
          lapl_id) bind(C, name='H5Lmove') result(status)
        import :: HID_T, c_char, c_int
        integer(HID_T), value :: src_loc_id
        character(kind=c_char), dimension(*), intent(in) :: src_name
        integer(HID_T), value :: dest_loc_id
        character(kind=c_char), dimension(*), intent(in) :: dest_name
        integer(HID_T), value :: lcpl_id
        integer(HID_T), value :: lapl_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(src_loc_id, c_text(src_name), dest_loc_id, c_text(dest_name), &
        given(lcpl_id), given(lapl_id)))
  end subroutine h5lmove_f

  !> Name of link number `n`, from 0, of a group; `size` is the length of all of it.
  subroutine h5lget_name_by_idx_f(loc_id, group_name, index_field, order, n, name, hdferr, size, &
      lapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: group_name
    integer, intent(in) :: index_field, order
    integer(HSIZE_T), intent(in) :: n
    character(len=*), intent(out) :: name
    integer, intent(out) :: hdferr
    integer(SIZE_T), intent(out), optional :: size
    integer(HID_T), intent(in), optional :: lapl_id
    interface
      function c_call(loc_id, group, field, order, n, name, bytes, lapl_id) &
          bind(C, name='H5Lget_name_by_idx') result(length)
        import :: HID_T, HSIZE_T, c_char, c_int, c_size_t
        integer(HID_T), value :: loc_id, lapl_id
        character(kind=c_char), dimension(*), intent(in) :: group
        integer(c_int), value :: field, order
        integer(HSIZE_T), value :: n
        character(kind=c_char), intent(out) :: name(*)
        integer(c_size_t), value :: bytes
        integer(c_size_t) :: length
      end function c_call
    end interface
    character(kind=c_char) :: buffer(len(name) + 1)
    integer(c_size_t) :: length
    name = ''
    length = c_call(loc_id, c_text(group_name), int(index_field, c_int), int(order, c_int), n, &
        buffer, int(len(name) + 1, c_size_t), given(lapl_id))
    hdferr = merge(-1, 0, length < 0)
    if (hdferr == 0) call take_text(buffer, name)
    if (present(size)) size = length
  end subroutine h5lget_name_by_idx_f

end module h5l
