! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5a: attributes. Their values are read and written by module h5_values.
! Room: fortran. Fortran 2003 over the public C interface.

module h5a
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  use h5_values, only: h5awrite_f, h5aread_f
  implicit none
  public
  include 'h5_private.inc'
  include 'h5a_names.inc'

contains

  include 'h5a_calls.inc'

end module h5a
