! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Modules h5_values_calls and h5_values_pointers: moving values from and to an address. The modules of each type, which
! values.py writes, call the first; the second is the form of the generic names that takes an address.
! Room: fortran. Fortran 2003 over the public C interface.

module h5_values_calls
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  private
  public :: c_write, c_read, c_write_attribute, c_read_attribute, c_set_fill, c_get_fill, c_fill, &
      c_size_of, c_set_property, c_get_property, c_register_property, c_insert_property, &
      letters_for, take_letters

contains

  function c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, buf) result(hdferr)
    integer(HID_T), intent(in) :: dset_id, mem_type_id
    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp
    type(c_ptr), intent(in) :: buf
    integer :: hdferr
    interface
      function c_call(dataset, type, memory, file, list, buf) bind(C, name='H5Dwrite') &
          result(status)
        import :: HID_T, c_int, c_ptr
        integer(HID_T), value :: dataset, type, memory, file, list
        type(c_ptr), value :: buf
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(dset_id, mem_type_id, given(mem_space_id), given(file_space_id), &
        given(xfer_prp), buf))
  end function c_write

  function c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, buf) result(hdferr)
    integer(HID_T), intent(in) :: dset_id, mem_type_id
    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp
    type(c_ptr), intent(in) :: buf
    integer :: hdferr
    interface
      function c_call(dataset, type, memory, file, list, buf) bind(C, name='H5Dread') &
          result(status)
        import :: HID_T, c_int, c_ptr
        integer(HID_T), value :: dataset, type, memory, file, list
        type(c_ptr), value :: buf
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(dset_id, mem_type_id, given(mem_space_id), given(file_space_id), &
        given(xfer_prp), buf))
  end function c_read

  function c_write_attribute(attr_id, memtype_id, buf) result(hdferr)
    integer(HID_T), intent(in) :: attr_id, memtype_id
    type(c_ptr), intent(in) :: buf
    integer :: hdferr
    interface
      function c_call(attribute, type, buf) bind(C, name='H5Awrite') result(status)
        import :: HID_T, c_int, c_ptr
        integer(HID_T), value :: attribute, type
        type(c_ptr), value :: buf
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(attr_id, memtype_id, buf))
  end function c_write_attribute

  function c_read_attribute(attr_id, memtype_id, buf) result(hdferr)
    integer(HID_T), intent(in) :: attr_id, memtype_id
    type(c_ptr), intent(in) :: buf
    integer :: hdferr
    interface
      function c_call(attribute, type, buf) bind(C, name='H5Aread') result(status)
        import :: HID_T, c_int, c_ptr
        integer(HID_T), value :: attribute, type
        type(c_ptr), value :: buf
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(attr_id, memtype_id, buf))
  end function c_read_attribute

  function c_set_fill(prp_id, type_id, buf) result(hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    type(c_ptr), intent(in) :: buf
    integer :: hdferr
    interface
      function c_call(list, type, buf) bind(C, name='H5Pset_fill_value') result(status)
        import :: HID_T, c_int, c_ptr
        integer(HID_T), value :: list, type
        type(c_ptr), value :: buf
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, type_id, buf))
  end function c_set_fill

  function c_get_fill(prp_id, type_id, buf) result(hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    type(c_ptr), intent(in) :: buf
    integer :: hdferr
    interface
      function c_call(list, type, buf) bind(C, name='H5Pget_fill_value') result(status)
        import :: HID_T, c_int, c_ptr
        integer(HID_T), value :: list, type
        type(c_ptr), value :: buf
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, type_id, buf))
  end function c_get_fill

  !> Fills the selected elements of a buffer.
  function c_fill(value, type_id, buf, space_id) result(hdferr)
    type(c_ptr), intent(in) :: value, buf
    integer(HID_T), intent(in) :: type_id, space_id
    integer :: hdferr
    interface
      function c_call(value, value_type, buf, buf_type, space) bind(C, name='H5Dfill') result(status)
        import :: HID_T, c_int, c_ptr
        type(c_ptr), value :: value, buf
        integer(HID_T), value :: value_type, buf_type, space
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(value, type_id, buf, type_id, space_id))
  end function c_fill

  !> The bytes of a property, 0 where there is none.
  function c_size_of(list, name) result(bytes)
    integer(HID_T), intent(in) :: list
    character(len=*), intent(in) :: name
    integer(c_size_t) :: bytes
    interface
      function c_call(list, name, bytes) bind(C, name='H5Pget_size') result(status)
        import :: HID_T, c_int, c_char, c_size_t
        integer(HID_T), value :: list
        character(kind=c_char), intent(in) :: name(*)
        integer(c_size_t), intent(out) :: bytes
        integer(c_int) :: status
      end function c_call
    end interface
    bytes = 0
    if (c_call(list, c_text(name), bytes) < 0) bytes = 0
  end function c_size_of

  function c_set_property(list, name, value) result(hdferr)
    integer(HID_T), intent(in) :: list
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: value
    integer :: hdferr
    interface
      function c_call(list, name, value) bind(C, name='H5Pset') result(status)
        import :: HID_T, c_int, c_char, c_ptr
        integer(HID_T), value :: list
        character(kind=c_char), intent(in) :: name(*)
        type(c_ptr), value :: value
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(list, c_text(name), value))
  end function c_set_property

  function c_get_property(list, name, value) result(hdferr)
    integer(HID_T), intent(in) :: list
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: value
    integer :: hdferr
    interface
      function c_call(list, name, value) bind(C, name='H5Pget') result(status)
        import :: HID_T, c_int, c_char, c_ptr
        integer(HID_T), value :: list
        character(kind=c_char), intent(in) :: name(*)
        type(c_ptr), value :: value
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(list, c_text(name), value))
  end function c_get_property

  function c_register_property(class, name, bytes, value) result(hdferr)
    integer(HID_T), intent(in) :: class
    character(len=*), intent(in) :: name
    integer(SIZE_T), intent(in) :: bytes
    type(c_ptr), intent(in) :: value
    integer :: hdferr
    interface
      function c_call(class, name, bytes, value, create, set, get, remove, copy, compare, close) &
          bind(C, name='H5Pregister2') result(status)
        import :: HID_T, c_int, c_char, c_size_t, c_ptr, c_funptr
        integer(HID_T), value :: class
        character(kind=c_char), intent(in) :: name(*)
        integer(c_size_t), value :: bytes
        type(c_ptr), value :: value
        type(c_funptr), value :: create, set, get, remove, copy, compare, close
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(class, c_text(name), bytes, value, c_null_funptr, c_null_funptr, &
        c_null_funptr, c_null_funptr, c_null_funptr, c_null_funptr, c_null_funptr))
  end function c_register_property

  function c_insert_property(list, name, bytes, value) result(hdferr)
    integer(HID_T), intent(in) :: list
    character(len=*), intent(in) :: name
    integer(SIZE_T), intent(in) :: bytes
    type(c_ptr), intent(in) :: value
    integer :: hdferr
    interface
      function c_call(list, name, bytes, value, set, get, remove, copy, compare, close) &
          bind(C, name='H5Pinsert2') result(status)
        import :: HID_T, c_int, c_char, c_size_t, c_ptr, c_funptr
        integer(HID_T), value :: list
        character(kind=c_char), intent(in) :: name(*)
        integer(c_size_t), value :: bytes
        type(c_ptr), value :: value
        type(c_funptr), value :: set, get, remove, copy, compare, close
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(list, c_text(name), bytes, value, c_null_funptr, c_null_funptr, &
        c_null_funptr, c_null_funptr, c_null_funptr, c_null_funptr))
  end function c_insert_property

  !> A text as the bytes of a property: blanks behind it, or what there is no room for cut off.
  subroutine letters_for(text, bytes, letters)
    character(len=*), intent(in) :: text
    integer(c_size_t), intent(in) :: bytes
    character(kind=c_char, len=1), allocatable, intent(out) :: letters(:)
    integer :: i
    allocate (letters(max(1_c_size_t, bytes)))
    letters = ' '
    do i = 1, min(size(letters), len(text))
      letters(i) = text(i:i)
    end do
  end subroutine letters_for

  !> The other way round.
  subroutine take_letters(letters, text)
    character(kind=c_char, len=1), intent(in) :: letters(:)
    character(len=*), intent(inout) :: text
    integer :: i
    text = ' '
    do i = 1, min(size(letters), len(text))
      text(i:i) = letters(i)
    end do
  end subroutine take_letters

end module h5_values_calls

module h5_values_pointers
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_values_calls
  implicit none
  private
  public :: h5dwrite_f, h5dread_f, h5awrite_f, h5aread_f, h5pset_fill_value_f, h5pget_fill_value_f, &
      h5pset_f, h5pget_f, h5pregister_f, h5pinsert_f

  interface h5dwrite_f
    module procedure dwrite_ptr
  end interface h5dwrite_f

  interface h5dread_f
    module procedure dread_ptr
  end interface h5dread_f

  interface h5awrite_f
    module procedure awrite_ptr
  end interface h5awrite_f

  interface h5aread_f
    module procedure aread_ptr
  end interface h5aread_f

  interface h5pset_fill_value_f
    module procedure set_fill_ptr
  end interface h5pset_fill_value_f

  interface h5pget_fill_value_f
    module procedure get_fill_ptr
  end interface h5pget_fill_value_f

  interface h5pset_f
    module procedure set_property_ptr
  end interface h5pset_f

  interface h5pget_f
    module procedure get_property_ptr
  end interface h5pget_f

  interface h5pregister_f
    module procedure register_property_ptr
  end interface h5pregister_f

  interface h5pinsert_f
    module procedure insert_property_ptr
  end interface h5pinsert_f

contains

  subroutine dwrite_ptr(dset_id, mem_type_id, buf, hdferr, mem_space_id, file_space_id, xfer_prp)
    integer(HID_T), intent(in) :: dset_id, mem_type_id
    type(c_ptr), intent(in) :: buf
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, buf)
  end subroutine dwrite_ptr

  subroutine dread_ptr(dset_id, mem_type_id, buf, hdferr, mem_space_id, file_space_id, xfer_prp)
    integer(HID_T), intent(in) :: dset_id, mem_type_id
    type(c_ptr), intent(in) :: buf
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, buf)
  end subroutine dread_ptr

  subroutine awrite_ptr(attr_id, mem_type_id, buf, hdferr)
    integer(HID_T), intent(in) :: attr_id, mem_type_id
    type(c_ptr), intent(in) :: buf
    integer, intent(out) :: hdferr
    hdferr = c_write_attribute(attr_id, mem_type_id, buf)
  end subroutine awrite_ptr

  subroutine aread_ptr(attr_id, mem_type_id, buf, hdferr)
    integer(HID_T), intent(in) :: attr_id, mem_type_id
    type(c_ptr), intent(in) :: buf
    integer, intent(out) :: hdferr
    hdferr = c_read_attribute(attr_id, mem_type_id, buf)
  end subroutine aread_ptr

  subroutine set_fill_ptr(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    type(c_ptr), intent(in) :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_set_fill(prp_id, type_id, fillvalue)
  end subroutine set_fill_ptr

  subroutine get_fill_ptr(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    type(c_ptr), intent(in) :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_get_fill(prp_id, type_id, fillvalue)
  end subroutine get_fill_ptr

  subroutine set_property_ptr(prp_id, name, value, hdferr)
    integer(HID_T), intent(in) :: prp_id
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: value
    integer, intent(out) :: hdferr
    hdferr = c_set_property(prp_id, name, value)
  end subroutine set_property_ptr

  subroutine get_property_ptr(prp_id, name, value, hdferr)
    integer(HID_T), intent(in) :: prp_id
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: value
    integer, intent(out) :: hdferr
    hdferr = c_get_property(prp_id, name, value)
  end subroutine get_property_ptr

  subroutine register_property_ptr(class, name, size, value, hdferr)
    integer(HID_T), intent(in) :: class
    character(len=*), intent(in) :: name
    integer(SIZE_T), intent(in) :: size
    type(c_ptr), intent(in) :: value
    integer, intent(out) :: hdferr
    hdferr = c_register_property(class, name, size, value)
  end subroutine register_property_ptr

  subroutine insert_property_ptr(plist, name, size, value, hdferr)
    integer(HID_T), intent(in) :: plist
    character(len=*), intent(in) :: name
    integer(SIZE_T), intent(in) :: size
    type(c_ptr), intent(in) :: value
    integer, intent(out) :: hdferr
    hdferr = c_insert_property(plist, name, size, value)
  end subroutine insert_property_ptr

end module h5_values_pointers
