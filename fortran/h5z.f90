! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5z: filters.
! Room: fortran. Fortran 2003 over the public C interface.

module h5z
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5zfilter_avail_f, h5zget_filter_info_f, h5zunregister_f

contains

  !> Whether a filter can be used.
  subroutine h5zfilter_avail_f(filter, status, hdferr)
    integer, intent(in) :: filter
    logical, intent(out) :: status
    integer, intent(out) :: hdferr
    interface
      function c_call(filter) bind(C, name='H5Zfilter_avail') result(status)
        import :: c_int
        integer(c_int), value :: filter
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(int(filter, c_int))
    status = answer > 0
    hdferr = error_of(answer)
  end subroutine h5zfilter_avail_f

  !> What a filter can do: H5Z_FILTER_ENCODE_ENABLED_F, H5Z_FILTER_DECODE_ENABLED_F or their sum.
  subroutine h5zget_filter_info_f(filter, config_flags, hdferr)
    integer, intent(in) :: filter
    integer, intent(out) :: config_flags
    integer, intent(out) :: hdferr
    interface
      function c_call(filter, flags) bind(C, name='H5Zget_filter_info') result(status)
        import :: c_int
        integer(c_int), value :: filter
        integer(c_int), intent(out) :: flags
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: flags
    flags = 0
    hdferr = error_of(c_call(int(filter, c_int), flags))
    config_flags = int(flags)
  end subroutine h5zget_filter_info_f

  !> Forgets a filter; refused while something open uses it.
  subroutine h5zunregister_f(filter, hdferr)
    integer, intent(in) :: filter
    integer, intent(out) :: hdferr
    interface
      function c_call(filter) bind(C, name='H5Zunregister') result(status)
        import :: c_int
        integer(c_int), value :: filter
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(int(filter, c_int)))
  end subroutine h5zunregister_f

end module h5z
