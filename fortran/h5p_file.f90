! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5p_file: lists of files: format, space, caches.
! Room: fortran. Fortran 2003 over the public C interface.

module h5p_file
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5pset_userblock_f, h5pget_userblock_f, h5pset_sizes_f, h5pget_sizes_f, &
      h5pset_sym_k_f, h5pget_sym_k_f, h5pset_istore_k_f, h5pget_istore_k_f, &
      h5pset_libver_bounds_f, h5pget_libver_bounds_f, h5pset_fclose_degree_f, &
      h5pget_fclose_degree_f, h5pset_alignment_f, h5pget_alignment_f, h5pset_meta_block_size_f, &
      h5pget_meta_block_size_f, h5pset_small_data_block_size_f, h5pget_small_data_block_size_f, &
      h5pset_sieve_buf_size_f, h5pget_sieve_buf_size_f, h5pset_cache_f, h5pget_cache_f

contains

  !> Bytes before the HDF5 data.
  subroutine h5pset_userblock_f(prp_id, size, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(HSIZE_T), intent(in) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, size) bind(C, name='H5Pset_userblock') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: prp_id
        integer(HSIZE_T), value :: size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, size))
  end subroutine h5pset_userblock_f

  !> Bytes before the HDF5 data.
  subroutine h5pget_userblock_f(prp_id, block_size, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(HSIZE_T), intent(out) :: block_size
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, block_size) bind(C, name='H5Pget_userblock') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: prp_id
        integer(HSIZE_T), intent(out) :: block_size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, block_size))
  end subroutine h5pget_userblock_f

  !> Bytes of an address and of a length in the file.
  subroutine h5pset_sizes_f(prp_id, sizeof_addr, sizeof_size, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(SIZE_T), intent(in) :: sizeof_addr
    integer(SIZE_T), intent(in) :: sizeof_size
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, sizeof_addr, sizeof_size) bind(C, name='H5Pset_sizes') result(status)
        import :: HID_T, c_int, c_size_t
        integer(HID_T), value :: prp_id
        integer(c_size_t), value :: sizeof_addr
        integer(c_size_t), value :: sizeof_size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, sizeof_addr, sizeof_size))
  end subroutine h5pset_sizes_f

  !> Bytes of an address and of a length in the file.
  subroutine h5pget_sizes_f(prp_id, sizeof_addr, sizeof_size, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(SIZE_T), intent(out) :: sizeof_addr
    integer(SIZE_T), intent(out) :: sizeof_size
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, sizeof_addr, sizeof_size) bind(C, name='H5Pget_sizes') result(status)
        import :: HID_T, c_int, c_size_t
        integer(HID_T), value :: prp_id
        integer(c_size_t), intent(out) :: sizeof_addr
        integer(c_size_t), intent(out) :: sizeof_size
        integer(c_int) :: status
      end function c_call
    end interface
    sizeof_addr = 0
    sizeof_size = 0
    hdferr = error_of(c_call(prp_id, sizeof_addr, sizeof_size))
  end subroutine h5pget_sizes_f

  !> Half the entries of a node of a group: of its B-tree, of its symbols.
  subroutine h5pset_sym_k_f(prp_id, ik, lk, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: ik
    integer, intent(in) :: lk
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, ik, lk) bind(C, name='H5Pset_sym_k') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: ik
        integer(c_int), value :: lk
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(ik, c_int), int(lk, c_int)))
  end subroutine h5pset_sym_k_f

  !> Half the entries of a node of a group.
  subroutine h5pget_sym_k_f(prp_id, ik, lk, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: ik
    integer, intent(out) :: lk
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, ik, lk) bind(C, name='H5Pget_sym_k') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), intent(out) :: ik
        integer(c_int), intent(out) :: lk
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_ik
    integer(c_int) :: c_lk
    c_ik = 0
    c_lk = 0
    hdferr = error_of(c_call(prp_id, c_ik, c_lk))
    ik = int(c_ik)
    lk = int(c_lk)
  end subroutine h5pget_sym_k_f

  !> Half the entries of a node of a chunk B-tree.
  subroutine h5pset_istore_k_f(prp_id, ik, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: ik
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, ik) bind(C, name='H5Pset_istore_k') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), value :: ik
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(ik, c_int)))
  end subroutine h5pset_istore_k_f

  !> Half the entries of a node of a chunk B-tree.
  subroutine h5pget_istore_k_f(prp_id, ik, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: ik
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, ik) bind(C, name='H5Pget_istore_k') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: prp_id
        integer(c_int), intent(out) :: ik
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_ik
    c_ik = 0
    hdferr = error_of(c_call(prp_id, c_ik))
    ik = int(c_ik)
  end subroutine h5pget_istore_k_f

  !> The oldest and newest format to write: H5F_LIBVER_*_F.
  subroutine h5pset_libver_bounds_f(fapl_id, low, high, hdferr)
    integer(HID_T), intent(in) :: fapl_id
    integer, intent(in) :: low
    integer, intent(in) :: high
    integer, intent(out) :: hdferr
    interface
      function c_call(fapl_id, low, high) bind(C, name='H5Pset_libver_bounds') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: fapl_id
        integer(c_int), value :: low
        integer(c_int), value :: high
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(fapl_id, int(low, c_int), int(high, c_int)))
  end subroutine h5pset_libver_bounds_f

  !> Between which versions of the format a file stays.
  subroutine h5pget_libver_bounds_f(fapl_id, low, high, hdferr)
    integer(HID_T), intent(in) :: fapl_id
    integer, intent(out) :: low
    integer, intent(out) :: high
    integer, intent(out) :: hdferr
    interface
      function c_call(fapl_id, low, high) bind(C, name='H5Pget_libver_bounds') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: fapl_id
        integer(c_int), intent(out) :: low
        integer(c_int), intent(out) :: high
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_low
    integer(c_int) :: c_high
    c_low = 0
    c_high = 0
    hdferr = error_of(c_call(fapl_id, c_low, c_high))
    low = int(c_low)
    high = int(c_high)
  end subroutine h5pget_libver_bounds_f

  !> What a close does with open objects: H5F_CLOSE_*_F.
  subroutine h5pset_fclose_degree_f(fapl_id, degree, hdferr)
    integer(HID_T), intent(in) :: fapl_id
    integer, intent(in) :: degree
    integer, intent(out) :: hdferr
    interface
      function c_call(fapl_id, degree) bind(C, name='H5Pset_fclose_degree') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: fapl_id
        integer(c_int), value :: degree
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(fapl_id, int(degree, c_int)))
  end subroutine h5pset_fclose_degree_f

  !> What closing a file does to its open objects.
  subroutine h5pget_fclose_degree_f(fapl_id, degree, hdferr)
    integer(HID_T), intent(in) :: fapl_id
    integer, intent(out) :: degree
    integer, intent(out) :: hdferr
    interface
      function c_call(fapl_id, degree) bind(C, name='H5Pget_fclose_degree') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: fapl_id
        integer(c_int), intent(out) :: degree
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_degree
    c_degree = 0
    hdferr = error_of(c_call(fapl_id, c_degree))
    degree = int(c_degree)
  end subroutine h5pget_fclose_degree_f

  !> Objects from `threshold` bytes on begin at multiples of `alignment`.
  subroutine h5pset_alignment_f(prp_id, threshold, alignment, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(HSIZE_T), intent(in) :: threshold
    integer(HSIZE_T), intent(in) :: alignment
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, threshold, &
          alignment) bind(C, name='H5Pset_alignment') result(status)
        import :: HID_T, HSIZE_T, c_int
        integer(HID_T), value :: prp_id
        integer(HSIZE_T), value :: threshold
        integer(HSIZE_T), value :: alignment
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, threshold, alignment))
  end subroutine h5pset_alignment_f

  !> From which size on what is placed at multiples of what.
  subroutine h5pget_alignment_f(prp_id, threshold, alignment, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer(HSIZE_T), intent(out) :: threshold
    integer(HSIZE_T), intent(out) :: alignment
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, threshold, alignment) bind(C, name='H5Pget_alignment') result(status)
        import :: HID_T, c_int, HSIZE_T
        integer(HID_T), value :: prp_id
        integer(HSIZE_T), intent(out) :: threshold
        integer(HSIZE_T), intent(out) :: alignment
        integer(c_int) :: status
      end function c_call
    end interface
    threshold = 0
    alignment = 0
    hdferr = error_of(c_call(prp_id, threshold, alignment))
  end subroutine h5pget_alignment_f

  !> Bytes of the blocks in which metadata gets its space.
  subroutine h5pset_meta_block_size_f(plist_id, size, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer(HSIZE_T), intent(in) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, size) bind(C, name='H5Pset_meta_block_size') result(status)
        import :: HID_T, c_int, HSIZE_T
        integer(HID_T), value :: plist_id
        integer(HSIZE_T), value :: size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, size))
  end subroutine h5pset_meta_block_size_f

  !> Bytes of the blocks of metadata.
  subroutine h5pget_meta_block_size_f(plist_id, size, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer(HSIZE_T), intent(out) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, size) bind(C, name='H5Pget_meta_block_size') result(status)
        import :: HID_T, c_int, HSIZE_T
        integer(HID_T), value :: plist_id
        integer(HSIZE_T), intent(out) :: size
        integer(c_int) :: status
      end function c_call
    end interface
    size = 0
    hdferr = error_of(c_call(plist_id, size))
  end subroutine h5pget_meta_block_size_f

  !> Bytes of the blocks in which small raw data gets its space.
  subroutine h5pset_small_data_block_size_f(plist_id, size, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer(HSIZE_T), intent(in) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, size) bind(C, name='H5Pset_small_data_block_size') result(status)
        import :: HID_T, c_int, HSIZE_T
        integer(HID_T), value :: plist_id
        integer(HSIZE_T), value :: size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, size))
  end subroutine h5pset_small_data_block_size_f

  !> Bytes of the blocks of small raw data.
  subroutine h5pget_small_data_block_size_f(plist_id, size, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer(HSIZE_T), intent(out) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, size) bind(C, name='H5Pget_small_data_block_size') result(status)
        import :: HID_T, c_int, HSIZE_T
        integer(HID_T), value :: plist_id
        integer(HSIZE_T), intent(out) :: size
        integer(c_int) :: status
      end function c_call
    end interface
    size = 0
    hdferr = error_of(c_call(plist_id, size))
  end subroutine h5pget_small_data_block_size_f

  !> Bytes of the sieve buffer.
  subroutine h5pset_sieve_buf_size_f(plist_id, size, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer(SIZE_T), intent(in) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, size) bind(C, name='H5Pset_sieve_buf_size') result(status)
        import :: HID_T, SIZE_T, c_int
        integer(HID_T), value :: plist_id
        integer(SIZE_T), value :: size
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, size))
  end subroutine h5pset_sieve_buf_size_f

  !> Bytes of the sieve buffer.
  subroutine h5pget_sieve_buf_size_f(plist_id, size, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer(SIZE_T), intent(out) :: size
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, size) bind(C, name='H5Pget_sieve_buf_size') result(status)
        import :: HID_T, c_int, c_size_t
        integer(HID_T), value :: plist_id
        integer(c_size_t), intent(out) :: size
        integer(c_int) :: status
      end function c_call
    end interface
    size = 0
    hdferr = error_of(c_call(plist_id, size))
  end subroutine h5pget_sieve_buf_size_f

  !> The chunk cache of all datasets of a file; `mdc_nelmts` means nothing.
  subroutine h5pset_cache_f(prp_id, mdc_nelmts, rdcc_nelmts, rdcc_nbytes, rdcc_w0, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(in) :: mdc_nelmts
    integer(SIZE_T), intent(in) :: rdcc_nelmts
    integer(SIZE_T), intent(in) :: rdcc_nbytes
    real, intent(in) :: rdcc_w0
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, mdc_nelmts, rdcc_nelmts, rdcc_nbytes, rdcc_w0) bind(C, &
          name='H5Pset_cache') result(status)
        import :: HID_T, c_int, c_size_t, c_double
        integer(HID_T), value :: prp_id
        integer(c_int), value :: mdc_nelmts
        integer(c_size_t), value :: rdcc_nelmts
        integer(c_size_t), value :: rdcc_nbytes
        real(c_double), value :: rdcc_w0
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(prp_id, int(mdc_nelmts, c_int), rdcc_nelmts, rdcc_nbytes, &
        real(rdcc_w0, c_double)))
  end subroutine h5pset_cache_f

  !> The chunk cache of all datasets of a file.
  subroutine h5pget_cache_f(prp_id, mdc_nelmts, rdcc_nelmts, rdcc_nbytes, rdcc_w0, hdferr)
    integer(HID_T), intent(in) :: prp_id
    integer, intent(out) :: mdc_nelmts
    integer(SIZE_T), intent(out) :: rdcc_nelmts
    integer(SIZE_T), intent(out) :: rdcc_nbytes
    real, intent(out) :: rdcc_w0
    integer, intent(out) :: hdferr
    interface
      function c_call(prp_id, mdc_nelmts, rdcc_nelmts, rdcc_nbytes, rdcc_w0) bind(C, &
          name='H5Pget_cache') result(status)
        import :: HID_T, c_int, c_size_t, c_double
        integer(HID_T), value :: prp_id
        integer(c_int), intent(out) :: mdc_nelmts
        integer(c_size_t), intent(out) :: rdcc_nelmts
        integer(c_size_t), intent(out) :: rdcc_nbytes
        real(c_double), intent(out) :: rdcc_w0
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_mdc_nelmts
    real(c_double) :: c_rdcc_w0
    c_mdc_nelmts = 0
    rdcc_nelmts = 0
    rdcc_nbytes = 0
    c_rdcc_w0 = 0
    hdferr = error_of(c_call(prp_id, c_mdc_nelmts, rdcc_nelmts, rdcc_nbytes, c_rdcc_w0))
    mdc_nelmts = int(c_mdc_nelmts)
    rdcc_w0 = real(c_rdcc_w0)
  end subroutine h5pget_cache_f

end module h5p_file
