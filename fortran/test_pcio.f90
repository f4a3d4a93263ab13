! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! What module pcio has beside reports (test_hdf5 has those): what is set is got again, names, versions, how a file
! stands, and what ranks agree on.
! Room: fortran; a serial test.

!> What pcio_visit_ranges_f calls.
module test_ranges
  use, intrinsic :: iso_c_binding
  use pcio
  implicit none
contains

  !> Adds up the bytes of the superblock.
  function on_range(range, data) bind(C, name='test_pcio_on_range') result(answer)
    type(pcio_range_t), intent(in) :: range
    type(c_ptr), value :: data
    integer(c_int) :: answer
    integer(c_int64_t), pointer :: bytes
    call c_f_pointer(data, bytes)
    if (range%use == PCIO_RANGE_SUPERBLOCK_F .and. range%start == 0) bytes = bytes + range%bytes
    answer = 0
  end function on_range
end module test_ranges

program test_pcio
  use, intrinsic :: iso_c_binding
  use hdf5
  use pcio
  use test_ranges
  implicit none

  integer :: failures = 0, error
  character(len=512), target :: folder, name

  call get_environment_variable('PCIO_TEST_TMP', folder)
  if (folder == '') folder = '.'
  name = trim(folder) // '/fortran_pcio.h5'
  call h5open_f(error)
  call test_names()
  call test_lists()
  call test_file()
  call h5close_f(error)
  open (10, file=trim(name))
  close (10, status='delete')
  if (failures > 0) stop 1
  write (*, '(a)') 'all right'

contains

  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (ok .and. error >= 0) return
    failures = failures + 1
    write (*, '(2a)') 'not so: ', what
  end subroutine check

  subroutine test_names()
    integer :: major, minor, patch
    character(len=40) :: text, numbers
    character(len=3) :: short
    call pcio_version_f(major, minor, patch)
    write (numbers, '(i0, ".", i0, ".", i0)') major, minor, patch
    call pcio_version_string_f(text, error)
    call check(text /= '' .and. index(text, trim(numbers)) == 1, 'pcio_version_f')
    call pcio_transport_name_f(PCIO_TRANSPORT_EXCHANGE_F, text, error)
    call check(text == 'exchange', 'pcio_transport_name_f')
    call pcio_transport_name_f(PCIO_TRANSPORT_EXCHANGE_F, short, error)
    call check(short == 'exc', 'a text that is too short')
    call pcio_io_mode_name_f(H5D_MPIO_NO_COLLECTIVE_F, text, error)
    call check(text /= '', 'pcio_io_mode_name_f')
    call pcio_chunk_opt_mode_name_f(1, numbers, error)
    call check(numbers /= '' .and. numbers /= text, 'pcio_chunk_opt_mode_name_f')
  end subroutine test_names

  subroutine test_lists()
    integer(HID_T) :: list
    integer :: number, most, failed
    integer(SIZE_T) :: bytes
    logical :: late
    type(c_funptr) :: func
    type(c_ptr) :: data
    call h5pcreate_f(H5P_FILE_ACCESS_F, list, error)
    call pcio_get_fapl_durability_f(list, number, error)
    call check(number == PCIO_DURABILITY_NONE_F, 'what commits wait for by themselves')
    call h5eset_auto_f(0, error)
    call h5pget_fapl_mpio_f(list, number, most, failed)
    call check(failed < 0 .and. number == -1 .and. most == -1, 'h5pget_fapl_mpio_f of a list without MPI, before MPI begins')
    call h5eset_auto_f(1, error)
    call pcio_set_fapl_durability_f(list, PCIO_DURABILITY_CHECKED_F, error)
    call pcio_get_fapl_durability_f(list, number, error)
    call check(number == PCIO_DURABILITY_CHECKED_F, 'pcio_set_fapl_durability_f')
    call pcio_set_fapl_waiting_memory_f(list, 3000000_SIZE_T, error)
    call pcio_get_fapl_waiting_memory_f(list, bytes, error)
    call check(bytes == 3000000, 'pcio_set_fapl_waiting_memory_f')
    call h5pclose_f(list, error)
    call h5pcreate_f(H5P_DATASET_ACCESS_F, list, error)
    call pcio_get_dapl_late_allocation_f(list, late, error)
    call check(.not. late, 'late allocation is not there by itself')
    call pcio_set_dapl_late_allocation_f(list, .true., error)
    call pcio_get_dapl_late_allocation_f(list, late, error)
    call check(late, 'pcio_set_dapl_late_allocation_f')
    call h5pclose_f(list, error)
    call h5pcreate_f(H5P_DATASET_XFER_F, list, error)
    call pcio_get_dxpl_mpio_collective_opt_f(list, number, error)
    call check(number == 0, 'pcio_get_dxpl_mpio_collective_opt_f')
    call pcio_get_dxpl_mpio_chunk_opt_f(list, number, error)
    call check(number == 0, 'pcio_get_dxpl_mpio_chunk_opt_f')
    call pcio_get_dxpl_mpio_chunk_opt_num_f(list, number, error)
    call check(number == 0, 'pcio_get_dxpl_mpio_chunk_opt_num_f')
    call pcio_get_dxpl_mpio_chunk_opt_ratio_f(list, number, error)
    call check(number >= 0 .and. number <= 100, 'pcio_get_dxpl_mpio_chunk_opt_ratio_f')
    call h5pset_dxpl_mpio_collective_opt_f(list, H5FD_MPIO_INDIVIDUAL_IO_F, error)
    call pcio_get_dxpl_mpio_collective_opt_f(list, number, error)
    call check(number == H5FD_MPIO_INDIVIDUAL_IO_F, 'h5pset_dxpl_mpio_collective_opt_f')
    call h5pset_dxpl_mpio_chunk_opt_f(list, H5FD_MPIO_CHUNK_MULTI_IO_F, error)
    call pcio_get_dxpl_mpio_chunk_opt_f(list, number, error)
    call check(number == H5FD_MPIO_CHUNK_MULTI_IO_F, 'h5pset_dxpl_mpio_chunk_opt_f')
    call h5pset_dxpl_mpio_chunk_opt_num_f(list, 7, error)
    call pcio_get_dxpl_mpio_chunk_opt_num_f(list, number, error)
    call check(number == 7, 'h5pset_dxpl_mpio_chunk_opt_num_f')
    call h5pset_dxpl_mpio_chunk_opt_ratio_f(list, 35, error)
    call pcio_get_dxpl_mpio_chunk_opt_ratio_f(list, number, error)
    call check(number == 35, 'h5pset_dxpl_mpio_chunk_opt_ratio_f')
    call h5eset_auto_f(0, error)
    call h5pset_dxpl_mpio_chunk_opt_ratio_f(list, 101, failed)
    call check(failed < 0, 'more than 100 percent')
    call h5pset_dxpl_mpio_chunk_opt_f(list, 3, failed)
    call check(failed < 0, 'a way with chunks that is none')
    call h5eset_auto_f(1, error)
    number = 9
    call h5pget_mpio_actual_chunk_opt_mode_f(list, number, error)
    call check(number == H5D_MPIO_NO_CHUNK_OPTIMIZATION_F, 'a list without a transfer: no way with chunks')
    number = 9
    most = 9
    call h5pget_mpio_no_collective_cause_f(list, number, most, error)
    call check(number == H5D_MPIO_COLLECTIVE_F .and. most == H5D_MPIO_COLLECTIVE_F, 'a list without a transfer: no causes')
    func = transfer(8_c_intptr_t, func)
    data = c_loc(folder)
    call pcio_get_filter_callback_f(list, func, data, error)
    call check(.not. c_associated(func) .and. .not. c_associated(data), 'pcio_get_filter_callback_f')
    call h5pset_filter_callback_f(list, transfer(8_c_intptr_t, func), c_loc(folder), error)
    call pcio_get_filter_callback_f(list, func, data, error)
    call check(transfer(func, 1_c_intptr_t) == 8 .and. c_associated(data, c_loc(folder)), 'h5pset_filter_callback_f')
    call h5pclose_f(list, error)
    call h5pcreate_f(H5P_DATASET_CREATE_F, list, error)
    call h5pset_chunk_f(list, 1, [4_HSIZE_T], error)
    call h5pset_chunk_opts_f(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS_F, error)
    number = 0
    call h5pget_chunk_opts_f(list, number, error)
    call check(number == H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS_F, 'h5pset_chunk_opts_f')
    call h5pclose_f(list, error)
  end subroutine test_lists

  subroutine test_file()
    integer(HID_T) :: file
    integer(HSIZE_T) :: least, most
    integer :: rank, ranks, failed, answer
    logical :: atomic
    integer(c_int64_t), target :: bytes
    type(pcio_commit_info_t) :: info
    call h5fcreate_f(trim(name), H5F_ACC_TRUNC_F, file, error)
    call pcio_get_ranks_f(file, rank, ranks, error)
    call check(rank == 0 .and. ranks == 0, 'pcio_get_ranks_f')
    call pcio_agree_f(file, 0, 7_HSIZE_T, least, most, error)
    call check(least == 7 .and. most == 7, 'pcio_agree_f')
    call h5eset_auto_f(0, error)
    call pcio_agree_f(file, -1, 7_HSIZE_T, least, most, failed)
    call check(failed < 0, 'pcio_agree_f where this rank has failed')
    call h5fset_mpi_atomicity_f(file, .true., failed)
    call check(failed < 0, 'h5fset_mpi_atomicity_f without MPI')
    call h5fget_mpi_atomicity_f(file, atomic, failed)
    call check(failed < 0, 'h5fget_mpi_atomicity_f without MPI')
    call h5eset_auto_f(1, error)
    call h5fflush_f(file, H5F_SCOPE_GLOBAL_F, error)
    bytes = 0
    call pcio_visit_ranges_f(file, 0, c_funloc(on_range), c_loc(bytes), answer, error)
    call check(answer == 0 .and. bytes >= 48 .and. bytes <= 256, 'pcio_visit_ranges_f')
    call h5fclose_f(file, error)
    call pcio_get_commit_info_f(name, info, error)
    call check(info%state == PCIO_COMMIT_WHOLE_F .and. info%end_of_file > 0, 'pcio_get_commit_info_f')
    call pcio_complete_commit_f(name, error)
    call check(.true., 'pcio_complete_commit_f')
  end subroutine test_file
end program test_pcio
