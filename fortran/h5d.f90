! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5d: datasets. Their values are read and written by module h5_values.
! Room: fortran. Fortran 2003 over the public C interface.

module h5d
  use, intrinsic :: iso_c_binding
  use h5global
  use h5s, only: h5sclose_f, h5sget_simple_extent_ndims_f
  implicit none
  private
  public :: h5dcreate_f, h5dcreate_anon_f, h5dopen_f, h5dclose_f, h5dget_space_f, &
      h5dget_type_f, h5dget_create_plist_f, h5dget_access_plist_f, h5dget_storage_size_f, &
      h5dset_extent_f

contains

  !> Creates a dataset.
  subroutine h5dcreate_f(loc_id, name, type_id, space_id, dset_id, hdferr, dcpl_id, lcpl_id, &
      dapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer(HID_T), intent(in) :: type_id
    integer(HID_T), intent(in) :: space_id
    integer(HID_T), intent(out) :: dset_id
    integer(HID_T), intent(in), optional :: dcpl_id
    integer(HID_T), intent(in), optional :: lcpl_id
    integer(HID_T), intent(in), optional :: dapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, name, type_id, space_id, lcpl_id, dcpl_id, &
          dapl_id) bind(C, name='H5Dcreate2') result(status)
        import :: HID_T, c_char
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(HID_T), value :: type_id
        integer(HID_T), value :: space_id
        integer(HID_T), value :: lcpl_id
        integer(HID_T), value :: dcpl_id
        integer(HID_T), value :: dapl_id
        integer(HID_T) :: status
      end function c_call
    end interface
    dset_id = c_call(loc_id, c_text(name), type_id, space_id, given(lcpl_id), given(dcpl_id), &
        given(dapl_id))
    hdferr = merge(-1, 0, dset_id < 0)
  end subroutine h5dcreate_f

  !> Creates a dataset without a name.
  subroutine h5dcreate_anon_f(loc_id, type_id, space_id, dset_id, hdferr, dcpl_id, dapl_id)
    integer(HID_T), intent(in) :: loc_id
    integer(HID_T), intent(in) :: type_id
    integer(HID_T), intent(in) :: space_id
    integer(HID_T), intent(out) :: dset_id
    integer(HID_T), intent(in), optional :: dcpl_id
    integer(HID_T), intent(in), optional :: dapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, type_id, space_id, dcpl_id, &
          dapl_id) bind(C, name='H5Dcreate_anon') result(status)
        import :: HID_T
        integer(HID_T), value :: loc_id
        integer(HID_T), value :: type_id
        integer(HID_T), value :: space_id
        integer(HID_T), value :: dcpl_id
        integer(HID_T), value :: dapl_id
        integer(HID_T) :: status
      end function c_call
    end interface
    dset_id = c_call(loc_id, type_id, space_id, given(dcpl_id), given(dapl_id))
    hdferr = merge(-1, 0, dset_id < 0)
  end subroutine h5dcreate_anon_f

  !> Opens a dataset.
  subroutine h5dopen_f(loc_id, name, dset_id, hdferr, dapl_id)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: name
    integer(HID_T), intent(out) :: dset_id
    integer(HID_T), intent(in), optional :: dapl_id
    integer, intent(out) :: hdferr
    interface
      function c_call(loc_id, name, dapl_id) bind(C, name='H5Dopen2') result(status)
        import :: HID_T, c_char
        integer(HID_T), value :: loc_id
        character(kind=c_char), dimension(*), intent(in) :: name
        integer(HID_T), value :: dapl_id
        integer(HID_T) :: status
      end function c_call
    end interface
    dset_id = c_call(loc_id, c_text(name), given(dapl_id))
    hdferr = merge(-1, 0, dset_id < 0)
  end subroutine h5dopen_f

  !> Closes a dataset.
  subroutine h5dclose_f(dset_id, hdferr)
    integer(HID_T), intent(in) :: dset_id
    integer, intent(out) :: hdferr
    interface
      function c_call(dset_id) bind(C, name='H5Dclose') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: dset_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(dset_id))
  end subroutine h5dclose_f

  !> The space of a dataset, all selected.
  subroutine h5dget_space_f(dataset_id, dataspace_id, hdferr)
    integer(HID_T), intent(in) :: dataset_id
    integer(HID_T), intent(out) :: dataspace_id
    integer, intent(out) :: hdferr
    interface
      function c_call(dataset_id) bind(C, name='H5Dget_space') result(status)
        import :: HID_T
        integer(HID_T), value :: dataset_id
        integer(HID_T) :: status
      end function c_call
    end interface
    dataspace_id = c_call(dataset_id)
    hdferr = merge(-1, 0, dataspace_id < 0)
  end subroutine h5dget_space_f

  !> The type of a dataset.
  subroutine h5dget_type_f(dataset_id, datatype_id, hdferr)
    integer(HID_T), intent(in) :: dataset_id
    integer(HID_T), intent(out) :: datatype_id
    integer, intent(out) :: hdferr
    interface
      function c_call(dataset_id) bind(C, name='H5Dget_type') result(status)
        import :: HID_T
        integer(HID_T), value :: dataset_id
        integer(HID_T) :: status
      end function c_call
    end interface
    datatype_id = c_call(dataset_id)
    hdferr = merge(-1, 0, datatype_id < 0)
  end subroutine h5dget_type_f

  !> The creation list of a dataset.
  subroutine h5dget_create_plist_f(dataset_id, plist_id, hdferr)
    integer(HID_T), intent(in) :: dataset_id
    integer(HID_T), intent(out) :: plist_id
    integer, intent(out) :: hdferr
    interface
      function c_call(dataset_id) bind(C, name='H5Dget_create_plist') result(status)
        import :: HID_T
        integer(HID_T), value :: dataset_id
        integer(HID_T) :: status
      end function c_call
    end interface
    plist_id = c_call(dataset_id)
    hdferr = merge(-1, 0, plist_id < 0)
  end subroutine h5dget_create_plist_f

  !> The access list of a dataset.
  subroutine h5dget_access_plist_f(dset_id, plist_id, hdferr)
    integer(HID_T), intent(in) :: dset_id
    integer(HID_T), intent(out) :: plist_id
    integer, intent(out) :: hdferr
    interface
      function c_call(dset_id) bind(C, name='H5Dget_access_plist') result(status)
        import :: HID_T
        integer(HID_T), value :: dset_id
        integer(HID_T) :: status
      end function c_call
    end interface
    plist_id = c_call(dset_id)
    hdferr = merge(-1, 0, plist_id < 0)
  end subroutine h5dget_access_plist_f

  !> Bytes of a dataset's values in the file.
  subroutine h5dget_storage_size_f(dataset_id, size, hdferr)
    integer(HID_T), intent(in) :: dataset_id
    integer(HSIZE_T), intent(out) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(dataset_id) bind(C, name='H5Dget_storage_size') result(status)
        import :: HID_T, HSIZE_T
        integer(HID_T), value :: dataset_id
        integer(HSIZE_T) :: status
      end function c_call
    end interface
    size = c_call(dataset_id)
    hdferr = 0
  end subroutine h5dget_storage_size_f

  !> Gives a chunked dataset other dimensions.
  subroutine h5dset_extent_f(dataset_id, size, hdferr)
    integer(HID_T), intent(in) :: dataset_id
    integer(HSIZE_T), intent(in) :: size(*)
    integer, intent(out) :: hdferr
    integer(HID_T) :: space
    integer :: rank, closed
    interface
      function c_call(dataset_id, dims) bind(C, name='H5Dset_extent') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: dataset_id
        integer(HSIZE_T), intent(in) :: dims(*)
        integer(c_int) :: status
      end function c_call
    end interface
    call h5dget_space_f(dataset_id, space, hdferr)
    if (hdferr < 0) return
    call h5sget_simple_extent_ndims_f(space, rank, hdferr)
    call h5sclose_f(space, closed)
    if (hdferr < 0) return
    hdferr = error_of(c_call(dataset_id, size(rank:1:-1)))
  end subroutine h5dset_extent_f

end module h5d
