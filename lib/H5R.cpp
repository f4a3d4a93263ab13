// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5R: references. A reference to an object is the address of its header; one to a
// region needs the global heap, which is not supported yet.

#include <cstring>

#include "lib/api_entry.hpp"
#include "lib/object_handles.hpp"
#include "lib/text_argument.hpp"
#include "lib/visit.hpp"

using namespace pcio;

namespace {

Status check_kind_of(H5R_type_t ref_type) {
  if (ref_type == H5R_OBJECT) return Status();
  if (ref_type == H5R_DATASET_REGION)
    return PCIO_ERROR(REFERENCE, UNSUPPORTED,
                      "argument ref_type: references to dataset regions are not supported yet");
  return PCIO_ERROR(ARGS, BADVALUE, "argument ref_type: no such kind of reference");
}

/// The object that a reference means. The path is the one by which it is known, if any.
Result<Location> referenced(hid_t loc_id, H5R_type_t ref_type, const void* ref) {
  PCIO_ASSIGN(Location at, location_of(loc_id, "id"));
  PCIO_TRY(check_kind_of(ref_type));
  PCIO_TRY(need_pointer(ref, "ref"));
  hobj_ref_t address = 0;
  std::memcpy(&address, ref, sizeof(address));
  if (address == 0 || address == HADDR_UNDEF)
    return PCIO_ERROR(REFERENCE, BADVALUE, "argument ref: refers to nothing");
  PCIO_ASSIGN(StoredObjectPtr object, at.file->store().objects().object(address));
  return Location{at.file, std::move(object), ""};
}

}  // namespace

herr_t H5Rcreate(void* ref, hid_t loc_id, const char* name, H5R_type_t ref_type, hid_t space_id) {
  return api_status("H5Rcreate", [&]() -> Status {
    (void)space_id;  // means something for regions only
    PCIO_TRY(need_pointer(ref, "ref"));
    PCIO_TRY(check_kind_of(ref_type));
    PCIO_ASSIGN(Location at, object_at(loc_id, name, H5P_DEFAULT));
    hobj_ref_t address = at.object->address;
    std::memcpy(ref, &address, sizeof(address));
    return Status();
  });
}

hid_t H5Rdereference2(hid_t obj_id, hid_t oapl_id, H5R_type_t ref_type, const void* ref) {
  return api_id("H5Rdereference2", [&]() -> Result<hid_t> {
    PCIO_TRY(props_or_default<LinkAccessProps>(oapl_id, "oapl_id"));
    PCIO_ASSIGN(Location at, referenced(obj_id, ref_type, ref));
    return object_id_for(at);
  });
}

hid_t H5Rdereference1(hid_t obj_id, H5R_type_t ref_type, const void* ref) {
  return api_id("H5Rdereference1", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(Location at, referenced(obj_id, ref_type, ref));
    return object_id_for(at);
  });
}

hid_t H5Rget_region(hid_t dataset, H5R_type_t ref_type, const void* ref) {
  return api_id("H5Rget_region", [&]() -> Result<hid_t> {
    PCIO_TRY(location_of(dataset, "dataset"));
    PCIO_TRY(need_pointer(ref, "ref"));
    if (ref_type != H5R_DATASET_REGION)
      return PCIO_ERROR(ARGS, BADVALUE, "argument ref_type: not H5R_DATASET_REGION");
    return PCIO_ERROR(REFERENCE, UNSUPPORTED,
                      "references to dataset regions are not supported yet");
  });
}

herr_t H5Rget_obj_type2(hid_t id, H5R_type_t ref_type, const void* ref, H5O_type_t* obj_type) {
  return api_status("H5Rget_obj_type2", [&]() -> Status {
    PCIO_ASSIGN(Location at, referenced(id, ref_type, ref));
    if (obj_type != nullptr) *obj_type = static_cast<H5O_type_t>(at.object->kind());
    return Status();
  });
}

H5G_obj_t H5Rget_obj_type1(hid_t id, H5R_type_t ref_type, const void* ref) {
  return api_value("H5Rget_obj_type1", H5G_UNKNOWN, [&]() -> Result<H5G_obj_t> {
    PCIO_ASSIGN(Location at, referenced(id, ref_type, ref));
    return static_cast<H5G_obj_t>(static_cast<int>(at.object->kind()));
  });
}

// A file does not know the names of an object: the first path that leads to it is found by a walk.
ssize_t H5Rget_name(hid_t loc_id, H5R_type_t ref_type, const void* ref, char* name, size_t size) {
  return api_value("H5Rget_name", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(Location at, referenced(loc_id, ref_type, ref));
    PCIO_ASSIGN(std::string path, path_of_object(at));
    return copy_text(path, name, size);
  });
}
