! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Texts: of fixed length padded with blanks, of variable length written as Fortran has them and read by their
! addresses, numbers of variable length. One rank has the file, as codes write their logs and inputs; the others wait.
! Fortran 2003 with module mpi. Arguments: the file.

program strings
  use, intrinsic :: iso_c_binding
  use mpi
  use hdf5
  implicit none

  integer, parameter :: n = 5
  integer :: e, rank
  character(len=256) :: name

  call mpi_init(e)
  call get_command_argument(1, name)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, e)
  call h5open_f(e)
  if (rank == 0) call write_file
  call mpi_barrier(MPI_COMM_WORLD, e)
  call h5close_f(e)
  if (rank == 0) write (*, '(a)') 'all right'
  call mpi_finalize(e)

contains

  subroutine write_file
    integer(HID_T) :: file
    call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, e)
    if (e /= 0) call stops('h5fcreate_f')
    call fixed(file)
    call variable(file)
    call addresses(file)
    call numbers(file)
    call h5fclose_f(file, e)
    if (e /= 0) call stops('h5fclose_f')
  end subroutine write_file

  subroutine fixed(file)
    integer(HID_T), intent(in) :: file
    integer(HID_T) :: text, space, set
    integer(HSIZE_T) :: dims(2) = [2, 2]
    character(len=10), target :: words(2, 2), got(2, 2)
    type(c_ptr) :: place
    words = reshape([character(len=10) :: 'one', 'two words', '', 'exactly 10'], [2, 2])
    call h5tcopy_f(H5T_FORTRAN_S1, text, e)
    call h5tset_size_f(text, 10_SIZE_T, e)
    call h5screate_simple_f(2, dims, space, e)
    call h5dcreate_f(file, 'fixed', text, space, set, e)
    call h5dwrite_f(set, text, words, dims, e)
    place = c_loc(got(1, 1) (1:1))
    call h5dread_f(set, text, place, e)
    if (e /= 0 .or. any(got /= words)) call stops('fixed')
    call h5dclose_f(set, e)
    call h5sclose_f(space, e)
    call h5tclose_f(text, e)
  end subroutine fixed

  subroutine variable(file)
    integer(HID_T), intent(in) :: file
    integer(HID_T) :: space, set
    integer(HSIZE_T) :: dims(1) = [n], both(2)
    integer(SIZE_T) :: lengths(n) = [5, 4, 0, 9, 7]
    character(len=12) :: words(n) = [character(len=12) :: 'alpha', 'beta', '', 'gamma ray', 'delta 1'], got(n)
    both = [12, n]
    call h5screate_simple_f(1, dims, space, e)
    call h5dcreate_f(file, 'variable', H5T_STRING, space, set, e)
    call h5dwrite_vl_f(set, H5T_STRING, words, both, lengths, e, space)
    if (e /= 0) call stops('h5dwrite_vl_f')
    got = 'x'
    lengths = -1
    call h5dread_vl_f(set, H5T_STRING, got, both, lengths, e, space)
    if (e /= 0 .or. any(got /= words)) call stops('variable')
    call h5dclose_f(set, e)
    call h5sclose_f(space, e)
  end subroutine variable

  subroutine addresses(file)
    integer(HID_T), intent(in) :: file
    integer(HID_T) :: space, set, type
    integer(HSIZE_T) :: dims(1) = [2]
    character(len=6, kind=c_char), target :: first = 'short'//c_null_char, second = 'a b c'//c_null_char
    type(c_ptr), target :: places(2), got(2)
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: place
    logical :: is_text
    places = [c_loc(first), c_loc(second)]
    call h5tcopy_f(H5T_STRING, type, e)
    call h5tis_variable_str_f(type, is_text, e)
    if (.not. is_text) call stops('a text of variable length')
    call h5screate_simple_f(1, dims, space, e)
    call h5dcreate_f(file, 'addresses', type, space, set, e)
    place = c_loc(places(1))
    call h5dwrite_f(set, type, place, e)
    place = c_loc(got(1))
    call h5dread_f(set, type, place, e)
    if (e /= 0) call stops('addresses')
    call c_f_pointer(got(2), letters, [6])
    if (letters(1) /= 'a' .or. letters(5) /= 'c' .or. letters(6) /= c_null_char) call stops('its letters')
    call h5dvlen_reclaim_f(type, space, H5P_DEFAULT_F, place, e)
    call h5dclose_f(set, e)
    call h5sclose_f(space, e)
    call h5tclose_f(type, e)
  end subroutine addresses

  subroutine numbers(file)
    integer(HID_T), intent(in) :: file
    integer(HID_T) :: space, set, type
    integer(HSIZE_T) :: dims(1) = [3], both(2) = [4, 3]
    integer(SIZE_T) :: lengths(3) = [4, 1, 2], longest
    integer :: values(4, 3), got(4, 3), i
    values = reshape([(i * i, i=1, 12)], [4, 3])
    call h5tvlen_create_f(H5T_NATIVE_INTEGER, type, e)
    call h5screate_simple_f(1, dims, space, e)
    call h5dcreate_f(file, 'numbers', type, space, set, e)
    call h5dwrite_vl_f(set, type, values, both, lengths, e)
    if (e /= 0) call stops('h5dwrite_vl_f of numbers')
    call h5dvlen_get_max_len_f(set, type, space, longest, e)
    if (longest /= 4) call stops('the longest')
    got = 0
    call h5dread_vl_f(set, type, got, both, lengths, e)
    if (e /= 0 .or. any(lengths /= [4, 1, 2])) call stops('lengths')
    if (any(got(:, 1) /= values(:, 1)) .or. got(1, 2) /= 25 .or. any(got(1:2, 3) /= [81, 100])) call stops('numbers')
    call h5dclose_f(set, e)
    call h5sclose_f(space, e)
    call h5tclose_f(type, e)
  end subroutine numbers

  subroutine stops(what)
    character(len=*), intent(in) :: what
    write (*, '(2a)') 'not so: ', what
    call mpi_abort(MPI_COMM_WORLD, 1, e)
  end subroutine stops
end program strings
