// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: modules H5O, H5G, H5D and H5T: objects out to the file, and in from it.
//
// Metadata go out when a program asks for it and at no other time, all of a file together. So flushing an
// object flushes its file, and to keep metadata back (H5Odisable_mdc_flushes) there is nothing to do.

#include "lib/flush_callback.hpp"
#include "lib/api_entry.hpp"
#include "lib/object_handles.hpp"
#include "lib/text_argument.hpp"
#include "object/refresh.hpp"

using namespace pcio;

herr_t H5Oflush(hid_t obj_id) {
  return api_status("H5Oflush", [&]() -> Status {
    PCIO_ASSIGN(Location at, location_of(obj_id, "obj_id"));
    PCIO_TRY(at.file->flush({"H5Oflush", at.path}));
    return tell_of_flush(*at.file, obj_id);
  });
}

herr_t H5Gflush(hid_t group_id) {
  return api_status("H5Gflush", [&]() -> Status {
    PCIO_ASSIGN(auto group, get_member<GroupObject>(group_id, "group_id"));
    PCIO_TRY(group->open->file().flush({"H5Gflush", group->open->path()}));
    return tell_of_flush(group->open->file(), group_id);
  });
}

herr_t H5Orefresh(hid_t oid) {
  return api_status("H5Orefresh", [&]() -> Status {
    PCIO_ASSIGN(Location at, location_of(oid, "oid"));
    return refresh_object(at);
  });
}

herr_t H5Grefresh(hid_t group_id) {
  return api_status("H5Grefresh", [&]() -> Status {
    PCIO_TRY(get_member<GroupObject>(group_id, "group_id"));
    PCIO_ASSIGN(Location at, location_of(group_id, "group_id"));
    return refresh_object(at);
  });
}

herr_t H5Drefresh(hid_t dset_id) {
  return api_status("H5Drefresh", [&]() -> Status {
    PCIO_TRY(get_member<DatasetObject>(dset_id, "dset_id"));
    PCIO_ASSIGN(Location at, location_of(dset_id, "dset_id"));
    return refresh_object(at);
  });
}

namespace {

Result<Location> committed_type_at(hid_t type_id) {
  PCIO_ASSIGN(auto type, get<TypeObject>(type_id, "type_id"));
  if (!type->committed)
    return PCIO_ERROR(ARGS, BADTYPE, "argument type_id: this datatype is not committed to a file");
  return location_of(type_id, "type_id");
}

}  // namespace

herr_t H5Tflush(hid_t type_id) {
  return api_status("H5Tflush", [&]() -> Status {
    PCIO_ASSIGN(Location at, committed_type_at(type_id));
    PCIO_TRY(at.file->flush({"H5Tflush", at.path}));
    return tell_of_flush(*at.file, type_id);
  });
}

herr_t H5Trefresh(hid_t type_id) {
  return api_status("H5Trefresh", [&]() -> Status {
    PCIO_ASSIGN(Location at, committed_type_at(type_id));
    return refresh_object(at);
  });
}

namespace {

/// A group, dataset or committed type; neither a file nor an attribute.
Result<Location> flushable(hid_t id) {
  const unsigned type = handles().type_of(id);
  if (type != H5I_GROUP && type != H5I_DATASET && type != H5I_DATATYPE)
    return PCIO_ERROR(ARGS, BADTYPE,
                      "argument object_id: neither a group, a dataset nor a committed datatype");
  return location_of(id, "object_id");
}

herr_t set_flushes(const char* function, hid_t id, bool disabled) {
  return api_status(function, [&]() -> Status {
    PCIO_ASSIGN(Location object, flushable(id));
    if (flushes_disabled(object) == disabled)
      return PCIO_ERROR(ARGS, BADVALUE,
                        std::string("argument object_id: flushes of the object are ") +
                            (disabled ? "disabled" : "enabled") + " already");
    set_flushes_disabled(object, disabled);
    return Status();
  });
}

}  // namespace

herr_t H5Odisable_mdc_flushes(hid_t object_id) {
  return set_flushes("H5Odisable_mdc_flushes", object_id, true);
}

herr_t H5Oenable_mdc_flushes(hid_t object_id) {
  return set_flushes("H5Oenable_mdc_flushes", object_id, false);
}

herr_t H5Oare_mdc_flushes_disabled(hid_t object_id, hbool_t* are_disabled) {
  return api_status("H5Oare_mdc_flushes_disabled", [&]() -> Status {
    PCIO_TRY(need_pointer(are_disabled, "are_disabled"));
    PCIO_ASSIGN(Location object, flushable(object_id));
    *are_disabled = flushes_disabled(object);
    return Status();
  });
}
