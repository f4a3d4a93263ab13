! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module pcio: what libpcio has beyond HDF5's interface: what a transfer did, what one would do, and
! what can be asked of one. `use pcio` beside `use hdf5`; see pcio.h for the meaning of all.
! Room: fortran. Fortran 2003 over the public C interface.

module pcio
  use, intrinsic :: iso_c_binding
  use h5global, only: HID_T, HSIZE_T, SIZE_T
  use h5_support, only: c_text, error_of, take_constant, take_text
  implicit none
  private :: c_text, error_of, take_constant, take_text
  include 'pcio_names.inc'

  include 'pcio_declared.inc'

contains

  include 'pcio_calls.inc'

  !> The reason for the transport, as text.
  subroutine pcio_transport_why_f(report, text)
    type(pcio_transfer_report_t), intent(in) :: report
    character(len=*), intent(out) :: text
    call take_constant(report%transport_why, text)
  end subroutine pcio_transport_why_f

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

end module pcio
