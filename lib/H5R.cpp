// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5R: references. A reference to an object is the address of its header; one to a
// region is the id of a heap object (object/region.hpp).

#include <algorithm>
#include <cstring>

#include "base/without_throwing.hpp"
#include "lib/api_entry.hpp"
#include "lib/object_handles.hpp"
#include "lib/text_argument.hpp"
#include "lib/visit.hpp"
#include "object/region.hpp"

using namespace pcio;

namespace {

Status check_kind_of(H5R_type_t ref_type) {
  if (ref_type == H5R_OBJECT || ref_type == H5R_DATASET_REGION) return Status();
  return PCIO_ERROR(ARGS, BADVALUE, "argument ref_type: no such kind of reference");
}

Status in_argument_ref(Status failed) {
  failed.push(PCIO_FRAME(ARGS, BADVALUE, "argument ref"));
  return failed;
}

ConstBytes region_reference(File& file, const void* ref) {
  return {static_cast<const std::byte*>(ref), region_reference_size(file)};
}

/// The address of the object that a reference means; 0: of none.
Result<FileAddress> referenced_address(const FilePtr& file, H5R_type_t ref_type, const void* ref) {
  PCIO_TRY(check_kind_of(ref_type));
  PCIO_TRY(need_pointer(ref, "ref"));
  if (ref_type == H5R_DATASET_REGION) {
    auto object = load_region(file, region_reference(*file, ref));
    if (!object) return tl::unexpected(in_argument_ref(std::move(object.error())));
    return region_target(*file, *object);
  }
  hobj_ref_t address = 0;
  std::memcpy(&address, ref, sizeof(address));
  return static_cast<FileAddress>(address == HADDR_UNDEF ? 0 : address);
}

/// The object itself. The path is the one by which it is known, if any.
Result<Location> referenced(hid_t loc_id, H5R_type_t ref_type, const void* ref) {
  PCIO_ASSIGN(Location at, location_of(loc_id, "id"));
  PCIO_ASSIGN(const FileAddress address, referenced_address(at.file, ref_type, ref));
  if (address == 0) return PCIO_ERROR(REFERENCE, BADVALUE, "argument ref: refers to nothing");
  auto object = object_at_address(at.file, address);
  if (!object) return tl::unexpected(in_argument_ref(std::move(object.error())));
  // Some may have it open still, or its space has not been used since.
  if (is_unlinked(*object))
    return PCIO_ERROR(REFERENCE, NOTFOUND,
                      "argument ref: refers to an object that was deleted, or has no link");
  return object;
}

Status create_object_reference(void* ref, hid_t loc_id, const char* name) {
  PCIO_TRY(need_pointer(ref, "ref"));
  PCIO_ASSIGN(Location at, object_at(loc_id, name, H5P_DEFAULT));
  hobj_ref_t address = at.address();
  std::memcpy(ref, &address, sizeof(address));
  return Status();
}

/// What the reference is to lead to gets into the file: a call that changes metadata.
Status create_region_reference(void* ref, hid_t loc_id, const char* name, hid_t space_id) {
  // Once the file is known the other ranks are on their way: whatever fails from here on goes along.
  PCIO_ASSIGN(const FilePtr file_ptr, located_file(loc_id, "loc_id"));
  File& file = *file_ptr;
  Location at;
  std::string object;
  std::vector<std::byte> region, id;
  const Status ready = without_throwing([&]() -> Status {
    PCIO_ASSIGN(at, location_of(loc_id, "loc_id"));
    object = full_name(at, name);
    id.resize(region_reference_size(file));
    return Status();
  });
  const CallName call{"H5Rcreate", object};
  Meeting meeting = file.coordinator().size() > 1 ? Meeting::kWanted : Meeting::kNone;
  const auto prepare = [&](NamedArguments& out) -> Status {
    PCIO_TRY(Status(ready));
    PCIO_TRY(need_pointer(ref, "ref"));
    PCIO_ASSIGN(const Location dataset, object_in(at, name, LinkAccessProps()));
    if (dataset.file != at.file)
      return PCIO_ERROR(ARGS, BADVALUE,
                        "argument name: \"" + dataset.path +
                            "\" is in another file, where references of this one don't lead");
    PCIO_ASSIGN(const auto space, get<SpaceObject>(space_id, "space_id"));
    PCIO_ASSIGN(region, region_object(dataset, space->space));
    out.begin("dataset and region");
    out.bytes(region);
    return Status();
  };
  PCIO_TRY(metadata_call(
      file, call, prepare, [&] { return store_region(file, call, region, id); }, &meeting));
  std::memcpy(ref, id.data(), std::min(id.size(), sizeof(hdset_reg_ref_t)));
  return Status();
}

}  // namespace

herr_t H5Rcreate(void* ref, hid_t loc_id, const char* name, H5R_type_t ref_type, hid_t space_id) {
  return api_status("H5Rcreate", [&]() -> Status {
    PCIO_TRY(check_kind_of(ref_type));
    return ref_type == H5R_OBJECT ? create_object_reference(ref, loc_id, name)
                                  : create_region_reference(ref, loc_id, name, space_id);
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
    PCIO_ASSIGN(const Location at, location_of(dataset, "dataset"));
    PCIO_TRY(need_pointer(ref, "ref"));
    if (ref_type != H5R_DATASET_REGION)
      return PCIO_ERROR(ARGS, BADVALUE, "argument ref_type: not H5R_DATASET_REGION");
    auto space = region_space(at.file, region_reference(*at.file, ref));
    if (!space) return tl::unexpected(in_argument_ref(std::move(space.error())));
    return make_id<SpaceObject>(std::move(*space));
  });
}

herr_t H5Rget_obj_type2(hid_t id, H5R_type_t ref_type, const void* ref, H5O_type_t* obj_type) {
  return api_status("H5Rget_obj_type2", [&]() -> Status {
    PCIO_ASSIGN(Location at, referenced(id, ref_type, ref));
    if (obj_type != nullptr) *obj_type = static_cast<H5O_type_t>(at.kind());
    return Status();
  });
}

H5G_obj_t H5Rget_obj_type1(hid_t id, H5R_type_t ref_type, const void* ref) {
  return api_value("H5Rget_obj_type1", H5G_UNKNOWN, [&]() -> Result<H5G_obj_t> {
    PCIO_ASSIGN(Location at, referenced(id, ref_type, ref));
    return static_cast<H5G_obj_t>(static_cast<int>(at.kind()));
  });
}

// A file does not know the names of an object: the first path that leads to it is found by a walk.
ssize_t H5Rget_name(hid_t loc_id, H5R_type_t ref_type, const void* ref, char* name, size_t size) {
  return api_value("H5Rget_name", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(const Location at, location_of(loc_id, "loc_id"));
    PCIO_ASSIGN(const FileAddress address, referenced_address(at.file, ref_type, ref));
    std::string path;
    auto object = object_at_address(at.file, address);
    if (address != 0 && object) {
      PCIO_ASSIGN(path, path_of_object(*object));
    }
    return copy_text(path, name, size);
  });
}
