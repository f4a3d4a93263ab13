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

  include 'h5p_file_pairs.inc'

end module h5p_file
