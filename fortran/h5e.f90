! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5e: errors.
! Room: fortran. Fortran 2003 over the public C interface.

module h5e
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  public
  include 'h5_private.inc'
  include 'h5e_names.inc'

contains

  include 'h5e_calls.inc'

  !> Whether failed calls print their errors: 1 yes, 0 no; `func`, an H5E_auto2_t, is called
  !> instead of the library's own printing and is given `client_data`.
  subroutine h5eset_auto_f(printflag, hdferr, estack_id, func, client_data)
    integer, intent(in) :: printflag
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: estack_id
    type(c_funptr), intent(in), optional :: func
    type(c_ptr), intent(in), optional :: client_data
    interface
      function c_plain(stack, on) bind(C, name='pcio_fortran_set_auto') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: stack
        integer(c_int), value :: on
        integer(c_int) :: status
      end function c_plain
      function c_call(stack, func, client_data) bind(C, name='H5Eset_auto2') result(status)
        import :: HID_T, c_int, c_funptr, c_ptr
        integer(HID_T), value :: stack
        type(c_funptr), value :: func
        type(c_ptr), value :: client_data
        integer(c_int) :: status
      end function c_call
    end interface
    type(c_ptr) :: data
    data = c_null_ptr
    if (present(client_data)) data = client_data
    if (printflag /= 0 .and. present(func)) then
      hdferr = error_of(c_call(given(estack_id), func, data))
    else
      hdferr = error_of(c_plain(given(estack_id), int(printflag, c_int)))
    end if
  end subroutine h5eset_auto_f

  !> Prints the errors noted so far, to the file `name` or to standard error.
  subroutine h5eprint_f(hdferr, name)
    integer, intent(out) :: hdferr
    character(len=*), intent(in), optional :: name
    interface
      function c_call(name) bind(C, name='pcio_fortran_print_errors') result(status)
        import :: c_char, c_int
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(c_int) :: status
      end function c_call
    end interface
    if (present(name)) then
      hdferr = error_of(c_call(c_text(name)))
    else
      hdferr = error_of(c_call(c_text('')))
    end if
  end subroutine h5eprint_f

end module h5e
