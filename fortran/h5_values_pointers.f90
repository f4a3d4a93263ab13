! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5_values_pointers: the form of the generic names that takes an address. The forms of each type, which
! values.py writes, call it.
! Room: fortran. Fortran 2003 over the public C interface.

module h5_values_pointers
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  public
  private :: given, error_of, c_text

  interface h5dwrite_f
    module procedure dwrite_ptr
  end interface h5dwrite_f

  interface h5dread_f
    module procedure dread_ptr
  end interface h5dread_f

  interface h5awrite_f
    module procedure awrite_ptr
  end interface h5awrite_f

  interface h5aread_f
    module procedure aread_ptr
  end interface h5aread_f

  interface h5pset_fill_value_f
    module procedure set_fill_ptr
  end interface h5pset_fill_value_f

  interface h5pget_fill_value_f
    module procedure get_fill_ptr
  end interface h5pget_fill_value_f

  interface h5pset_f
    module procedure set_property_ptr
  end interface h5pset_f

  interface h5pget_f
    module procedure get_property_ptr
  end interface h5pget_f

  interface h5pregister_f
    module procedure register_property_ptr
  end interface h5pregister_f

  interface h5pinsert_f
    module procedure insert_property_ptr
  end interface h5pinsert_f

contains

  include 'h5_values_pointers_calls.inc'

  !> A text as the bytes of a property: blanks behind it, or what there is no room for cut off.
  subroutine letters_for(text, bytes, letters)
    character(len=*), intent(in) :: text
    integer(c_size_t), intent(in) :: bytes
    character(kind=c_char, len=1), allocatable, intent(out) :: letters(:)
    integer :: i
    allocate (letters(max(1_c_size_t, bytes)))
    letters = ' '
    do i = 1, min(size(letters), len(text))
      letters(i) = text(i:i)
    end do
  end subroutine letters_for

  !> The other way round.
  subroutine take_letters(letters, text)
    character(kind=c_char, len=1), intent(in) :: letters(:)
    character(len=*), intent(inout) :: text
    integer :: i
    text = ' '
    do i = 1, min(size(letters), len(text))
      text(i:i) = letters(i)
    end do
  end subroutine take_letters

end module h5_values_pointers
