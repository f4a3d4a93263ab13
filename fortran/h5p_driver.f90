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

  !> POSIX files.
  subroutine h5pset_fapl_sec2_f(prp_id, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id) bind(C, name='H5Pset_fapl_sec2') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id))
  end subroutine h5pset_fapl_sec2_f

  !> Files in memory, growing by `increment` bytes.
  subroutine h5pset_fapl_core_f(prp_id, increment, backing_store, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(SIZE_T), intent(in) :: increment
    logical, intent(in) :: backing_store
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, increment, &
          backing_store) bind(C, name='H5Pset_fapl_core') result(status)
        import :: HID_T, SIZE_T, c_bool, c_int
        integer(HID_T), value :: prp_id
        integer(SIZE_T), value :: increment
        logical(c_bool), value :: backing_store
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, increment, logical(backing_store, c_bool)))
  end subroutine h5pset_fapl_core_f

  !> The file in memory: by how much it grows, whether it is written at the end.
  subroutine h5pget_fapl_core_f(prp_id, increment, backing_store, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(SIZE_T), intent(out) :: increment
    logical, intent(out) :: backing_store
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, increment, backing_store) bind(C, &
          name='H5Pget_fapl_core') result(status)
        import :: HID_T, c_int, c_size_t, c_bool
        integer(HID_T), value :: prp_id
        integer(c_size_t), intent(out) :: increment
        logical(c_bool), intent(out) :: backing_store
        integer(c_int) :: status
      end function c_call
    end interface
    logical(c_bool) :: c_backing_store
    increment = 0
    c_backing_store = .false._c_bool
    hdferr = error_of(c_call(prp_id, increment, c_backing_store))
    backing_store = logical(c_backing_store)
  end subroutine h5pget_fapl_core_f

  !> MPI-IO on `comm`; communicator and info are those of Fortran's MPI.
  subroutine h5pset_fapl_mpio_f(prp_id, comm, info, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: comm, info
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, comm, info) bind(C, name='pcio_fortran_set_fapl_mpio') &
          result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: comm, info
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(comm, c_int), int(info, c_int)))
  end subroutine h5pset_fapl_mpio_f

  !> Communicator and info of a list, to be freed by the caller.
  subroutine h5pget_fapl_mpio_f(prp_id, comm, info, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: comm, info, hdferr
    integer(c_int) :: c_comm, c_info
    interface
      function c_call(prp_id, comm, info) bind(C, name='pcio_fortran_get_fapl_mpio') &
          result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), intent(out) :: comm, info
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, c_comm, c_info))
    comm = int(c_comm)
    info = int(c_info)
  end subroutine h5pget_fapl_mpio_f

  !> Whether opens of objects are collective.
  subroutine h5pset_all_coll_metadata_ops_f(plist_id, is_collective, hdferr)
    integer(HID_T), intent(in) :: plist_id
    logical, intent(in) :: is_collective
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, &
          is_collective) bind(C, name='H5Pset_all_coll_metadata_ops') result(status)
        import :: HID_T, c_bool, c_int
        integer(HID_T), value :: plist_id
        logical(c_bool), value :: is_collective
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, logical(is_collective, c_bool)))
  end subroutine h5pset_all_coll_metadata_ops_f

  !> Whether opens of objects are collective.
  subroutine h5pget_all_coll_metadata_ops_f(plist_id, is_collective, hdferr)
    integer(HID_T), intent(in) :: plist_id
    logical, intent(out) :: is_collective
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, &
          is_collective) bind(C, name='H5Pget_all_coll_metadata_ops') result(status)
        import :: HID_T, c_bool, c_int
        integer(HID_T), value :: plist_id
        logical(c_bool), intent(out) :: is_collective
        integer(c_int) :: status
      end function c_call
    end interface
    logical(c_bool) :: flag
    hdferr = error_of(c_call(plist_id, flag))
    is_collective = logical(flag)
  end subroutine h5pget_all_coll_metadata_ops_f

  !> Whether metadata are written collectively.
  subroutine h5pset_coll_metadata_write_f(plist_id, is_collective, hdferr)
    integer(HID_T), intent(in) :: plist_id
    logical, intent(in) :: is_collective
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, &
          is_collective) bind(C, name='H5Pset_coll_metadata_write') result(status)
        import :: HID_T, c_bool, c_int
        integer(HID_T), value :: plist_id
        logical(c_bool), value :: is_collective
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, logical(is_collective, c_bool)))
  end subroutine h5pset_coll_metadata_write_f

  !> Whether metadata are written collectively.
  subroutine h5pget_coll_metadata_write_f(plist_id, is_collective, hdferr)
    integer(HID_T), intent(in) :: plist_id
    logical, intent(out) :: is_collective
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, &
          is_collective) bind(C, name='H5Pget_coll_metadata_write') result(status)
        import :: HID_T, c_bool, c_int
        integer(HID_T), value :: plist_id
        logical(c_bool), intent(out) :: is_collective
        integer(c_int) :: status
      end function c_call
    end interface
    logical(c_bool) :: flag
    hdferr = error_of(c_call(plist_id, flag))
    is_collective = logical(flag)
  end subroutine h5pget_coll_metadata_write_f

end module h5p_driver
