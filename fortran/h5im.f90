! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5im: images and palettes. Their bytes are integers here, of 0 to 255.
! Room: fortran. Fortran 2003 over the public C interface.

module h5im
  use, intrinsic :: iso_c_binding
  use hdf5
  use h5_support
  implicit none
  public
  include 'h5_private.inc'
  include 'h5im_names.inc'
  private :: octets_of

contains

  include 'h5im_calls.inc'

  !> Integers as bytes; the least or the greatest byte where one is too small or too large.
  pure function octets_of(numbers, count) result(octets)
    integer(HSIZE_T), intent(in) :: count
    integer, intent(in) :: numbers(count)
    character(kind=c_char) :: octets(count)
    octets = char(max(0, min(255, numbers)), c_char)
  end function octets_of

  subroutine h5imread_image_f(loc_id, dset_name, buf, errcode)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: dset_name
    integer, intent(inout) :: buf(*)
    integer, intent(out) :: errcode
    character(kind=c_char), allocatable, target :: octets(:)
    character(len=1) :: interlace
    integer(HSIZE_T) :: width, height, planes
    integer(HSSIZE_T) :: palettes
    call h5imget_image_info_f(loc_id, dset_name, width, height, planes, interlace, palettes, errcode)
    if (errcode < 0) return
    allocate (octets(width * height * planes))
    call read_bytes(loc_id, dset_name, c_loc(octets), errcode)
    if (errcode >= 0) buf(1:size(octets, kind=HSIZE_T)) = ichar(octets)
  end subroutine h5imread_image_f

  !> The colours of palette number `pal_number`, from 0.
  subroutine h5imget_palette_f(loc_id, dset_name, pal_number, buf, errcode)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: dset_name
    integer, intent(in) :: pal_number
    integer, intent(inout) :: buf(*)
    integer, intent(out) :: errcode
    character(kind=c_char), allocatable, target :: octets(:)
    integer(HSIZE_T) :: dims(kMostDimensions)
    dims = 1
    call h5imget_palette_info_f(loc_id, dset_name, pal_number, dims, errcode)
    if (errcode < 0) return
    allocate (octets(product(dims)))
    call get_palette_bytes(loc_id, dset_name, pal_number, c_loc(octets), errcode)
    if (errcode >= 0) buf(1:size(octets, kind=HSIZE_T)) = ichar(octets)
  end subroutine h5imget_palette_f

end module h5im
