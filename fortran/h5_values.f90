! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5_values: reading and writing the values of datasets, attributes and fill values, for
! every kind and number of dimensions under one name. A buffer is passed as the place where it
! begins, so that array elements, as in x(1, 1), do as well as arrays.
! Room: fortran. Fortran 2003 over the public C interface.

module h5_values
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5dwrite_f, h5dread_f, h5awrite_f, h5aread_f, h5pset_fill_value_f, h5pget_fill_value_f

  interface h5dwrite_f
    module procedure dwrite_int32_0, dwrite_int32_1, dwrite_int32_2, dwrite_int32_3, &
        dwrite_int32_4, dwrite_int32_5, dwrite_int32_6, dwrite_int32_7
    module procedure dwrite_int64_0, dwrite_int64_1, dwrite_int64_2, dwrite_int64_3, &
        dwrite_int64_4, dwrite_int64_5, dwrite_int64_6, dwrite_int64_7
    module procedure dwrite_real32_0, dwrite_real32_1, dwrite_real32_2, dwrite_real32_3, &
        dwrite_real32_4, dwrite_real32_5, dwrite_real32_6, dwrite_real32_7
    module procedure dwrite_real64_0, dwrite_real64_1, dwrite_real64_2, dwrite_real64_3, &
        dwrite_real64_4, dwrite_real64_5, dwrite_real64_6, dwrite_real64_7
    module procedure dwrite_char_0, dwrite_char_1, dwrite_char_2, dwrite_ptr
  end interface h5dwrite_f

  interface h5dread_f
    module procedure dread_int32_0, dread_int32_1, dread_int32_2, dread_int32_3, &
        dread_int32_4, dread_int32_5, dread_int32_6, dread_int32_7
    module procedure dread_int64_0, dread_int64_1, dread_int64_2, dread_int64_3, &
        dread_int64_4, dread_int64_5, dread_int64_6, dread_int64_7
    module procedure dread_real32_0, dread_real32_1, dread_real32_2, dread_real32_3, &
        dread_real32_4, dread_real32_5, dread_real32_6, dread_real32_7
    module procedure dread_real64_0, dread_real64_1, dread_real64_2, dread_real64_3, &
        dread_real64_4, dread_real64_5, dread_real64_6, dread_real64_7
    module procedure dread_char_0, dread_char_1, dread_char_2, dread_ptr
  end interface h5dread_f

  interface h5awrite_f
    module procedure awrite_int32_0, awrite_int32_1, awrite_int32_2, awrite_int32_3, &
        awrite_int32_4, awrite_int32_5, awrite_int32_6, awrite_int32_7
    module procedure awrite_int64_0, awrite_int64_1, awrite_int64_2, awrite_int64_3, &
        awrite_int64_4, awrite_int64_5, awrite_int64_6, awrite_int64_7
    module procedure awrite_real32_0, awrite_real32_1, awrite_real32_2, awrite_real32_3, &
        awrite_real32_4, awrite_real32_5, awrite_real32_6, awrite_real32_7
    module procedure awrite_real64_0, awrite_real64_1, awrite_real64_2, awrite_real64_3, &
        awrite_real64_4, awrite_real64_5, awrite_real64_6, awrite_real64_7
    module procedure awrite_char_0, awrite_char_1, awrite_char_2, awrite_ptr
  end interface h5awrite_f

  interface h5aread_f
    module procedure aread_int32_0, aread_int32_1, aread_int32_2, aread_int32_3, &
        aread_int32_4, aread_int32_5, aread_int32_6, aread_int32_7
    module procedure aread_int64_0, aread_int64_1, aread_int64_2, aread_int64_3, &
        aread_int64_4, aread_int64_5, aread_int64_6, aread_int64_7
    module procedure aread_real32_0, aread_real32_1, aread_real32_2, aread_real32_3, &
        aread_real32_4, aread_real32_5, aread_real32_6, aread_real32_7
    module procedure aread_real64_0, aread_real64_1, aread_real64_2, aread_real64_3, &
        aread_real64_4, aread_real64_5, aread_real64_6, aread_real64_7
    module procedure aread_char_0, aread_char_1, aread_char_2, aread_ptr
  end interface h5aread_f

  interface h5pset_fill_value_f
    module procedure set_fill_int32, set_fill_int64, set_fill_real32, set_fill_real64, &
        set_fill_ptr
  end interface h5pset_fill_value_f

  interface h5pget_fill_value_f
    module procedure get_fill_int32, get_fill_int64, get_fill_real32, get_fill_real64, &
        get_fill_ptr
  end interface h5pget_fill_value_f

contains

  ! ---- where a buffer begins ----------------------------------------------------------------

  function address_int32(buf) result(at)
    integer(c_int32_t), intent(in), target :: buf(*)
    type(c_ptr) :: at
    at = c_loc(buf(1))
  end function address_int32

  function address_int64(buf) result(at)
    integer(c_int64_t), intent(in), target :: buf(*)
    type(c_ptr) :: at
    at = c_loc(buf(1))
  end function address_int64

  function address_real32(buf) result(at)
    real(c_float), intent(in), target :: buf(*)
    type(c_ptr) :: at
    at = c_loc(buf(1))
  end function address_real32

  function address_real64(buf) result(at)
    real(c_double), intent(in), target :: buf(*)
    type(c_ptr) :: at
    at = c_loc(buf(1))
  end function address_real64

  function address_char(buf) result(at)
    character(kind=c_char, len=1), intent(in), target :: buf(*)
    type(c_ptr) :: at
    at = c_loc(buf(1))
  end function address_char

  ! ---- the C calls --------------------------------------------------------------------------

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

  ! ---- datasets -----------------------------------------------------------------------------
  ! `dims` is what older codes pass; the spaces say what is transferred.

  subroutine dwrite_int32_0(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(in), target :: buf
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        c_loc(buf))
  end subroutine dwrite_int32_0

  subroutine dwrite_int32_1(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(in), target :: buf(*)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dwrite_int32_1

  subroutine dwrite_int32_2(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(in), target :: buf(1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dwrite_int32_2

  subroutine dwrite_int32_3(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(in), target :: buf(1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dwrite_int32_3

  subroutine dwrite_int32_4(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(in), target :: buf(1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dwrite_int32_4

  subroutine dwrite_int32_5(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(in), target :: buf(1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dwrite_int32_5

  subroutine dwrite_int32_6(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(in), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dwrite_int32_6

  subroutine dwrite_int32_7(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(in), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dwrite_int32_7

  subroutine dwrite_int64_0(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(in), target :: buf
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        c_loc(buf))
  end subroutine dwrite_int64_0

  subroutine dwrite_int64_1(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(in), target :: buf(*)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dwrite_int64_1

  subroutine dwrite_int64_2(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(in), target :: buf(1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dwrite_int64_2

  subroutine dwrite_int64_3(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(in), target :: buf(1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dwrite_int64_3

  subroutine dwrite_int64_4(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(in), target :: buf(1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dwrite_int64_4

  subroutine dwrite_int64_5(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(in), target :: buf(1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dwrite_int64_5

  subroutine dwrite_int64_6(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(in), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dwrite_int64_6

  subroutine dwrite_int64_7(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(in), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dwrite_int64_7

  subroutine dwrite_real32_0(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(in), target :: buf
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        c_loc(buf))
  end subroutine dwrite_real32_0

  subroutine dwrite_real32_1(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(in), target :: buf(*)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dwrite_real32_1

  subroutine dwrite_real32_2(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(in), target :: buf(1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dwrite_real32_2

  subroutine dwrite_real32_3(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(in), target :: buf(1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dwrite_real32_3

  subroutine dwrite_real32_4(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(in), target :: buf(1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dwrite_real32_4

  subroutine dwrite_real32_5(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(in), target :: buf(1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dwrite_real32_5

  subroutine dwrite_real32_6(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(in), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dwrite_real32_6

  subroutine dwrite_real32_7(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(in), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dwrite_real32_7

  subroutine dwrite_real64_0(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(in), target :: buf
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        c_loc(buf))
  end subroutine dwrite_real64_0

  subroutine dwrite_real64_1(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(in), target :: buf(*)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dwrite_real64_1

  subroutine dwrite_real64_2(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(in), target :: buf(1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dwrite_real64_2

  subroutine dwrite_real64_3(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(in), target :: buf(1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dwrite_real64_3

  subroutine dwrite_real64_4(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(in), target :: buf(1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dwrite_real64_4

  subroutine dwrite_real64_5(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(in), target :: buf(1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dwrite_real64_5

  subroutine dwrite_real64_6(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(in), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dwrite_real64_6

  subroutine dwrite_real64_7(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(in), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dwrite_real64_7

  subroutine dwrite_char_0(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    character(len=*), intent(in), target :: buf
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_char(buf))
  end subroutine dwrite_char_0

  subroutine dwrite_char_1(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    character(len=*), intent(in), target :: buf(*)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_char(buf))
  end subroutine dwrite_char_1

  subroutine dwrite_char_2(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    character(len=*), intent(in), target :: buf(1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_char(buf))
  end subroutine dwrite_char_2

  subroutine dwrite_ptr(dset_id, mem_type_id, buf, hdferr, mem_space_id, file_space_id, xfer_prp)
    integer(HID_T), intent(in) :: dset_id, mem_type_id
    type(c_ptr), intent(in) :: buf
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp
    hdferr = c_write(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, buf)
  end subroutine dwrite_ptr

  subroutine dread_int32_0(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(inout), target :: buf
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        c_loc(buf))
  end subroutine dread_int32_0

  subroutine dread_int32_1(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(inout), target :: buf(*)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dread_int32_1

  subroutine dread_int32_2(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(inout), target :: buf(1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dread_int32_2

  subroutine dread_int32_3(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(inout), target :: buf(1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dread_int32_3

  subroutine dread_int32_4(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(inout), target :: buf(1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dread_int32_4

  subroutine dread_int32_5(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(inout), target :: buf(1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dread_int32_5

  subroutine dread_int32_6(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(inout), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dread_int32_6

  subroutine dread_int32_7(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int32_t), intent(inout), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int32(buf))
  end subroutine dread_int32_7

  subroutine dread_int64_0(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(inout), target :: buf
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        c_loc(buf))
  end subroutine dread_int64_0

  subroutine dread_int64_1(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(inout), target :: buf(*)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dread_int64_1

  subroutine dread_int64_2(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(inout), target :: buf(1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dread_int64_2

  subroutine dread_int64_3(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(inout), target :: buf(1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dread_int64_3

  subroutine dread_int64_4(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(inout), target :: buf(1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dread_int64_4

  subroutine dread_int64_5(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(inout), target :: buf(1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dread_int64_5

  subroutine dread_int64_6(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(inout), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dread_int64_6

  subroutine dread_int64_7(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    integer(c_int64_t), intent(inout), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_int64(buf))
  end subroutine dread_int64_7

  subroutine dread_real32_0(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(inout), target :: buf
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        c_loc(buf))
  end subroutine dread_real32_0

  subroutine dread_real32_1(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(inout), target :: buf(*)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dread_real32_1

  subroutine dread_real32_2(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(inout), target :: buf(1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dread_real32_2

  subroutine dread_real32_3(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(inout), target :: buf(1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dread_real32_3

  subroutine dread_real32_4(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(inout), target :: buf(1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dread_real32_4

  subroutine dread_real32_5(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(inout), target :: buf(1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dread_real32_5

  subroutine dread_real32_6(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(inout), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dread_real32_6

  subroutine dread_real32_7(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_float), intent(inout), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real32(buf))
  end subroutine dread_real32_7

  subroutine dread_real64_0(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(inout), target :: buf
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        c_loc(buf))
  end subroutine dread_real64_0

  subroutine dread_real64_1(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(inout), target :: buf(*)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dread_real64_1

  subroutine dread_real64_2(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(inout), target :: buf(1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dread_real64_2

  subroutine dread_real64_3(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(inout), target :: buf(1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dread_real64_3

  subroutine dread_real64_4(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(inout), target :: buf(1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dread_real64_4

  subroutine dread_real64_5(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(inout), target :: buf(1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dread_real64_5

  subroutine dread_real64_6(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(inout), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dread_real64_6

  subroutine dread_real64_7(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    real(c_double), intent(inout), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_real64(buf))
  end subroutine dread_real64_7

  subroutine dread_char_0(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    character(len=*), intent(inout), target :: buf
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_char(buf))
  end subroutine dread_char_0

  subroutine dread_char_1(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    character(len=*), intent(inout), target :: buf(*)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_char(buf))
  end subroutine dread_char_1

  subroutine dread_char_2(dset_id, mem_type_id, buf, dims, hdferr, &
      mem_space_id, file_space_id, xfer_prp)
    character(len=*), intent(inout), target :: buf(1, *)
    include 'h5_transfer_arguments.inc'
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, &
        address_char(buf))
  end subroutine dread_char_2

  subroutine dread_ptr(dset_id, mem_type_id, buf, hdferr, mem_space_id, file_space_id, xfer_prp)
    integer(HID_T), intent(in) :: dset_id, mem_type_id
    type(c_ptr), intent(in) :: buf
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp
    hdferr = c_read(dset_id, mem_type_id, mem_space_id, file_space_id, xfer_prp, buf)
  end subroutine dread_ptr

  ! ---- attributes ---------------------------------------------------------------------------

  subroutine awrite_int32_0(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(in), target :: buf
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, c_loc(buf))
  end subroutine awrite_int32_0

  subroutine awrite_int32_1(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(in), target :: buf(*)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine awrite_int32_1

  subroutine awrite_int32_2(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(in), target :: buf(1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine awrite_int32_2

  subroutine awrite_int32_3(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(in), target :: buf(1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine awrite_int32_3

  subroutine awrite_int32_4(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(in), target :: buf(1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine awrite_int32_4

  subroutine awrite_int32_5(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(in), target :: buf(1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine awrite_int32_5

  subroutine awrite_int32_6(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(in), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine awrite_int32_6

  subroutine awrite_int32_7(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(in), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine awrite_int32_7

  subroutine awrite_int64_0(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(in), target :: buf
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, c_loc(buf))
  end subroutine awrite_int64_0

  subroutine awrite_int64_1(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(in), target :: buf(*)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine awrite_int64_1

  subroutine awrite_int64_2(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(in), target :: buf(1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine awrite_int64_2

  subroutine awrite_int64_3(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(in), target :: buf(1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine awrite_int64_3

  subroutine awrite_int64_4(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(in), target :: buf(1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine awrite_int64_4

  subroutine awrite_int64_5(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(in), target :: buf(1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine awrite_int64_5

  subroutine awrite_int64_6(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(in), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine awrite_int64_6

  subroutine awrite_int64_7(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(in), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine awrite_int64_7

  subroutine awrite_real32_0(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(in), target :: buf
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, c_loc(buf))
  end subroutine awrite_real32_0

  subroutine awrite_real32_1(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(in), target :: buf(*)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine awrite_real32_1

  subroutine awrite_real32_2(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(in), target :: buf(1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine awrite_real32_2

  subroutine awrite_real32_3(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(in), target :: buf(1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine awrite_real32_3

  subroutine awrite_real32_4(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(in), target :: buf(1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine awrite_real32_4

  subroutine awrite_real32_5(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(in), target :: buf(1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine awrite_real32_5

  subroutine awrite_real32_6(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(in), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine awrite_real32_6

  subroutine awrite_real32_7(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(in), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine awrite_real32_7

  subroutine awrite_real64_0(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(in), target :: buf
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, c_loc(buf))
  end subroutine awrite_real64_0

  subroutine awrite_real64_1(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(in), target :: buf(*)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine awrite_real64_1

  subroutine awrite_real64_2(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(in), target :: buf(1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine awrite_real64_2

  subroutine awrite_real64_3(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(in), target :: buf(1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine awrite_real64_3

  subroutine awrite_real64_4(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(in), target :: buf(1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine awrite_real64_4

  subroutine awrite_real64_5(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(in), target :: buf(1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine awrite_real64_5

  subroutine awrite_real64_6(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(in), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine awrite_real64_6

  subroutine awrite_real64_7(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(in), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine awrite_real64_7

  subroutine awrite_char_0(attr_id, memtype_id, buf, dims, hdferr)
    character(len=*), intent(in), target :: buf
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_char(buf))
  end subroutine awrite_char_0

  subroutine awrite_char_1(attr_id, memtype_id, buf, dims, hdferr)
    character(len=*), intent(in), target :: buf(*)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_char(buf))
  end subroutine awrite_char_1

  subroutine awrite_char_2(attr_id, memtype_id, buf, dims, hdferr)
    character(len=*), intent(in), target :: buf(1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_write_attribute(attr_id, memtype_id, address_char(buf))
  end subroutine awrite_char_2

  subroutine awrite_ptr(attr_id, memtype_id, buf, hdferr)
    integer(HID_T), intent(in) :: attr_id, memtype_id
    type(c_ptr), intent(in) :: buf
    integer, intent(out) :: hdferr
    hdferr = c_write_attribute(attr_id, memtype_id, buf)
  end subroutine awrite_ptr

  subroutine aread_int32_0(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(inout), target :: buf
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, c_loc(buf))
  end subroutine aread_int32_0

  subroutine aread_int32_1(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(inout), target :: buf(*)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine aread_int32_1

  subroutine aread_int32_2(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(inout), target :: buf(1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine aread_int32_2

  subroutine aread_int32_3(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(inout), target :: buf(1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine aread_int32_3

  subroutine aread_int32_4(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(inout), target :: buf(1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine aread_int32_4

  subroutine aread_int32_5(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(inout), target :: buf(1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine aread_int32_5

  subroutine aread_int32_6(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(inout), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine aread_int32_6

  subroutine aread_int32_7(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int32_t), intent(inout), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int32(buf))
  end subroutine aread_int32_7

  subroutine aread_int64_0(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(inout), target :: buf
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, c_loc(buf))
  end subroutine aread_int64_0

  subroutine aread_int64_1(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(inout), target :: buf(*)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine aread_int64_1

  subroutine aread_int64_2(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(inout), target :: buf(1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine aread_int64_2

  subroutine aread_int64_3(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(inout), target :: buf(1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine aread_int64_3

  subroutine aread_int64_4(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(inout), target :: buf(1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine aread_int64_4

  subroutine aread_int64_5(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(inout), target :: buf(1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine aread_int64_5

  subroutine aread_int64_6(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(inout), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine aread_int64_6

  subroutine aread_int64_7(attr_id, memtype_id, buf, dims, hdferr)
    integer(c_int64_t), intent(inout), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_int64(buf))
  end subroutine aread_int64_7

  subroutine aread_real32_0(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(inout), target :: buf
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, c_loc(buf))
  end subroutine aread_real32_0

  subroutine aread_real32_1(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(inout), target :: buf(*)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine aread_real32_1

  subroutine aread_real32_2(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(inout), target :: buf(1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine aread_real32_2

  subroutine aread_real32_3(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(inout), target :: buf(1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine aread_real32_3

  subroutine aread_real32_4(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(inout), target :: buf(1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine aread_real32_4

  subroutine aread_real32_5(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(inout), target :: buf(1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine aread_real32_5

  subroutine aread_real32_6(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(inout), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine aread_real32_6

  subroutine aread_real32_7(attr_id, memtype_id, buf, dims, hdferr)
    real(c_float), intent(inout), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real32(buf))
  end subroutine aread_real32_7

  subroutine aread_real64_0(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(inout), target :: buf
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, c_loc(buf))
  end subroutine aread_real64_0

  subroutine aread_real64_1(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(inout), target :: buf(*)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine aread_real64_1

  subroutine aread_real64_2(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(inout), target :: buf(1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine aread_real64_2

  subroutine aread_real64_3(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(inout), target :: buf(1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine aread_real64_3

  subroutine aread_real64_4(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(inout), target :: buf(1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine aread_real64_4

  subroutine aread_real64_5(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(inout), target :: buf(1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine aread_real64_5

  subroutine aread_real64_6(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(inout), target :: buf(1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine aread_real64_6

  subroutine aread_real64_7(attr_id, memtype_id, buf, dims, hdferr)
    real(c_double), intent(inout), target :: buf(1, 1, 1, 1, 1, 1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_real64(buf))
  end subroutine aread_real64_7

  subroutine aread_char_0(attr_id, memtype_id, buf, dims, hdferr)
    character(len=*), intent(inout), target :: buf
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_char(buf))
  end subroutine aread_char_0

  subroutine aread_char_1(attr_id, memtype_id, buf, dims, hdferr)
    character(len=*), intent(inout), target :: buf(*)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_char(buf))
  end subroutine aread_char_1

  subroutine aread_char_2(attr_id, memtype_id, buf, dims, hdferr)
    character(len=*), intent(inout), target :: buf(1, *)
    include 'h5_attribute_arguments.inc'
    hdferr = c_read_attribute(attr_id, memtype_id, address_char(buf))
  end subroutine aread_char_2

  subroutine aread_ptr(attr_id, memtype_id, buf, hdferr)
    integer(HID_T), intent(in) :: attr_id, memtype_id
    type(c_ptr), intent(in) :: buf
    integer, intent(out) :: hdferr
    hdferr = c_read_attribute(attr_id, memtype_id, buf)
  end subroutine aread_ptr

  ! ---- fill values --------------------------------------------------------------------------

  subroutine set_fill_int32(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    integer(c_int32_t), intent(in), target :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_set_fill(prp_id, type_id, c_loc(fillvalue))
  end subroutine set_fill_int32

  subroutine set_fill_int64(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    integer(c_int64_t), intent(in), target :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_set_fill(prp_id, type_id, c_loc(fillvalue))
  end subroutine set_fill_int64

  subroutine set_fill_real32(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    real(c_float), intent(in), target :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_set_fill(prp_id, type_id, c_loc(fillvalue))
  end subroutine set_fill_real32

  subroutine set_fill_real64(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    real(c_double), intent(in), target :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_set_fill(prp_id, type_id, c_loc(fillvalue))
  end subroutine set_fill_real64

  subroutine set_fill_ptr(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    type(c_ptr), intent(in) :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_set_fill(prp_id, type_id, fillvalue)
  end subroutine set_fill_ptr

  subroutine get_fill_int32(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    integer(c_int32_t), intent(inout), target :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_get_fill(prp_id, type_id, c_loc(fillvalue))
  end subroutine get_fill_int32

  subroutine get_fill_int64(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    integer(c_int64_t), intent(inout), target :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_get_fill(prp_id, type_id, c_loc(fillvalue))
  end subroutine get_fill_int64

  subroutine get_fill_real32(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    real(c_float), intent(inout), target :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_get_fill(prp_id, type_id, c_loc(fillvalue))
  end subroutine get_fill_real32

  subroutine get_fill_real64(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    real(c_double), intent(inout), target :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_get_fill(prp_id, type_id, c_loc(fillvalue))
  end subroutine get_fill_real64

  subroutine get_fill_ptr(prp_id, type_id, fillvalue, hdferr)
    integer(HID_T), intent(in) :: prp_id, type_id
    type(c_ptr), intent(in) :: fillvalue
    integer, intent(out) :: hdferr
    hdferr = c_get_fill(prp_id, type_id, fillvalue)
  end subroutine get_fill_ptr

end module h5_values
