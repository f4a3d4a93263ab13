! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5s: dataspaces. Dimensions are in Fortran's order here, the one that varies fastest
! first; in the file they are the other way round.
! Room: fortran. Fortran 2003 over the public C interface.

module h5s
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5screate_f, h5scopy_f, h5sclose_f, h5sselect_all_f, h5sselect_none_f, &
      h5sselect_valid_f, h5sis_simple_f, h5sget_simple_extent_ndims_f, &
      h5sget_simple_extent_type_f, h5sget_simple_extent_npoints_f, h5sget_select_npoints_f, &
      h5screate_simple_f, h5sset_extent_simple_f, h5sget_simple_extent_dims_f, &
      h5sselect_hyperslab_f, h5sselect_elements_f

contains

  !> Creates a scalar or null space.
  subroutine h5screate_f(classtype, space_id, hdferr)
    integer, intent(in) :: classtype
    integer(HID_T), intent(out) :: space_id
    integer, intent(out) :: hdferr
    interface
      function c_call(classtype) bind(C, name='H5Screate') result(status)
        import :: HID_T, c_int
        integer(c_int), value :: classtype
        integer(HID_T) :: status
      end function c_call
    end interface
    space_id = c_call(int(classtype, c_int))
    hdferr = merge(-1, 0, space_id < 0)
  end subroutine h5screate_f

  !> A space like another.
  subroutine h5scopy_f(space_id, new_space_id, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer(HID_T), intent(out) :: new_space_id
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id) bind(C, name='H5Scopy') result(status)
        import :: HID_T
        integer(HID_T), value :: space_id
        integer(HID_T) :: status
      end function c_call
    end interface
    new_space_id = c_call(space_id)
    hdferr = merge(-1, 0, new_space_id < 0)
  end subroutine h5scopy_f

  !> Closes a space.
  subroutine h5sclose_f(space_id, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id) bind(C, name='H5Sclose') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: space_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(space_id))
  end subroutine h5sclose_f

  !> Selects everything.
  subroutine h5sselect_all_f(space_id, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id) bind(C, name='H5Sselect_all') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: space_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(space_id))
  end subroutine h5sselect_all_f

  !> Selects nothing.
  subroutine h5sselect_none_f(space_id, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id) bind(C, name='H5Sselect_none') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: space_id
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(space_id))
  end subroutine h5sselect_none_f

  !> Whether the selection lies within the space.
  subroutine h5sselect_valid_f(space_id, status, hdferr)
    integer(HID_T), intent(in) :: space_id
    logical, intent(out) :: status
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id) bind(C, name='H5Sselect_valid') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: space_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(space_id)
    status = answer > 0
    hdferr = error_of(answer)
  end subroutine h5sselect_valid_f

  !> Whether a space has dimensions.
  subroutine h5sis_simple_f(space_id, status, hdferr)
    integer(HID_T), intent(in) :: space_id
    logical, intent(out) :: status
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id) bind(C, name='H5Sis_simple') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: space_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(space_id)
    status = answer > 0
    hdferr = error_of(answer)
  end subroutine h5sis_simple_f

  !> The number of dimensions.
  subroutine h5sget_simple_extent_ndims_f(space_id, rank, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer, intent(out) :: rank
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id) bind(C, name='H5Sget_simple_extent_ndims') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: space_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(space_id)
    rank = int(answer)
    hdferr = error_of(answer)
  end subroutine h5sget_simple_extent_ndims_f

  !> Scalar, simple or null.
  subroutine h5sget_simple_extent_type_f(space_id, classtype, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer, intent(out) :: classtype
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id) bind(C, name='H5Sget_simple_extent_type') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: space_id
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: answer
    answer = c_call(space_id)
    classtype = int(answer)
    hdferr = error_of(answer)
  end subroutine h5sget_simple_extent_type_f

  !> The number of elements.
  subroutine h5sget_simple_extent_npoints_f(space_id, npoints, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer(HSSIZE_T), intent(out) :: npoints
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id) bind(C, name='H5Sget_simple_extent_npoints') result(status)
        import :: HID_T, HSSIZE_T
        integer(HID_T), value :: space_id
        integer(HSSIZE_T) :: status
      end function c_call
    end interface
    npoints = c_call(space_id)
    hdferr = merge(-1, 0, npoints < 0)
  end subroutine h5sget_simple_extent_npoints_f

  !> The number of elements selected.
  subroutine h5sget_select_npoints_f(space_id, npoints, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer(HSSIZE_T), intent(out) :: npoints
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id) bind(C, name='H5Sget_select_npoints') result(status)
        import :: HID_T, HSSIZE_T
        integer(HID_T), value :: space_id
        integer(HSSIZE_T) :: status
      end function c_call
    end interface
    npoints = c_call(space_id)
    hdferr = merge(-1, 0, npoints < 0)
  end subroutine h5sget_select_npoints_f

  !> Creates a space of `rank` dimensions; without `maxdims` they cannot grow.
  subroutine h5screate_simple_f(rank, dims, space_id, hdferr, maxdims)
    integer, intent(in) :: rank
    integer(HSIZE_T), intent(in) :: dims(*)
    integer(HID_T), intent(out) :: space_id
    integer, intent(out) :: hdferr
    integer(HSIZE_T), intent(in), optional :: maxdims(*)
    interface
      function c_call(ndims, dims, most) bind(C, name='H5Screate_simple') result(id)
        import :: HID_T, HSIZE_T, c_int
        integer(c_int), value :: ndims
        integer(HSIZE_T), intent(in) :: dims(*), most(*)
        integer(HID_T) :: id
      end function c_call
    end interface
    if (present(maxdims)) then
      space_id = c_call(int(rank, c_int), dims(rank:1:-1), maxdims(rank:1:-1))
    else
      space_id = c_call(int(rank, c_int), dims(rank:1:-1), dims(rank:1:-1))
    end if
    hdferr = merge(-1, 0, space_id < 0)
  end subroutine h5screate_simple_f

  !> Gives a space other dimensions.
  subroutine h5sset_extent_simple_f(space_id, rank, current_size, maximum_size, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer, intent(in) :: rank
    integer(HSIZE_T), intent(in) :: current_size(rank), maximum_size(rank)
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id, ndims, dims, most) bind(C, name='H5Sset_extent_simple') &
          result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: space_id
        integer(c_int), value :: ndims
        integer(HSIZE_T), intent(in) :: dims(*), most(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(space_id, int(rank, c_int), current_size(rank:1:-1), &
        maximum_size(rank:1:-1)))
  end subroutine h5sset_extent_simple_f

  !> The dimensions and how far they may grow; hdferr is their number, or -1.
  subroutine h5sget_simple_extent_dims_f(space_id, dims, maxdims, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer(HSIZE_T), intent(out) :: dims(*), maxdims(*)
    integer, intent(out) :: hdferr
    integer(HSIZE_T) :: now(kMostDimensions), most(kMostDimensions)
    interface
      function c_call(space_id, dims, most) bind(C, name='H5Sget_simple_extent_dims') result(ndims)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: space_id
        integer(HSIZE_T), intent(out) :: dims(*), most(*)
        integer(c_int) :: ndims
      end function c_call
    end interface
    hdferr = int(c_call(space_id, now, most))
    if (hdferr <= 0) return
    dims(1:hdferr) = now(hdferr:1:-1)
    maxdims(1:hdferr) = most(hdferr:1:-1)
  end subroutine h5sget_simple_extent_dims_f

  !> Selects blocks; `start` counts from 0. Without `stride` and `block` they are 1.
  subroutine h5sselect_hyperslab_f(space_id, operator, start, count, hdferr, stride, block)
    integer(HID_T), intent(in) :: space_id
    integer, intent(in) :: operator
    integer(HSIZE_T), intent(in) :: start(*), count(*)
    integer, intent(out) :: hdferr
    integer(HSIZE_T), intent(in), optional :: stride(*), block(*)
    integer(HSIZE_T), dimension(kMostDimensions) :: strides, blocks
    integer :: rank
    interface
      function c_call(space_id, operator, start, stride, count, block) &
          bind(C, name='H5Sselect_hyperslab') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: space_id
        integer(c_int), value :: operator
        integer(HSIZE_T), intent(in) :: start(*), stride(*), count(*), block(*)
        integer(c_int) :: status
      end function c_call
    end interface
    call h5sget_simple_extent_ndims_f(space_id, rank, hdferr)
    if (hdferr < 0 .or. rank > kMostDimensions) return
    strides = 1
    blocks = 1
    if (present(stride)) strides(1:rank) = stride(rank:1:-1)
    if (present(block)) blocks(1:rank) = block(rank:1:-1)
    hdferr = error_of(c_call(space_id, int(operator, c_int), start(rank:1:-1), strides, &
        count(rank:1:-1), blocks))
  end subroutine h5sselect_hyperslab_f

  !> Selects single elements; coord(:, k) is the place of element k, counted from 1.
  subroutine h5sselect_elements_f(space_id, operator, rank, num_elements, coord, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer, intent(in) :: operator, rank
    integer(SIZE_T), intent(in) :: num_elements
    integer(HSIZE_T), intent(in) :: coord(rank, num_elements)
    integer, intent(out) :: hdferr
    interface
      function c_call(space_id, operator, count, coord) bind(C, name='H5Sselect_elements') &
          result(status)
        import :: HID_T, HSIZE_T, SIZE_T, c_int
        integer(HID_T), value :: space_id
        integer(c_int), value :: operator
        integer(SIZE_T), value :: count
        integer(HSIZE_T), intent(in) :: coord(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(space_id, int(operator, c_int), num_elements, &
        coord(rank:1:-1, :) - 1))
  end subroutine h5sselect_elements_f

end module h5s
