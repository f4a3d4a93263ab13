! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5p_driver: lists of files: drivers, and metadata of parallel ones.
! Room: fortran. Fortran 2003 over the public C interface.

module h5p_driver
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5pget_driver_f, h5pset_fapl_sec2_f, h5pset_fapl_core_f, h5pget_fapl_core_f, &
      h5pset_fapl_mpio_f, h5pget_fapl_mpio_f, h5pset_all_coll_metadata_ops_f, &
      h5pget_all_coll_metadata_ops_f, h5pset_coll_metadata_write_f, h5pget_coll_metadata_write_f

contains

  include 'h5p_driver_pairs.inc'

  !> The driver of a file access list.
  subroutine h5pget_driver_f(prp_id, driver, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(HID_T), intent(out) :: driver
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pget_driver') result(status)
        import :: HID_T
        integer(HID_T), value :: prp_id
        integer(HID_T) :: status
      end function c_call
    end interface
    driver = c_call(prp_id)
    hdferr = merge(-1, 0, driver < 0)
  end subroutine h5pget_driver_f

end module h5p_driver
