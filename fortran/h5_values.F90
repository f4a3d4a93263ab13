! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5_values: reading and writing the values of datasets, attributes and fill values, for
! every type and number of dimensions under one name. A buffer is passed as the place where it
! begins, so that array elements, as in x(1, 1), do as well as arrays. One module for each type,
! all of the same text; a new type needs one more of them.
! Room: fortran. Fortran 2003 over the public C interface; the preprocessor puts the types in.

module h5_values_calls
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: c_write, c_read, c_write_attribute, c_read_attribute, c_set_fill, c_get_fill

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

end module h5_values_calls

module h5_values_int8
#define BUFFER_TYPE integer(c_int8_t)
#include "h5_values_of_type.inc"
#undef BUFFER_TYPE
end module h5_values_int8

module h5_values_int16
#define BUFFER_TYPE integer(c_int16_t)
#include "h5_values_of_type.inc"
#undef BUFFER_TYPE
end module h5_values_int16

module h5_values_int32
#define BUFFER_TYPE integer(c_int32_t)
#include "h5_values_of_type.inc"
#undef BUFFER_TYPE
end module h5_values_int32

module h5_values_int64
#define BUFFER_TYPE integer(c_int64_t)
#include "h5_values_of_type.inc"
#undef BUFFER_TYPE
end module h5_values_int64

module h5_values_real32
#define BUFFER_TYPE real(c_float)
#include "h5_values_of_type.inc"
#undef BUFFER_TYPE
end module h5_values_real32

module h5_values_real64
#define BUFFER_TYPE real(c_double)
#include "h5_values_of_type.inc"
#undef BUFFER_TYPE
end module h5_values_real64

module h5_values_text
#define BUFFER_TYPE character(len=*)
#define BUFFER_IS_TEXT
#include "h5_values_of_type.inc"
#undef BUFFER_TYPE
#undef BUFFER_IS_TEXT
end module h5_values_text

! Buffers of any type by their address, and all the others under the same names.
module h5_values
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_values_calls
  use h5_values_int8
  use h5_values_int16
  use h5_values_int32
  use h5_values_int64
  use h5_values_real32
  use h5_values_real64
  use h5_values_text
  implicit none
  private
  public :: h5dwrite_f, h5dread_f, h5awrite_f, h5aread_f, h5pset_fill_value_f, h5pget_fill_value_f

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

  subroutine awrite_ptr(attr_id, memtype_id, buf, hdferr)
    integer(HID_T), intent(in) :: attr_id, memtype_id
    type(c_ptr), intent(in) :: buf
    integer, intent(out) :: hdferr
    hdferr = c_write_attribute(attr_id, memtype_id, buf)
  end subroutine awrite_ptr

  subroutine aread_ptr(attr_id, memtype_id, buf, hdferr)
    integer(HID_T), intent(in) :: attr_id, memtype_id
    type(c_ptr), intent(in) :: buf
    integer, intent(out) :: hdferr
    hdferr = c_read_attribute(attr_id, memtype_id, buf)
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

end module h5_values
