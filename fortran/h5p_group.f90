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

  !> Whether missing groups of a path are created: 1 yes.
  subroutine h5pset_create_inter_group_f(lcpl_id, crt_intermed_group, hdferr)
    integer(HID_T), intent(in) :: lcpl_id
    integer, intent(in) :: crt_intermed_group
    integer, intent(out) :: hdferr
    interface
      function c_call(lcpl_id, &
          crt_intermed_group) bind(C, name='H5Pset_create_intermediate_group') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: lcpl_id
        integer(c_int), value :: crt_intermed_group
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(lcpl_id, int(crt_intermed_group, c_int)))
  end subroutine h5pset_create_inter_group_f

  !> Whether missing groups of a path are made.
  subroutine h5pget_create_inter_group_f(lcpl_id, crt_intermed_group, hdferr)
    integer(HID_T), intent(in) :: lcpl_id
    integer, intent(out) :: crt_intermed_group
    integer, intent(out) :: hdferr
    interface
      function c_call(lcpl_id, crt_intermed_group) bind(C, &
          name='H5Pget_create_intermediate_group') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: lcpl_id
        integer(c_int), intent(out) :: crt_intermed_group
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_crt_intermed_group
    c_crt_intermed_group = 0
    hdferr = error_of(c_call(lcpl_id, c_crt_intermed_group))
    crt_intermed_group = int(c_crt_intermed_group)
  end subroutine h5pget_create_inter_group_f

  !> The character set of names.
  subroutine h5pset_char_encoding_f(plist_id, encoding, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer, intent(in) :: encoding
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, encoding) bind(C, name='H5Pset_char_encoding') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: plist_id
        integer(c_int), value :: encoding
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, int(encoding, c_int)))
  end subroutine h5pset_char_encoding_f

  !> The character set of names.
  subroutine h5pget_char_encoding_f(plist_id, encoding, hdferr)
    integer(HID_T), intent(in) :: plist_id
    integer, intent(out) :: encoding
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, encoding) bind(C, name='H5Pget_char_encoding') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: plist_id
        integer(c_int), intent(out) :: encoding
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_encoding
    c_encoding = 0
    hdferr = error_of(c_call(plist_id, c_encoding))
    encoding = int(c_encoding)
  end subroutine h5pget_char_encoding_f

  !> Whether a group notes the order of its links.
  subroutine h5pset_link_creation_order_f(gcpl_id, crt_order_flags, hdferr)
    integer(HID_T), intent(in) :: gcpl_id
    integer, intent(in) :: crt_order_flags
    integer, intent(out) :: hdferr
    interface
      function c_call(gcpl_id, &
          crt_order_flags) bind(C, name='H5Pset_link_creation_order') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: gcpl_id
        integer(c_int), value :: crt_order_flags
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(gcpl_id, int(crt_order_flags, c_int)))
  end subroutine h5pset_link_creation_order_f

  !> What is known of the order in which links were made.
  subroutine h5pget_link_creation_order_f(gcpl_id, crt_order_flags, hdferr)
    integer(HID_T), intent(in) :: gcpl_id
    integer, intent(out) :: crt_order_flags
    integer, intent(out) :: hdferr
    interface
      function c_call(gcpl_id, crt_order_flags) bind(C, &
          name='H5Pget_link_creation_order') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: gcpl_id
        integer(c_int), intent(out) :: crt_order_flags
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_crt_order_flags
    c_crt_order_flags = 0
    hdferr = error_of(c_call(gcpl_id, c_crt_order_flags))
    crt_order_flags = int(c_crt_order_flags)
  end subroutine h5pget_link_creation_order_f

  !> When links of a group go to dense storage and back.
  subroutine h5pset_link_phase_change_f(gcpl_id, max_compact, min_dense, hdferr)
    integer(HID_T), intent(in) :: gcpl_id
    integer, intent(in) :: max_compact
    integer, intent(in) :: min_dense
    integer, intent(out) :: hdferr
    interface
      function c_call(gcpl_id, max_compact, min_dense) bind(C, &
          name='H5Pset_link_phase_change') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: gcpl_id
        integer(c_int), value :: max_compact
        integer(c_int), value :: min_dense
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(gcpl_id, int(max_compact, c_int), int(min_dense, c_int)))
  end subroutine h5pset_link_phase_change_f

  !> When links of a group go to dense storage and back.
  subroutine h5pget_link_phase_change_f(gcpl_id, max_compact, min_dense, hdferr)
    integer(HID_T), intent(in) :: gcpl_id
    integer, intent(out) :: max_compact
    integer, intent(out) :: min_dense
    integer, intent(out) :: hdferr
    interface
      function c_call(gcpl_id, max_compact, min_dense) bind(C, &
          name='H5Pget_link_phase_change') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: gcpl_id
        integer(c_int), intent(out) :: max_compact
        integer(c_int), intent(out) :: min_dense
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_max_compact
    integer(c_int) :: c_min_dense
    c_max_compact = 0
    c_min_dense = 0
    hdferr = error_of(c_call(gcpl_id, c_max_compact, c_min_dense))
    max_compact = int(c_max_compact)
    min_dense = int(c_min_dense)
  end subroutine h5pget_link_phase_change_f

  !> How many links of which length are expected.
  subroutine h5pset_est_link_info_f(gcpl_id, est_num_entries, est_name_len, hdferr)
    integer(HID_T), intent(in) :: gcpl_id
    integer, intent(in) :: est_num_entries
    integer, intent(in) :: est_name_len
    integer, intent(out) :: hdferr
    interface
      function c_call(gcpl_id, est_num_entries, est_name_len) bind(C, &
          name='H5Pset_est_link_info') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: gcpl_id
        integer(c_int), value :: est_num_entries
        integer(c_int), value :: est_name_len
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(gcpl_id, int(est_num_entries, c_int), int(est_name_len, c_int)))
  end subroutine h5pset_est_link_info_f

  !> How many links of which length are expected.
  subroutine h5pget_est_link_info_f(gcpl_id, est_num_entries, est_name_len, hdferr)
    integer(HID_T), intent(in) :: gcpl_id
    integer, intent(out) :: est_num_entries
    integer, intent(out) :: est_name_len
    integer, intent(out) :: hdferr
    interface
      function c_call(gcpl_id, est_num_entries, est_name_len) bind(C, &
          name='H5Pget_est_link_info') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: gcpl_id
        integer(c_int), intent(out) :: est_num_entries
        integer(c_int), intent(out) :: est_name_len
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_est_num_entries
    integer(c_int) :: c_est_name_len
    c_est_num_entries = 0
    c_est_name_len = 0
    hdferr = error_of(c_call(gcpl_id, c_est_num_entries, c_est_name_len))
    est_num_entries = int(c_est_num_entries)
    est_name_len = int(c_est_name_len)
  end subroutine h5pget_est_link_info_f

  !> Bytes that the names of a group may take at first.
  subroutine h5pset_local_heap_size_hint_f(gcpl_id, size_hint, hdferr)
    integer(HID_T), intent(in) :: gcpl_id
    integer(SIZE_T), intent(in) :: size_hint
    integer, intent(out) :: hdferr
    interface
      function c_call(gcpl_id, size_hint) bind(C, name='H5Pset_local_heap_size_hint') result(status)
        import :: HID_T, c_int, c_size_t
        integer(HID_T), value :: gcpl_id
        integer(c_size_t), value :: size_hint
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(gcpl_id, size_hint))
  end subroutine h5pset_local_heap_size_hint_f

  !> Bytes that the names of a group may take at first.
  subroutine h5pget_local_heap_size_hint_f(gcpl_id, size_hint, hdferr)
    integer(HID_T), intent(in) :: gcpl_id
    integer(SIZE_T), intent(out) :: size_hint
    integer, intent(out) :: hdferr
    interface
      function c_call(gcpl_id, size_hint) bind(C, name='H5Pget_local_heap_size_hint') result(status)
        import :: HID_T, c_int, c_size_t
        integer(HID_T), value :: gcpl_id
        integer(c_size_t), intent(out) :: size_hint
        integer(c_int) :: status
      end function c_call
    end interface
    size_hint = 0
    hdferr = error_of(c_call(gcpl_id, size_hint))
  end subroutine h5pget_local_heap_size_hint_f

  !> Whether an object keeps its times.
  subroutine h5pset_obj_track_times_f(plist_id, flag, hdferr)
    integer(HID_T), intent(in) :: plist_id
    logical, intent(in) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, flag) bind(C, name='H5Pset_obj_track_times') result(status)
        import :: HID_T, c_int, c_bool
        integer(HID_T), value :: plist_id
        logical(c_bool), value :: flag
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(plist_id, logical(flag, c_bool)))
  end subroutine h5pset_obj_track_times_f

  !> Whether an object keeps its times.
  subroutine h5pget_obj_track_times_f(plist_id, flag, hdferr)
    integer(HID_T), intent(in) :: plist_id
    logical, intent(out) :: flag
    integer, intent(out) :: hdferr
    interface
      function c_call(plist_id, flag) bind(C, name='H5Pget_obj_track_times') result(status)
        import :: HID_T, c_int, c_bool
        integer(HID_T), value :: plist_id
        logical(c_bool), intent(out) :: flag
        integer(c_int) :: status
      end function c_call
    end interface
    logical(c_bool) :: c_flag
    c_flag = .false._c_bool
    hdferr = error_of(c_call(plist_id, c_flag))
    flag = logical(c_flag)
  end subroutine h5pget_obj_track_times_f

  !> When attributes go to dense storage and back.
  subroutine h5pset_attr_phase_change_f(ocpl_id, max_compact, min_dense, hdferr)
    integer(HID_T), intent(in) :: ocpl_id
    integer, intent(in) :: max_compact
    integer, intent(in) :: min_dense
    integer, intent(out) :: hdferr
    interface
      function c_call(ocpl_id, max_compact, min_dense) bind(C, &
          name='H5Pset_attr_phase_change') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: ocpl_id
        integer(c_int), value :: max_compact
        integer(c_int), value :: min_dense
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(ocpl_id, int(max_compact, c_int), int(min_dense, c_int)))
  end subroutine h5pset_attr_phase_change_f

  !> When attributes go to dense storage and back.
  subroutine h5pget_attr_phase_change_f(ocpl_id, max_compact, min_dense, hdferr)
    integer(HID_T), intent(in) :: ocpl_id
    integer, intent(out) :: max_compact
    integer, intent(out) :: min_dense
    integer, intent(out) :: hdferr
    interface
      function c_call(ocpl_id, max_compact, min_dense) bind(C, &
          name='H5Pget_attr_phase_change') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: ocpl_id
        integer(c_int), intent(out) :: max_compact
        integer(c_int), intent(out) :: min_dense
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_max_compact
    integer(c_int) :: c_min_dense
    c_max_compact = 0
    c_min_dense = 0
    hdferr = error_of(c_call(ocpl_id, c_max_compact, c_min_dense))
    max_compact = int(c_max_compact)
    min_dense = int(c_min_dense)
  end subroutine h5pget_attr_phase_change_f

  !> What is kept of the order in which attributes were made.
  subroutine h5pset_attr_creation_order_f(ocpl_id, crt_order_flags, hdferr)
    integer(HID_T), intent(in) :: ocpl_id
    integer, intent(in) :: crt_order_flags
    integer, intent(out) :: hdferr
    interface
      function c_call(ocpl_id, crt_order_flags) bind(C, &
          name='H5Pset_attr_creation_order') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: ocpl_id
        integer(c_int), value :: crt_order_flags
        integer(c_int) :: status
      end function c_call
    end interface
    hdferr = error_of(c_call(ocpl_id, int(crt_order_flags, c_int)))
  end subroutine h5pset_attr_creation_order_f

  !> What is kept of the order in which attributes were made.
  subroutine h5pget_attr_creation_order_f(ocpl_id, crt_order_flags, hdferr)
    integer(HID_T), intent(in) :: ocpl_id
    integer, intent(out) :: crt_order_flags
    integer, intent(out) :: hdferr
    interface
      function c_call(ocpl_id, crt_order_flags) bind(C, &
          name='H5Pget_attr_creation_order') result(status)
        import :: HID_T, c_int
        integer(HID_T), value :: ocpl_id
        integer(c_int), intent(out) :: crt_order_flags
        integer(c_int) :: status
      end function c_call
    end interface
    integer(c_int) :: c_crt_order_flags
    c_crt_order_flags = 0
    hdferr = error_of(c_call(ocpl_id, c_crt_order_flags))
    crt_order_flags = int(c_crt_order_flags)
  end subroutine h5pget_attr_creation_order_f

end module h5p_group
