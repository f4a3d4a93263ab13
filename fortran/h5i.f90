! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5i: ids.
! Room: fortran. Fortran 2003 over the public C interface.

module h5i
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  public
  include 'h5_private.inc'
  include 'h5i_names.inc'

contains

  include 'h5i_calls.inc'

end module h5i
