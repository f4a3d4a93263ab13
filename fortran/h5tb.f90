! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5tb: tables, which are datasets of records. Values of fields are moved by module h5_high_values.
! Room: fortran. Fortran 2003 over the public C interface.

module h5tb
  use, intrinsic :: iso_c_binding
  use hdf5
  use h5_support
  use h5_high_values, only: h5tbwrite_field_name_f, h5tbread_field_name_f, h5tbwrite_field_index_f, &
      h5tbread_field_index_f, h5tbinsert_field_f
  implicit none
  public
  include 'h5_private.inc'
  include 'h5tb_names.inc'
  private :: take_names

  interface h5tbmake_table_f
    module procedure h5tbmake_table_f90, h5tbmake_table_ptr_f
  end interface h5tbmake_table_f

contains

  include 'h5tb_calls.inc'

  !> Makes a table whose records are to be written.
  subroutine h5tbmake_table_f90(table_title, loc_id, dset_name, nfields, nrecords, type_size, field_names, &
      field_offset, field_types, chunk_size, compress, errcode)
    character(len=*), intent(in) :: table_title, dset_name
    integer(HID_T), intent(in) :: loc_id, field_types(*)
    integer(HSIZE_T), intent(in) :: nfields, nrecords, chunk_size
    integer(SIZE_T), intent(in) :: type_size, field_offset(*)
    character(len=*), intent(in) :: field_names(*)
    integer, intent(in) :: compress
    integer, intent(out) :: errcode
    call h5tbmake_table_ptr_f(table_title, loc_id, dset_name, nfields, nrecords, type_size, field_names, &
        field_offset, field_types, chunk_size, c_null_ptr, compress, c_null_ptr, errcode)
  end subroutine h5tbmake_table_f90

  !> Makes a table of records at an address.
  subroutine h5tbmake_table_ptr_f(table_title, loc_id, dset_name, nfields, nrecords, type_size, field_names, &
      field_offset, field_types, chunk_size, fill_data, compress, data, errcode)
    character(len=*), intent(in) :: table_title, dset_name
    integer(HID_T), intent(in) :: loc_id, field_types(*)
    integer(HSIZE_T), intent(in) :: nfields, nrecords, chunk_size
    integer(SIZE_T), intent(in) :: type_size, field_offset(*)
    character(len=*), intent(in) :: field_names(*)
    type(c_ptr), intent(in) :: fill_data, data
    integer, intent(in) :: compress
    integer, intent(out) :: errcode
    character(kind=c_char, len=len(field_names) + 1), target :: letters(max(0_HSIZE_T, nfields))
    type(c_ptr) :: names(size(letters))
    integer :: i
    do i = 1, size(letters)
      letters(i) = c_text(field_names(i))
      names(i) = c_loc(letters(i)(1:1))
    end do
    call make_table(table_title, loc_id, dset_name, nfields, nrecords, type_size, names, field_offset, field_types, &
        chunk_size, fill_data, compress, data, errcode)
  end subroutine h5tbmake_table_ptr_f

  !> Names, sizes and places of the first `nfields` fields of a record in memory, and the record's size; `maxlen_out` is
  !> the length of the longest name.
  subroutine h5tbget_field_info_f(loc_id, dset_name, nfields, field_names, field_sizes, field_offsets, type_size, &
      errcode, maxlen_out)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: dset_name
    integer(HSIZE_T), intent(in) :: nfields
    character(len=*), intent(inout) :: field_names(*)
    integer(SIZE_T), intent(inout) :: field_sizes(*), field_offsets(*)
    integer(SIZE_T), intent(out) :: type_size
    integer, intent(out) :: errcode
    integer(HSIZE_T), intent(out), optional :: maxlen_out
    integer(SIZE_T), allocatable :: sizes(:), offsets(:)
    integer(HSIZE_T) :: fields, records
    type_size = 0
    if (present(maxlen_out)) maxlen_out = 0
    call h5tbget_table_info_f(loc_id, dset_name, fields, records, errcode)
    if (errcode < 0) return
    allocate (sizes(fields), offsets(fields))
    call field_info(loc_id, dset_name, sizes, offsets, type_size, errcode)
    if (errcode < 0) return
    fields = min(fields, nfields)
    field_sizes(1:fields) = sizes(1:fields)
    field_offsets(1:fields) = offsets(1:fields)
    call take_names(loc_id, dset_name, int(fields), field_names, errcode, maxlen_out)
  end subroutine h5tbget_field_info_f

  !> The names of the first `count` fields, and the length of the longest.
  subroutine take_names(loc_id, dset_name, count, names, errcode, longest)
    integer(HID_T), intent(in) :: loc_id
    character(len=*), intent(in) :: dset_name
    integer, intent(in) :: count
    character(len=*), intent(inout) :: names(*)
    integer, intent(out) :: errcode
    integer(HSIZE_T), intent(out), optional :: longest
    integer(HID_T) :: dataset, type
    integer :: i, length, error
    if (present(longest)) longest = 0
    call h5dopen_f(loc_id, dset_name, dataset, errcode)
    if (errcode < 0) return
    call h5dget_type_f(dataset, type, errcode)
    if (errcode >= 0) then
      do i = 1, count
        call h5tget_member_name_f(type, i - 1, names(i), length, errcode)
        if (errcode < 0) exit
        if (present(longest)) longest = max(longest, int(length, HSIZE_T))
      end do
      call h5tclose_f(type, error)
    end if
    call h5dclose_f(dataset, error)
  end subroutine take_names

end module h5tb

!> Another name of it, which libhdf5's programs know.
module h5tb_const
  use h5tb
  implicit none
end module h5tb_const
