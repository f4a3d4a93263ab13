! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module hdf5: everything. A program says `use hdf5`, calls h5open_f first and h5close_f last.
! Room: fortran. Fortran 2003 over the public C interface.

module hdf5
  use h5global, no_c_text => c_text, no_given => given, no_error_of => error_of
  use h5lib
  use h5f
  use h5g
  use h5s
  use h5t
  use h5d
  use h5_values
  use h5a
  use h5p
  use h5p_dataset
  use h5p_file
  use h5p_driver
  use h5p_group
  use h5l
  use h5o
  use h5i
  use h5e
  use h5z
  implicit none
  private :: no_c_text, no_given, no_error_of
end module hdf5
