! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! The generic names that read and write values, with buffers of each type and of 0 to 15 dimensions.
! Room: fortran; a serial test.

program test_ranks
  use, intrinsic :: iso_c_binding
  use hdf5
  implicit none

  integer :: failures = 0, e
  character(len=512) :: folder, name
  integer(HID_T) :: file

  call get_environment_variable('PCIO_TEST_TMP', folder)
  if (folder == '') folder = '.'
  name = trim(folder) // '/fortran_ranks.h5'
  call h5open_f(e)
  call h5fcreate_f(name, H5F_ACC_TRUNC_F, file, e)
  call of_int8(H5T_NATIVE_INTEGER_1, 'integers of 1 byte')
  call of_int16(H5T_NATIVE_INTEGER_2, 'integers of 2 bytes')
  call of_int32(H5T_NATIVE_INTEGER_4, 'integers of 4 bytes')
  call of_int64(H5T_NATIVE_INTEGER_8, 'integers of 8 bytes')
#ifdef PCIO_INTEGER_16
  call of_int128(h5kind_to_type(16, H5_INTEGER_KIND), 'integers of 16 bytes')
#endif
  call of_real32(H5T_NATIVE_REAL_4, 'reals of 4 bytes')
  call of_real64(H5T_NATIVE_REAL_8, 'reals of 8 bytes')
#ifdef PCIO_REAL_10
  call of_real80(h5kind_to_type(10, H5_REAL_KIND), 'reals of 10 bytes')
#endif
#ifdef PCIO_REAL_16
  call of_real128(h5kind_to_type(16, H5_REAL_KIND), 'reals of 16 bytes')
#endif
  call of_complex32(complex_of(H5T_NATIVE_REAL_4, 4_SIZE_T), 'complex numbers of 4 bytes')
  call of_complex64(complex_of(H5T_NATIVE_REAL_8, 8_SIZE_T), 'complex numbers of 8 bytes')
  call of_logical8(h5kind_to_type(1, H5_INTEGER_KIND), 'logicals of 1 byte')
  call of_logical16(h5kind_to_type(2, H5_INTEGER_KIND), 'logicals of 2 bytes')
  call of_logical32(h5kind_to_type(4, H5_INTEGER_KIND), 'logicals of 4 bytes')
  call of_logical64(h5kind_to_type(8, H5_INTEGER_KIND), 'logicals of 8 bytes')
  call of_text(text_of(5_SIZE_T), 'text')
  call of_sections()
  call h5fclose_f(file, e)
  call is(e == 0, 'h5fclose_f')
  call h5close_f(e)
  open (10, file=trim(name))
  close (10, status='delete')
  if (failures > 0) stop 1
  write (*, '(a)') 'all right'

contains

  subroutine is(so, what)
    logical, intent(in) :: so
    character(len=*), intent(in) :: what
    if (so) return
    failures = failures + 1
    write (*, '(2a)') 'not so: ', what
  end subroutine is

  !> Buffers that are sections, pointers, of assumed size, or have no element.
  subroutine of_sections()
    integer(HID_T) :: space, set, part
    integer(HSIZE_T) :: dims(2) = [3, 2]
    integer, target :: large(7, 5), back(7, 5)
    integer, pointer :: inner(:, :)
    integer :: i, flat(6), none(0, 2)
    large = reshape([(i, i = 1, 35)], [7, 5])
    call h5screate_simple_f(2, dims, space, e)
    call h5dcreate_f(file, 'sections', H5T_NATIVE_INTEGER, space, set, e)
    inner => large(2:6:2, 5:3:-2)
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, inner, dims, e)
    call is(e == 0, 'writing a pointer to a section')
    back = 0
    call h5dread_f(set, H5T_NATIVE_INTEGER, back(7:3:-2, 1:4:3), dims, e)
    call is(e == 0 .and. all(back(7:3:-2, 1:4:3) == inner), 'a section that goes backwards')
    call is(sum(back) == sum(inner), 'a section: nothing beside it')
    call of_assumed_size(set, flat, dims)
    call is(all(flat == reshape(inner, [6])), 'assumed size')
    call h5screate_simple_f(2, shape(none, HSIZE_T), part, e)
    call h5sselect_none_f(space, e)
    call h5dwrite_f(set, H5T_NATIVE_INTEGER, none, shape(none, HSIZE_T), e, part, space)
    call is(e == 0, 'writing no element')
    call h5dread_f(set, H5T_NATIVE_INTEGER, none, shape(none, HSIZE_T), e, part, space)
    call is(e == 0, 'reading no element')
    call of_assumed_size(set, flat, dims)
    call is(all(flat == reshape(inner, [6])), 'no element is written')
    call h5sclose_f(part, e)
    call h5sclose_f(space, e)
    call h5dclose_f(set, e)
  end subroutine of_sections

  !> Reads into an array whose size is not known here.
  subroutine of_assumed_size(set, buffer, dims)
    integer(HID_T), intent(in) :: set
    integer(HSIZE_T), intent(in) :: dims(2)
    integer, intent(out) :: buffer(dims(1), *)
    call h5dread_f(set, H5T_NATIVE_INTEGER, buffer(:, 1:dims(2)), dims, e)
    call is(e == 0, 'h5dread_f, a section of an array of assumed size')
    buffer(:, 1:dims(2)) = 0
    call h5dread_f(set, H5T_NATIVE_INTEGER, buffer, dims, e)
    call is(e == 0, 'h5dread_f, assumed size')
  end subroutine of_assumed_size

  !> Datasets of two elements and of one, and an attribute of two.
  subroutine new(set_name, type, set, single, attribute)
    character(len=*), intent(in) :: set_name
    integer(HID_T), intent(in) :: type
    integer(HID_T), intent(out) :: set, single, attribute
    integer(HID_T) :: pair, scalar
    call h5screate_simple_f(1, [2_HSIZE_T], pair, e)
    call h5screate_f(H5S_SCALAR_F, scalar, e)
    call h5dcreate_f(file, set_name, type, pair, set, e)
    call is(e == 0, 'h5dcreate_f ' // set_name)
    call h5dcreate_f(file, set_name // ', single', type, scalar, single, e)
    call h5acreate_f(set, 'attribute', type, pair, attribute, e)
    call is(e == 0, 'h5acreate_f ' // set_name)
    call h5sclose_f(pair, e)
    call h5sclose_f(scalar, e)
  end subroutine new

  function complex_of(part, bytes) result(type)
    integer(HID_T), intent(in) :: part
    integer(SIZE_T), intent(in) :: bytes
    integer(HID_T) :: type
    call h5tcreate_f(H5T_COMPOUND_F, 2 * bytes, type, e)
    call h5tinsert_f(type, 'r', 0_SIZE_T, part, e)
    call h5tinsert_f(type, 'i', bytes, part, e)
  end function complex_of

  function text_of(bytes) result(type)
    integer(SIZE_T), intent(in) :: bytes
    integer(HID_T) :: type
    call h5tcopy_f(H5T_FORTRAN_S1, type, e)
    call h5tset_size_f(type, bytes, e)
  end function text_of

#define EQUALS ==
#define OF_TYPE of_int8
#define BUFFER_TYPE integer(c_int8_t)
#define ONE 1_c_int8_t
#define TWO -2_c_int8_t
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#define OF_TYPE of_int16
#define BUFFER_TYPE integer(c_int16_t)
#define ONE 1000_c_int16_t
#define TWO -2_c_int16_t
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#define OF_TYPE of_int32
#define BUFFER_TYPE integer(c_int32_t)
#define ONE 100000_c_int32_t
#define TWO -2_c_int32_t
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#define OF_TYPE of_int64
#define BUFFER_TYPE integer(c_int64_t)
#define ONE 10000000000_c_int64_t
#define TWO -2_c_int64_t
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#ifdef PCIO_INTEGER_16
#define OF_TYPE of_int128
#define BUFFER_TYPE integer(16)
#define ONE 10000000000000000000000_16
#define TWO -2_16
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO
#endif

#define OF_TYPE of_real32
#define BUFFER_TYPE real(c_float)
#define ONE 1.5_c_float
#define TWO -2.25_c_float
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#define OF_TYPE of_real64
#define BUFFER_TYPE real(c_double)
#define ONE 1.1_c_double
#define TWO -2.2_c_double
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#ifdef PCIO_REAL_10
#define OF_TYPE of_real80
#define BUFFER_TYPE real(10)
#define ONE 1.1_10
#define TWO -2.2_10
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO
#endif

#ifdef PCIO_REAL_16
#define OF_TYPE of_real128
#define BUFFER_TYPE real(16)
#define ONE 1.1_16
#define TWO -2.2_16
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO
#endif

#define OF_TYPE of_complex32
#define BUFFER_TYPE complex(c_float)
#define ONE (1.5_c_float, 2.5_c_float)
#define TWO (-1.5_c_float, 0.5_c_float)
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#define OF_TYPE of_complex64
#define BUFFER_TYPE complex(c_double)
#define ONE (1.1_c_double, 2.2_c_double)
#define TWO (-1.1_c_double, 0.2_c_double)
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#define OF_TYPE of_text
#define BUFFER_TYPE character(len=5)
#define ONE 'hello'
#define TWO 'you  '
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#undef EQUALS
#define EQUALS .eqv.
#define OF_TYPE of_logical8
#define BUFFER_TYPE logical(1)
#define ONE .true._1
#define TWO .false._1
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#define OF_TYPE of_logical16
#define BUFFER_TYPE logical(2)
#define ONE .true._2
#define TWO .false._2
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#define OF_TYPE of_logical32
#define BUFFER_TYPE logical(4)
#define ONE .true._4
#define TWO .false._4
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

#define OF_TYPE of_logical64
#define BUFFER_TYPE logical(8)
#define ONE .true._8
#define TWO .false._8
#include "test_ranks_of_type.inc"
#undef OF_TYPE
#undef BUFFER_TYPE
#undef ONE
#undef TWO

end program test_ranks
