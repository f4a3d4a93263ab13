! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5s: dataspaces. Dimensions are in Fortran's order here, the one that varies fastest first; in the file they are the other way round.
! Room: fortran. Fortran 2003 over the public C interface.

module h5s
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  implicit none
  public
  include 'h5_private.inc'
  include 'h5s_names.inc'
  private :: turn_places

contains

  include 'h5s_calls.inc'

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

  !> Moves the selection by `offset`.
  subroutine h5soffset_simple_f(space_id, offset, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer(HSSIZE_T), intent(in) :: offset(*)
    integer, intent(out) :: hdferr
    integer :: rank
    interface
      function c_call(space_id, offset) bind(C, name='H5Soffset_simple') result(status)
        import :: HID_T, HSSIZE_T, c_int
        integer(HID_T), value :: space_id
        integer(HSSIZE_T), intent(in) :: offset(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = -1
    rank = rank_of(space_id)
    if (rank >= 0) hdferr = error_of(c_call(space_id, offset(rank:1:-1)))
  end subroutine h5soffset_simple_f

  !> The first and last place of the selection, counted from 1.
  subroutine h5sget_select_bounds_f(space_id, start, end, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer(HSIZE_T), intent(out) :: start(*), end(*)
    integer, intent(out) :: hdferr
    integer :: rank
    integer(HSIZE_T), dimension(kMostDimensions) :: first, last
    interface
      function c_call(space_id, first, last) bind(C, name='H5Sget_select_bounds') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: space_id
        integer(HSIZE_T), intent(out) :: first(*), last(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = -1
    rank = rank_of(space_id)
    if (rank < 0) return
    hdferr = error_of(c_call(space_id, first, last))
    if (hdferr < 0) return
    start(1:rank) = first(rank:1:-1) + 1
    end(1:rank) = last(rank:1:-1) + 1
  end subroutine h5sget_select_bounds_f

  !> The blocks of a regular selection; `start` counts from 0, as in h5sselect_hyperslab_f.
  subroutine h5sget_regular_hyperslab_f(space_id, start, stride, count, block, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer(HSIZE_T), intent(out) :: start(*), stride(*), count(*), block(*)
    integer, intent(out) :: hdferr
    integer :: rank
    integer(HSIZE_T), dimension(kMostDimensions) :: starts, strides, counts, blocks
    interface
      function c_call(space_id, start, stride, count, block) &
          bind(C, name='H5Sget_regular_hyperslab') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: space_id
        integer(HSIZE_T), intent(out) :: start(*), stride(*), count(*), block(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = -1
    rank = rank_of(space_id)
    if (rank < 0) return
    hdferr = error_of(c_call(space_id, starts, strides, counts, blocks))
    if (hdferr < 0) return
    start(1:rank) = starts(rank:1:-1)
    stride(1:rank) = strides(rank:1:-1)
    count(1:rank) = counts(rank:1:-1)
    block(1:rank) = blocks(rank:1:-1)
  end subroutine h5sget_regular_hyperslab_f

  !> The places, counted from 1, of `num_points` selected elements from number `startpoint`, from 0, on.
  subroutine h5sget_select_elem_pointlist_f(space_id, startpoint, num_points, buf, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer(HSIZE_T), intent(in) :: startpoint, num_points
    integer(HSIZE_T), intent(out) :: buf(*)
    integer, intent(out) :: hdferr
    integer :: rank
    interface
      function c_call(space_id, first, count, places) bind(C, name='H5Sget_select_elem_pointlist') &
          result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: space_id
        integer(HSIZE_T), value :: first, count
        integer(HSIZE_T), intent(out) :: places(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = -1
    rank = rank_of(space_id)
    if (rank < 0) return
    hdferr = error_of(c_call(space_id, startpoint, num_points, buf))
    if (hdferr >= 0) call turn_places(buf, rank, num_points)
  end subroutine h5sget_select_elem_pointlist_f

  !> The first and last places, counted from 1, of `num_blocks` selected blocks from number `startblock`, from 0, on.
  subroutine h5sget_select_hyper_blocklist_f(space_id, startblock, num_blocks, buf, hdferr)
    integer(HID_T), intent(in) :: space_id
    integer(HSIZE_T), intent(in) :: startblock, num_blocks
    integer(HSIZE_T), intent(out) :: buf(*)
    integer, intent(out) :: hdferr
    integer :: rank
    interface
      function c_call(space_id, first, count, places) bind(C, name='H5Sget_select_hyper_blocklist') &
          result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: space_id
        integer(HSIZE_T), value :: first, count
        integer(HSIZE_T), intent(out) :: places(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = -1
    rank = rank_of(space_id)
    if (rank < 0) return
    hdferr = error_of(c_call(space_id, startblock, num_blocks, buf))
    if (hdferr >= 0) call turn_places(buf, rank, 2 * num_blocks)
  end subroutine h5sget_select_hyper_blocklist_f

  !> Places as C has them become those of Fortran.
  pure subroutine turn_places(places, rank, count)
    integer, intent(in) :: rank
    integer(HSIZE_T), intent(in) :: count
    integer(HSIZE_T), intent(inout) :: places(rank, count)
    places = places(rank:1:-1, :) + 1
  end subroutine turn_places

end module h5s
