! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5global: types and constants; module h5fortran_types: the kinds.
! Room: fortran. Fortran 2003 over the public C interface.

module h5fortran_types
  use, intrinsic :: iso_c_binding
  implicit none
  public

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

  !> For h5kind_to_type.
  integer, parameter :: H5_INTEGER_KIND = 0, H5_REAL_KIND = 1

  integer(HADDR_T), parameter :: HADDR_UNDEF_F = -1
  !> The kind of enumerated types.
  integer, parameter :: ENUM_T = c_int

  !> For h5eset_auto_f.
  integer, parameter :: PRINTON = 1, PRINTOFF = 0

  !> For references to regions.
  integer, parameter :: REF_REG_BUF_LEN = 3

  include 'h5global_declared.inc'

  !> Predefined types, classes of property lists and drivers; set by h5open_f.
  include 'ids.inc'
  integer(HID_T), save :: H5T_STRING = -1, H5T_NATIVE_FLOAT_128 = -1, H5T_NATIVE_INTEGER_16 = -1
  !> Of integers of 1, 2, 4, 8 and 16 bytes; set by h5open_f.
  integer, parameter :: NUM_NATIVE_INTEGER_KIND = 5
  integer(HID_T), save :: H5T_NATIVE_INTEGER_KIND(NUM_NATIVE_INTEGER_KIND) = -1

end module h5global
