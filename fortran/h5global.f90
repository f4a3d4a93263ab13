! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5global: kinds, constants, and the small helpers that every other module uses.
! Room: fortran. Fortran 2003 over the public C interface.

module h5global
  use, intrinsic :: iso_c_binding
  implicit none
  public

  !> Kinds of ids, of sizes and places in files, and of sizes in memory.
  integer, parameter :: HID_T = c_int64_t, HSIZE_T = c_int64_t, HSSIZE_T = c_int64_t
  integer, parameter :: HADDR_T = c_int64_t, SIZE_T = c_size_t

  integer, parameter :: kMostDimensions = 32
  integer, parameter :: OBJECT_NAMELEN_DEFAULT_F = -1

  integer(HID_T), parameter :: H5P_DEFAULT_F = 0, H5S_ALL_F = 0
  integer(HSIZE_T), parameter :: H5S_UNLIMITED_F = -1

  !> For h5kind_to_type.
  integer, parameter :: H5_INTEGER_KIND = 0, H5_REAL_KIND = 1

  ! Access flags of files.
  integer, parameter :: H5F_ACC_RDONLY_F = 0, H5F_ACC_RDWR_F = 1, H5F_ACC_TRUNC_F = 2, &
      H5F_ACC_EXCL_F = 4, H5F_ACC_CREAT_F = 16

  ! Scopes, close degrees and format bounds of files.
  integer, parameter :: H5F_SCOPE_LOCAL_F = 0, H5F_SCOPE_GLOBAL_F = 1, &
      H5F_CLOSE_DEFAULT_F = 0, H5F_CLOSE_WEAK_F = 1, H5F_CLOSE_SEMI_F = 2, &
      H5F_CLOSE_STRONG_F = 3, H5F_LIBVER_EARLIEST_F = 0, H5F_LIBVER_V18_F = 1, &
      H5F_LIBVER_V110_F = 2, H5F_LIBVER_LATEST_F = 2

  ! Layout, allocation and fill of datasets.
  integer, parameter :: H5D_COMPACT_F = 0, H5D_CONTIGUOUS_F = 1, H5D_CHUNKED_F = 2, &
      H5D_VIRTUAL_F = 3, H5D_ALLOC_TIME_DEFAULT_F = 0, H5D_ALLOC_TIME_EARLY_F = 1, &
      H5D_ALLOC_TIME_LATE_F = 2, H5D_ALLOC_TIME_INCR_F = 3, H5D_FILL_TIME_ALLOC_F = 0, &
      H5D_FILL_TIME_NEVER_F = 1, H5D_FILL_TIME_IFSET_F = 2

  ! What transfers did.
  integer, parameter :: H5D_MPIO_NO_COLLECTIVE_F = 0, H5D_MPIO_CHUNK_INDEPENDENT_F = 1, &
      H5D_MPIO_CHUNK_COLLECTIVE_F = 2, H5D_MPIO_CHUNK_MIXED_F = 3, &
      H5D_MPIO_CONTIG_COLLECTIVE_F = 4
  !> Another name of the last one, as in C.
  integer, parameter :: H5D_MPIO_CONTIGUOUS_COLLECTIVE_F = H5D_MPIO_CONTIG_COLLECTIVE_F

  ! Modes of transfers.
  integer, parameter :: H5FD_MPIO_INDEPENDENT_F = 0, H5FD_MPIO_COLLECTIVE_F = 1

  ! Kinds and selections of spaces.
  integer, parameter :: H5S_SCALAR_F = 0, H5S_SIMPLE_F = 1, H5S_NULL_F = 2, &
      H5S_SELECT_NOOP_F = -1, H5S_SELECT_SET_F = 0, H5S_SELECT_OR_F = 1, &
      H5S_SELECT_AND_F = 2, H5S_SELECT_XOR_F = 3, H5S_SELECT_NOTB_F = 4, H5S_SELECT_NOTA_F = 5

  ! Classes, byte orders and strings of types.
  integer, parameter :: H5T_NO_CLASS_F = -1, H5T_INTEGER_F = 0, H5T_FLOAT_F = 1, &
      H5T_TIME_F = 2, H5T_STRING_F = 3, H5T_BITFIELD_F = 4, H5T_OPAQUE_F = 5, &
      H5T_COMPOUND_F = 6, H5T_REFERENCE_F = 7, H5T_ENUM_F = 8, H5T_VLEN_F = 9, &
      H5T_ARRAY_F = 10, H5T_ORDER_LE_F = 0, H5T_ORDER_BE_F = 1, H5T_ORDER_VAX_F = 2, &
      H5T_STR_NULLTERM_F = 0, H5T_STR_NULLPAD_F = 1, H5T_STR_SPACEPAD_F = 2, &
      H5T_CSET_ASCII_F = 0, H5T_CSET_UTF8_F = 1, H5T_DIR_ASCEND_F = 1, H5T_DIR_DESCEND_F = 2

  ! What ids and links are.
  integer, parameter :: H5I_BADID_F = -1, H5I_FILE_F = 1, H5I_GROUP_F = 2, &
      H5I_DATATYPE_F = 3, H5I_DATASPACE_F = 4, H5I_DATASET_F = 5, H5I_ATTR_F = 6, &
      H5G_UNKNOWN_F = -1, H5G_GROUP_F = 0, H5G_DATASET_F = 1, H5G_TYPE_F = 2, H5G_LINK_F = 3

  ! Orders in which links and attributes are gone through.
  integer, parameter :: H5_INDEX_NAME_F = 0, H5_INDEX_CRT_ORDER_F = 1, H5_ITER_INC_F = 0, &
      H5_ITER_DEC_F = 1, H5_ITER_NATIVE_F = 2

  ! Filters and creation order.
  integer, parameter :: H5Z_FILTER_DEFLATE_F = 1, H5Z_FILTER_SHUFFLE_F = 2, &
      H5Z_FILTER_FLETCHER32_F = 3, H5Z_FILTER_SZIP_F = 4, H5Z_FILTER_NBIT_F = 5, &
      H5Z_FILTER_SCALEOFFSET_F = 6, H5Z_FLAG_MANDATORY_F = 0, H5Z_FLAG_OPTIONAL_F = 1, &
      H5Z_FILTER_ALL_F = 0, H5Z_FILTER_NONE_F = 0, H5Z_FILTER_ENCODE_ENABLED_F = 1, H5Z_FILTER_DECODE_ENABLED_F = 2, &
      H5P_CRT_ORDER_TRACKED_F = 1, H5P_CRT_ORDER_INDEXED_F = 2

  ! Parameters of filters; checksums; what is known of a fill value.
  integer, parameter :: H5_SZIP_EC_OM_F = 4, H5_SZIP_NN_OM_F = 32, H5Z_SO_FLOAT_DSCALE_F = 0, &
      H5Z_SO_FLOAT_ESCALE_F = 1, H5Z_SO_INT_F = 2, H5Z_SO_INT_MINBITS_DEFAULT_F = 0, &
      H5Z_ERROR_EDC_F = -1, H5Z_DISABLE_EDC_F = 0, H5Z_ENABLE_EDC_F = 1, H5Z_NO_EDC_F = 2, &
      H5D_FILL_VALUE_ERROR_F = -1, H5D_FILL_VALUE_UNDEFINED_F = 0, &
      H5D_FILL_VALUE_DEFAULT_F = 1, H5D_FILL_VALUE_USER_DEFINED_F = 2

  !> Predefined types; set by h5open_f.
  integer(HID_T), save :: H5T_NATIVE_INTEGER = -1, H5T_NATIVE_REAL = -1, &
      H5T_NATIVE_DOUBLE = -1, H5T_NATIVE_CHARACTER = -1, H5T_NATIVE_INTEGER_1 = -1, &
      H5T_NATIVE_INTEGER_2 = -1, H5T_NATIVE_INTEGER_4 = -1, H5T_NATIVE_INTEGER_8 = -1, &
      H5T_NATIVE_REAL_4 = -1, H5T_NATIVE_REAL_8 = -1, H5T_NATIVE_B8 = -1, &
      H5T_NATIVE_B16 = -1, H5T_NATIVE_B32 = -1, H5T_NATIVE_B64 = -1, H5T_FORTRAN_S1 = -1, &
      H5T_C_S1 = -1, H5T_STRING = -1, H5T_STD_REF_OBJ = -1, H5T_STD_REF_DSETREG = -1, &
      H5T_IEEE_F32LE = -1, H5T_IEEE_F32BE = -1, H5T_IEEE_F64LE = -1, H5T_IEEE_F64BE = -1, &
      H5T_STD_I8LE = -1, H5T_STD_I8BE = -1, H5T_STD_I16LE = -1, H5T_STD_I16BE = -1, &
      H5T_STD_I32LE = -1, H5T_STD_I32BE = -1, H5T_STD_I64LE = -1, H5T_STD_I64BE = -1, &
      H5T_STD_U8LE = -1, H5T_STD_U8BE = -1, H5T_STD_U16LE = -1, H5T_STD_U16BE = -1, &
      H5T_STD_U32LE = -1, H5T_STD_U32BE = -1, H5T_STD_U64LE = -1, H5T_STD_U64BE = -1, &
      H5T_STD_B8LE = -1, H5T_STD_B8BE = -1, H5T_STD_B16LE = -1, H5T_STD_B16BE = -1, &
      H5T_STD_B32LE = -1, H5T_STD_B32BE = -1, H5T_STD_B64LE = -1, H5T_STD_B64BE = -1

  !> Classes of property lists; set by h5open_f.
  integer(HID_T), save :: H5P_ROOT_F = -1, H5P_OBJECT_CREATE_F = -1, H5P_FILE_CREATE_F = -1, &
      H5P_FILE_ACCESS_F = -1, H5P_DATASET_CREATE_F = -1, H5P_DATASET_ACCESS_F = -1, &
      H5P_DATASET_XFER_F = -1, H5P_FILE_MOUNT_F = -1, H5P_GROUP_CREATE_F = -1, &
      H5P_GROUP_ACCESS_F = -1, H5P_DATATYPE_CREATE_F = -1, H5P_DATATYPE_ACCESS_F = -1, &
      H5P_ATTRIBUTE_CREATE_F = -1, H5P_LINK_CREATE_F = -1, H5P_LINK_ACCESS_F = -1

  !> Driver ids; set by h5open_f.
  integer(HID_T), save :: H5FD_MPIO_F = -1, H5FD_CORE_F = -1, H5FD_SEC2_F = -1

contains

  !> The text as C wants it: without blanks at its end, with a NUL.
  pure function c_text(text) result(terminated)
    character(len=*), intent(in) :: text
    character(kind=c_char, len=len_trim(text) + 1) :: terminated
    terminated = trim(text) // c_null_char
  end function c_text

  !> Text that C wrote, with blanks after its end; what `text` has no room for is cut off.
  subroutine take_text(buffer, text)
    character(kind=c_char), intent(in) :: buffer(:)
    character(len=*), intent(out) :: text
    integer :: i
    text = ''
    do i = 1, min(size(buffer), len(text))
      if (buffer(i) == c_null_char) return
      text(i:i) = buffer(i)
    end do
  end subroutine take_text

  !> An optional list, or the default.
  pure function given(list) result(id)
    integer(HID_T), intent(in), optional :: list
    integer(HID_T) :: id
    id = H5P_DEFAULT_F
    if (present(list)) id = list
  end function given

  !> hdferr of a C result: 0 or -1.
  pure function error_of(status) result(hdferr)
    integer(c_int), intent(in) :: status
    integer :: hdferr
    hdferr = merge(-1, 0, status < 0)
  end function error_of

end module h5global
