! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5_high_pointers: datasets and fields of tables of the High Level library by an address. The forms of each type,
! which high_values.py writes, call it.
! Room: fortran. Fortran 2003 over the public C interface.

module h5_high_pointers
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support, only: c_text, error_of
  implicit none
  private
  public :: make_dataset_ptr, read_dataset_ptr, write_name_ptr, read_name_ptr, write_index_ptr, read_index_ptr, &
      insert_field_ptr, h5ltmake_dataset_f, h5ltread_dataset_f

  interface h5ltmake_dataset_f
    module procedure make_dataset_ptr
  end interface h5ltmake_dataset_f

  interface h5ltread_dataset_f
    module procedure read_dataset_ptr
  end interface h5ltread_dataset_f

contains

  include 'h5_high_pointers_calls.inc'

end module h5_high_pointers
