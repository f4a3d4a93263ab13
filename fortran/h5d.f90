! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5d: datasets. Their values are read and written by module h5_values.
! Room: fortran. Fortran 2003 over the public C interface.

module h5d
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  use h5_values, only: h5dwrite_f, h5dread_f, h5dfill_f
  use h5s, only: h5sclose_f, h5screate_simple_f, h5sget_select_npoints_f
  use h5t, only: h5tis_variable_str_f
  implicit none
  public
  include 'h5_private.inc'
  include 'h5d_names.inc'
  private :: rank_of_dataset, write_vl_integer, write_vl_real, write_vl_text, read_vl_integer, &
      read_vl_real, read_vl_text, write_sequences, read_sequences, free_sequences

  interface h5dwrite_vl_f
    module procedure write_vl_integer, write_vl_real, write_vl_text
  end interface h5dwrite_vl_f

  interface h5dread_vl_f
    module procedure read_vl_integer, read_vl_real, read_vl_text
  end interface h5dread_vl_f

contains

  include 'h5d_calls.inc'

  !> Gives a chunked dataset other dimensions.
  subroutine h5dset_extent_f(dataset_id, size, hdferr)
    integer(HID_T), intent(in) :: dataset_id
    integer(HSIZE_T), intent(in) :: size(*)
    integer, intent(out) :: hdferr
    integer :: rank
    interface
      function c_call(dataset_id, dims) bind(C, name='H5Dset_extent') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: dataset_id
        integer(HSIZE_T), intent(in) :: dims(*)
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = -1
    rank = rank_of_dataset(dataset_id)
    if (rank >= 0) hdferr = error_of(c_call(dataset_id, size(rank:1:-1)))
  end subroutine h5dset_extent_f

  !> As h5dset_extent_f, of which it is the older name; H5Dextend of C only makes datasets larger.
  subroutine h5dextend_f(dataset_id, size, hdferr)
    integer(HID_T), intent(in) :: dataset_id
    integer(HSIZE_T), intent(in) :: size(*)
    integer, intent(out) :: hdferr
    call h5dset_extent_f(dataset_id, size, hdferr)
  end subroutine h5dextend_f

  !> The number of dimensions of a dataset, or -1.
  function rank_of_dataset(dataset_id) result(rank)
    integer(HID_T), intent(in) :: dataset_id
    integer :: rank
    integer(HID_T) :: space
    integer :: error
    rank = -1
    call h5dget_space_f(dataset_id, space, error)
    if (error < 0) return
    rank = rank_of(space)
    call h5sclose_f(space, error)
  end function rank_of_dataset

  !> The length of the longest of the selected elements of variable length.
  subroutine h5dvlen_get_max_len_f(dataset_id, type_id, space_id, len, hdferr)
    integer(HID_T), intent(in) :: dataset_id, type_id, space_id
    integer(SIZE_T), intent(out) :: len
    integer, intent(out) :: hdferr
    type(hvl_t), allocatable, target :: elements(:)
    integer(HSSIZE_T) :: count
    integer(HID_T) :: memory
    logical :: text
    integer :: error
    len = 0
    call h5tis_variable_str_f(type_id, text, hdferr)
    if (hdferr >= 0 .and. text) hdferr = refused('h5dvlen_get_max_len_f', &
        'type_id: strings of any length have no sequences')
    if (hdferr < 0) return
    call h5sget_select_npoints_f(space_id, count, hdferr)
    if (hdferr < 0 .or. count == 0) return
    allocate (elements(count))
    elements(:)%len = 0
    call h5screate_simple_f(1, [int(count, HSIZE_T)], memory, hdferr)
    if (hdferr < 0) return
    call h5dread_f(dataset_id, type_id, c_loc(elements), hdferr, memory, space_id)
    if (hdferr >= 0) then
      len = maxval(elements(:)%len)
      call h5dvlen_reclaim_f(type_id, memory, H5P_DEFAULT_F, c_loc(elements), hdferr)
    end if
    call h5sclose_f(memory, error)
  end subroutine h5dvlen_get_max_len_f

  include 'h5d_sequences.inc'

  !> Writes dims(2) sequences; number j is len(j) elements, of so many bytes, of column j of `buf`. What is refused here
  !> still goes to C, without a buffer, as other ranks may wait in the call.
  subroutine write_sequences(dset_id, mem_type_id, buf, bytes, dims, len, hdferr, mem_space_id, file_space_id, xfer_prp)
    integer(HID_T), intent(in) :: dset_id, mem_type_id
    type(c_ptr), intent(in) :: buf
    integer, intent(in) :: bytes
    integer(HSIZE_T), intent(in) :: dims(2)
    integer(SIZE_T), intent(in) :: len(*)
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp
    character(kind=c_char), pointer :: columns(:, :)
    type(hvl_t), allocatable, target :: elements(:)
    integer(HSIZE_T) :: j
    call c_f_pointer(buf, columns, max(0_HSIZE_T, [bytes * dims(1), dims(2)]))
    allocate (elements(max(1_HSIZE_T, dims(2))))
    do j = 1, dims(2)
      if (len(j) < 0 .or. len(j) > dims(1)) then
        call h5dwrite_f(dset_id, mem_type_id, c_null_ptr, hdferr, mem_space_id, file_space_id, xfer_prp)
        hdferr = refused('h5dwrite_vl_f', 'len: an element is longer than dims(1)')
        return
      end if
      elements(j)%len = len(j)
      elements(j)%p = c_null_ptr
      if (len(j) > 0) elements(j)%p = c_loc(columns(1, j))
    end do
    call h5dwrite_f(dset_id, mem_type_id, c_loc(elements), hdferr, mem_space_id, file_space_id, xfer_prp)
  end subroutine write_sequences

  !> Reads dims(2) sequences; of number j, len(j) elements come to column j of `buf`, at most dims(1).
  subroutine read_sequences(dset_id, mem_type_id, buf, bytes, dims, len, hdferr, mem_space_id, file_space_id, xfer_prp)
    integer(HID_T), intent(in) :: dset_id, mem_type_id
    type(c_ptr), intent(in) :: buf
    integer, intent(in) :: bytes
    integer(HSIZE_T), intent(in) :: dims(2)
    integer(SIZE_T), intent(inout) :: len(*)
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp
    character(kind=c_char), pointer :: columns(:, :), values(:)
    type(hvl_t), allocatable, target :: elements(:)
    integer(HSIZE_T) :: j, count
    call c_f_pointer(buf, columns, max(0_HSIZE_T, [bytes * dims(1), dims(2)]))
    allocate (elements(max(1_HSIZE_T, dims(2))))
    elements(:)%len = 0
    call h5dread_f(dset_id, mem_type_id, c_loc(elements), hdferr, mem_space_id, file_space_id, xfer_prp)
    if (hdferr < 0) return
    do j = 1, dims(2)
      len(j) = elements(j)%len
      count = bytes * min(int(len(j), HSIZE_T), dims(1))
      if (count <= 0) cycle
      call c_f_pointer(elements(j)%p, values, [count])
      columns(1:count, j) = values
    end do
    call free_sequences(dset_id, mem_type_id, elements, hdferr, mem_space_id)
  end subroutine read_sequences

  !> Writes dims(2) strings of str_len(j) characters. What is refused here still goes to C, as above.
  subroutine write_vl_text(dset_id, mem_type_id, buf, dims, str_len, hdferr, mem_space_id, &
      file_space_id, xfer_prp)
    integer(HID_T), intent(in) :: dset_id, mem_type_id
    integer(HSIZE_T), intent(in) :: dims(2)
    character(len=*), intent(in) :: buf(dims(2))
    integer(SIZE_T), intent(in) :: str_len(*)
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp
    character(kind=c_char, len=1), allocatable, target :: letters(:, :)
    type(c_ptr), allocatable, target :: strings(:)
    integer(HSIZE_T) :: j
    integer :: i
    allocate (letters(len(buf) + 1, max(1_HSIZE_T, dims(2))), strings(max(1_HSIZE_T, dims(2))))
    letters = c_null_char
    do j = 1, dims(2)
      if (str_len(j) < 0 .or. str_len(j) > len(buf)) then
        call h5dwrite_f(dset_id, mem_type_id, c_null_ptr, hdferr, mem_space_id, file_space_id, xfer_prp)
        hdferr = refused('h5dwrite_vl_f', 'str_len: a string is longer than those of buf')
        return
      end if
      do i = 1, int(str_len(j))
        letters(i, j) = buf(j)(i:i)
      end do
      strings(j) = c_loc(letters(1, j))
    end do
    call h5dwrite_f(dset_id, mem_type_id, c_loc(strings), hdferr, mem_space_id, file_space_id, &
        xfer_prp)
  end subroutine write_vl_text

  !> Reads dims(2) strings, and how long they are in the file.
  subroutine read_vl_text(dset_id, mem_type_id, buf, dims, str_len, hdferr, mem_space_id, &
      file_space_id, xfer_prp)
    integer(HID_T), intent(in) :: dset_id, mem_type_id
    integer(HSIZE_T), intent(in) :: dims(2)
    character(len=*), intent(out) :: buf(dims(2))
    integer(SIZE_T), intent(out) :: str_len(*)
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: mem_space_id, file_space_id, xfer_prp
    type(c_ptr), allocatable, target :: strings(:)
    integer(HSIZE_T) :: j
    integer :: length
    allocate (strings(max(1_HSIZE_T, dims(2))))
    strings = c_null_ptr
    call h5dread_f(dset_id, mem_type_id, c_loc(strings), hdferr, mem_space_id, file_space_id, &
        xfer_prp)
    if (hdferr < 0) return
    do j = 1, dims(2)
      call take_c_string(strings(j), buf(j), length)
      str_len(j) = max(0, length)
    end do
  end subroutine read_vl_text

  subroutine free_sequences(dset_id, mem_type_id, elements, hdferr, mem_space_id)
    integer(HID_T), intent(in) :: dset_id, mem_type_id
    type(hvl_t), target, intent(in) :: elements(:)
    integer, intent(out) :: hdferr
    integer(HID_T), intent(in), optional :: mem_space_id
    integer(HID_T) :: space
    integer :: error
    if (given(mem_space_id) /= H5S_ALL_F) then
      call h5dvlen_reclaim_f(mem_type_id, mem_space_id, H5P_DEFAULT_F, c_loc(elements), hdferr)
      return
    end if
    call h5dget_space_f(dset_id, space, hdferr)
    if (hdferr < 0) return
    call h5dvlen_reclaim_f(mem_type_id, space, H5P_DEFAULT_F, c_loc(elements), hdferr)
    call h5sclose_f(space, error)
  end subroutine free_sequences

end module h5d
