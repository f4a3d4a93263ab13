! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5t: datatypes.
! Room: fortran. Fortran 2003 over the public C interface.

module h5t
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5tcopy_f, h5tclose_f, h5tcreate_f, h5topen_f, h5tcommit_f, h5tequal_f, &
      h5tget_class_f, h5tget_order_f, h5tset_order_f, h5tset_size_f, h5tset_precision_f, &
      h5tget_strpad_f, h5tset_strpad_f, h5tget_cset_f, h5tset_cset_f, h5tis_variable_str_f, &
      h5tget_native_type_f, h5tget_super_f, h5tinsert_f, h5tget_nmembers_f, h5tget_size_f, &
      h5tarray_create_f

contains

  !> A type of one's own, to be changed.
  subroutine h5tcopy_f(type_id, new_type_id, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer(HID_T), intent(out) :: new_type_id
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id) bind(C, name='H5Tcopy') result(status)
        import :: HID_T
        integer(HID_T), value :: type_id
        integer(HID_T) :: status
      end function c_call
    end interface
    new_type_id = c_call(type_id)
    hdferr = merge(-1, 0, new_type_id < 0)
  end subroutine h5tcopy_f

  !> Closes a type.
  subroutine h5tclose_f(type_id, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id) bind(C, name='H5Tclose') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: type_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(type_id))
  end subroutine h5tclose_f

  !> Creates a compound, opaque, enumerated or string type of `size` bytes.
  subroutine h5tcreate_f(class, size, type_id, hdferr)
    integer, intent(in) :: class
    integer(SIZE_T), intent(in) :: size
    integer(HID_T), intent(out) :: type_id
    integer, intent(out) :: hdferr
    interface
      function c_call(class, size) bind(C, name='H5Tcreate') result(status)
        import :: HID_T, SIZE_T, c_int
        integer(c_int), value :: class
        integer(SIZE_T), value :: size
        integer(HID_T) :: status
      end function c_call
    end interface
    type_id = c_call(int(class, c_int), size)
    hdferr = merge(-1, 0, type_id < 0)
  end subroutine h5tcreate_f

  !> Opens a committed type.
  subroutine h5topen_f(loc_id, name, type_id, hdferr, tapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer(HID_T), intent(out) :: type_id
    integer(HID_T), intent(in), optional :: tapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, name, tapl_id) bind(C, name='H5Topen2') result(status)
        import :: HID_T, c_char
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(HID_T), value :: tapl_id
        integer(HID_T) :: status
      end function c_call
    end interface
    type_id = c_call(loc_id, c_text(name), given(tapl_id))
    hdferr = merge(-1, 0, type_id < 0)
  end subroutine h5topen_f

  !> Gives a type a name in a file.
  subroutine h5tcommit_f(loc_id, name, type_id, hdferr, lcpl_id, tcpl_id, tapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer(HID_T), intent(in) :: type_id
    integer(HID_T), intent(in), optional :: lcpl_id
    integer(HID_T), intent(in), optional :: tcpl_id
    integer(HID_T), intent(in), optional :: tapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, name, type_id, lcpl_id, tcpl_id, &
          tapl_id) bind(C, name='H5Tcommit2') result(status)
        import :: HID_T, c_char, c_int
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(HID_T), value :: type_id
        integer(HID_T), value :: lcpl_id
        integer(HID_T), value :: tcpl_id
        integer(HID_T), value :: tapl_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(loc_id, c_text(name), type_id, given(lcpl_id), given(tcpl_id), &
        given(tapl_id)))
  end subroutine h5tcommit_f

  !> Whether two types are the same.
  subroutine h5tequal_f(type1_id, type2_id, flag, hdferr)
    integer(HID_T), intent(in) :: type1_id
    integer(HID_T), intent(in) :: type2_id
    logical, intent(out) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(type1_id, type2_id) bind(C, name='H5Tequal') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: type1_id
        integer(HID_T), value :: type2_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(type1_id, type2_id)
    flag = answer > 0
    hdferr = error_of(answer)
  end subroutine h5tequal_f

  !> The class of a type.
  subroutine h5tget_class_f(type_id, class, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer, intent(out) :: class
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id) bind(C, name='H5Tget_class') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: type_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(type_id)
    class = int(answer)
    hdferr = error_of(answer)
  end subroutine h5tget_class_f

  !> The byte order of a type.
  subroutine h5tget_order_f(type_id, order, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer, intent(out) :: order
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id) bind(C, name='H5Tget_order') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: type_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(type_id)
    order = int(answer)
    hdferr = error_of(answer)
  end subroutine h5tget_order_f

  !> Sets the byte order of a type.
  subroutine h5tset_order_f(type_id, order, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer, intent(in) :: order
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id, order) bind(C, name='H5Tset_order') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: type_id
        integer(c_int), value :: order
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(type_id, int(order, c_int)))
  end subroutine h5tset_order_f

  !> Sets the bytes of a type.
  subroutine h5tset_size_f(type_id, size, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer(SIZE_T), intent(in) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id, size) bind(C, name='H5Tset_size') result(status)
        import :: HID_T, SIZE_T, c_int
        integer(HID_T), value :: type_id
        integer(SIZE_T), value :: size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(type_id, size))
  end subroutine h5tset_size_f

  !> Sets the bits of a number that count.
  subroutine h5tset_precision_f(type_id, precision, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer(SIZE_T), intent(in) :: precision
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id, precision) bind(C, name='H5Tset_precision') result(status)
        import :: HID_T, SIZE_T, c_int
        integer(HID_T), value :: type_id
        integer(SIZE_T), value :: precision
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(type_id, precision))
  end subroutine h5tset_precision_f

  !> How strings end: H5T_STR_*_F.
  subroutine h5tget_strpad_f(type_id, strpad, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer, intent(out) :: strpad
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id) bind(C, name='H5Tget_strpad') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: type_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(type_id)
    strpad = int(answer)
    hdferr = error_of(answer)
  end subroutine h5tget_strpad_f

  !> Sets how strings end: H5T_STR_*_F.
  subroutine h5tset_strpad_f(type_id, strpad, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer, intent(in) :: strpad
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id, strpad) bind(C, name='H5Tset_strpad') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: type_id
        integer(c_int), value :: strpad
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(type_id, int(strpad, c_int)))
  end subroutine h5tset_strpad_f

  !> The character set of strings.
  subroutine h5tget_cset_f(type_id, cset, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer, intent(out) :: cset
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id) bind(C, name='H5Tget_cset') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: type_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(type_id)
    cset = int(answer)
    hdferr = error_of(answer)
  end subroutine h5tget_cset_f

  !> Sets the character set of strings.
  subroutine h5tset_cset_f(type_id, cset, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer, intent(in) :: cset
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id, cset) bind(C, name='H5Tset_cset') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: type_id
        integer(c_int), value :: cset
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(type_id, int(cset, c_int)))
  end subroutine h5tset_cset_f

  !> Whether a type is of strings of any length.
  subroutine h5tis_variable_str_f(type_id, status, hdferr)
    integer(HID_T), intent(in) :: type_id
    logical, intent(out) :: status
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id) bind(C, name='H5Tis_variable_str') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: type_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(type_id)
    status = answer > 0
    hdferr = error_of(answer)
  end subroutine h5tis_variable_str_f

  !> The type of this machine that is closest to a type.
  subroutine h5tget_native_type_f(dtype_id, direction, native_dtype_id, hdferr)
    integer(HID_T), intent(in) :: dtype_id
    integer, intent(in) :: direction
    integer(HID_T), intent(out) :: native_dtype_id
    integer, intent(out) :: hdferr
    interface
      function c_call(dtype_id, direction) bind(C, name='H5Tget_native_type') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: dtype_id
        integer(c_int), value :: direction
        integer(HID_T) :: status
      end function c_call
    end interface
    native_dtype_id = c_call(dtype_id, int(direction, c_int))
    hdferr = merge(-1, 0, native_dtype_id < 0)
  end subroutine h5tget_native_type_f

  !> The base of an array, enumerated or sequence type.
  subroutine h5tget_super_f(type_id, base_type_id, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer(HID_T), intent(out) :: base_type_id
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id) bind(C, name='H5Tget_super') result(status)
        import :: HID_T
        integer(HID_T), value :: type_id
        integer(HID_T) :: status
      end function c_call
    end interface
    base_type_id = c_call(type_id)
    hdferr = merge(-1, 0, base_type_id < 0)
  end subroutine h5tget_super_f

  !> Adds a member `offset` bytes into a compound type.
  subroutine h5tinsert_f(type_id, name, offset, field_id, hdferr)
    integer(HID_T), intent(in) :: type_id
    character(len=*), intent(in) :: name
    integer(SIZE_T), intent(in) :: offset
    integer(HID_T), intent(in) :: field_id
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id, name, offset, field_id) bind(C, name='H5Tinsert') result(status)
        import :: HID_T, SIZE_T, c_char, c_int
        integer(HID_T), value :: type_id
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(SIZE_T), value :: offset
        integer(HID_T), value :: field_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(type_id, c_text(name), offset, field_id))
  end subroutine h5tinsert_f

  !> The number of members.
  subroutine h5tget_nmembers_f(type_id, num_members, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer, intent(out) :: num_members
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id) bind(C, name='H5Tget_nmembers') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: type_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(type_id)
    num_members = int(answer)
    hdferr = error_of(answer)
  end subroutine h5tget_nmembers_f

  !> The bytes of a type.
  subroutine h5tget_size_f(type_id, size, hdferr)
    integer(HID_T), intent(in) :: type_id
    integer(SIZE_T), intent(out) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(type_id) bind(C, name='H5Tget_size') result(size)
        import :: HID_T, SIZE_T
        integer(HID_T), value :: type_id
        integer(SIZE_T) :: size
      end function c_call
    end interface
    size = c_call(type_id)
    hdferr = merge(-1, 0, size == 0)
  end subroutine h5tget_size_f

  !> An array type; `dims` in Fortran's order.
  subroutine h5tarray_create_f(base_id, rank, dims, type_id, hdferr)
    integer(HID_T), intent(in) :: base_id
    integer, intent(in) :: rank
    integer(HSIZE_T), intent(in) :: dims(*)
    integer(HID_T), intent(out) :: type_id
    integer, intent(out) :: hdferr
    interface
      function c_call(base_id, ndims, dims) bind(C, name='H5Tarray_create2') result(id)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: base_id
        integer(c_int), value :: ndims
        integer(HSIZE_T), intent(in) :: dims(*)
        integer(HID_T) :: id
      end function c_call
    end interface
    type_id = c_call(base_id, int(rank, c_int), dims(rank:1:-1))
    hdferr = merge(-1, 0, type_id < 0)
  end subroutine h5tarray_create_f

end module h5t
