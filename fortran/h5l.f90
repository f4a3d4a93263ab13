! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5l: links.
! Room: fortran. Fortran 2003 over the public C interface.

module h5l
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  public
  include 'h5_private.inc'
  include 'h5l_names.inc'

  !> What is known of a link, as H5L_info_t; for functions that h5literate_f calls.
  type, bind(C) :: union_t
    integer(HADDR_T) :: address
    integer(SIZE_T) :: val_size
  end type union_t
  type, bind(C) :: h5l_info_t
    integer(c_int) :: type
    integer(c_int64_t) :: corder
    integer(c_int) :: cset
    type(union_t) :: u
  end type h5l_info_t

contains

  include 'h5l_calls.inc'

end module h5l
