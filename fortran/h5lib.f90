! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5lib: start and end of the library, and the types of kinds.
! Room: fortran. Fortran 2003 over the public C interface.

module h5lib
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5open_f, h5close_f, h5get_libversion_f, h5kind_to_type

contains

  !> Starts the library and sets the predefined ids; to be called before anything else.
  subroutine h5open_f(error)
    integer, intent(out) :: error
    interface
      function c_call() bind(C, name='H5open') result(status)
        import :: c_int
        integer(c_int) :: status
      end function c_call
    end interface
    error = error_of(c_call())
    if (error < 0) return
    call set_types()
    call set_classes()
  end subroutine h5open_f

  !> The id that the C library has under a name.
  function predefined(name) result(id)
    character(len=*), intent(in) :: name
    integer(HID_T) :: id
    interface
      function c_call(name) bind(C, name='pcio_fortran_predefined') result(id)
        import :: HID_T, c_char
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(HID_T) :: id
      end function c_call
    end interface
    id = c_call(c_text(name))
  end function predefined

  !> A new type: characters of any length. Made once; h5open_f may be called again.
  function variable_string() result(id)
    integer(HID_T) :: id
    interface
      function c_copy(type_id) bind(C, name='H5Tcopy') result(id)
        import :: HID_T
        integer(HID_T), value :: type_id
        integer(HID_T) :: id
      end function c_copy
      function c_valid(id) bind(C, name='H5Iis_valid') result(valid)
        import :: HID_T, c_int
        integer(HID_T), value :: id
        integer(c_int) :: valid
      end function c_valid
      function c_set_size(type_id, size) bind(C, name='H5Tset_size') result(status)
        import :: HID_T, c_size_t, c_int
        integer(HID_T), value :: type_id
        integer(c_size_t), value :: size
        integer(c_int) :: status
      end function c_set_size
    end interface
    integer(c_size_t), parameter :: kVariable = -1
    id = H5T_STRING
    if (id >= 0) then
      if (c_valid(id) > 0) return
    end if
    id = c_copy(predefined('H5T_C_S1'))
    if (c_set_size(id, kVariable) < 0) id = -1
  end function variable_string

  subroutine set_types()
    H5T_NATIVE_INTEGER = predefined('H5T_NATIVE_INT')
    H5T_NATIVE_REAL = predefined('H5T_NATIVE_FLOAT')
    H5T_NATIVE_DOUBLE = predefined('H5T_NATIVE_DOUBLE')
    H5T_NATIVE_CHARACTER = predefined('H5T_FORTRAN_S1')
    H5T_NATIVE_INTEGER_1 = predefined('H5T_NATIVE_INT8')
    H5T_NATIVE_INTEGER_2 = predefined('H5T_NATIVE_INT16')
    H5T_NATIVE_INTEGER_4 = predefined('H5T_NATIVE_INT32')
    H5T_NATIVE_INTEGER_8 = predefined('H5T_NATIVE_INT64')
    H5T_NATIVE_REAL_4 = predefined('H5T_NATIVE_FLOAT')
    H5T_NATIVE_REAL_8 = predefined('H5T_NATIVE_DOUBLE')
    H5T_NATIVE_B8 = predefined('H5T_NATIVE_B8')
    H5T_NATIVE_B16 = predefined('H5T_NATIVE_B16')
    H5T_NATIVE_B32 = predefined('H5T_NATIVE_B32')
    H5T_NATIVE_B64 = predefined('H5T_NATIVE_B64')
    H5T_FORTRAN_S1 = predefined('H5T_FORTRAN_S1')
    H5T_C_S1 = predefined('H5T_C_S1')
    H5T_STRING = variable_string()
    H5T_STD_REF_OBJ = predefined('H5T_STD_REF_OBJ')
    H5T_STD_REF_DSETREG = predefined('H5T_STD_REF_DSETREG')
    H5T_IEEE_F32LE = predefined('H5T_IEEE_F32LE')
    H5T_IEEE_F32BE = predefined('H5T_IEEE_F32BE')
    H5T_IEEE_F64LE = predefined('H5T_IEEE_F64LE')
    H5T_IEEE_F64BE = predefined('H5T_IEEE_F64BE')
    H5T_STD_I8LE = predefined('H5T_STD_I8LE')
    H5T_STD_I8BE = predefined('H5T_STD_I8BE')
    H5T_STD_I16LE = predefined('H5T_STD_I16LE')
    H5T_STD_I16BE = predefined('H5T_STD_I16BE')
    H5T_STD_I32LE = predefined('H5T_STD_I32LE')
    H5T_STD_I32BE = predefined('H5T_STD_I32BE')
    H5T_STD_I64LE = predefined('H5T_STD_I64LE')
    H5T_STD_I64BE = predefined('H5T_STD_I64BE')
    H5T_STD_U8LE = predefined('H5T_STD_U8LE')
    H5T_STD_U8BE = predefined('H5T_STD_U8BE')
    H5T_STD_U16LE = predefined('H5T_STD_U16LE')
    H5T_STD_U16BE = predefined('H5T_STD_U16BE')
    H5T_STD_U32LE = predefined('H5T_STD_U32LE')
    H5T_STD_U32BE = predefined('H5T_STD_U32BE')
    H5T_STD_U64LE = predefined('H5T_STD_U64LE')
    H5T_STD_U64BE = predefined('H5T_STD_U64BE')
    H5T_STD_B8LE = predefined('H5T_STD_B8LE')
    H5T_STD_B8BE = predefined('H5T_STD_B8BE')
    H5T_STD_B16LE = predefined('H5T_STD_B16LE')
    H5T_STD_B16BE = predefined('H5T_STD_B16BE')
    H5T_STD_B32LE = predefined('H5T_STD_B32LE')
    H5T_STD_B32BE = predefined('H5T_STD_B32BE')
    H5T_STD_B64LE = predefined('H5T_STD_B64LE')
    H5T_STD_B64BE = predefined('H5T_STD_B64BE')
  end subroutine set_types

  subroutine set_classes()
    H5P_ROOT_F = predefined('H5P_ROOT')
    H5P_OBJECT_CREATE_F = predefined('H5P_OBJECT_CREATE')
    H5P_FILE_CREATE_F = predefined('H5P_FILE_CREATE')
    H5P_FILE_ACCESS_F = predefined('H5P_FILE_ACCESS')
    H5P_DATASET_CREATE_F = predefined('H5P_DATASET_CREATE')
    H5P_DATASET_ACCESS_F = predefined('H5P_DATASET_ACCESS')
    H5P_DATASET_XFER_F = predefined('H5P_DATASET_XFER')
    H5P_FILE_MOUNT_F = predefined('H5P_FILE_MOUNT')
    H5P_GROUP_CREATE_F = predefined('H5P_GROUP_CREATE')
    H5P_GROUP_ACCESS_F = predefined('H5P_GROUP_ACCESS')
    H5P_DATATYPE_CREATE_F = predefined('H5P_DATATYPE_CREATE')
    H5P_DATATYPE_ACCESS_F = predefined('H5P_DATATYPE_ACCESS')
    H5P_ATTRIBUTE_CREATE_F = predefined('H5P_ATTRIBUTE_CREATE')
    H5P_LINK_CREATE_F = predefined('H5P_LINK_CREATE')
    H5P_LINK_ACCESS_F = predefined('H5P_LINK_ACCESS')
    H5FD_MPIO_F = predefined('H5FD_MPIO')
    H5FD_CORE_F = predefined('H5FD_CORE')
    H5FD_SEC2_F = predefined('H5FD_SEC2')
  end subroutine set_classes

  !> Ends the use of the library by Fortran; C parts of the program may go on with it.
  subroutine h5close_f(error)
    integer, intent(out) :: error
    error = 0
  end subroutine h5close_f

  !> The version of the HDF5 interface.
  subroutine h5get_libversion_f(majnum, minnum, relnum, error)
    integer, intent(out) :: majnum, minnum, relnum, error
    integer(c_int) :: major, minor, release
    interface
      function c_call(major, minor, release) bind(C, name='H5get_libversion') result(status)
        import :: c_int
        integer(c_int), intent(out) :: major, minor, release
        integer(c_int) :: status
      end function c_call
    end interface
    error = error_of(c_call(major, minor, release))
    majnum = int(major)
    minnum = int(minor)
    relnum = int(release)
  end subroutine h5get_libversion_f

  !> The type of a kind; `flag` is H5_INTEGER_KIND or H5_REAL_KIND. -1 where there is none.
  function h5kind_to_type(ikind, flag) result(id)
    integer, intent(in) :: ikind, flag
    integer(HID_T) :: id
    id = -1
    if (flag == H5_INTEGER_KIND) then
      if (ikind == c_int8_t) id = H5T_NATIVE_INTEGER_1
      if (ikind == c_int16_t) id = H5T_NATIVE_INTEGER_2
      if (ikind == c_int32_t) id = H5T_NATIVE_INTEGER_4
      if (ikind == c_int64_t) id = H5T_NATIVE_INTEGER_8
    else if (flag == H5_REAL_KIND) then
      if (ikind == c_float) id = H5T_NATIVE_REAL_4
      if (ikind == c_double) id = H5T_NATIVE_REAL_8
    end if
  end function h5kind_to_type

end module h5lib
