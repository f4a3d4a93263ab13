! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5f: files.
! Room: fortran. Fortran 2003 over the public C interface.

module h5f
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5fcreate_f, h5fopen_f, h5freopen_f, h5fclose_f, h5fflush_f, h5fis_hdf5_f, &
      h5fget_create_plist_f, h5fget_access_plist_f, h5fget_filesize_f

contains

  !> Creates a file; collective under an MPI driver.
  subroutine h5fcreate_f(name, access_flags, file_id, hdferr, creation_prp, access_prp)
    character(len=*), intent(in) :: name
    integer, intent(in) :: access_flags
    integer(HID_T), intent(out) :: file_id
    integer(HID_T), intent(in), optional :: creation_prp
    integer(HID_T), intent(in), optional :: access_prp
    integer, intent(out) :: hdferr
    interface
      function c_call(name, access_flags, creation_prp, &
          access_prp) bind(C, name='H5Fcreate') result(status)
        import :: HID_T, c_char, c_int
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(c_int), value :: access_flags
        integer(HID_T), value :: creation_prp
        integer(HID_T), value :: access_prp
        integer(HID_T) :: status
      end function c_call
    end interface
    file_id = c_call(c_text(name), int(access_flags, c_int), given(creation_prp), &
        given(access_prp))
    hdferr = merge(-1, 0, file_id < 0)
  end subroutine h5fcreate_f

  !> Opens a file; collective under an MPI driver.
  subroutine h5fopen_f(name, access_flags, file_id, hdferr, access_prp)
    character(len=*), intent(in) :: name
    integer, intent(in) :: access_flags
    integer(HID_T), intent(out) :: file_id
    integer(HID_T), intent(in), optional :: access_prp
    integer, intent(out) :: hdferr
    interface
      function c_call(name, access_flags, access_prp) bind(C, name='H5Fopen') result(status)
        import :: HID_T, c_char, c_int
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(c_int), value :: access_flags
        integer(HID_T), value :: access_prp
        integer(HID_T) :: status
      end function c_call
    end interface
    file_id = c_call(c_text(name), int(access_flags, c_int), given(access_prp))
    hdferr = merge(-1, 0, file_id < 0)
  end subroutine h5fopen_f

  !> Another id of an open file.
  subroutine h5freopen_f(file_id, ret_file_id, hdferr)
    integer(HID_T), intent(in) :: file_id
    integer(HID_T), intent(out) :: ret_file_id
    integer, intent(out) :: hdferr
    interface
      function c_call(file_id) bind(C, name='H5Freopen') result(status)
        import :: HID_T
        integer(HID_T), value :: file_id
        integer(HID_T) :: status
      end function c_call
    end interface
    ret_file_id = c_call(file_id)
    hdferr = merge(-1, 0, ret_file_id < 0)
  end subroutine h5freopen_f

  !> Closes a file; collective under an MPI driver.
  subroutine h5fclose_f(file_id, hdferr)
    integer(HID_T), intent(in) :: file_id
    integer, intent(out) :: hdferr
    interface
      function c_call(file_id) bind(C, name='H5Fclose') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: file_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(file_id))
  end subroutine h5fclose_f

  !> Brings everything to the file; collective under an MPI driver.
  subroutine h5fflush_f(object_id, scope, hdferr)
    integer(HID_T), intent(in) :: object_id
    integer, intent(in) :: scope
    integer, intent(out) :: hdferr
    interface
      function c_call(object_id, scope) bind(C, name='H5Fflush') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: object_id
        integer(c_int), value :: scope
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(object_id, int(scope, c_int)))
  end subroutine h5fflush_f

  !> Whether a file is an HDF5 file.
  subroutine h5fis_hdf5_f(name, status, hdferr)
    character(len=*), intent(in) :: name
    logical, intent(out) :: status
    integer, intent(out) :: hdferr
    interface
      function c_call(name) bind(C, name='H5Fis_hdf5') result(status)
        import :: c_char, c_int
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(c_text(name))
    status = answer > 0
    hdferr = error_of(answer)
  end subroutine h5fis_hdf5_f

  !> The creation list of a file.
  subroutine h5fget_create_plist_f(file_id, prop_id, hdferr)
    integer(HID_T), intent(in) :: file_id
    integer(HID_T), intent(out) :: prop_id
    integer, intent(out) :: hdferr
    interface
      function c_call(file_id) bind(C, name='H5Fget_create_plist') result(status)
        import :: HID_T
        integer(HID_T), value :: file_id
        integer(HID_T) :: status
      end function c_call
    end interface
    prop_id = c_call(file_id)
    hdferr = merge(-1, 0, prop_id < 0)
  end subroutine h5fget_create_plist_f

  !> The access list of a file.
  subroutine h5fget_access_plist_f(file_id, access_id, hdferr)
    integer(HID_T), intent(in) :: file_id
    integer(HID_T), intent(out) :: access_id
    integer, intent(out) :: hdferr
    interface
      function c_call(file_id) bind(C, name='H5Fget_access_plist') result(status)
        import :: HID_T
        integer(HID_T), value :: file_id
        integer(HID_T) :: status
      end function c_call
    end interface
    access_id = c_call(file_id)
    hdferr = merge(-1, 0, access_id < 0)
  end subroutine h5fget_access_plist_f

  !> Bytes of a file.
  subroutine h5fget_filesize_f(file_id, size, hdferr)
    integer(HID_T), intent(in) :: file_id
    integer(HSIZE_T), intent(out) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(file_id, size) bind(C, name='H5Fget_filesize') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: file_id
        integer(HSIZE_T), intent(out) :: size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(file_id, size))
  end subroutine h5fget_filesize_f

end module h5f
