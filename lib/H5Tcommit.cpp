// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5T: datatypes that are objects of a file.

#include "lib/api_entry.hpp"
#include "lib/call_arguments.hpp"
#include "lib/metadata_reads.hpp"
#include "object/named_type.hpp"

using namespace pcio;

namespace {

/// The type of an id that may still be committed.
Result<std::shared_ptr<TypeObject>> committable(hid_t type_id) {
  PCIO_ASSIGN(auto type, get<TypeObject>(type_id, "type_id"));
  if (type->committed)
    return PCIO_ERROR(ARGS, CANTSET, "argument type_id: the datatype is committed already");
  if (type->predefined || type->state != TypeObject::State::kTransient)
    return PCIO_ERROR(ARGS, CANTSET,
                      "argument type_id: a predefined or locked datatype can't be committed");
  return type;
}

/// Arguments of a commit; the lists may be left out.
struct TypeToCommit {
  const char* name = nullptr;
  hid_t type_id = H5I_INVALID_HID;
  hid_t lcpl_id = H5P_DEFAULT;
  hid_t tcpl_id = H5P_DEFAULT;
  hid_t tapl_id = H5P_DEFAULT;
};

/// What `prepare_type` made of the arguments.
struct PreparedType {
  std::shared_ptr<TypeObject> type;
  ObjectCreateProps create;
};

Status prepare_type(NamedArguments& out, const TypeToCommit& what, PreparedType* prepared) {
  PCIO_ASSIGN(prepared->type, committable(what.type_id));
  PCIO_TRY(check_storable(prepared->type->type));
  PCIO_ASSIGN(auto create, props_or_default<ObjectCreateProps>(what.tcpl_id, "tcpl_id"));
  prepared->create = *create;
  put_argument(out, prepared->create);
  PCIO_TRY(props_or_default<LinkAccessProps>(what.tapl_id, "tapl_id"));
  out.begin("datatype (argument type_id)");
  return put_argument(out, prepared->type->type);
}

/// From here on the id stands for the object in the file.
void become_committed(TypeObject& type, OpenObjectPtr made) {
  type.state = TypeObject::State::kNamed;
  type.committed = std::move(made);
}

Status commit_named(const CallName& call, const Location& at, const TypeToCommit& what) {
  PreparedType ready;
  Location made;
  PCIO_TRY(create_linked(
      at, call, what.name, {what.lcpl_id, what.tapl_id, "tapl_id"},
      [&](NamedArguments& out) { return prepare_type(out, what, &ready); },
      [&](const LinkPlace& place, const NewLink& link) -> Status {
        PCIO_ASSIGN(made, make_named_type(place.group.file, ready.type->type, ready.create));
        made.path = place.path();
        OpenObjectPtr open = open_location(made);
        PCIO_TRY(link_new_object(place, &made, link));
        become_committed(*ready.type, std::move(open));
        return Status();
      }));
  return Status();
}

}  // namespace

herr_t H5Tcommit2(hid_t loc_id, const char* name, hid_t type_id, hid_t lcpl_id, hid_t tcpl_id,
                  hid_t tapl_id) {
  return api_status("H5Tcommit2", [&]() -> Status {
    PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
    std::string object = full_name(at, name);
    return commit_named({"H5Tcommit2", object}, at, {name, type_id, lcpl_id, tcpl_id, tapl_id});
  });
}

herr_t H5Tcommit1(hid_t loc_id, const char* name, hid_t type_id) {
  return api_status("H5Tcommit1", [&]() -> Status {
    PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
    std::string object = full_name(at, name);
    return commit_named({"H5Tcommit1", object}, at, {name, type_id});
  });
}

herr_t H5Tcommit_anon(hid_t loc_id, hid_t type_id, hid_t tcpl_id, hid_t tapl_id) {
  return api_status("H5Tcommit_anon", [&]() -> Status {
    PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
    PreparedType ready;
    Location made;
    PCIO_TRY(metadata_call(
        *at.file, {"H5Tcommit_anon", at.path},
        [&](NamedArguments& out) {
          return prepare_type(out, {nullptr, type_id, H5P_DEFAULT, tcpl_id, tapl_id}, &ready);
        },
        [&]() -> Status {
          PCIO_ASSIGN(made, make_named_type(at.file, ready.type->type, ready.create));
          become_committed(*ready.type, open_location(made));
          return Status();
        }));
    return Status();
  });
}

namespace {

Result<hid_t> open_type(const char* function, hid_t loc_id, const char* name, hid_t tapl_id) {
  return read_metadata({function, loc_id, name, tapl_id}, [&]() -> Result<hid_t> {
    PCIO_ASSIGN(Location at, object_at(loc_id, name, tapl_id));
    return named_type_id_for(at);
  });
}

}  // namespace

hid_t H5Topen2(hid_t loc_id, const char* name, hid_t tapl_id) {
  return api_id("H5Topen2", [&] { return open_type("H5Topen2", loc_id, name, tapl_id); });
}

hid_t H5Topen1(hid_t loc_id, const char* name) {
  return api_id("H5Topen1", [&] { return open_type("H5Topen1", loc_id, name, H5P_DEFAULT); });
}

htri_t H5Tcommitted(hid_t type_id) {
  return api_int("H5Tcommitted", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto type, get<TypeObject>(type_id, "type_id"));
    return type->committed != nullptr;
  });
}

hid_t H5Tget_create_plist(hid_t type_id) {
  return api_id("H5Tget_create_plist", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto type, get<TypeObject>(type_id, "type_id"));
    DatatypeCreateProps create;
    if (type->committed) {
      PCIO_TRY(check_open(type->committed->file()));
      create = type_create_props(*type->committed);
    }
    return property_list_id_for(create);
  });
}
