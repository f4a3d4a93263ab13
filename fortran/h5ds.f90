! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5ds: dimension scales. Dimensions are counted from 1, and not turned round: number 1 is the first one of the file,
! which is the last one of Fortran. libhdf5 has it so.
! Room: fortran. Fortran 2003 over the public C interface.

module h5ds
  use, intrinsic :: iso_c_binding
  use hdf5
  use h5_support
  implicit none
  public
  include 'h5_private.inc'

contains

  include 'h5ds_calls.inc'

  !> Makes a dataset a scale, with a name or without.
  subroutine h5dsset_scale_f(dsid, errcode, dimname)
    integer(HID_T), intent(in) :: dsid
    integer, intent(out) :: errcode
    character(len=*), intent(in), optional :: dimname
    character(kind=c_char), allocatable, target :: letters(:)
    type(c_ptr) :: name
    interface
      function c_call(dsid, name) bind(C, name='H5DSset_scale') result(answer)
        import :: HID_T, c_int, c_ptr
        integer(HID_T), value :: dsid
        type(c_ptr), value :: name
        integer(c_int) :: answer
      end function c_call
    end interface
    name = c_null_ptr
    if (present(dimname)) then
      allocate (letters(len_trim(dimname) + 1))
      letters(:) = transfer(c_text(dimname), letters)
      name = c_loc(letters)
    end if
    errcode = error_of(c_call(dsid, name))
  end subroutine h5dsset_scale_f

end module h5ds
