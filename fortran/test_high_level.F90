! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! The High Level modules: each procedure is called and what it gives back looked at. test/oracle/fortran_calls.sh compiles
! it for libhdf5 too, with WITH_LIBHDF5, where what libhdf5 gets wrong is left out: all else is so there.
! Room: fortran; a serial test.
program test_high_level
  use, intrinsic :: iso_c_binding
  use h5ds
  use h5lt
  use h5im
  use h5tb
  implicit none

  integer :: failures = 0, e
  character(len=512) :: folder, name
  integer(HID_T) :: file

  call get_environment_variable('PCIO_TEST_TMP', folder)
  if (folder == '') folder = '.'
  name = trim(folder) // '/fortran_high.h5'
  call h5open_f(e)
  call h5fcreate_f(name, H5F_ACC_TRUNC_F, file, e)
  call is(e == 0, 'h5fcreate_f')
  call of_scales()
  call of_numbers()
  call of_own_types()
  call of_ranks()
  call of_texts()
  call of_attributes()
  call of_typed_attributes()
  call of_images()
  call of_palettes()
  call of_tables()
  call of_table_changes()
  call h5fclose_f(file, e)
  call is(e == 0, 'h5fclose_f')
  open (unit=17, file=name)
  close (17, status='delete')
  if (failures > 0) error stop 1
  print '(a)', 'all right'

contains

  subroutine is(right, what)
    logical, intent(in) :: right
    character(len=*), intent(in) :: what
    if (right) return
    failures = failures + 1
    print '(2a)', 'wrong: ', what
  end subroutine is

  subroutine quiet(on)
    logical, intent(in) :: on
    integer :: error
    call h5eset_auto_f(merge(0, 1, on), error)
  end subroutine quiet

  !> A new dataset of integers.
  function made(path, dims) result(id)
    character(len=*), intent(in) :: path
    integer(HSIZE_T), intent(in) :: dims(:)
    integer(HID_T) :: id, space
    call h5screate_simple_f(size(dims), dims, space, e)
    call h5dcreate_f(file, path, H5T_NATIVE_INTEGER, space, id, e)
    call is(e == 0, 'h5dcreate_f')
    call h5sclose_f(space, e)
  end function made

  !> Bytes of a dataset's type, and its class.
  subroutine is_of(path, class, bytes)
    character(len=*), intent(in) :: path
    integer, intent(in) :: class, bytes
    integer(HSIZE_T) :: dims(7)
    integer :: found
    integer(SIZE_T) :: size
    call h5ltget_dataset_info_f(file, path, dims, found, size, e)
    call is(e == 0 .and. found == class .and. size == bytes, 'the type of ' // path)
  end subroutine is_of

  subroutine of_scales()
    integer(HID_T) :: data, x, y
    integer :: n
    logical :: yes
    character(len=12) :: text
    integer(SIZE_T) :: length
    data = made('data', [4_HSIZE_T, 3_HSIZE_T])
    x = made('x', [4_HSIZE_T])
    y = made('y', [3_HSIZE_T])
    call h5dsset_scale_f(x, e, 'along x  ')
    call is(e == 0, 'h5dsset_scale_f with a name')
    call h5dsset_scale_f(y, e)
    call is(e == 0, 'h5dsset_scale_f without a name')
    call h5dsis_scale_f(x, yes, e)
    call is(e == 0 .and. yes, 'h5dsis_scale_f of a scale')
    call h5dsis_scale_f(data, yes, e)
    call is(e == 0 .and. .not. yes, 'h5dsis_scale_f of another dataset')
    call h5dsattach_scale_f(data, x, 1, e)
    call is(e == 0, 'h5dsattach_scale_f 1')
    call h5dsattach_scale_f(data, y, 2, e)
    call is(e == 0, 'h5dsattach_scale_f 2')
    call quiet(.true.)
    call h5dsattach_scale_f(data, y, 3, e)
    call is(e < 0, 'h5dsattach_scale_f behind the last dimension')
    call h5dsattach_scale_f(data, y, 0, e)
    call is(e < 0, 'h5dsattach_scale_f before the first dimension')
    call h5dsattach_scale_f(file, y, 1, e)
    call is(e < 0, 'h5dsattach_scale_f of a file')
    call quiet(.false.)
    call h5dsis_attached_f(data, x, 1, yes, e)
    call is(e == 0 .and. yes, 'h5dsis_attached_f')
    call h5dsis_attached_f(data, x, 2, yes, e)
    call is(e == 0 .and. .not. yes, 'h5dsis_attached_f of another dimension')
    call h5dsset_label_f(data, 2, 'second one  ', e)
    call is(e == 0, 'h5dsset_label_f')
    text = repeat('x', len(text))
    length = len(text)
    call h5dsget_label_f(data, 2, text, length, e)
    call is(e == 0 .and. length == 10 .and. text == 'second one', 'h5dsget_label_f')
    length = 4
    call h5dsget_label_f(data, 2, text, length, e)
    call is(e == 0 .and. length == 10 .and. text(1:3) == 'sec', 'h5dsget_label_f of few characters')
    length = len(text)
    call h5dsget_label_f(data, 1, text, length, e)
    call is(e == 0 .and. length == 0, 'h5dsget_label_f where there is none')
#ifndef WITH_LIBHDF5
    call is(text == '', 'h5dsget_label_f gives blanks where there is none')
#endif
    length = len(text)
    call is_first_in_file(data)
    call h5dsget_scale_name_f(x, text, length, e)
    call is(e == 0 .and. length == 7 .and. text == 'along x', 'h5dsget_scale_name_f')
    call h5dsget_num_scales_f(data, 1, n, e)
    call is(e == 0 .and. n == 1, 'h5dsget_num_scales_f')
    call h5dsdetach_scale_f(data, x, 1, e)
    call is(e == 0, 'h5dsdetach_scale_f')
    call h5dsget_num_scales_f(data, 1, n, e)
    call is(e == 0 .and. n == 0, 'h5dsget_num_scales_f where there are none')
    call h5dclose_f(data, e)
    call h5dclose_f(x, e)
    call h5dclose_f(y, e)
  end subroutine of_scales

  !> Number 2 has a label alone: dimensions are not turned round here.
  subroutine is_first_in_file(data)
    integer(HID_T), intent(in) :: data
    integer(HID_T) :: attribute, text
    type(c_ptr), target :: labels(2)
    type(c_ptr) :: place
    call h5aopen_f(data, 'DIMENSION_LABELS', attribute, e)
    call h5aget_type_f(attribute, text, e)
    labels = c_null_ptr
    place = c_loc(labels)
    call h5aread_f(attribute, text, place, e)
    call is(e == 0 .and. c_associated(labels(2)) .and. .not. c_associated(labels(1)), 'which dimension has a label')
    call h5tclose_f(text, e)
    call h5aclose_f(attribute, e)
  end subroutine is_first_in_file

  subroutine of_numbers()
    integer(HSIZE_T) :: dims(2) = [3, 2], found(7)
    integer :: i, rank, class, numbers(3, 2), back(3, 2)
    integer(SIZE_T) :: bytes
    integer, target :: row(6)
    real :: few(3, 2), few_back(3, 2)
    double precision :: many(3, 2), many_back(3, 2)
    logical :: yes
    numbers = reshape([(10 * i, i = 1, 6)], [3, 2])
    few = real(numbers) / 4
    many = dble(numbers) / 8
    call h5ltmake_dataset_int_f(file, 'integers', 2, dims, numbers, e)
    call is(e == 0, 'h5ltmake_dataset_int_f')
    call h5ltmake_dataset_float_f(file, 'reals', 2, dims, few, e)
    call is(e == 0, 'h5ltmake_dataset_float_f')
    call h5ltmake_dataset_double_f(file, 'doubles', 2, dims, many, e)
    call is(e == 0, 'h5ltmake_dataset_double_f')
    call is_of('integers', H5T_INTEGER_F, 4)
    call is_of('reals', H5T_FLOAT_F, 4)
    call is_of('doubles', H5T_FLOAT_F, 8)
    back = 0
    call h5ltread_dataset_int_f(file, 'integers', back, dims, e)
    call is(e == 0 .and. all(back == numbers), 'h5ltread_dataset_int_f')
    call h5ltread_dataset_float_f(file, 'reals', few_back, dims, e)
    call is(e == 0 .and. all(few_back == few), 'h5ltread_dataset_float_f')
    call h5ltread_dataset_double_f(file, 'doubles', many_back, dims, e)
    call is(e == 0 .and. all(many_back == many), 'h5ltread_dataset_double_f')
    call h5ltread_dataset_float_f(file, 'doubles', few_back, dims, e)
    call is(e == 0 .and. all(few_back == many), 'h5ltread_dataset_float_f of doubles')
    ! By their addresses, with a type.
    row = [(i, i = 1, 6)]
    call h5ltmake_dataset_f(file, 'by address', 2, dims, H5T_NATIVE_INTEGER, c_loc(row), e)
    call is(e == 0, 'h5ltmake_dataset_f of an address')
    row = 0
    call h5ltread_dataset_f(file, 'by address', H5T_NATIVE_INTEGER, c_loc(row), e)
    call is(e == 0 .and. row(6) == 6, 'h5ltread_dataset_f of an address')
    call h5ltget_dataset_ndims_f(file, 'integers', rank, e)
    call is(e == 0 .and. rank == 2, 'h5ltget_dataset_ndims_f')
    call h5ltget_dataset_info_f(file, 'integers', found, class, bytes, e)
    call is(e == 0 .and. all(found(1:2) == dims), 'h5ltget_dataset_info_f')
    call is(h5ltfind_dataset_f(file, 'integers') == 1, 'h5ltfind_dataset_f')
    call is(h5ltfind_dataset_f(file, 'nothing') == 0, 'h5ltfind_dataset_f where there is none')
    call h5ltpath_valid_f(file, '/integers', .true., yes, e)
    call is(e == 0 .and. yes, 'h5ltpath_valid_f')
    call h5ltpath_valid_f(file, '/nothing', .true., yes, e)
    call is(e == 0 .and. .not. yes, 'h5ltpath_valid_f of nothing')
    call quiet(.true.)
    call h5ltread_dataset_int_f(file, 'nothing', back, dims, e)
    call is(e < 0, 'h5ltread_dataset_int_f of nothing')
    call h5ltget_dataset_info_f(file, 'nothing', found, class, bytes, e)
    call is(e < 0, 'h5ltget_dataset_info_f of nothing')
    call quiet(.false.)
  end subroutine of_numbers

  !> The type is that of the buffer, whatever the subroutine is called; libhdf5 passes reals of another kind as they are.
  subroutine of_own_types()
    integer(HSIZE_T) :: dims(1) = [2]
    integer(c_int16_t) :: short(2) = [1_c_int16_t, -2_c_int16_t]
    integer(c_int64_t) :: long(2) = [3_c_int64_t, 2_c_int64_t**40], long_back(2)
    call h5ltmake_dataset_int_f(file, 'short', 1, dims, short, e)
    call is_of('short', H5T_INTEGER_F, 2)
    call h5ltmake_dataset_int_f(file, 'long', 1, dims, long, e)
    call is_of('long', H5T_INTEGER_F, 8)
    call h5ltread_dataset_int_f(file, 'long', long_back, dims, e)
    call is(e == 0 .and. all(long_back == long), 'h5ltread_dataset_int_f of 8 bytes')
    short = 0
    call h5ltread_dataset_int_f(file, 'short', long_back, dims, e)
    call is(e == 0 .and. all(long_back == [1, -2]), 'h5ltread_dataset_int_f of 2 bytes into 8')
#ifndef WITH_LIBHDF5
    call of_real_kinds()
#endif
  end subroutine of_own_types

#ifndef WITH_LIBHDF5
  subroutine of_real_kinds()
    integer(HSIZE_T) :: dims(1) = [2]
    real :: few(2) = [1.5, 2.5]
    double precision :: many(2) = [0.1d0, 0.2d0], back(2)
    call h5ltmake_dataset_float_f(file, 'float of 8', 1, dims, many, e)
    call is_of('float of 8', H5T_FLOAT_F, 8)
    call h5ltread_dataset_float_f(file, 'float of 8', back, dims, e)
    call is(e == 0 .and. all(back == many), 'h5ltread_dataset_float_f of 8 bytes')
    call h5ltmake_dataset_double_f(file, 'double of 4', 1, dims, few, e)
    call is_of('double of 4', H5T_FLOAT_F, 4)
    few = 0
    call h5ltread_dataset_double_f(file, 'double of 4', few, dims, e)
    call is(e == 0 .and. all(few == [1.5, 2.5]), 'h5ltread_dataset_double_f of 4 bytes')
#ifdef PCIO_REAL_10
    call of_long_reals()
#endif
#ifdef PCIO_INTEGER_16
    call of_long_integers()
#endif
  end subroutine of_real_kinds
#endif

#ifdef PCIO_REAL_10
  subroutine of_long_reals()
    integer(HSIZE_T) :: dims(1) = [2]
    real(10) :: long(2) = [0.1_10, 2.5_10], back(2)
    call h5ltmake_dataset_double_f(file, 'reals of 10', 1, dims, long, e)
    call h5ltread_dataset_double_f(file, 'reals of 10', back, dims, e)
    call is(e == 0 .and. all(back == long), 'h5ltread_dataset_double_f of kind 10')
  end subroutine of_long_reals
#endif

#ifdef PCIO_INTEGER_16
  subroutine of_long_integers()
    integer(HSIZE_T) :: dims(1) = [2]
    integer(16) :: long(2) = [3_16, 2_16**100], back(2)
    call h5ltmake_dataset_int_f(file, 'integers of 16', 1, dims, long, e)
    call is_of('integers of 16', H5T_INTEGER_F, 16)
    call h5ltread_dataset_int_f(file, 'integers of 16', back, dims, e)
    call is(e == 0 .and. all(back == long), 'h5ltread_dataset_int_f of 16 bytes')
  end subroutine of_long_integers
#endif

  !> Scalars and as many dimensions as there may be, and strided sections.
  subroutine of_ranks()
    integer(HSIZE_T) :: dims(7) = [2, 1, 3, 1, 2, 1, 2], none(1) = [1], found(7)
    double precision :: one, back
    integer :: deep(2, 1, 3, 1, 2, 1, 2), deep_back(2, 1, 3, 1, 2, 1, 2), wide(4, 6), i, class
    integer(SIZE_T) :: bytes
    one = 2.25d0
    call h5ltmake_dataset_double_f(file, 'scalar', 0, none, one, e)
    call h5ltread_dataset_double_f(file, 'scalar', back, none, e)
    call is(e == 0 .and. back == one, 'a scalar')
    deep = reshape([(i, i = 1, 24)], shape(deep))
    call h5ltmake_dataset_f(file, 'deep', 7, dims, H5T_NATIVE_INTEGER, deep, e)
    call h5ltread_dataset_f(file, 'deep', H5T_NATIVE_INTEGER, deep_back, dims, e)
    call is(e == 0 .and. all(deep == deep_back), 'seven dimensions')
    call h5ltget_dataset_info_f(file, 'deep', found, class, bytes, e)
    call is(e == 0 .and. all(found == dims), 'h5ltget_dataset_info_f of seven dimensions')
    wide = reshape([(i, i = 1, 24)], shape(wide))
    call h5ltmake_dataset_int_f(file, 'section', 2, [2_HSIZE_T, 3_HSIZE_T], wide(1:4:2, 6:1:-2), e)
    wide = 0
    call h5ltread_dataset_int_f(file, 'section', wide(2:4:2, 1:6:2), [2_HSIZE_T, 3_HSIZE_T], e)
    call is(e == 0 .and. all(wide(2:4:2, 1:6:2) == reshape([21, 23, 13, 15, 5, 7], [2, 3])), 'strided sections')
    call is(sum(wide) == 84, 'beside a strided section')
  end subroutine of_ranks

  subroutine of_texts()
    character(len=12) :: text
    character(len=3) :: short
    call h5ltmake_dataset_string_f(file, 'text', 'hello you   ', e)
    call is(e == 0, 'h5ltmake_dataset_string_f')
    call is_of('text', H5T_STRING_F, 10)
    text = ''
    call h5ltread_dataset_string_f(file, 'text', text, e)
#ifdef WITH_LIBHDF5
    ! libhdf5 leaves C's null in it.
    text(10:) = ''
#endif
    call is(e == 0 .and. text == 'hello you', 'h5ltread_dataset_string_f')
    short = ''
#ifndef WITH_LIBHDF5
    call h5ltread_dataset_string_f(file, 'text', short, e)
    call is(e == 0 .and. short == 'hel', 'h5ltread_dataset_string_f of few characters')
#endif
    call h5ltset_attribute_string_f(file, 'text', 'said', 'how are you ', e)
    call is(e == 0, 'h5ltset_attribute_string_f')
    text = repeat('x', len(text))
    call h5ltget_attribute_string_f(file, 'text', 'said', text, e)
    call is(e == 0 .and. text == 'how are you', 'h5ltget_attribute_string_f')
  end subroutine of_texts

  subroutine of_attributes()
    integer :: rank, class, numbers(2)
    real :: few(2)
    double precision :: many(2)
    integer(HSIZE_T) :: dims(7)
    integer(SIZE_T) :: bytes
    call h5ltset_attribute_int_f(file, 'text', 'integers', [7, 8], 2_SIZE_T, e)
    call is(e == 0, 'h5ltset_attribute_int_f')
    call h5ltset_attribute_int_f(file, 'text', 'integers', [5, 6, 7], 3_SIZE_T, e)
    call is(e == 0, 'h5ltset_attribute_int_f in place of another')
    call h5ltget_attribute_ndims_f(file, 'text', 'integers', rank, e)
    call is(e == 0 .and. rank == 1, 'h5ltget_attribute_ndims_f')
    call h5ltget_attribute_info_f(file, 'text', 'integers', dims, class, bytes, e)
    call is(e == 0 .and. dims(1) == 3 .and. class == H5T_INTEGER_F .and. bytes == 4, 'h5ltget_attribute_info_f')
    call h5ltset_attribute_int_f(file, 'text', 'integers', [7, 8], 2_SIZE_T, e)
    call h5ltget_attribute_int_f(file, 'text', 'integers', numbers, e)
    call is(e == 0 .and. all(numbers == [7, 8]), 'h5ltget_attribute_int_f')
    call h5ltset_attribute_float_f(file, 'text', 'reals', [0.5, 1.5], 2_SIZE_T, e)
    call is(e == 0, 'h5ltset_attribute_float_f')
    call h5ltget_attribute_float_f(file, 'text', 'reals', few, e)
    call is(e == 0 .and. all(few == [0.5, 1.5]), 'h5ltget_attribute_float_f')
    call h5ltset_attribute_double_f(file, 'text', 'doubles', [0.1d0, 0.2d0], 2_SIZE_T, e)
    call is(e == 0, 'h5ltset_attribute_double_f')
    call h5ltget_attribute_double_f(file, 'text', 'doubles', many, e)
    call is(e == 0 .and. all(many == [0.1d0, 0.2d0]), 'h5ltget_attribute_double_f')
  end subroutine of_attributes

  subroutine of_typed_attributes()
    integer, target :: numbers(2)
    integer(c_int64_t), target :: long(2)
    double precision, target :: many(2)
    character(len=8), target :: letters
    long = [2_c_int64_t**40, 3_c_int64_t]
    call h5ltset_attribute_f(file, 'text', 'typed', c_loc(long), 'INTEGER', 8_SIZE_T, 2_SIZE_T, e)
    call is(e == 0, 'h5ltset_attribute_f of integers')
    long = 0
    call h5ltget_attribute_f(file, 'text', 'typed', c_loc(long), 'Integer', 8_SIZE_T, e)
    call is(e == 0 .and. all(long == [2_c_int64_t**40, 3_c_int64_t]), 'h5ltget_attribute_f of integers')
    many = [0.1d0, 7d0]
    call h5ltset_attribute_f(file, 'text', 'typed', c_loc(many), 'real', 8_SIZE_T, 2_SIZE_T, e)
    call is(e == 0, 'h5ltset_attribute_f of reals, in place of integers')
    many = 0
    call h5ltget_attribute_f(file, 'text', 'typed', c_loc(many), 'REAL', 8_SIZE_T, e)
    call is(e == 0 .and. all(many == [0.1d0, 7d0]), 'h5ltget_attribute_f of reals')
    call h5ltget_attribute_f(file, 'text', 'typed', c_loc(numbers), 'integer', 4_SIZE_T, e)
    call is(e == 0 .and. all(numbers == [0, 7]), 'h5ltget_attribute_f of reals as integers')
    letters = 'some one'
    call h5ltset_attribute_f(file, 'text', 'typed', c_loc(letters), 'character', 1_SIZE_T, 5_SIZE_T, e)
    call is(e == 0, 'h5ltset_attribute_f of a text')
    letters = 'xxxxxxxx'
    call h5ltget_attribute_string_f(file, 'text', 'typed', letters, e)
    call is(e == 0 .and. letters == 'some', 'h5ltset_attribute_f of a text with a blank at its end')
#ifndef WITH_LIBHDF5
    ! libhdf5 reads nothing.
    letters = 'xxxxxxxx'
    call h5ltget_attribute_f(file, 'text', 'typed', c_loc(letters), 'character', 1_SIZE_T, e)
    call is(e == 0 .and. letters == 'somexxxx', 'h5ltget_attribute_f of a text')
    call of_refused_attributes()
#endif
  end subroutine of_typed_attributes

#ifndef WITH_LIBHDF5
  !> libhdf5 takes other words and makes nothing, and has no integers of one byte.
  subroutine of_refused_attributes()
    integer(c_int8_t), target :: bytes(2) = [1_c_int8_t, -1_c_int8_t]
    call h5ltset_attribute_f(file, 'text', 'typed', c_loc(bytes), 'INTEGER', 1_SIZE_T, 2_SIZE_T, e)
    bytes = 0
    call h5ltget_attribute_f(file, 'text', 'typed', c_loc(bytes), 'INTEGER', 1_SIZE_T, e)
    call is(e == 0 .and. all(bytes == [1, -1]), 'h5ltget_attribute_f of bytes')
    call quiet(.true.)
    call h5ltset_attribute_f(file, 'text', 'typed', c_loc(bytes), 'zoo', 1_SIZE_T, 2_SIZE_T, e)
    call is(e < 0, 'h5ltset_attribute_f of no type')
    call h5ltset_attribute_f(file, 'text', 'typed', c_loc(bytes), 'real', 3_SIZE_T, 2_SIZE_T, e)
    call is(e < 0, 'h5ltset_attribute_f of reals of 3 bytes')
    call h5ltget_attribute_f(file, 'text', 'typed', c_loc(bytes), '', 1_SIZE_T, e)
    call is(e < 0, 'h5ltget_attribute_f of no type')
    call quiet(.false.)
    bytes = 0
    call h5ltget_attribute_f(file, 'text', 'typed', c_loc(bytes), 'INTEGER', 1_SIZE_T, e)
    call is(e == 0 .and. all(bytes == [1, -1]), 'an attribute that a refused call was to replace')
  end subroutine of_refused_attributes
#endif

  subroutine of_images()
    integer :: pixels(18), back(19)
    integer(HSIZE_T) :: width, height, planes, palettes
    character(len=20) :: interlace
    integer :: i
    pixels = [(14 * i, i = 1, 18)]
    call h5immake_image_8bit_f(file, 'image', 3_HSIZE_T, 2_HSIZE_T, [0, 127, 128, 255, 300, -1], e)
    call is(e == 0, 'h5immake_image_8bit_f')
    back = -7
    call h5imread_image_f(file, 'image', back, e)
    call is(e == 0 .and. all(back(1:7) == [0, 127, 128, 255, 255, 0, -7]), 'h5imread_image_f')
    call h5imget_image_info_f(file, 'image', width, height, planes, interlace, palettes, e)
    call is(e == 0 .and. width == 3 .and. height == 2 .and. planes == 1 .and. palettes == 0, 'h5imget_image_info_f')
    call h5immake_image_24bit_f(file, 'colours', 3_HSIZE_T, 2_HSIZE_T, 'INTERLACE_PIXEL', pixels, e)
    call is(e == 0, 'h5immake_image_24bit_f by pixel')
    call h5imread_image_f(file, 'colours', back, e)
    call is(e == 0 .and. all(back(1:18) == pixels) .and. back(19) == -7, 'h5imread_image_f by pixel')
    call h5immake_image_24bit_f(file, 'planes', 3_HSIZE_T, 2_HSIZE_T, 'INTERLACE_PLANE', pixels, e)
    call h5imget_image_info_f(file, 'planes', width, height, planes, interlace, palettes, e)
    call is(e == 0 .and. width == 3 .and. height == 2 .and. planes == 3 .and. interlace == 'INTERLACE_PLANE', &
        'h5imget_image_info_f by plane')
    call is(h5imis_image_f(file, 'image') == 1, 'h5imis_image_f')
    call is(h5imis_image_f(file, 'text') == 0, 'h5imis_image_f of another dataset')
    call quiet(.true.)
    call h5immake_image_24bit_f(file, 'none', 3_HSIZE_T, 2_HSIZE_T, 'BY CHANCE', pixels, e)
    call is(e < 0, 'h5immake_image_24bit_f in no order')
    call h5imread_image_f(file, 'nothing', back, e)
    call is(e < 0, 'h5imread_image_f of nothing')
    call quiet(.false.)
  end subroutine of_images

  subroutine of_palettes()
    integer :: colours(9), back(10)
    integer(HSIZE_T) :: palettes, dims(2)
    colours = [1, 2, 3, 40, 50, 60, 253, 254, 255]
    call h5immake_palette_f(file, 'palette', [3_HSIZE_T, 3_HSIZE_T], colours, e)
    call is(e == 0, 'h5immake_palette_f')
    call h5imlink_palette_f(file, 'image', 'palette', e)
    call is(e == 0, 'h5imlink_palette_f')
    call h5imget_npalettes_f(file, 'image', palettes, e)
    call is(e == 0 .and. palettes == 1, 'h5imget_npalettes_f')
    call h5imget_palette_info_f(file, 'image', 0, dims, e)
    call is(e == 0 .and. all(dims == 3), 'h5imget_palette_info_f')
    back = -7
    call h5imget_palette_f(file, 'image', 0, back, e)
    call is(e == 0 .and. all(back(1:9) == colours) .and. back(10) == -7, 'h5imget_palette_f')
    call is(h5imis_palette_f(file, 'palette') == 1, 'h5imis_palette_f')
    call is(h5imis_palette_f(file, 'image') == 0, 'h5imis_palette_f of another dataset')
    call h5imunlink_palette_f(file, 'image', 'palette', e)
    call is(e == 0, 'h5imunlink_palette_f')
    ! The dimensions are not turned round.
    call h5immake_palette_f(file, 'more rows', [2_HSIZE_T, 3_HSIZE_T], colours, e)
    call h5imlink_palette_f(file, 'image', 'more rows', e)
    call h5imget_palette_info_f(file, 'image', 0, dims, e)
    call is(e == 0 .and. all(dims == [2, 3]), 'h5imget_palette_info_f of two colours')
  end subroutine of_palettes

  !> A table of integers, reals and texts, with room for four records.
  subroutine make_table(table)
    character(len=*), intent(in) :: table
    integer(HID_T) :: text
    call h5tcopy_f(H5T_NATIVE_CHARACTER, text, e)
    call h5tset_size_f(text, 6_SIZE_T, e)
    call h5tbmake_table_f('a title ', file, table, 3_HSIZE_T, 4_HSIZE_T, 18_SIZE_T, ['number', 'real  ', 'name  '], &
        [0_SIZE_T, 4_SIZE_T, 12_SIZE_T], [H5T_NATIVE_INTEGER, H5T_NATIVE_DOUBLE, text], 2_HSIZE_T, 0, e)
    call is(e == 0, 'h5tbmake_table_f')
    call h5tclose_f(text, e)
  end subroutine make_table

  subroutine of_tables()
    integer(HSIZE_T), parameter :: none = 0, four = 4
    integer :: numbers(4)
    real :: few(4)
    double precision :: many(4)
    character(len=6) :: names(4)
    call make_table('table')
    call h5tbwrite_field_name_f(file, 'table', 'number', none, four, 4_SIZE_T, [1, 2, 3, 4], e)
    call is(e == 0, 'h5tbwrite_field_name_f of integers')
    call h5tbwrite_field_name_f(file, 'table', 'real ', none, four, 8_SIZE_T, [1.5d0, 2.5d0, 3.5d0, 4.5d0], e)
    call is(e == 0, 'h5tbwrite_field_name_f of reals')
    call h5tbwrite_field_name_f(file, 'table', 'name', none, four, 6_SIZE_T, ['one   ', 'two   ', 'three ', 'sixsix'], e)
    call is(e == 0, 'h5tbwrite_field_name_f of texts')
    numbers = -1
    call h5tbread_field_name_f(file, 'table', 'number', 1_HSIZE_T, 2_HSIZE_T, 4_SIZE_T, numbers, e)
    call is(e == 0 .and. all(numbers == [2, 3, -1, -1]), 'h5tbread_field_name_f of integers')
    call h5tbread_field_index_f(file, 'table', 2, none, four, 8_SIZE_T, many, e)
    call is(e == 0 .and. all(many == [1.5d0, 2.5d0, 3.5d0, 4.5d0]), 'h5tbread_field_index_f of reals')
    call h5tbread_field_name_f(file, 'table', 'real', none, four, 8_SIZE_T, many, e)
    call is(e == 0 .and. many(4) == 4.5d0, 'h5tbread_field_name_f of reals')
    names = ''
    call h5tbread_field_index_f(file, 'table', 3, none, four, 6_SIZE_T, names, e)
    call is(e == 0 .and. names(3) == 'three' .and. names(4) == 'sixsix', 'h5tbread_field_index_f of texts')
    call h5tbread_field_name_f(file, 'table', 'name', 3_HSIZE_T, 1_HSIZE_T, 6_SIZE_T, names, e)
    call is(e == 0 .and. names(1) == 'sixsix', 'h5tbread_field_name_f of texts')
    call h5tbwrite_field_index_f(file, 'table', 1, 3_HSIZE_T, 1_HSIZE_T, 4_SIZE_T, [44], e)
    call is(e == 0, 'h5tbwrite_field_index_f of integers')
    call h5tbwrite_field_index_f(file, 'table', 2, 3_HSIZE_T, 1_HSIZE_T, 8_SIZE_T, [0.1d0], e)
    call is(e == 0, 'h5tbwrite_field_index_f of reals')
    call h5tbwrite_field_index_f(file, 'table', 3, 2_HSIZE_T, 1_HSIZE_T, 6_SIZE_T, ['drei  '], e)
    call is(e == 0, 'h5tbwrite_field_index_f of texts')
    call h5tbread_field_index_f(file, 'table', 1, none, four, 4_SIZE_T, numbers, e)
    call is(e == 0 .and. all(numbers == [1, 2, 3, 44]), 'h5tbread_field_index_f of integers')
    call h5tbread_field_name_f(file, 'table', 'real', none, four, 8_SIZE_T, many, e)
    call is(e == 0 .and. all(many == [1.5d0, 2.5d0, 3.5d0, 0.1d0]), 'reals by their number')
    call h5tbread_field_name_f(file, 'table', 'name', none, four, 6_SIZE_T, names, e)
    call is(e == 0 .and. all(names == ['one   ', 'two   ', 'drei  ', 'sixsix']), 'texts by their number')
    few = 0
    call quiet(.true.)
    call h5tbwrite_field_index_f(file, 'table', 4, none, four, 4_SIZE_T, few, e)
    call is(e < 0, 'h5tbwrite_field_index_f behind the last')
    call h5tbwrite_field_index_f(file, 'table', 0, none, four, 4_SIZE_T, few, e)
    call is(e < 0, 'h5tbwrite_field_index_f before the first')
    call h5tbread_field_name_f(file, 'table', 'nothing', none, four, 4_SIZE_T, few, e)
    call is(e < 0, 'h5tbread_field_name_f of nothing')
    call quiet(.false.)
    call of_table_info()
    call of_whole_tables()
  end subroutine of_tables

  subroutine of_table_info()
    integer(HSIZE_T) :: fields, records, longest
    character(len=8) :: names(3)
    character(len=2) :: short(3)
    integer(SIZE_T) :: sizes(3), places(3), bytes
    call h5tbget_table_info_f(file, 'table', fields, records, e)
    call is(e == 0 .and. fields == 3 .and. records == 4, 'h5tbget_table_info_f')
    call h5tbget_field_info_f(file, 'table', 3_HSIZE_T, names, sizes, places, bytes, e)
    call is(e == 0 .and. all(names == ['number  ', 'real    ', 'name    ']), 'h5tbget_field_info_f: names')
    call is(all(sizes == [4, 8, 6]) .and. all(places == [0, 8, 16]) .and. bytes == 24, 'h5tbget_field_info_f: sizes')
    call h5tbget_field_info_f(file, 'table', 3_HSIZE_T, short, sizes, places, bytes, e, longest)
    call is(e == 0 .and. all(short == ['nu', 're', 'na']) .and. longest == 6, 'h5tbget_field_info_f: longest')
#ifndef WITH_LIBHDF5
    ! libhdf5 writes behind the arrays.
    sizes = -1
    names(2) = 'mine'
    call h5tbget_field_info_f(file, 'table', 1_HSIZE_T, names, sizes, places, bytes, e)
    call is(e == 0 .and. all(sizes == [4, -1, -1]) .and. names(2) == 'mine', 'h5tbget_field_info_f of one')
#endif
  end subroutine of_table_info

  !> Records at an address.
  subroutine of_whole_tables()
    type, bind(C) :: record
      integer(c_int) :: number
      integer(c_int) :: other
      real(c_double) :: value
    end type record
    type(record), target :: records(3), fill, back(3)
    integer :: i
    records = [(record(i, -i, i / 4d0), i = 1, 3)]
    fill = record(9, 8, 7d0)
    call h5tbmake_table_f('whole', file, 'whole', 3_HSIZE_T, 3_HSIZE_T, 16_SIZE_T, ['number', 'other ', 'value '], &
        [0_SIZE_T, 4_SIZE_T, 8_SIZE_T], [H5T_NATIVE_INTEGER, H5T_NATIVE_INTEGER, H5T_NATIVE_DOUBLE], 2_HSIZE_T, &
        c_loc(fill), 1, c_loc(records), e)
    call is(e == 0, 'h5tbmake_table_f of records')
    back = fill
    call h5tbread_table_f(file, 'whole', 3_HSIZE_T, 16_SIZE_T, [0_SIZE_T, 4_SIZE_T, 8_SIZE_T], &
        [4_SIZE_T, 4_SIZE_T, 8_SIZE_T], c_loc(back), e)
    call is(e == 0 .and. all(back%number == [1, 2, 3]) .and. all(back%other == [-1, -2, -3]) .and. &
        all(back%value == [0.25d0, 0.5d0, 0.75d0]), 'h5tbread_table_f')
  end subroutine of_whole_tables

  subroutine of_table_changes()
    integer(HSIZE_T), parameter :: none = 0, four = 4
    integer(HSIZE_T) :: fields, records
    integer :: numbers(4)
    real :: few(4)
    character(len=4) :: texts(4)
    character(len=8) :: names(6)
    integer(SIZE_T) :: sizes(6), places(6), bytes
    integer(HID_T) :: text
    call h5tbinsert_field_f(file, 'table', 'new', H5T_NATIVE_INTEGER, 1, [5, 6, 7, 8], e)
    call is(e == 0, 'h5tbinsert_field_f of integers')
    call h5tbinsert_field_f(file, 'table', 'first', H5T_NATIVE_REAL, 0, [0.5, 1.5, 2.5, 3.5], e)
    call is(e == 0, 'h5tbinsert_field_f of reals')
    call h5tcopy_f(H5T_NATIVE_CHARACTER, text, e)
    call h5tset_size_f(text, 4_SIZE_T, e)
    call h5tbinsert_field_f(file, 'table', 'last', text, 5, ['a   ', 'b   ', 'c   ', 'dddd'], e)
    call is(e == 0, 'h5tbinsert_field_f of texts')
    call h5tbget_field_info_f(file, 'table', 6_HSIZE_T, names, sizes, places, bytes, e)
    call is(e == 0 .and. all(names == ['first   ', 'number  ', 'new     ', 'real    ', 'name    ', 'last    ']), &
        'the fields that h5tbinsert_field_f leaves')
    call h5tbread_field_index_f(file, 'table', 1, none, four, 4_SIZE_T, few, e)
    call is(e == 0 .and. all(few == [0.5, 1.5, 2.5, 3.5]), 'a new field of reals')
    call h5tbread_field_name_f(file, 'table', 'new', none, four, 4_SIZE_T, numbers, e)
    call is(e == 0 .and. all(numbers == [5, 6, 7, 8]), 'a new field of integers')
    call h5tbread_field_name_f(file, 'table', 'last', none, four, 4_SIZE_T, texts, e)
    call is(e == 0 .and. all(texts == ['a   ', 'b   ', 'c   ', 'dddd']), 'a new field of texts')
    call h5tbdelete_field_f(file, 'table', 'real', e)
    call is(e == 0, 'h5tbdelete_field_f')
    call h5tbget_table_info_f(file, 'table', fields, records, e)
    call is(e == 0 .and. fields == 5 .and. records == 4, 'h5tbget_table_info_f after it')
    call h5tbread_field_name_f(file, 'table', 'number', none, four, 4_SIZE_T, numbers, e)
    call is(e == 0 .and. all(numbers == [1, 2, 3, 44]), 'a field that is left')
    call h5tclose_f(text, e)
  end subroutine of_table_changes

end program test_high_level
