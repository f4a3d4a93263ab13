! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5r: references.
! Room: fortran. Fortran 2003 over the public C interface.

module h5r
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  private
  include 'h5r_names.inc'
  public :: h5rcreate_f, h5rdereference_f, h5rget_name_f, h5rget_region_f, h5rget_object_type_f

  ! Each for a reference to an object, for one to a region, and for the address of either.
  interface h5rcreate_f
    module procedure create_object, create_region, create_ptr
  end interface h5rcreate_f

  interface h5rdereference_f
    module procedure dereference_object, dereference_region, dereference_ptr
  end interface h5rdereference_f

  interface h5rget_name_f
    module procedure get_name_object, get_name_region, get_name_ptr
  end interface h5rget_name_f

  interface h5rget_region_f
    module procedure get_region, get_region_ptr
  end interface h5rget_region_f

contains

  include 'h5r_calls.inc'

  !> Refers to the object `name`.
  subroutine create_object(loc_id, name, ref, hdferr)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    type(hobj_ref_t_f), intent(inout), target :: ref
    integer, intent(out) :: hdferr
    call create_ptr(loc_id, name, H5R_OBJECT_F, c_loc(ref), hdferr)
  end subroutine create_object

  !> Refers to what of the dataset `name` is selected in a space.
  subroutine create_region(loc_id, name, space_id, ref, hdferr)
    integer(HID_T), intent(in) :: loc_id, space_id
    character(len=*), intent(in) :: name
    type(hdset_reg_ref_t_f), intent(out), target :: ref
    integer, intent(out) :: hdferr
    call create_ptr(loc_id, name, H5R_DATASET_REGION_F, c_loc(ref), hdferr, space_id)
  end subroutine create_region

  subroutine create_ptr(loc_id, name, ref_type, ref, hdferr, space_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer, intent(in) :: ref_type
    type(c_ptr), intent(in) :: ref
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: space_id
    interface
      function c_call(ref, loc_id, name, ref_type, space_id) bind(C, name='H5Rcreate') result(status)
        import :: HID_T, c_char, c_int, c_ptr
        type(c_ptr), value :: ref
        integer(HID_T), value :: loc_id, space_id
        character(kind=c_char), intent(in) :: name(*)
        integer(c_int), value :: ref_type
        integer(c_int) :: status
      end function c_call
    end interface
    integer(HID_T) :: space
    space = -1
    if (present(space_id)) space = space_id
    hdferr = error_of(c_call(ref, loc_id, c_text(name), int(ref_type, c_int), space))
  end subroutine create_ptr

  !> Opens what a reference leads to.
  subroutine dereference_object(obj_id, ref, ref_obj_id, hdferr)
    integer(HID_T), intent(in) :: obj_id
    type(hobj_ref_t_f), intent(in), target :: ref
    integer(HID_T), intent(out) :: ref_obj_id
    integer, intent(out) :: hdferr
    call dereference_ptr(obj_id, H5R_OBJECT_F, c_loc(ref), ref_obj_id, hdferr)
  end subroutine dereference_object

  subroutine dereference_region(obj_id, ref, ref_obj_id, hdferr)
    integer(HID_T), intent(in) :: obj_id
    type(hdset_reg_ref_t_f), intent(in), target :: ref
    integer(HID_T), intent(out) :: ref_obj_id
    integer, intent(out) :: hdferr
    call dereference_ptr(obj_id, H5R_DATASET_REGION_F, c_loc(ref), ref_obj_id, hdferr)
  end subroutine dereference_region

  subroutine dereference_ptr(obj_id, ref_type, ref, ref_obj_id, hdferr)
    integer(HID_T), intent(in) :: obj_id
    integer, intent(in) :: ref_type
    type(c_ptr), intent(in) :: ref
    integer(HID_T), intent(out) :: ref_obj_id
    integer, intent(out) :: hdferr
    interface
      function c_call(obj_id, access, ref_type, ref) bind(C, name='H5Rdereference2') result(id)
        import :: HID_T, c_int, c_ptr
        integer(HID_T), value :: obj_id, access
        integer(c_int), value :: ref_type
        type(c_ptr), value :: ref
        integer(HID_T) :: id
      end function c_call
    end interface
    ref_obj_id = c_call(obj_id, H5P_DEFAULT_F, int(ref_type, c_int), ref)
    hdferr = merge(-1, 0, ref_obj_id < 0)
  end subroutine dereference_ptr

  !> A name of what a reference leads to, and its length.
  subroutine get_name_object(loc_id, ref, name, hdferr, size)
    integer(HID_T), intent(in) :: loc_id
    type(hobj_ref_t_f), intent(in), target :: ref
    character(len=*), intent(inout) :: name
    integer, intent(out) :: hdferr
    integer(SIZE_T), intent(out), optional :: size
    call get_name_ptr(loc_id, H5R_OBJECT_F, c_loc(ref), name, hdferr, size)
  end subroutine get_name_object

  subroutine get_name_region(loc_id, ref, name, hdferr, size)
    integer(HID_T), intent(in) :: loc_id
    type(hdset_reg_ref_t_f), intent(in), target :: ref
    character(len=*), intent(inout) :: name
    integer, intent(out) :: hdferr
    integer(SIZE_T), intent(out), optional :: size
    call get_name_ptr(loc_id, H5R_DATASET_REGION_F, c_loc(ref), name, hdferr, size)
  end subroutine get_name_region

  subroutine get_name_ptr(loc_id, ref_type, ref, name, hdferr, size)
    integer(HID_T), intent(in) :: loc_id
    integer, intent(in) :: ref_type
    type(c_ptr), intent(in) :: ref
    character(len=*), intent(inout) :: name
    integer, intent(out) :: hdferr
    integer(SIZE_T), intent(out), optional :: size
    interface
      function c_call(loc_id, ref_type, ref, name, bytes) bind(C, name='H5Rget_name') result(length)
        import :: HID_T, c_int, c_ptr, c_char, c_size_t
        integer(HID_T), value :: loc_id
        integer(c_int), value :: ref_type
        type(c_ptr), value :: ref
        character(kind=c_char), intent(out) :: name(*)
        integer(c_size_t), value :: bytes
        integer(c_size_t) :: length
      end function c_call
    end interface
    character(kind=c_char) :: c_name(len(name) + 1)
    integer(c_size_t) :: length
    c_name = c_null_char
    length = c_call(loc_id, int(ref_type, c_int), ref, c_name, len(name, c_size_t) + 1)
    hdferr = merge(-1, 0, length < 0)
    call take_text(c_name, name)
    if (present(size)) size = length
  end subroutine get_name_ptr

  !> A space with what a reference to a region selects.
  subroutine get_region(dset_id, ref, space_id, hdferr)
    integer(HID_T), intent(in) :: dset_id
    type(hdset_reg_ref_t_f), intent(in), target :: ref
    integer(HID_T), intent(out) :: space_id
    integer, intent(out) :: hdferr
    call get_region_ptr(dset_id, c_loc(ref), space_id, hdferr)
  end subroutine get_region

  subroutine get_region_ptr(dset_id, ref, space_id, hdferr)
    integer(HID_T), intent(in) :: dset_id
    type(c_ptr), intent(in) :: ref
    integer(HID_T), intent(out) :: space_id
    integer, intent(out) :: hdferr
    interface
      function c_call(dset_id, ref_type, ref) bind(C, name='H5Rget_region') result(id)
        import :: HID_T, c_int, c_ptr
        integer(HID_T), value :: dset_id
        integer(c_int), value :: ref_type
        type(c_ptr), value :: ref
        integer(HID_T) :: id
      end function c_call
    end interface
    space_id = c_call(dset_id, int(H5R_DATASET_REGION_F, c_int), ref)
    hdferr = merge(-1, 0, space_id < 0)
  end subroutine get_region_ptr

  !> The kind of the object that a reference leads to; the name of older codes.
  subroutine h5rget_object_type_f(dset_id, ref, obj_type, hdferr)
    integer(HID_T), intent(in) :: dset_id
    type(hobj_ref_t_f), intent(in), target :: ref
    integer, intent(out) :: obj_type, hdferr
    call h5rget_obj_type_f(dset_id, H5R_OBJECT_F, c_loc(ref), obj_type, hdferr)
  end subroutine h5rget_object_type_f

end module h5r
