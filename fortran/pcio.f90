! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module pcio: what libpcio has beyond HDF5's interface: what a transfer did, what one would do, and
! what can be asked of one. `use pcio` beside `use hdf5`; see pcio.h for the meaning of all.
! Room: fortran. Fortran 2003 over the public C interface.

module pcio
  use, intrinsic :: iso_c_binding
  use h5global, only: HID_T, HSIZE_T, SIZE_T
  use h5_support, only: c_text, error_of, take_constant
  implicit none
  private :: c_text, error_of, copy_c_text, take_constant
  include 'pcio_names.inc'

  integer, parameter :: PCIO_TRANSPORT_NONE_F = 0, PCIO_TRANSPORT_DIRECT_F = 1, &
      PCIO_TRANSPORT_VIEW_F = 2, PCIO_TRANSPORT_EXCHANGE_F = 3, PCIO_TRANSPORT_BROADCAST_F = 4
  integer, parameter :: PCIO_DIRECTION_NONE_F = 0, PCIO_DIRECTION_READ_F = 1, &
      PCIO_DIRECTION_WRITE_F = 2
  integer, parameter :: PCIO_TRAIT_REGULAR_FILE_F = 1, PCIO_TRAIT_REGULAR_MEMORY_F = 2, &
      PCIO_TRAIT_CONVERTED_F = 4, PCIO_TRAIT_TRANSFORMED_F = 8, PCIO_TRAIT_FILTERED_F = 16

  integer, parameter :: PCIO_DURABILITY_NONE_F = 0, PCIO_DURABILITY_CHECKED_F = 1, &
      PCIO_DURABILITY_POWER_LOSS_F = 2
  integer, parameter :: PCIO_COMMIT_WHOLE_F = 0, PCIO_COMMIT_WINDOW_F = 1, &
      PCIO_COMMIT_TORN_F = 2, PCIO_COMMIT_BROKEN_F = 3

  !> As the C structure of this name; counters are signed here.
  type, bind(C) :: pcio_transfer_report_t
    integer(c_int32_t) :: version, direction
    integer(c_int32_t) :: requested_mode, requested_collective_opt, requested_chunk_opt, &
        requested_chunk_opt_num, requested_chunk_opt_ratio, requested_transport
    integer(c_int32_t) :: actual_io_mode, actual_chunk_opt_mode, transport
    integer(c_int32_t) :: local_causes, global_causes, succeeded, verified, traits
    integer(c_int64_t) :: bytes_selected, bytes_written, bytes_read
    integer(c_int64_t) :: chunks_touched, chunks_collective, chunks_independent, chunks_untouched
    integer(c_int64_t) :: independent_writes, independent_reads, collective_writes, &
        collective_reads, view_changes, posix_writes, posix_reads
    integer(c_int64_t) :: bytes_sent, bytes_received, messages_sent, messages_received, &
        exchange_rounds
    integer(c_int64_t) :: nanoseconds
    type(c_ptr) :: transport_why
    integer(c_int64_t) :: bytes_between_nodes, messages_between_nodes
  end type pcio_transfer_report_t

  !> As the C structure of this name.
  type, bind(C) :: pcio_commit_info_t
    integer(c_int32_t) :: version = 0, state = 0
    integer(c_int64_t) :: file_size = 0, user_block = 0, end_of_file = 0, journal_start = 0, &
        journal_blocks = 0, journal_bytes = 0, sequence = 0
    character(kind=c_char) :: why(256) = c_null_char
  end type pcio_commit_info_t

  !> How one chunk was accessed: H5FD_MPIO_*_F.
  type, bind(C) :: pcio_chunk_mode_t
    integer(c_int64_t) :: ordinal
    integer(c_int) :: mode
  end type pcio_chunk_mode_t

  integer, parameter :: PCIO_RANGE_SUPERBLOCK_F = 0, PCIO_RANGE_HEADER_F = 1, PCIO_RANGE_LINKS_F = 2, &
      PCIO_RANGE_ATTRIBUTES_F = 3, PCIO_RANGE_CHUNK_INDEX_F = 4, PCIO_RANGE_DATA_F = 5, &
      PCIO_RANGE_HEAP_F = 6, PCIO_RANGE_SHARED_MESSAGES_F = 7, PCIO_RANGE_FREE_LIST_F = 8, &
      PCIO_RANGE_FREE_F = 9

  !> Bytes of a file that belong to one object, or to none.
  type, bind(C) :: pcio_range_t
    integer(c_int32_t) :: version, use
    integer(c_int64_t) :: start, bytes, object
  end type pcio_range_t

contains

  !> The report of the last transfer with a list.
  subroutine pcio_get_transfer_report_f(dxpl_id, report, hdferr)
    integer(HID_T), intent(in) :: dxpl_id
    type(pcio_transfer_report_t), intent(out) :: report
    integer, intent(out) :: hdferr
    interface
      function c_call(dxpl_id, report, size) bind(C, name='pcio_get_transfer_report') &
          result(status)
        import :: HID_T, SIZE_T, c_int, pcio_transfer_report_t
        integer(HID_T), value :: dxpl_id
        type(pcio_transfer_report_t), intent(inout) :: report
        integer(SIZE_T), value :: size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(dxpl_id, report, c_sizeof(report)))
  end subroutine pcio_get_transfer_report_f

  !> The reason for the transport, as text.
  subroutine pcio_transport_why_f(report, text)
    type(pcio_transfer_report_t), intent(in) :: report
    character(len=*), intent(out) :: text
    character(kind=c_char), pointer :: letters(:)
    interface
      function strlen(text) bind(C, name='strlen') result(length)
        import :: c_ptr, SIZE_T
        type(c_ptr), value :: text
        integer(SIZE_T) :: length
      end function strlen
    end interface
    text = ''
    if (.not. c_associated(report%transport_why)) return
    call c_f_pointer(report%transport_why, letters, [strlen(report%transport_why)])
    call copy_c_text(letters, size(letters), text)
  end subroutine pcio_transport_why_f

  !> The report as JSON; `length` is that of the whole text, which may not fit.
  subroutine pcio_transfer_report_json_f(dxpl_id, text, length, hdferr)
    integer(HID_T), intent(in) :: dxpl_id
    character(len=*), intent(out) :: text
    integer, intent(out) :: length, hdferr
    character(kind=c_char), target :: buffer(len(text) + 1)
    integer(SIZE_T) :: all
    interface
      function c_call(dxpl_id, buf, len) bind(C, name='pcio_transfer_report_json') result(length)
        import :: HID_T, SIZE_T, c_ptr
        integer(HID_T), value :: dxpl_id
        type(c_ptr), value :: buf
        integer(SIZE_T), value :: len
        integer(SIZE_T) :: length
      end function c_call
    end interface
    all = c_call(dxpl_id, c_loc(buffer), int(size(buffer), SIZE_T))
    hdferr = merge(-1, 0, all < 0)
    length = int(all)
    text = ''
    if (all > 0) call copy_c_text(buffer, length, text)
  end subroutine pcio_transfer_report_json_f

  !> Causes in words.
  subroutine pcio_cause_text_f(causes, text, hdferr)
    integer(c_int32_t), intent(in) :: causes
    character(len=*), intent(out) :: text
    integer, intent(out) :: hdferr
    character(kind=c_char), target :: buffer(len(text) + 1)
    integer(SIZE_T) :: all
    interface
      function c_call(causes, buf, len) bind(C, name='pcio_cause_text') result(length)
        import :: SIZE_T, c_int32_t, c_ptr
        integer(c_int32_t), value :: causes
        type(c_ptr), value :: buf
        integer(SIZE_T), value :: len
        integer(SIZE_T) :: length
      end function c_call
    end interface
    all = c_call(causes, c_loc(buffer), int(size(buffer), SIZE_T))
    hdferr = merge(-1, 0, all < 0)
    text = ''
    if (all > 0) call copy_c_text(buffer, int(all), text)
  end subroutine pcio_cause_text_f

  !> The modes of the chunks of the last transfer; `count` is the number of all, of which as many
  !> as fit are in `modes`.
  subroutine pcio_get_chunk_modes_f(dxpl_id, modes, count, hdferr)
    integer(HID_T), intent(in) :: dxpl_id
    type(pcio_chunk_mode_t), intent(inout), target :: modes(:)
    integer(SIZE_T), intent(out) :: count
    integer, intent(out) :: hdferr
    type(pcio_chunk_mode_t), target :: got(size(modes) + 1)
    interface
      function c_call(dxpl_id, count, modes) bind(C, name='pcio_get_chunk_modes') result(status)
        import :: HID_T, SIZE_T, c_int, c_ptr
        integer(HID_T), value :: dxpl_id
        integer(SIZE_T), intent(inout) :: count
        type(c_ptr), value :: modes
        integer(c_int) :: status
      end function c_call
    end interface
    integer :: fit
    count = size(modes)
    hdferr = error_of(c_call(dxpl_id, count, c_loc(got)))
    if (hdferr < 0) return
    fit = min(int(count), size(modes))
    modes(1:fit) = got(1:fit)
  end subroutine pcio_get_chunk_modes_f

  !> What a transfer would do. `direction`: PCIO_DIRECTION_READ_F or PCIO_DIRECTION_WRITE_F.
  subroutine pcio_explain_f(dset_id, mem_type_id, mem_space_id, file_space_id, dxpl_id, &
      direction, report, hdferr)
    integer(HID_T), intent(in) :: dset_id, mem_type_id, mem_space_id, file_space_id, dxpl_id
    integer, intent(in) :: direction
    type(pcio_transfer_report_t), intent(out) :: report
    integer, intent(out) :: hdferr
    interface
      function c_call(dset_id, mem_type_id, mem_space_id, file_space_id, dxpl_id, direction, &
          report, size) bind(C, name='pcio_explain') result(status)
        import :: HID_T, SIZE_T, c_int, pcio_transfer_report_t
        integer(HID_T), value :: dset_id, mem_type_id, mem_space_id, file_space_id, dxpl_id
        integer(c_int), value :: direction
        type(pcio_transfer_report_t), intent(inout) :: report
        integer(SIZE_T), value :: size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(dset_id, mem_type_id, mem_space_id, file_space_id, dxpl_id, &
        int(direction, c_int), report, c_sizeof(report)))
  end subroutine pcio_explain_f

  !> The library's version.
  subroutine pcio_version_f(major, minor, patch)
    integer, intent(out) :: major, minor, patch
    integer(c_int) :: numbers(3)
    interface
      subroutine c_call(major, minor, patch) bind(C, name='pcio_version')
        import :: c_int
        integer(c_int), intent(out) :: major, minor, patch
      end subroutine c_call
    end interface
    call c_call(numbers(1), numbers(2), numbers(3))
    major = numbers(1)
    minor = numbers(2)
    patch = numbers(3)
  end subroutine pcio_version_f

  !> How a file stands on this process's file system: nothing is changed and no other rank is asked.
  subroutine pcio_get_commit_info_f(filename, info, hdferr)
    character(len=*), intent(in) :: filename
    type(pcio_commit_info_t), intent(out) :: info
    integer, intent(out) :: hdferr
    interface
      function c_call(filename, info, size) bind(C, name='pcio_get_commit_info') result(status)
        import :: SIZE_T, c_char, c_int, pcio_commit_info_t
        character(kind=c_char), intent(in) :: filename(*)
        type(pcio_commit_info_t), intent(inout) :: info
        integer(SIZE_T), value :: size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(c_text(filename), info, c_sizeof(info)))
  end subroutine pcio_get_commit_info_f

  include 'pcio_calls.inc'

  !> The first `length` letters, as many as fit.
  subroutine copy_c_text(letters, length, text)
    character(kind=c_char), intent(in) :: letters(:)
    integer, intent(in) :: length
    character(len=*), intent(inout) :: text
    integer :: i
    do i = 1, min(length, len(text))
      text(i:i) = letters(i)
    end do
  end subroutine copy_c_text

end module pcio
