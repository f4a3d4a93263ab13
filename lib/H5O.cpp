// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5O: objects of any kind: opening, linking, counting. Facts are in H5Oinfo.cpp.

#include "lib/api_entry.hpp"
#include "lib/iteration.hpp"
#include "lib/link_calls.hpp"
#include "lib/metadata_reads.hpp"
#include "lib/text_argument.hpp"
#include "lib/type_access.hpp"

using namespace pcio;

hid_t H5Oopen(hid_t loc_id, const char* name, hid_t lapl_id) {
  return api_id("H5Oopen", [&] {
    return read_metadata({"H5Oopen", loc_id, name, lapl_id}, [&]() -> Result<hid_t> {
      PCIO_ASSIGN(Location at, object_at(loc_id, name, lapl_id));
      return object_id_for(at, lapl_id);
    });
  });
}

// The address comes from outside: loading the header there checks that it is one.
hid_t H5Oopen_by_addr(hid_t loc_id, haddr_t addr) {
  return api_id("H5Oopen_by_addr", [&] {
    return read_metadata({"H5Oopen_by_addr", loc_id}, [&]() -> Result<hid_t> {
      PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
      if (addr == HADDR_UNDEF) return PCIO_ERROR(ARGS, BADVALUE, "argument addr: no address");
      PCIO_ASSIGN(Location object, object_at_address(at.file, addr));
      return object_id_for(object);
    });
  });
}

hid_t H5Oopen_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                     H5_iter_order_t order, hsize_t n, hid_t lapl_id) {
  return api_id("H5Oopen_by_idx", [&] {
    return read_metadata({"H5Oopen_by_idx", loc_id, group_name, lapl_id}, [&]() -> Result<hid_t> {
      PCIO_ASSIGN(LinkPlace place,
                  indexed_place({loc_id, group_name, lapl_id}, idx_type, order, n));
      PCIO_ASSIGN(Location at, linked_object(place, lapl_id));
      return object_id_for(at, lapl_id);
    });
  });
}

herr_t H5Oclose(hid_t object_id) {
  return api_status("H5Oclose", [&]() -> Status {
    unsigned type = handles().type_of(object_id);
    if (type != H5I_GROUP && type != H5I_DATASET && type != H5I_DATATYPE)
      return PCIO_ERROR(ARGS, BADTYPE,
                        "argument object_id: neither a group, a dataset nor a datatype");
    if (type == H5I_DATATYPE) return close_type(object_id, "object_id");
    return close_id(object_id, static_cast<IdType>(type), "object_id");
  });
}

// A link must exist, as in HDF5; false means that it leads nowhere.
htri_t H5Oexists_by_name(hid_t loc_id, const char* name, hid_t lapl_id) {
  return api_int("H5Oexists_by_name", [&] {
    return read_metadata({"H5Oexists_by_name", loc_id, name, lapl_id}, [&]() -> Result<bool> {
      PCIO_ASSIGN(LinkPlace place, place_at(loc_id, name, lapl_id));
      if (place.name.empty()) return true;
      PCIO_TRY(find_link(place));
      return linked_object(place, lapl_id).has_value();
    });
  });
}

herr_t H5Olink(hid_t obj_id, hid_t new_loc_id, const char* new_name, hid_t lcpl_id, hid_t lapl_id) {
  return api_status("H5Olink", [&]() -> Status {
    PCIO_ASSIGN(Location target, location_of(obj_id, "obj_id"));
    hid_t loc_id = new_loc_id == H5L_SAME_LOC ? obj_id : new_loc_id;
    PCIO_ASSIGN(Location at, location_of(loc_id, "new_loc_id"));
    return link_to_object("H5Olink", target, at, new_name, {lcpl_id, lapl_id});
  });
}

herr_t H5Oincr_refcount(hid_t object_id) {
  return api_status("H5Oincr_refcount", [&]() -> Status {
    PCIO_ASSIGN(Location at, location_of(object_id, "object_id"));
    return change_object(at, "H5Oincr_refcount", [&] { return add_reference(at); });
  });
}

herr_t H5Odecr_refcount(hid_t object_id) {
  return api_status("H5Odecr_refcount", [&]() -> Status {
    PCIO_ASSIGN(Location at, location_of(object_id, "object_id"));
    return change_object(at, "H5Odecr_refcount", [&] { return drop_reference(at); });
  });
}
