! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5o: objects of any kind.
! Room: fortran. Fortran 2003 over the public C interface.

module h5o
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  public
  include 'h5_private.inc'
  include 'h5o_names.inc'
  private :: converted

  !> Bytes of an object's header: all of it, metadata of messages, messages, free.
  type, bind(C) :: space_t
    integer(HSIZE_T) :: total = 0, meta = 0, mesg = 0, free = 0
  end type space_t

  !> Which messages are in a header, and which of them are shared, a bit each.
  type, bind(C) :: mesg_t
    integer(c_int64_t) :: present = 0, shared = 0
  end type mesg_t

  !> As H5O_hdr_info_t.
  type, bind(C) :: hdr_t
    integer(c_int) :: version = 0, nmesgs = 0, nchunks = 0, flags = 0
    type(space_t) :: space
    type(mesg_t) :: mesg
  end type hdr_t
  type, bind(C) :: c_hdr_t
    integer(c_int) :: version = 0, nmesgs = 0, nchunks = 0, flags = 0
    type(space_t) :: space
    type(mesg_t) :: mesg
  end type c_hdr_t

  !> As H5_ih_info_t.
  type, bind(C) :: h5_ih_info_t
    integer(HSIZE_T) :: index_size = 0, heap_size = 0
  end type h5_ih_info_t
  type, bind(C) :: meta_size_t
    type(h5_ih_info_t) :: obj, attr
  end type meta_size_t

  !> What is known of an object; times as h5gmtime gives them.
  type, bind(C) :: h5o_info_t
    integer(c_long) :: fileno = 0
    integer(HADDR_T) :: addr = 0
    integer(c_int) :: type = 0, rc = 0
    integer(c_int) :: atime(8) = 0, mtime(8) = 0, ctime(8) = 0, btime(8) = 0
    integer(HSIZE_T) :: num_attrs = 0
    type(hdr_t) :: hdr
    type(meta_size_t) :: meta_size
  end type h5o_info_t

  !> As H5O_info_t; for functions that h5ovisit_f calls.
  type, bind(C) :: c_h5o_info_t
    integer(c_long) :: fileno = 0
    integer(HADDR_T) :: addr = 0
    integer(c_int) :: type = 0, rc = 0
    integer(TIME_T) :: atime = 0, mtime = 0, ctime = 0, btime = 0
    integer(HSIZE_T) :: num_attrs = 0
    type(c_hdr_t) :: hdr
    type(meta_size_t) :: meta_size
  end type c_h5o_info_t

contains

  include 'h5o_calls.inc'

  !> With times by their parts.
  function converted(info) result(object_info)
    type(c_h5o_info_t), intent(in) :: info
    type(h5o_info_t) :: object_info
    object_info%fileno = info%fileno
    object_info%addr = info%addr
    object_info%type = info%type
    object_info%rc = info%rc
    object_info%atime = utc_parts(info%atime)
    object_info%mtime = utc_parts(info%mtime)
    object_info%ctime = utc_parts(info%ctime)
    object_info%btime = utc_parts(info%btime)
    object_info%num_attrs = info%num_attrs
    object_info%hdr = hdr_t(info%hdr%version, info%hdr%nmesgs, info%hdr%nchunks, info%hdr%flags, &
        info%hdr%space, info%hdr%mesg)
    object_info%meta_size = info%meta_size
  end function converted

end module h5o
