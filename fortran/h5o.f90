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
  private
  include 'h5o_names.inc'
  public :: h5oget_info_f, h5oget_info_by_idx_f, h5oget_info_by_name_f, h5o_info_t, c_h5o_info_t, hdr_t, &
      c_hdr_t, space_t, mesg_t, h5_ih_info_t, meta_size_t

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

  !> What is known of an object; `fields` are those wanted, H5O_INFO_*_F.
  subroutine h5oget_info_f(object_id, object_info, hdferr, fields)
    integer(HID_T), intent(in) :: object_id
    type(h5o_info_t), intent(out) :: object_info
    integer, intent(out) :: hdferr
    integer, intent(in), optional :: fields
    interface
      function c_call(object_id, info, fields) bind(C, name='H5Oget_info2') result(status)
        import :: HID_T, c_h5o_info_t, c_int
        integer(HID_T), value :: object_id
        type(c_h5o_info_t), intent(out) :: info
        integer(c_int), value :: fields
        integer(c_int) :: status
      end function c_call
    end interface
    type(c_h5o_info_t) :: info
    hdferr = error_of(c_call(object_id, info, int(given_int(H5O_INFO_ALL_F, fields), c_int)))
    object_info = converted(info)
  end subroutine h5oget_info_f

  !> What is known of the object of link number `n` of an index.
  subroutine h5oget_info_by_idx_f(loc_id, group_name, index_field, order, n, object_info, hdferr, &
      lapl_id, fields)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: group_name
    integer, intent(in) :: index_field, order
    integer(HSIZE_T), intent(in) :: n
    type(h5o_info_t), intent(out) :: object_info
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(in), optional :: fields
    interface
      function c_call(loc_id, group, field, order, n, info, fields, lapl_id) &
          bind(C, name='H5Oget_info_by_idx2') result(status)
        import :: HID_T, HSIZE_T, c_h5o_info_t, c_int, c_char
        integer(HID_T), value :: loc_id, lapl_id
        character(kind=c_char), intent(in) :: group(*)
        integer(c_int), value :: field, order, fields
        integer(HSIZE_T), value :: n
        type(c_h5o_info_t), intent(out) :: info
        integer(c_int) :: status
      end function c_call
    end interface
    type(c_h5o_info_t) :: info
    hdferr = error_of(c_call(loc_id, c_text(group_name), int(index_field, c_int), int(order, c_int), n, &
        info, int(given_int(H5O_INFO_ALL_F, fields), c_int), given(lapl_id)))
    object_info = converted(info)
  end subroutine h5oget_info_by_idx_f

  !> What is known of the object `name`.
  subroutine h5oget_info_by_name_f(loc_id, name, object_info, hdferr, lapl_id, fields)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    type(h5o_info_t), intent(out) :: object_info
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: lapl_id
    integer, intent(in), optional :: fields
    interface
      function c_call(loc_id, name, info, fields, lapl_id) bind(C, name='H5Oget_info_by_name2') &
          result(status)
        import :: HID_T, c_h5o_info_t, c_int, c_char
        integer(HID_T), value :: loc_id, lapl_id
        character(kind=c_char), intent(in) :: name(*)
        type(c_h5o_info_t), intent(out) :: info
        integer(c_int), value :: fields
        integer(c_int) :: status
      end function c_call
    end interface
    type(c_h5o_info_t) :: info
    hdferr = error_of(c_call(loc_id, c_text(name), info, &
        int(given_int(H5O_INFO_ALL_F, fields), c_int), given(lapl_id)))
    object_info = converted(info)
  end subroutine h5oget_info_by_name_f

end module h5o
