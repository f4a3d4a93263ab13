! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5lt: datasets and attributes in one call. Values of datasets are moved by module h5_high_values.
! Room: fortran. Fortran 2003 over the public C interface.

module h5lt
  use, intrinsic :: iso_c_binding
  use hdf5
  use h5_support
  use pcio, only: pcio_agree_f
  use h5_high_pointers, only: h5ltmake_dataset_f, h5ltread_dataset_f
  use h5_high_values, only: h5ltmake_dataset_f, h5ltread_dataset_f, h5ltmake_dataset_int_f, h5ltread_dataset_int_f, &
      h5ltmake_dataset_float_f, h5ltread_dataset_float_f, h5ltmake_dataset_double_f, h5ltread_dataset_double_f
  implicit none
  public
  include 'h5_private.inc'
  include 'h5lt_names.inc'
  private :: pcio_agree_f, attribute_letters, type_of

contains

  include 'h5lt_calls.inc'

  !> Dimensions, in Fortran's order, class and size of a dataset.
  subroutine h5ltget_dataset_info_f(loc_id, dset_name, dims, type_class, type_size, errcode)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: dset_name
    integer(HSIZE_T), intent(inout) :: dims(*)
    integer, intent(out) :: type_class, errcode
    integer(SIZE_T), intent(out) :: type_size
    integer(HSIZE_T) :: found(kMostDimensions)
    integer :: rank
    call h5ltget_dataset_ndims_f(loc_id, dset_name, rank, errcode)
    if (errcode >= 0) call dataset_info(loc_id, dset_name, found, type_class, type_size, errcode)
    if (errcode >= 0) dims(1:rank) = found(rank:1:-1)
  end subroutine h5ltget_dataset_info_f

  !> The same of an attribute.
  subroutine h5ltget_attribute_info_f(loc_id, dset_name, attr_name, dims, type_class, type_size, errcode)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: dset_name, attr_name
    integer(HSIZE_T), intent(inout) :: dims(*)
    integer, intent(out) :: type_class, errcode
    integer(SIZE_T), intent(out) :: type_size
    integer(HSIZE_T) :: found(kMostDimensions)
    integer :: rank
    call h5ltget_attribute_ndims_f(loc_id, dset_name, attr_name, rank, errcode)
    if (errcode >= 0) call attribute_info_of(loc_id, dset_name, attr_name, found, type_class, type_size, errcode)
    if (errcode >= 0) dims(1:rank) = found(rank:1:-1)
  end subroutine h5ltget_attribute_info_f

  !> A dataset that is a text, with blanks behind it.
  subroutine h5ltread_dataset_string_f(loc_id, dset_name, buf, errcode)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: dset_name
    character(len=*), intent(inout) :: buf
    integer, intent(out) :: errcode
    character(kind=c_char), allocatable, target :: letters(:)
    integer(HSIZE_T) :: dims(kMostDimensions)
    integer(SIZE_T) :: bytes
    integer :: class
    dims = 1
    call dataset_info(loc_id, dset_name, dims, class, bytes, errcode)
    if (errcode < 0) return
    allocate (letters(bytes * product(dims) + 1))
    letters = c_null_char
    call read_letters(loc_id, dset_name, c_loc(letters), errcode)
    if (errcode >= 0) call take_text(letters, buf)
  end subroutine h5ltread_dataset_string_f

  !> An attribute that is a text, with blanks behind it.
  subroutine h5ltget_attribute_string_f(loc_id, dset_name, attr_name, buf, errcode)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: dset_name, attr_name
    character(len=*), intent(inout) :: buf
    integer, intent(out) :: errcode
    character(kind=c_char), allocatable, target :: letters(:)
    call attribute_letters(loc_id, dset_name, attr_name, letters, errcode)
    if (errcode >= 0) call take_text(letters, buf)
  end subroutine h5ltget_attribute_string_f

  !> The text of an attribute, and null characters behind it.
  subroutine attribute_letters(loc_id, dset_name, attr_name, letters, errcode)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: dset_name, attr_name
    character(kind=c_char), allocatable, target, intent(out) :: letters(:)
    integer, intent(out) :: errcode
    integer(HSIZE_T) :: dims(kMostDimensions)
    integer(SIZE_T) :: bytes
    integer :: class
    dims = 1
    call attribute_info_of(loc_id, dset_name, attr_name, dims, class, bytes, errcode)
    if (errcode < 0) return
    allocate (letters(bytes * product(dims) + 1))
    letters = c_null_char
    call get_letters(loc_id, dset_name, attr_name, c_loc(letters), errcode)
  end subroutine attribute_letters

  !> Makes an attribute of `size` integers or reals of `sizeof_buf_type` bytes each, or a text of `size` characters.
  subroutine h5ltset_attribute_f(loc_id, dset_name, attr_name, buf, buf_type, sizeof_buf_type, size, errcode)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: dset_name, attr_name, buf_type
    type(c_ptr), intent(in) :: buf
    integer(SIZE_T), intent(in) :: sizeof_buf_type, size
    integer, intent(out) :: errcode
    character(kind=c_char), pointer :: given(:)
    character(len=:), allocatable :: text
    integer(HID_T) :: memory, object, space, attribute
    integer(HSIZE_T) :: least, most
    integer :: error
    logical :: is_there
    memory = type_of('h5ltset_attribute_f', buf_type, sizeof_buf_type)
    ! Where a rank has none, all fail: what is there is not deleted for nothing.
    call pcio_agree_f(loc_id, merge(-1, 0, memory < 0), 0_HSIZE_T, least, most, errcode)
    if (errcode < 0) return
    if (memory == H5T_NATIVE_CHARACTER) then
      call c_f_pointer(buf, given, [size])
      allocate (character(len=max(0_SIZE_T, size)) :: text)
      call take_text(given, text)
      call h5ltset_attribute_string_f(loc_id, dset_name, attr_name, text, errcode)
      return
    end if
    call h5oopen_f(loc_id, dset_name, object, errcode)
    if (errcode < 0) return
    call h5aexists_f(object, attr_name, is_there, errcode)
    if (errcode >= 0 .and. is_there) call h5adelete_f(object, attr_name, errcode)
    if (errcode >= 0) call h5screate_simple_f(1, [int(size, HSIZE_T)], space, errcode)
    if (errcode >= 0) then
      call h5acreate_f(object, attr_name, memory, space, attribute, errcode)
      if (errcode >= 0) then
        call h5awrite_f(attribute, memory, buf, errcode)
        call h5aclose_f(attribute, error)
        errcode = min(errcode, error)
      end if
      call h5sclose_f(space, error)
    end if
    call h5oclose_f(object, error)
    errcode = min(errcode, error)
  end subroutine h5ltset_attribute_f

  !> Reads an attribute as integers or reals of `sizeof_buf_type` bytes each, or the characters of a text.
  subroutine h5ltget_attribute_f(loc_id, dset_name, attr_name, buf, buf_type, sizeof_buf_type, errcode)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: dset_name, attr_name, buf_type
    type(c_ptr), intent(in) :: buf
    integer(SIZE_T), intent(in) :: sizeof_buf_type
    integer, intent(out) :: errcode
    character(kind=c_char), pointer :: taken(:)
    character(kind=c_char), allocatable, target :: letters(:)
    integer(HID_T) :: memory
    memory = type_of('h5ltget_attribute_f', buf_type, sizeof_buf_type)
    errcode = merge(-1, 0, memory < 0)
    if (errcode < 0) return
    if (memory /= H5T_NATIVE_CHARACTER) then
      call get_attribute_ptr(loc_id, dset_name, attr_name, memory, buf, errcode)
      return
    end if
    call attribute_letters(loc_id, dset_name, attr_name, letters, errcode)
    if (errcode < 0) return
    call c_f_pointer(buf, taken, [findloc(letters, c_null_char, dim=1) - 1])
    taken = letters(1:size(taken))
  end subroutine h5ltget_attribute_f

  !> The type in memory of what programs call INTEGER, REAL or CHARACTER, of which the first letter counts; -1 where
  !> there is none.
  function type_of(routine, buf_type, bytes) result(type_id)
    character(len=*), intent(in) :: routine, buf_type
    integer(SIZE_T), intent(in) :: bytes
    integer(HID_T) :: type_id
    type_id = -1
    select case (buf_type(1:min(1, len(buf_type))))
    case ('I', 'i')
      type_id = h5kind_to_type(int(bytes), H5_INTEGER_KIND)
    case ('R', 'r')
      if (bytes == c_sizeof(1.0_c_long_double)) type_id = H5T_NATIVE_REAL_C_LONG_DOUBLE
      if (bytes == c_sizeof(1.0_c_double)) type_id = H5T_NATIVE_REAL_8
      if (bytes == c_sizeof(1.0_c_float)) type_id = H5T_NATIVE_REAL_4
    case ('C', 'c')
      type_id = H5T_NATIVE_CHARACTER
    end select
    if (type_id < 0) type_id = refused(routine, 'buf_type, sizeof_buf_type: no INTEGER, REAL or CHARACTER of these bytes')
  end function type_of

end module h5lt

!> Another name of it, which libhdf5's programs know.
module h5lt_const
  use h5lt
  implicit none
end module h5lt_const
