// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: object creation lists: attributes and times. Filters are in H5Pfilters.cpp.

#include "lib/phase_change.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

herr_t H5Pset_attr_phase_change(hid_t plist_id, unsigned max_compact, unsigned min_dense) {
  return set_props<ObjectCreateProps>("H5Pset_attr_phase_change", plist_id,
                                      [&](auto& props) -> Status {
                                        PCIO_TRY(check_phase_change(max_compact, min_dense));
                                        props.attr_max_compact = max_compact;
                                        props.attr_min_dense = min_dense;
                                        return Status();
                                      });
}

herr_t H5Pget_attr_phase_change(hid_t plist_id, unsigned* max_compact, unsigned* min_dense) {
  return get_props<ObjectCreateProps>("H5Pget_attr_phase_change", plist_id, [&](auto& props) {
    store(max_compact, props.attr_max_compact);
    store(min_dense, props.attr_min_dense);
  });
}

herr_t H5Pset_attr_creation_order(hid_t plist_id, unsigned crt_order_flags) {
  return set_props<ObjectCreateProps>(
      "H5Pset_attr_creation_order", plist_id, [&](auto& props) -> Status {
        PCIO_ASSIGN(props.attr_creation_order, creation_order_flags(crt_order_flags));
        return Status();
      });
}

herr_t H5Pget_attr_creation_order(hid_t plist_id, unsigned* crt_order_flags) {
  return get_props<ObjectCreateProps>("H5Pget_attr_creation_order", plist_id, [&](auto& props) {
    store(crt_order_flags, props.attr_creation_order);
  });
}

herr_t H5Pset_obj_track_times(hid_t plist_id, hbool_t track_times) {
  return set_props<ObjectCreateProps>("H5Pset_obj_track_times", plist_id,
                                      [&](auto& props) { props.track_times = track_times; });
}

herr_t H5Pget_obj_track_times(hid_t plist_id, hbool_t* track_times) {
  return get_props<ObjectCreateProps>("H5Pget_obj_track_times", plist_id,
                                      [&](auto& props) { store(track_times, props.track_times); });
}
