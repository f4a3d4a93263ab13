// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5A: attributes: creating, opening, values, changes. Queries are in H5Ainfo.cpp.

#include "lib/api_entry.hpp"
#include "lib/attribute_calls.hpp"
#include "lib/metadata_reads.hpp"
#include "lib/text_argument.hpp"
#include "lib/type_conversion.hpp"

using namespace pcio;

hid_t H5Acreate2(hid_t loc_id, const char* attr_name, hid_t type_id, hid_t space_id, hid_t acpl_id,
                 hid_t aapl_id) {
  return api_id("H5Acreate2", [&]() -> Result<hid_t> {
    return call_create_attribute("H5Acreate2", {loc_id},
                                 {attr_name, type_id, space_id, acpl_id, aapl_id});
  });
}

hid_t H5Acreate1(hid_t loc_id, const char* name, hid_t type_id, hid_t space_id, hid_t acpl_id) {
  return api_id("H5Acreate1", [&]() -> Result<hid_t> {
    return call_create_attribute("H5Acreate1", {loc_id},
                                 {name, type_id, space_id, acpl_id, H5P_DEFAULT});
  });
}

hid_t H5Acreate_by_name(hid_t loc_id, const char* obj_name, const char* attr_name, hid_t type_id,
                        hid_t space_id, hid_t acpl_id, hid_t aapl_id, hid_t lapl_id) {
  return api_id("H5Acreate_by_name", [&]() -> Result<hid_t> {
    return call_create_attribute("H5Acreate_by_name",
                                 OwnerArgument::named(loc_id, obj_name, lapl_id),
                                 {attr_name, type_id, space_id, acpl_id, aapl_id});
  });
}

namespace {

Result<hid_t> open_named(const char* function, const OwnerArgument& argument, const char* attr_name,
                         hid_t aapl_id) {
  return read_metadata({function, argument.loc_id, attr_name, aapl_id}, [&]() -> Result<hid_t> {
    PCIO_ASSIGN(OpenObjectPtr owner, shared_owner(argument));
    PCIO_ASSIGN(std::string name, text_argument(attr_name, "attr_name"));
    PCIO_TRY(props_or_default<LinkAccessProps>(aapl_id, "aapl_id"));
    return attribute_id_for(std::move(owner), name);
  });
}

Result<hid_t> open_numbered(const char* function, const NumberedAttribute& which, hid_t aapl_id) {
  const OwnerArgument& argument = which.owner;
  return read_metadata({function, argument.loc_id, argument.obj_name, aapl_id},
                       [&]() -> Result<hid_t> {
                         PCIO_ASSIGN(OpenObjectPtr owner, shared_owner(argument));
                         PCIO_TRY(props_or_default<LinkAccessProps>(aapl_id, "aapl_id"));
                         PCIO_ASSIGN(std::string name, numbered_name(*owner, which));
                         return attribute_id_for(std::move(owner), name);
                       });
}

}  // namespace

hid_t H5Aopen(hid_t obj_id, const char* attr_name, hid_t aapl_id) {
  return api_id("H5Aopen", [&] { return open_named("H5Aopen", {obj_id}, attr_name, aapl_id); });
}

hid_t H5Aopen_name(hid_t loc_id, const char* name) {
  return api_id("H5Aopen_name",
                [&] { return open_named("H5Aopen_name", {loc_id}, name, H5P_DEFAULT); });
}

hid_t H5Aopen_by_name(hid_t loc_id, const char* obj_name, const char* attr_name, hid_t aapl_id,
                      hid_t lapl_id) {
  return api_id("H5Aopen_by_name", [&] {
    return open_named("H5Aopen_by_name", OwnerArgument::named(loc_id, obj_name, lapl_id), attr_name,
                      aapl_id);
  });
}

hid_t H5Aopen_by_idx(hid_t loc_id, const char* obj_name, H5_index_t idx_type, H5_iter_order_t order,
                     hsize_t n, hid_t aapl_id, hid_t lapl_id) {
  return api_id("H5Aopen_by_idx", [&] {
    return open_numbered("H5Aopen_by_idx",
                         {OwnerArgument::named(loc_id, obj_name, lapl_id), idx_type, order, n},
                         aapl_id);
  });
}

hid_t H5Aopen_idx(hid_t loc_id, unsigned idx) {
  return api_id("H5Aopen_idx", [&] {
    return open_numbered("H5Aopen_idx", {{loc_id}, H5_INDEX_CRT_ORDER, H5_ITER_INC, idx},
                         H5P_DEFAULT);
  });
}

herr_t H5Aclose(hid_t attr_id) {
  return api_status("H5Aclose",
                    [&]() -> Status { return close_id(attr_id, IdType::kAttribute, "attr_id"); });
}

namespace {

/// Of an attribute of variable length the ranks meet, as its type says, and all of them have the same. Others any
/// rank may write alone.
Meeting meeting_of(const AttributeObject& attribute) {
  if (attribute.open->file().coordinator().size() == 1) return Meeting::kNone;
  const bool wanted = !attribute.type.is_fixed() && attribute.space.npoints() > 0;
  return wanted ? Meeting::kWanted : Meeting::kOwnCall;
}

}  // namespace

// Values may differ between ranks (the lowest one's reach the file), so they are not compared.
herr_t H5Awrite(hid_t attr_id, hid_t type_id, const void* buf) {
  return api_status("H5Awrite", [&]() -> Status {
    PCIO_ASSIGN(auto attribute, get_member<AttributeObject>(attr_id, "attr_id"));
    const OpenObject& owner = *attribute->open;
    Meeting meeting = meeting_of(*attribute);
    const bool together = meeting == Meeting::kWanted;
    // What lacks memory before the others are met comes to them all the same.
    std::string name;
    const Status named = without_throwing([&] {
      name = owner.path() + "@" + attribute->name;
      return Status();
    });
    const CallName call{"H5Awrite", name};
    AttributeWrite write;
    return metadata_call(
        owner.file(), call,
        [&](NamedArguments& out) -> Status {
          PCIO_TRY(Status(named));
          PCIO_ASSIGN(const auto type, get<TypeObject>(type_id, "type_id"));
          out.begin("object that has the attribute");
          out.u64(owner.address());
          out.begin("attribute's name");
          put_argument(out, attribute->name);
          PCIO_TRY(attribute->check_there());
          if (together) PCIO_TRY(need_pointer(buf, "buf"));
          write.memory_type = type->type.memory_form();
          write.buffer = buf;
          write.options = convert_options({}, H5P_DEFAULT);
          PCIO_TRY(prepare_attribute_write(owner, attribute->name, &write));
          PCIO_TRY(check_same_size(attribute->name, attribute->space, write.attribute.space));
          if (meeting == Meeting::kOwnCall && !write.in_place) meeting = Meeting::kNone;
          if (together == (write.owns() && owner.file().coordinator().size() > 1)) return Status();
          // The id was given for another one.
          return PCIO_ERROR(
              ATTR, BADVALUE,
              "attribute \"" + attribute->name + "\" was replaced by one of another type");
        },
        [&]() -> Status { return write_attribute(owner, call, write); }, &meeting);
  });
}

herr_t H5Aread(hid_t attr_id, hid_t type_id, void* buf) {
  return api_status("H5Aread", [&]() -> Status {
    PCIO_ASSIGN(auto attribute, get_member<AttributeObject>(attr_id, "attr_id"));
    PCIO_ASSIGN(auto type, get<TypeObject>(type_id, "type_id"));
    PCIO_TRY(attribute->check_there());
    return read_attribute(*attribute->open, attribute->name, type->type.memory_form(), buf,
                          convert_options({}, H5P_DEFAULT), &attribute->space);
  });
}

namespace {

/// What all ids of an attribute stand for. May throw bad_alloc.
std::vector<std::shared_ptr<AttributeObject>> open_attributes(const OpenObject& owner,
                                                              const std::string& name) {
  std::vector<std::shared_ptr<AttributeObject>> all;
  for (HandleId id : ids_of_file(&owner.file(), H5F_OBJ_ATTR)) {
    auto found = get<AttributeObject>(id, "id");
    const bool same = found && (*found)->open->object() == owner.object();
    if (same && !(*found)->deleted && (*found)->name == name) all.push_back(*found);
  }
  return all;
}
/// Ids of the attribute go on meaning it under its new name.
Status rename_with_ids(const OpenObject& owner, const std::string& from, const std::string& to) {
  // What takes memory first, as below.
  const auto open = open_attributes(owner, from);
  std::vector<std::string> names(open.size(), to);
  PCIO_TRY(rename_attribute(owner, from, to));
  for (std::size_t i = 0; i < open.size(); ++i) open[i]->name = std::move(names[i]);
  return Status();
}
/// They mean nothing any more.
Status delete_with_ids(const OpenObject& owner, const std::string& name) {
  // Found before anything changes: who lacks memory for them has deleted nothing.
  const auto open = open_attributes(owner, name);
  PCIO_TRY(delete_attribute(owner, name));
  for (const auto& attribute : open) attribute->deleted = true;
  return Status();
}

Status rename_one(const char* function, const OwnerArgument& argument, const char* old_name,
                  const char* new_name) {
  std::string from, to;
  return change_attributes(
      function, argument,
      [&](NamedArguments& out, const OpenObject&) -> Status {
        PCIO_ASSIGN(from, text_argument(old_name, "old_name"));
        PCIO_ASSIGN(to, text_argument(new_name, "new_name"));
        out.begin("old name");
        put_argument(out, from);
        out.begin("new name");
        put_argument(out, to);
        return Status();
      },
      [&](const OpenObject& owner) { return rename_with_ids(owner, from, to); });
}

Status delete_one(const char* function, const OwnerArgument& argument, const char* attr_name) {
  std::string name;
  return change_attributes(
      function, argument,
      [&](NamedArguments& out, const OpenObject&) -> Status {
        PCIO_ASSIGN(name, text_argument(attr_name, "attr_name"));
        out.begin("attribute's name");
        put_argument(out, name);
        return Status();
      },
      [&](const OpenObject& owner) { return delete_with_ids(owner, name); });
}

}  // namespace

herr_t H5Arename(hid_t loc_id, const char* old_name, const char* new_name) {
  return api_status("H5Arename",
                    [&] { return rename_one("H5Arename", {loc_id}, old_name, new_name); });
}

herr_t H5Arename_by_name(hid_t loc_id, const char* obj_name, const char* old_attr_name,
                         const char* new_attr_name, hid_t lapl_id) {
  return api_status("H5Arename_by_name", [&] {
    return rename_one("H5Arename_by_name", OwnerArgument::named(loc_id, obj_name, lapl_id),
                      old_attr_name, new_attr_name);
  });
}

herr_t H5Adelete(hid_t loc_id, const char* attr_name) {
  return api_status("H5Adelete", [&] { return delete_one("H5Adelete", {loc_id}, attr_name); });
}

herr_t H5Adelete_by_name(hid_t loc_id, const char* obj_name, const char* attr_name, hid_t lapl_id) {
  return api_status("H5Adelete_by_name", [&] {
    return delete_one("H5Adelete_by_name", OwnerArgument::named(loc_id, obj_name, lapl_id),
                      attr_name);
  });
}

herr_t H5Adelete_by_idx(hid_t loc_id, const char* obj_name, H5_index_t idx_type,
                        H5_iter_order_t order, hsize_t n, hid_t lapl_id) {
  return api_status("H5Adelete_by_idx", [&]() -> Status {
    const NumberedAttribute which{OwnerArgument::named(loc_id, obj_name, lapl_id), idx_type, order,
                                  n};
    std::string name;
    return change_attributes(
        "H5Adelete_by_idx", which.owner,
        [&](NamedArguments& out, const OpenObject& owner) -> Status {
          PCIO_ASSIGN(name, numbered_name(owner, which));
          out.begin("attribute's name");
          put_argument(out, name);
          return Status();
        },
        [&](const OpenObject& owner) { return delete_with_ids(owner, name); });
  });
}
