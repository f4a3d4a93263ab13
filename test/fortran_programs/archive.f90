! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! A layer of a code's own over HDF5, as many codes have one: generic put and get for scalars, arrays and texts, groups that
! are made on the way, a table of contents by the calls of older releases. Each routine opens and closes the library.
! Room: test/fortran_programs; compiled with libpcio's modules and with libhdf5's.

module archive_io
  use hdf5
  implicit none
  private
  public :: archive_create, archive_open, archive_close, put, get, put_text, get_text, contents

  interface put
    module procedure put_integer, put_real, put_double_1, put_double_3
  end interface put
  interface get
    module procedure get_integer, get_real, get_double_1, get_double_3
  end interface get

  integer(HID_T), save :: file = -1

contains

  subroutine archive_create(name)
    character(len=*), intent(in) :: name
    integer :: error
    call h5open_f(error)
    call h5fcreate_f(name, H5F_ACC_TRUNC_F, file, error)
    if (error /= 0) stop 'archive: cannot create'
  end subroutine archive_create

  subroutine archive_open(name)
    character(len=*), intent(in) :: name
    integer :: error
    logical :: is
    call h5open_f(error)
    call h5fis_hdf5_f(name, is, error)
    if (.not. is) stop 'archive: not HDF5'
    call h5fopen_f(name, H5F_ACC_RDWR_F, file, error)
    if (error /= 0) stop 'archive: cannot open'
  end subroutine archive_open

  subroutine archive_close()
    integer :: error
    integer(SIZE_T) :: open_objects
    call h5fget_obj_count_f(file, H5F_OBJ_ALL_F, open_objects, error)
    print '(a, i0)', 'open at close: ', open_objects
    call h5fclose_f(file, error)
    call h5close_f(error)
    print '(a, i0)', 'h5close_f: ', error
  end subroutine archive_close

  !> Makes the groups of a path that aren't there, a level at a time, without messages of HDF5's.
  subroutine need_groups(path)
    character(len=*), intent(in) :: path
    integer(HID_T) :: group
    integer :: i, error
    call h5eset_auto_f(0, error)
    do i = 2, len_trim(path)
      if (path(i:i) /= '/') cycle
      call h5gopen_f(file, path(1:i - 1), group, error)
      if (error < 0) call h5gcreate_f(file, path(1:i - 1), group, error)
      call h5gclose_f(group, error)
    end do
    call h5eset_auto_f(1, error)
  end subroutine need_groups

  subroutine put_integer(path, value)
    character(len=*), intent(in) :: path
    integer, intent(in) :: value
    integer(HID_T) :: space, set
    integer(HSIZE_T) :: dims(1)
    integer :: error
    dims = 1
    call need_groups(path)
    call h5screate_f(H5S_SCALAR_F, space, error)
    call h5dcreate_f(file, path, H5T_NATIVE_INTEGER, space, set, error)
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, value, dims, error)
    if (error /= 0) stop 'put_integer'
    call h5dclose_f(set, error)
    call h5sclose_f(space, error)
  end subroutine put_integer

  subroutine put_real(path, value)
    character(len=*), intent(in) :: path
    real, intent(in) :: value
    integer(HID_T) :: space, set
    integer(HSIZE_T) :: dims(1)
    integer :: error
    dims = 1
    call need_groups(path)
    call h5screate_simple_f(1, dims, space, error)
    call h5dcreate_f(file, path, H5T_IEEE_F32BE, space, set, error)
    call h5dwrite_f(set, H5T_NATIVE_REAL, value, dims, error)
    if (error /= 0) stop 'put_real'
    call h5dclose_f(set, error)
    call h5sclose_f(space, error)
  end subroutine put_real

  subroutine put_double_1(path, values)
    character(len=*), intent(in) :: path
    double precision, intent(in) :: values(:)
    integer(HID_T) :: space, set
    integer(HSIZE_T) :: dims(1)
    integer :: error
    dims = size(values)
    call need_groups(path)
    call h5screate_simple_f(1, dims, space, error)
    call h5dcreate_f(file, path, H5T_NATIVE_DOUBLE, space, set, error)
    call h5dwrite_f(set, H5T_NATIVE_DOUBLE, values, dims, error)
    if (error /= 0) stop 'put_double_1'
    call h5dclose_f(set, error)
    call h5sclose_f(space, error)
  end subroutine put_double_1

  !> Compressed, where the array is large enough for it.
  subroutine put_double_3(path, values, level)
    character(len=*), intent(in) :: path
    double precision, intent(in) :: values(:, :, :)
    integer, intent(in), optional :: level
    integer(HID_T) :: space, set, list
    integer(HSIZE_T) :: dims(3), chunk(3)
    integer :: error
    dims = shape(values)
    call need_groups(path)
    call h5screate_simple_f(3, dims, space, error)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, error)
    if (present(level)) then
      chunk = (dims + 1) / 2
      call h5pset_chunk_f(list, 3, chunk, error)
      call h5pset_shuffle_f(list, error)
      call h5pset_deflate_f(list, level, error)
    end if
    call h5dcreate_f(file, path, H5T_NATIVE_DOUBLE, space, set, error, list)
    call h5dwrite_f(set, H5T_NATIVE_DOUBLE, values, dims, error)
    if (error /= 0) stop 'put_double_3'
    call h5dclose_f(set, error)
    call h5pclose_f(list, error)
    call h5sclose_f(space, error)
  end subroutine put_double_3

  subroutine put_text(path, name, text)
    character(len=*), intent(in) :: path, name, text
    integer(HID_T) :: object, space, type, attribute
    integer(HSIZE_T) :: dims(1)
    integer :: error
    dims = 1
    call h5oopen_f(file, path, object, error)
    call h5tcopy_f(H5T_NATIVE_CHARACTER, type, error)
    call h5tset_size_f(type, int(len_trim(text), SIZE_T), error)
    call h5tset_strpad_f(type, H5T_STR_SPACEPAD_F, error)
    call h5screate_simple_f(1, dims, space, error)
    call h5acreate_f(object, name, type, space, attribute, error)
    call h5awrite_f(attribute, type, text, dims, error)
    if (error /= 0) stop 'put_text'
    call h5aclose_f(attribute, error)
    call h5sclose_f(space, error)
    call h5tclose_f(type, error)
    call h5oclose_f(object, error)
  end subroutine put_text

  subroutine get_text(path, name, text)
    character(len=*), intent(in) :: path, name
    character(len=*), intent(out) :: text
    integer(HID_T) :: object, type, file_type, attribute
    integer(HSIZE_T) :: dims(1), bytes
    integer(SIZE_T) :: length
    character(len=40) :: back
    integer :: error, pad
    dims = 1
    text = ''
    call h5oopen_f(file, path, object, error)
    call h5aopen_f(object, name, attribute, error)
    call h5aget_type_f(attribute, file_type, error)
    call h5tget_size_f(file_type, length, error)
    call h5tget_strpad_f(file_type, pad, error)
    call h5aget_storage_size_f(attribute, bytes, error)
    back = '?'
    call h5aget_name_f(attribute, int(len(back), SIZE_T), back, error)
    print '(3a, 4(1x, i0))', 'attribute ', trim(back), ':', error, length, pad, bytes
    call h5tcopy_f(H5T_NATIVE_CHARACTER, type, error)
    call h5tset_size_f(type, int(len(text), SIZE_T), error)
    call h5aread_f(attribute, type, text, dims, error)
    call h5tclose_f(type, error)
    call h5tclose_f(file_type, error)
    call h5aclose_f(attribute, error)
    call h5oclose_f(object, error)
  end subroutine get_text

  subroutine get_integer(path, value)
    character(len=*), intent(in) :: path
    integer, intent(out) :: value
    integer(HID_T) :: set
    integer(HSIZE_T) :: dims(1)
    integer :: error
    dims = 1
    call h5dopen_f(file, path, set, error)
    call h5dread_f(set, H5T_NATIVE_INTEGER, value, dims, error)
    call h5dclose_f(set, error)
  end subroutine get_integer

  subroutine get_real(path, value)
    character(len=*), intent(in) :: path
    real, intent(out) :: value
    integer(HID_T) :: set
    integer(HSIZE_T) :: dims(1)
    integer :: error
    dims = 1
    call h5dopen_f(file, path, set, error)
    call h5dread_f(set, H5T_NATIVE_REAL, value, dims, error)
    call h5dclose_f(set, error)
  end subroutine get_real

  subroutine get_double_1(path, values)
    character(len=*), intent(in) :: path
    double precision, allocatable, intent(out) :: values(:)
    integer(HID_T) :: set, space
    integer(HSIZE_T) :: dims(1), most(1)
    integer :: error
    call h5dopen_f(file, path, set, error)
    call h5dget_space_f(set, space, error)
    call h5sget_simple_extent_dims_f(space, dims, most, error)
    print '(a, i0, 2(1x, i0))', 'extent_dims: ', error, dims, most
    allocate (values(dims(1)))
    call h5dread_f(set, H5T_NATIVE_DOUBLE, values, dims, error)
    call h5sclose_f(space, error)
    call h5dclose_f(set, error)
  end subroutine get_double_1

  subroutine get_double_3(path, values)
    character(len=*), intent(in) :: path
    double precision, allocatable, intent(out) :: values(:, :, :)
    integer(HID_T) :: set, space, list
    integer(HSIZE_T) :: dims(3), most(3), chunk(3), bytes
    integer :: error, layout, filters, flags, filter, i
    integer(SIZE_T) :: elements
    integer :: given(8)
    character(len=20) :: name
    call h5dopen_f(file, path, set, error)
    call h5dget_space_f(set, space, error)
    call h5sget_simple_extent_dims_f(space, dims, most, error)
    call h5dget_create_plist_f(set, list, error)
    call h5pget_layout_f(list, layout, error)
    print '(a, 4(1x, i0))', 'layout:', layout, dims
    if (layout == H5D_CHUNKED_F) then
      call h5pget_chunk_f(list, 3, chunk, error)
      print '(a, 4(1x, i0))', 'chunk:', error, chunk
      call h5pget_nfilters_f(list, filters, error)
      do i = 0, filters - 1
        elements = size(given)
        given = -7
        name = '?'
        call h5pget_filter_f(list, i, flags, elements, given, int(len(name), SIZE_T), name, filter, error)
        print '(a, 4(1x, i0), 1x, a)', 'filter:', filter, flags, elements, given(1), name(1:4)
      end do
    end if
    call h5dget_storage_size_f(set, bytes, error)
    print '(a, l1)', 'stored: ', bytes > 0
    allocate (values(dims(1), dims(2), dims(3)))
    call h5dread_f(set, H5T_NATIVE_DOUBLE, values, dims, error)
    call h5pclose_f(list, error)
    call h5sclose_f(space, error)
    call h5dclose_f(set, error)
  end subroutine get_double_3

  !> All members of a group, by the calls that came first.
  recursive subroutine contents(path)
    character(len=*), intent(in) :: path
    integer :: members, i, kind, error
    character(len=80) :: name
    call h5gn_members_f(file, path, members, error)
    print '(3a, 2(1x, i0))', 'members of ', path, ':', members, error
    do i = 0, members - 1
      call h5gget_obj_info_idx_f(file, path, i, name, kind, error)
      print '(2(i0, 1x), 2a)', i, kind, trim(name), '|'
      if (kind == H5G_GROUP_F) call contents(trim(path) // trim(name) // '/')
    end do
  end subroutine contents
end module archive_io

program archive
  use mpi
  use archive_io
  implicit none
  integer :: e, rank, number
  real :: single
  double precision :: x(2, 3, 4)
  double precision, allocatable :: line(:), block(:, :, :)
  character(len=200) :: name
  character(len=30) :: text

  call mpi_init(e)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call get_command_argument(1, name)
  if (rank == 0) then
    x = reshape([(dble(number), number = 1, 24)], shape(x))
    call archive_create(name)
    call put('/run/steps', 17)
    call put('/run/dt', 0.25)
    call put('/mesh/x', [0d0, 0.5d0, 1.5d0])
    call put('/fields/deep/er/u', x, 4)
    call put('/fields/v', x(:, 3:1:-1, ::2))
    call put_text('/fields/v', 'units', 'm/s   ')
    call put_text('/', 'made by', 'archive')
    call put_text('/run', 'author''s name', 'nobody in particular')
    call archive_close()
    call archive_open(name)
    call contents('/')
    call get('/run/steps', number)
    call get('/run/dt', single)
    print '(i0, f6.2)', number, single
    call get('/mesh/x', line)
    print '(3f6.2)', line
    call get('/fields/v', block)
    print '(6f6.1)', block
    call get('/fields/deep/er/u', block)
    print '(6f6.1)', block
    call get_text('/fields/v', 'units', text)
    print '(3a)', '[', text, ']'
    call get_text('/', 'made by', text)
    print '(3a)', '[', text, ']'
    call get_text('/run', 'author''s name', text(1:8))
    print '(3a)', '[', text(1:8), ']'
    call archive_close()
  end if
  call mpi_finalize(e)
  if (rank == 0) print '(a)', 'all right'
end program archive
