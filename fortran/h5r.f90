! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5r: references.
! Room: fortran. Fortran 2003 over the public C interface.

module h5r
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  public
  include 'h5_private.inc'
  include 'h5r_names.inc'

  ! Each for a reference to an object, for one to a region, and for the address of either.
  interface h5rcreate_f
    module procedure create_object, create_region, create_ptr
  end interface h5rcreate_f

  interface h5rdereference_f
    module procedure dereference_object, dereference_region, dereference_ptr
  end interface h5rdereference_f

  interface h5rget_name_f
    module procedure get_name_object, get_name_region, get_name_ptr
  end interface h5rget_name_f

  interface h5rget_region_f
    module procedure get_region, get_region_ptr
  end interface h5rget_region_f

contains

  include 'h5r_calls.inc'

end module h5r
