! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5global: types and constants; module h5fortran_types: the kinds.
! Room: fortran. Fortran 2003 over the public C interface.

module h5fortran_types
  use, intrinsic :: iso_c_binding
  implicit none
  public
  include 'h5_private_c.inc'

  !> Kinds of ids, of sizes and places in files, and of sizes in memory.
  integer, parameter :: HID_T = c_int64_t, HSIZE_T = c_int64_t, HSSIZE_T = c_int64_t
  integer, parameter :: HADDR_T = c_int64_t, SIZE_T = c_size_t
  !> Kinds of times and of places in files of the system.
  integer, parameter :: TIME_T = c_int64_t, OFF_T = c_int64_t

  !> Kinds of Fortran's types, and of those of C.
  integer, parameter :: FORTRAN_INTEGER = kind(1), FORTRAN_REAL = kind(1.0), &
      FORTRAN_DOUBLE = kind(1.0d0), FORTRAN_REAL_C_FLOAT = c_float, &
      FORTRAN_REAL_C_DOUBLE = c_double, FORTRAN_REAL_C_LONG_DOUBLE = c_long_double, &
      FORTRAN_REAL_C_FLOAT128 = selected_real_kind(33, 4931)
  integer, parameter :: H5_FORTRAN_NUM_INTEGER_KINDS = 5, &
      FORTRAN_INTEGER_AVAIL_KINDS(H5_FORTRAN_NUM_INTEGER_KINDS) = [c_int8_t, c_int16_t, c_int32_t, &
      c_int64_t, selected_int_kind(38)]

  integer(SIZE_T), parameter :: OBJECT_NAMELEN_DEFAULT_F = -1
  !> Bytes of a reference to a region.
  integer, parameter :: H5R_DSET_REG_REF_BUF_SIZE_F = 12
end module h5fortran_types

module h5global
  use, intrinsic :: iso_c_binding
  use h5fortran_types
  implicit none
  public
  include 'h5_private_c.inc'

  !> For h5kind_to_type.
  integer, parameter :: H5_INTEGER_KIND = 0, H5_REAL_KIND = 1

  integer(HADDR_T), parameter :: HADDR_UNDEF_F = -1
  !> The kind of enumerated types.
  integer, parameter :: ENUM_T = c_int

  !> For h5eset_auto_f.
  integer, parameter :: PRINTON = 1, PRINTOFF = 0

  !> For references to regions.
  integer, parameter :: REF_REG_BUF_LEN = 3

  integer(HID_T), parameter :: H5P_DEFAULT_F = 0, H5S_ALL_F = 0, H5E_DEFAULT_F = 0
  integer(HSIZE_T), parameter :: H5S_UNLIMITED_F = -1

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

  ! The rest of what these lists of C have, and the other lists.
  integer, parameter :: H5_INDEX_UNKNOWN_F = -1, H5_INDEX_N_F = 2, H5_ITER_UNKNOWN_F = -1, &
      H5_ITER_N_F = 3
  integer, parameter :: H5D_ALLOC_TIME_ERROR_F = -1, H5D_FILL_TIME_ERROR_F = -1, &
      H5D_SPACE_STS_ERROR_F = -1, H5D_SPACE_STS_NOT_ALLOCATED_F = 0, &
      H5D_SPACE_STS_PART_ALLOCATED_F = 1, H5D_SPACE_STS_ALLOCATED_F = 2, H5D_VDS_ERROR_F = -1, &
      H5D_VDS_FIRST_MISSING_F = 0, H5D_VDS_LAST_AVAILABLE_F = 1
  integer(SIZE_T), parameter :: H5D_CHUNK_CACHE_NSLOTS_DFLT_F = -1, H5D_CHUNK_CACHE_NBYTES_DFLT_F = -1
  real, parameter :: H5D_CHUNK_CACHE_W0_DFLT_F = -1.0
  integer, parameter :: H5E_MAJOR_F = 0, H5E_MINOR_F = 1, H5E_WALK_UPWARD_F = 0, H5E_WALK_DOWNWARD_F = 1
  integer, parameter :: H5F_ACC_DEBUG_F = 0, H5F_LIBVER_ERROR_F = -1, H5F_LIBVER_NBOUNDS_F = 3, &
      H5F_UNLIMITED_F = -1, H5F_OBJ_FILE_F = 1, H5F_OBJ_DATASET_F = 2, H5F_OBJ_GROUP_F = 4, &
      H5F_OBJ_DATATYPE_F = 8, H5F_OBJ_ALL_F = 31
  integer, parameter :: H5FD_MEM_NOLIST_F = -1, H5FD_MEM_DEFAULT_F = 0, H5FD_MEM_SUPER_F = 1, &
      H5FD_MEM_BTREE_F = 2, H5FD_MEM_DRAW_F = 3, H5FD_MEM_GHEAP_F = 4, H5FD_MEM_LHEAP_F = 5, &
      H5FD_MEM_OHDR_F = 6, H5FD_MEM_NTYPES_F = 7
  integer, parameter :: H5G_UDLINK_F = 4, H5G_SAME_LOC_F = 0, H5G_LINK_ERROR_F = -1, H5G_LINK_HARD_F = 0, &
      H5G_LINK_SOFT_F = 1, H5G_STORAGE_TYPE_UNKNOWN_F = -1, H5G_STORAGE_TYPE_SYMBOL_TABLE_F = 0, &
      H5G_STORAGE_TYPE_COMPACT_F = 1, H5G_STORAGE_TYPE_DENSE_F = 2
  integer, parameter :: H5I_UNINIT_F = -2, H5I_REFERENCE_F = 7, H5I_VFL_F = 8, H5I_GENPROP_CLS_F = 9, &
      H5I_GENPROP_LST_F = 10, H5I_ERROR_CLASS_F = 11, H5I_ERROR_MSG_F = 12, H5I_ERROR_STACK_F = 13, &
      H5I_NTYPES_F = 14, H5I_INVALID_HID_F = -1
  integer, parameter :: H5L_TYPE_ERROR_F = -1, H5L_TYPE_HARD_F = 0, H5L_TYPE_SOFT_F = 1, &
      H5L_TYPE_EXTERNAL_F = 64, H5L_SAME_LOC_F = 0, H5L_LINK_CLASS_T_VERS_F = 1
  integer, parameter :: H5O_COPY_SHALLOW_HIERARCHY_F = 1, H5O_COPY_EXPAND_SOFT_LINK_F = 2, &
      H5O_COPY_EXPAND_EXT_LINK_F = 4, H5O_COPY_EXPAND_REFERENCE_F = 8, &
      H5O_COPY_WITHOUT_ATTR_FLAG_F = 16, H5O_COPY_PRESERVE_NULL_FLAG_F = 32, H5O_COPY_ALL_F = 127, &
      H5O_SHMESG_NONE_FLAG_F = 0, H5O_SHMESG_SDSPACE_FLAG_F = 2, H5O_SHMESG_DTYPE_FLAG_F = 8, &
      H5O_SHMESG_FILL_FLAG_F = 32, H5O_SHMESG_PLINE_FLAG_F = 2048, H5O_SHMESG_ATTR_FLAG_F = 4096, &
      H5O_SHMESG_ALL_FLAG_F = 6186, H5O_SHMESG_MAX_NINDEXES_F = 8, H5O_SHMESG_MAX_LIST_SIZE_F = 5000
  integer, parameter :: H5O_HDR_CHUNK0_SIZE_F = 3, H5O_HDR_ATTR_CRT_ORDER_TRACK_F = 4, &
      H5O_HDR_ATTR_CRT_ORDER_INDEX_F = 8, H5O_HDR_ATTR_STORE_PHASE_CHA_F = 16, &
      H5O_HDR_STORE_TIMES_F = 32, H5O_HDR_ALL_FLAGS_F = 63, H5O_INFO_BASIC_F = 1, H5O_INFO_TIME_F = 2, &
      H5O_INFO_NUM_ATTRS_F = 4, H5O_INFO_HDR_F = 8, H5O_INFO_META_SIZE_F = 16, H5O_INFO_ALL_F = 31, &
      H5O_TYPE_UNKNOWN_F = -1, H5O_TYPE_GROUP_F = 0, H5O_TYPE_DATASET_F = 1, &
      H5O_TYPE_NAMED_DATATYPE_F = 2, H5O_TYPE_NTYPES_F = 3
  integer, parameter :: H5R_OBJECT_F = 0, H5R_DATASET_REGION_F = 1
  integer, parameter :: H5S_SELECT_APPEND_F = 6, H5S_SELECT_PREPEND_F = 7, H5S_SELECT_INVALID_F = 8, &
      H5S_SEL_ERROR_F = -1, H5S_SEL_NONE_F = 0, H5S_SEL_POINTS_F = 1, H5S_SEL_HYPERSLABS_F = 2, &
      H5S_SEL_ALL_F = 3
  integer, parameter :: H5T_ORDER_MIXED_F = 3, H5T_ORDER_NONE_F = 4, H5T_SGN_ERROR_F = -1, H5T_SGN_NONE_F = 0, &
      H5T_SGN_2_F = 1, H5T_NORM_IMPLIED_F = 0, H5T_NORM_MSBSET_F = 1, H5T_NORM_NONE_F = 2, &
      H5T_PAD_ERROR_F = -1, H5T_PAD_ZERO_F = 0, H5T_PAD_ONE_F = 1, H5T_PAD_BACKGROUND_F = 2, &
      H5T_STR_ERROR_F = -1
  integer, parameter :: H5Z_FILTER_ERROR_F = -1

  !> A reference to an object; 8 bytes, as in C.
  type, bind(C) :: hobj_ref_t_f
    integer(HADDR_T) :: ref
  end type hobj_ref_t_f

  !> A reference to a region of a dataset; 12 bytes, as in C.
  type, bind(C) :: hdset_reg_ref_t_f
    integer(c_int) :: ref(REF_REG_BUF_LEN)
  end type hdset_reg_ref_t_f

  !> The same in bytes.
  type, bind(C) :: hdset_reg_ref_t_f03
    integer(c_int8_t) :: ref(H5R_DSET_REG_REF_BUF_SIZE_F)
  end type hdset_reg_ref_t_f03

  !> Elements of a variable-length type, as in C.
  type, bind(C) :: hvl_t
    integer(c_size_t) :: len
    type(c_ptr) :: p
  end type hvl_t

  !> Predefined types, classes of property lists and drivers; set by h5open_f.
  include 'ids.inc'
  integer(HID_T), save :: H5T_STRING = -1, H5T_NATIVE_FLOAT_128 = -1, H5T_NATIVE_INTEGER_16 = -1
  !> Of integers of 1, 2, 4, 8 and 16 bytes; set by h5open_f.
  integer, parameter :: NUM_NATIVE_INTEGER_KIND = 5
  integer(HID_T), save :: H5T_NATIVE_INTEGER_KIND(NUM_NATIVE_INTEGER_KIND) = -1

end module h5global
