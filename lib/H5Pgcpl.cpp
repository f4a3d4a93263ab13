// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: group creation lists.

#include "lib/phase_change.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

herr_t H5Pset_link_creation_order(hid_t plist_id, unsigned crt_order_flags) {
  return set_props<GroupCreateProps>(
      "H5Pset_link_creation_order", plist_id, [&](auto& props) -> Status {
        PCIO_ASSIGN(props.link_creation_order, creation_order_flags(crt_order_flags));
        return Status();
      });
}

herr_t H5Pget_link_creation_order(hid_t plist_id, unsigned* crt_order_flags) {
  return get_props<GroupCreateProps>("H5Pget_link_creation_order", plist_id, [&](auto& props) {
    store(crt_order_flags, props.link_creation_order);
  });
}

herr_t H5Pset_link_phase_change(hid_t plist_id, unsigned max_compact, unsigned min_dense) {
  return set_props<GroupCreateProps>("H5Pset_link_phase_change", plist_id,
                                     [&](auto& props) -> Status {
                                       PCIO_TRY(check_phase_change(max_compact, min_dense));
                                       props.link_max_compact = max_compact;
                                       props.link_min_dense = min_dense;
                                       return Status();
                                     });
}

herr_t H5Pget_link_phase_change(hid_t plist_id, unsigned* max_compact, unsigned* min_dense) {
  return get_props<GroupCreateProps>("H5Pget_link_phase_change", plist_id, [&](auto& props) {
    store(max_compact, props.link_max_compact);
    store(min_dense, props.link_min_dense);
  });
}

herr_t H5Pset_est_link_info(hid_t plist_id, unsigned est_num_entries, unsigned est_name_len) {
  return set_props<GroupCreateProps>("H5Pset_est_link_info", plist_id, [&](auto& props) -> Status {
    // Both are 16-bit fields. Source: File Format Specification IV.A.2.k.
    if (est_num_entries > 65535 || est_name_len > 65535)
      return PCIO_ERROR(ARGS, BADRANGE, "an estimate is over 65535");
    props.est_num_entries = est_num_entries;
    props.est_name_length = est_name_len;
    return Status();
  });
}

herr_t H5Pget_est_link_info(hid_t plist_id, unsigned* est_num_entries, unsigned* est_name_len) {
  return get_props<GroupCreateProps>("H5Pget_est_link_info", plist_id, [&](auto& props) {
    store(est_num_entries, props.est_num_entries);
    store(est_name_len, props.est_name_length);
  });
}

herr_t H5Pset_local_heap_size_hint(hid_t plist_id, size_t size_hint) {
  return set_props<GroupCreateProps>("H5Pset_local_heap_size_hint", plist_id,
                                     [&](auto& props) { props.local_heap_size_hint = size_hint; });
}

herr_t H5Pget_local_heap_size_hint(hid_t plist_id, size_t* size_hint) {
  return get_props<GroupCreateProps>("H5Pget_local_heap_size_hint", plist_id, [&](auto& props) {
    store(size_hint, props.local_heap_size_hint);
  });
}
