! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5z: filters.
! Room: fortran. Fortran 2003 over the public C interface.

module h5z
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  public
  include 'h5_private.inc'
  include 'h5z_names.inc'

contains

  include 'h5z_calls.inc'

end module h5z
