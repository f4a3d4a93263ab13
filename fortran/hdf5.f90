! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module hdf5: everything. A program says `use hdf5`, calls h5open_f first and h5close_f last.
! Room: fortran. Fortran 2003 over the public C interface.

module hdf5
  use h5global
  use h5lib
  use h5f
  use h5g
  use h5s
  use h5t
  use h5d
  use h5a
  use h5p
  use h5l
  use h5o
  use h5r
  use h5i
  use h5e
  use h5z
  implicit none
end module hdf5

!> A part of libhdf5's that some programs use beside it.
module h5_gen
  use hdf5
  implicit none
end module h5_gen
