! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5p: property lists.
! Room: fortran. Fortran 2003 over the public C interface.

module h5p
  use, intrinsic :: iso_c_binding
  use h5global
  use h5_support
  use h5_values, only: h5pset_fill_value_f, h5pget_fill_value_f, h5pset_f, h5pget_f, h5pregister_f, &
      h5pinsert_f
  implicit none
  public
  include 'h5_private.inc'
  include 'h5p_names.inc'
  private :: set_multi, part_of_addresses, MPI_Comm, MPI_Info

  !> Handles of mpi_f08. Types of one name that are bind(C) and have the same components are one type, wherever they are
  !> defined: a program's own of any MPI library are meant, and no module of one is needed here.
  type, bind(C) :: MPI_Comm
    integer(c_int) :: mpi_val
  end type MPI_Comm
  type, bind(C) :: MPI_Info
    integer(c_int) :: mpi_val
  end type MPI_Info

  interface h5pset_fapl_mpio_f
    module procedure h5pset_fapl_mpio_f, set_mpio_f08
  end interface h5pset_fapl_mpio_f

  interface h5pget_fapl_mpio_f
    module procedure h5pget_fapl_mpio_f, get_mpio_f08
  end interface h5pget_fapl_mpio_f

  interface h5pset_fapl_multi_f
    module procedure set_multi, set_multi_default
  end interface h5pset_fapl_multi_f

contains

  include 'h5p_calls.inc'

  !> The shape of chunks, in Fortran's order; hdferr is the number of dimensions, or -1.
  subroutine h5pget_chunk_f(prp_id, ndims, dims, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: ndims
    integer(HSIZE_T), intent(out) :: dims(ndims)
    integer, intent(out) :: hdferr
    integer(HSIZE_T) :: found(kMostDimensions)
    integer :: n
    interface
      function c_call(prp_id, most, dims) bind(C, name='H5Pget_chunk') result(ndims)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: most
        integer(HSIZE_T), intent(out) :: dims(*)
        integer(c_int) :: ndims
      end function c_call
    end interface
    hdferr = int(c_call(prp_id, int(kMostDimensions, c_int), found))
    if (hdferr < 0) return
    n = min(hdferr, ndims)
    dims(1:n) = found(hdferr:hdferr - n + 1:-1)
  end subroutine h5pget_chunk_f

  !> A file for each kind of data, H5FD_MEM_*_F; `memb_addr` is where each begins, from 0 to 1, of all addresses.
  subroutine set_multi(prp_id, memb_map, memb_fapl, memb_name, memb_addr, relax, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: memb_map(*)
    integer(HID_T), intent(in) :: memb_fapl(*)
    character(len=*), intent(in) :: memb_name(*)
    real, intent(in) :: memb_addr(*)
    logical, intent(in) :: relax
    integer, intent(out) :: hdferr
    interface
      function c_call(list, map, lists, names, addresses, relax) bind(C, name='H5Pset_fapl_multi') &
          result(status)
        import :: HID_T, HADDR_T, c_int, c_ptr, c_bool
        integer(HID_T), value :: list
        integer(c_int), intent(in) :: map(*)
        integer(HID_T), intent(in) :: lists(*)
        type(c_ptr), intent(in) :: names(*)
        integer(HADDR_T), intent(in) :: addresses(*)
        logical(c_bool), value :: relax
        integer(c_int) :: status
      end function c_call
    end interface
    character(kind=c_char, len=1), target :: letters(len(memb_name) + 1, H5FD_MEM_NTYPES_F)
    type(c_ptr) :: names(H5FD_MEM_NTYPES_F)
    integer(HADDR_T) :: addresses(H5FD_MEM_NTYPES_F)
    integer :: i, j
    letters = c_null_char
    do j = 1, H5FD_MEM_NTYPES_F
      if (memb_addr(j) < 0.0 .or. memb_addr(j) > 1.0) then
        hdferr = refused('h5pset_fapl_multi_f', 'memb_addr: less than 0 or more than 1')
        return
      end if
      do i = 1, len_trim(memb_name(j))
        letters(i, j) = memb_name(j)(i:i)
      end do
      names(j) = c_loc(letters(1, j))
      addresses(j) = part_of_addresses(memb_addr(j))
    end do
    hdferr = error_of(c_call(prp_id, memb_map(1:H5FD_MEM_NTYPES_F), memb_fapl(1:H5FD_MEM_NTYPES_F), &
        names, addresses, logical(relax, c_bool)))
  end subroutine set_multi

  !> The part `fraction` of all addresses, which are unsigned: those of the upper half are negative here.
  pure function part_of_addresses(fraction) result(address)
    real, intent(in) :: fraction
    integer(HADDR_T) :: address
    integer(HADDR_T) :: upper
    upper = 0
    if (fraction >= 0.5) upper = 1
    ! Half of all addresses at most, which integers of this size have; what is above is added as it wraps round.
    address = int((real(fraction, c_double) - 0.5_c_double * upper) * 2.0_c_double**63, HADDR_T) * 2
    if (upper > 0) address = address + (-huge(address) - 1)
    if (fraction > 0.0) address = address - merge(2, 1, fraction > 0.5)
  end function part_of_addresses

  !> What h5pset_fapl_multi_f was given; `maxlen_out` is the length of the longest name.
  subroutine h5pget_fapl_multi_f(prp_id, memb_map, memb_fapl, memb_name, memb_addr, relax, hdferr, &
      maxlen_out)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: memb_map(*)
    integer(HID_T), intent(out) :: memb_fapl(*)
    character(len=*), intent(out) :: memb_name(*)
    real, intent(out) :: memb_addr(*)
    logical, intent(out) :: relax
    integer, intent(out) :: hdferr
    integer, intent(out), optional :: maxlen_out
    interface
      function c_call(list, map, lists, names, addresses, relax) bind(C, name='H5Pget_fapl_multi') &
          result(status)
        import :: HID_T, HADDR_T, c_int, c_ptr, c_bool
        integer(HID_T), value :: list
        integer(c_int), intent(out) :: map(*)
        integer(HID_T), intent(out) :: lists(*)
        type(c_ptr), intent(out) :: names(*)
        integer(HADDR_T), intent(out) :: addresses(*)
        logical(c_bool), intent(out) :: relax
        integer(c_int) :: status
      end function c_call
    end interface
    type(c_ptr) :: names(H5FD_MEM_NTYPES_F)
    integer(HADDR_T) :: addresses(H5FD_MEM_NTYPES_F)
    logical(c_bool) :: c_relax
    integer :: j, length, longest
    longest = 0
    names = c_null_ptr
    addresses = 0
    c_relax = .false._c_bool
    hdferr = error_of(c_call(prp_id, memb_map, memb_fapl, names, addresses, c_relax))
    relax = logical(c_relax)
    if (present(maxlen_out)) maxlen_out = 0
    if (hdferr < 0) return
    do j = 1, H5FD_MEM_NTYPES_F
      call take_c_string(names(j), memb_name(j), length)
      longest = max(longest, length)
      memb_addr(j) = real(shiftr(addresses(j), 1)) / 2.0**63
    end do
    if (present(maxlen_out)) maxlen_out = longest
  end subroutine h5pget_fapl_multi_f

end module h5p
