// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5G: groups. The forms of HDF5 1.6 are in H5Gdeprec.cpp.

#include "lib/api_entry.hpp"
#include "lib/call_arguments.hpp"
#include "lib/iteration.hpp"
#include "lib/metadata_reads.hpp"
#include "lib/text_argument.hpp"
#include "object/mount.hpp"

using namespace pcio;

namespace {

/// Checks the lists of a new group; `create` is left in `*out`.
Status prepare_group(NamedArguments& arguments, hid_t gcpl_id, hid_t gapl_id,
                     GroupCreateProps* out) {
  PCIO_ASSIGN(auto create, props_or_default<GroupCreateProps>(gcpl_id, "gcpl_id"));
  PCIO_TRY(props_or_default<LinkAccessProps>(gapl_id, "gapl_id"));
  *out = *create;
  put_argument(arguments, *out);
  return Status();
}

/// The group's id comes before its link: who has no memory for it has made nothing.
Result<hid_t> create_group(const CallName& call, const Location& at, const char* name,
                           hid_t lcpl_id, hid_t gcpl_id, hid_t gapl_id) {
  GroupCreateProps create;
  MadeId id;
  PCIO_TRY(create_linked(
      at, call, name, {lcpl_id, gapl_id, "gapl_id"},
      [&](NamedArguments& out) { return prepare_group(out, gcpl_id, gapl_id, &create); },
      [&](const LinkPlace& place, const NewLink& link) -> Status {
        PCIO_ASSIGN(Location made, make_anonymous_group(place.group.file, create));
        made.path = place.path();
        made.hold = place.group.hold;
        PCIO_ASSIGN(const HandleId made_id, group_id_for(made));
        id = MadeId(made_id);
        return add_hard_link(place, made, link.props);
      }));
  return id.keep();
}

}  // namespace

hid_t H5Gcreate2(hid_t loc_id, const char* name, hid_t lcpl_id, hid_t gcpl_id, hid_t gapl_id) {
  return api_id("H5Gcreate2", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
    std::string object = full_name(at, name);
    return create_group({"H5Gcreate2", object}, at, name, lcpl_id, gcpl_id, gapl_id);
  });
}

hid_t H5Gcreate1(hid_t loc_id, const char* name, size_t size_hint) {
  return api_id("H5Gcreate1", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
    std::string object = full_name(at, name);
    GroupCreateProps create;
    create.local_heap_size_hint = size_hint;
    PCIO_ASSIGN(hid_t list, property_list_id_for(create));
    auto made = create_group({"H5Gcreate1", object}, at, name, H5P_DEFAULT, list, H5P_DEFAULT);
    PCIO_TRY(release_id(list, "list"));
    return made;
  });
}

hid_t H5Gcreate_anon(hid_t loc_id, hid_t gcpl_id, hid_t gapl_id) {
  return api_id("H5Gcreate_anon", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
    GroupCreateProps create;
    MadeId id;
    PCIO_TRY(metadata_call(
        *at.file, {"H5Gcreate_anon", at.path},
        [&](NamedArguments& out) { return prepare_group(out, gcpl_id, gapl_id, &create); },
        [&]() -> Status {
          PCIO_ASSIGN(const Location made, make_anonymous_group(at.file, create));
          PCIO_ASSIGN(const HandleId made_id, group_id_for(made));
          id = MadeId(made_id);
          return Status();
        }));
    return id.keep();
  });
}

namespace {

Result<hid_t> open_group(hid_t loc_id, const char* name, hid_t gapl_id) {
  PCIO_ASSIGN(Location at, object_at(loc_id, name, gapl_id));
  return group_id_for(at);
}

}  // namespace

hid_t H5Gopen2(hid_t loc_id, const char* name, hid_t gapl_id) {
  return api_id("H5Gopen2", [&] {
    return read_metadata({"H5Gopen2", loc_id, name, gapl_id},
                         [&] { return open_group(loc_id, name, gapl_id); });
  });
}

hid_t H5Gopen1(hid_t loc_id, const char* name) {
  return api_id("H5Gopen1", [&] {
    return read_metadata({"H5Gopen1", loc_id, name},
                         [&] { return open_group(loc_id, name, H5P_DEFAULT); });
  });
}

herr_t H5Gclose(hid_t group_id) {
  return api_status("H5Gclose",
                    [&]() -> Status { return close_id(group_id, IdType::kGroup, "group_id"); });
}

hid_t H5Gget_create_plist(hid_t group_id) {
  return api_id("H5Gget_create_plist", [&]() -> Result<hid_t> {
    PCIO_TRY(get_member<GroupObject>(group_id, "group_id"));
    PCIO_ASSIGN(Location at, location_of(group_id, "group_id"));
    PCIO_ASSIGN(GroupCreateProps create, group_create_props(at));
    return property_list_id_for(create);
  });
}

namespace {

Status fill_group_info(const Location& at, H5G_info_t* out) {
  PCIO_TRY(need_pointer(out, "ginfo"));
  PCIO_ASSIGN(GroupInfo info, group_info(at));
  out->storage_type = static_cast<H5G_storage_type_t>(info.storage);
  out->nlinks = info.nlinks;
  out->max_corder = info.max_creation_order;
  out->mounted = is_mount_point(at);
  return Status();
}

}  // namespace

herr_t H5Gget_info(hid_t loc_id, H5G_info_t* ginfo) {
  return api_status("H5Gget_info", [&] {
    return read_metadata({"H5Gget_info", loc_id}, [&]() -> Status {
      PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
      return fill_group_info(at, ginfo);
    });
  });
}

herr_t H5Gget_info_by_name(hid_t loc_id, const char* name, H5G_info_t* ginfo, hid_t lapl_id) {
  return api_status("H5Gget_info_by_name", [&] {
    return read_metadata({"H5Gget_info_by_name", loc_id, name, lapl_id}, [&]() -> Status {
      PCIO_ASSIGN(Location at, object_at(loc_id, name, lapl_id));
      return fill_group_info(at, ginfo);
    });
  });
}

herr_t H5Gget_info_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                          H5_iter_order_t order, hsize_t n, H5G_info_t* ginfo, hid_t lapl_id) {
  return api_status("H5Gget_info_by_idx", [&]() -> Status {
    PCIO_ASSIGN(LinkPlace place, indexed_place({loc_id, group_name, lapl_id}, idx_type, order, n));
    PCIO_ASSIGN(Location at, linked_object(place, lapl_id));
    return fill_group_info(at, ginfo);
  });
}
