! SPDX-License-Identifier: BSD-3-Clause
! Copyright The libpcio authors
!
! Module h5p_group: lists of groups, links and what all objects have.
! Room: fortran. Fortran 2003 over the public C interface.

module h5p_group
  use, intrinsic :: iso_c_binding
  use h5global
  implicit none
  private
  public :: h5pset_create_inter_group_f, h5pget_create_inter_group_f, h5pset_char_encoding_f, &
      h5pget_char_encoding_f, h5pset_link_creation_order_f, h5pget_link_creation_order_f, &
      h5pset_link_phase_change_f, h5pget_link_phase_change_f, h5pset_est_link_info_f, &
      h5pget_est_link_info_f, h5pset_local_heap_size_hint_f, h5pget_local_heap_size_hint_f, &
      h5pset_obj_track_times_f, h5pget_obj_track_times_f, h5pset_attr_phase_change_f, &
      h5pget_attr_phase_change_f, h5pset_attr_creation_order_f, h5pget_attr_creation_order_f

contains

  include 'h5p_group_pairs.inc'

end module h5p_group
