! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5a: attributes. Their values are read and written by module h5_values.
! Room: fortran. Fortran 2003 over the public C interface.

module h5a
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5acreate_f, h5acreate_by_name_f, h5aopen_f, h5aopen_by_name_f, h5aclose_f, &
      h5aexists_f, h5aexists_by_name_f, h5adelete_f, h5adelete_by_name_f, h5arename_f, &
      h5aget_type_f, h5aget_space_f, h5aget_storage_size_f, h5aopen_name_f

contains

  !> Creates an attribute.
  subroutine h5acreate_f(loc_id, name, type_id, space_id, attr_id, hdferr, acpl_id, aapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer(HID_T), intent(in) :: type_id
    integer(HID_T), intent(in) :: space_id
    integer(HID_T), intent(out) :: attr_id
    integer(HID_T), intent(in), optional :: acpl_id
    integer(HID_T), intent(in), optional :: aapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, name, type_id, space_id, acpl_id, &
          aapl_id) bind(C, name='H5Acreate2') result(status)
        import :: HID_T, c_char
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(HID_T), value :: type_id
        integer(HID_T), value :: space_id
        integer(HID_T), value :: acpl_id
        integer(HID_T), value :: aapl_id
        integer(HID_T) :: status
      end function c_call
    end interface
    attr_id = c_call(loc_id, c_text(name), type_id, space_id, given(acpl_id), given(aapl_id))
    hdferr = merge(-1, 0, attr_id < 0)
  end subroutine h5acreate_f

  !> Creates an attribute of the object `obj_name`.
  subroutine h5acreate_by_name_f(loc_id, obj_name, attr_name, type_id, space_id, attr, &
      hdferr, acpl_id, aapl_id, lapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: obj_name
    character(len=*), intent(in) :: attr_name
    integer(HID_T), intent(in) :: type_id
    integer(HID_T), intent(in) :: space_id
    integer(HID_T), intent(out) :: attr
    integer(HID_T), intent(in), optional :: acpl_id
    integer(HID_T), intent(in), optional :: aapl_id
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, obj_name, attr_name, type_id, space_id, acpl_id, aapl_id, &
          lapl_id) bind(C, name='H5Acreate_by_name') result(status)
        import :: HID_T, c_char
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: obj_name
        character(kind=c_char), dimension(*), intent(in) :: attr_name
        integer(HID_T), value :: type_id
        integer(HID_T), value :: space_id
        integer(HID_T), value :: acpl_id
        integer(HID_T), value :: aapl_id
        integer(HID_T), value :: lapl_id
        integer(HID_T) :: status
      end function c_call
    end interface
    attr = c_call(loc_id, c_text(obj_name), c_text(attr_name), type_id, space_id, &
        given(acpl_id), given(aapl_id), given(lapl_id))
    hdferr = merge(-1, 0, attr < 0)
  end subroutine h5acreate_by_name_f

  !> Opens an attribute.
  subroutine h5aopen_f(obj_id, attr_name, attr_id, hdferr, aapl_id)
    integer(HID_T), intent(in) :: obj_id
    character(len=*), intent(in) :: attr_name
    integer(HID_T), intent(out) :: attr_id
    integer(HID_T), intent(in), optional :: aapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(obj_id, attr_name, aapl_id) bind(C, name='H5Aopen') result(status)
        import :: HID_T, c_char
        integer(HID_T), value :: obj_id
        character(kind=c_char), dimension(*), intent(in) :: attr_name
        integer(HID_T), value :: aapl_id
        integer(HID_T) :: status
      end function c_call
    end interface
    attr_id = c_call(obj_id, c_text(attr_name), given(aapl_id))
    hdferr = merge(-1, 0, attr_id < 0)
  end subroutine h5aopen_f

  !> Opens an attribute of the object `obj_name`.
  subroutine h5aopen_by_name_f(loc_id, obj_name, attr_name, attr_id, hdferr, aapl_id, lapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: obj_name
    character(len=*), intent(in) :: attr_name
    integer(HID_T), intent(out) :: attr_id
    integer(HID_T), intent(in), optional :: aapl_id
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, obj_name, attr_name, aapl_id, &
          lapl_id) bind(C, name='H5Aopen_by_name') result(status)
        import :: HID_T, c_char
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: obj_name
        character(kind=c_char), dimension(*), intent(in) :: attr_name
        integer(HID_T), value :: aapl_id
        integer(HID_T), value :: lapl_id
        integer(HID_T) :: status
      end function c_call
    end interface
    attr_id = c_call(loc_id, c_text(obj_name), c_text(attr_name), given(aapl_id), &
        given(lapl_id))
    hdferr = merge(-1, 0, attr_id < 0)
  end subroutine h5aopen_by_name_f

  !> Closes an attribute.
  subroutine h5aclose_f(attr_id, hdferr)
    integer(HID_T), intent(in) :: attr_id
    integer, intent(out) :: hdferr
    interface
      function c_call(attr_id) bind(C, name='H5Aclose') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: attr_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(attr_id))
  end subroutine h5aclose_f

  !> Whether an object has an attribute.
  subroutine h5aexists_f(obj_id, attr_name, attr_exists, hdferr)
    integer(HID_T), intent(in) :: obj_id
    character(len=*), intent(in) :: attr_name
    logical, intent(out) :: attr_exists
    integer, intent(out) :: hdferr
    interface
      function c_call(obj_id, attr_name) bind(C, name='H5Aexists') result(status)
        import :: HID_T, c_char, c_int
        integer(HID_T), value :: obj_id
        character(kind=c_char), dimension(*), intent(in) :: attr_name
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(obj_id, c_text(attr_name))
    attr_exists = answer > 0
    hdferr = error_of(answer)
  end subroutine h5aexists_f

  !> Whether the object `obj_name` has an attribute.
  subroutine h5aexists_by_name_f(loc_id, obj_name, attr_name, attr_exists, hdferr, lapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: obj_name
    character(len=*), intent(in) :: attr_name
    logical, intent(out) :: attr_exists
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, obj_name, attr_name, &
          lapl_id) bind(C, name='H5Aexists_by_name') result(status)
        import :: HID_T, c_char, c_int
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: obj_name
        character(kind=c_char), dimension(*), intent(in) :: attr_name
        integer(HID_T), value :: lapl_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(loc_id, c_text(obj_name), c_text(attr_name), given(lapl_id))
    attr_exists = answer > 0
    hdferr = error_of(answer)
  end subroutine h5aexists_by_name_f

  !> Deletes an attribute.
  subroutine h5adelete_f(obj_id, name, hdferr)
    integer(HID_T), intent(in) :: obj_id
    character(len=*), intent(in) :: name
    integer, intent(out) :: hdferr
    interface
      function c_call(obj_id, name) bind(C, name='H5Adelete') result(status)
        import :: HID_T, c_char, c_int
        integer(HID_T), value :: obj_id
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(obj_id, c_text(name)))
  end subroutine h5adelete_f

  !> Deletes an attribute of the object `obj_name`.
  subroutine h5adelete_by_name_f(loc_id, obj_name, attr_name, hdferr, lapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: obj_name
    character(len=*), intent(in) :: attr_name
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, obj_name, attr_name, &
          lapl_id) bind(C, name='H5Adelete_by_name') result(status)
        import :: HID_T, c_char, c_int
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: obj_name
        character(kind=c_char), dimension(*), intent(in) :: attr_name
        integer(HID_T), value :: lapl_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(loc_id, c_text(obj_name), c_text(attr_name), given(lapl_id)))
  end subroutine h5adelete_by_name_f

  !> Renames an attribute.
  subroutine h5arename_f(loc_id, old_attr_name, new_attr_name, hdferr)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: old_attr_name
    character(len=*), intent(in) :: new_attr_name
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, old_attr_name, &
          new_attr_name) bind(C, name='H5Arename') result(status)
        import :: HID_T, c_char, c_int
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: old_attr_name
        character(kind=c_char), dimension(*), intent(in) :: new_attr_name
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(loc_id, c_text(old_attr_name), c_text(new_attr_name)))
  end subroutine h5arename_f

  !> The type of an attribute.
  subroutine h5aget_type_f(attr_id, type_id, hdferr)
    integer(HID_T), intent(in) :: attr_id
    integer(HID_T), intent(out) :: type_id
    integer, intent(out) :: hdferr
    interface
      function c_call(attr_id) bind(C, name='H5Aget_type') result(status)
        import :: HID_T
        integer(HID_T), value :: attr_id
        integer(HID_T) :: status
      end function c_call
    end interface
    type_id = c_call(attr_id)
    hdferr = merge(-1, 0, type_id < 0)
  end subroutine h5aget_type_f

  !> The space of an attribute.
  subroutine h5aget_space_f(attr_id, space_id, hdferr)
    integer(HID_T), intent(in) :: attr_id
    integer(HID_T), intent(out) :: space_id
    integer, intent(out) :: hdferr
    interface
      function c_call(attr_id) bind(C, name='H5Aget_space') result(status)
        import :: HID_T
        integer(HID_T), value :: attr_id
        integer(HID_T) :: status
      end function c_call
    end interface
    space_id = c_call(attr_id)
    hdferr = merge(-1, 0, space_id < 0)
  end subroutine h5aget_space_f

  !> Bytes of an attribute's value in the file.
  subroutine h5aget_storage_size_f(attr_id, size, hdferr)
    integer(HID_T), intent(in) :: attr_id
    integer(HSIZE_T), intent(out) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(attr_id) bind(C, name='H5Aget_storage_size') result(status)
        import :: HID_T, HSIZE_T
        integer(HID_T), value :: attr_id
        integer(HSIZE_T) :: status
      end function c_call
    end interface
    size = c_call(attr_id)
    hdferr = 0
  end subroutine h5aget_storage_size_f

  !> As h5aopen_f; the name of older codes.
  subroutine h5aopen_name_f(obj_id, name, attr_id, hdferr)
    integer(HID_T), intent(in) :: obj_id
    character(len=*), intent(in) :: name
    integer(HID_T), intent(out) :: attr_id
    integer, intent(out) :: hdferr
    call h5aopen_f(obj_id, name, attr_id, hdferr)
  end subroutine h5aopen_name_f

end module h5a
