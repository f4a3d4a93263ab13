// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5G: the calls of HDF5 1.6 on links and groups.

#include <algorithm>

#include "lib/api_entry.hpp"
#include "lib/iteration.hpp"
#include "lib/link_calls.hpp"
#include "lib/text_argument.hpp"
#include "object/object_info.hpp"

using namespace pcio;

namespace {

Status link_of_kind(const char* function, H5L_type_t kind, LinkEnd target, LinkEnd link) {
  if (kind == H5L_TYPE_HARD) return call_create_hard(function, target, link, {});
  if (kind == H5L_TYPE_SOFT) {
    hid_t at = link.loc_id == H5L_SAME_LOC ? target.loc_id : link.loc_id;
    return call_create_soft(function, target.name, {at, link.name}, {});
  }
  return PCIO_ERROR(ARGS, BADVALUE, "argument type: neither H5G_LINK_HARD nor H5G_LINK_SOFT");
}

}  // namespace

herr_t H5Glink(hid_t cur_loc_id, H5L_type_t type, const char* cur_name, const char* new_name) {
  return api_status("H5Glink", [&]() -> Status {
    return link_of_kind("H5Glink", type, {cur_loc_id, cur_name}, {H5L_SAME_LOC, new_name});
  });
}

herr_t H5Glink2(hid_t cur_loc_id, const char* cur_name, H5L_type_t type, hid_t new_loc_id,
                const char* new_name) {
  return api_status("H5Glink2", [&]() -> Status {
    return link_of_kind("H5Glink2", type, {cur_loc_id, cur_name}, {new_loc_id, new_name});
  });
}

herr_t H5Gmove(hid_t src_loc_id, const char* src_name, const char* dst_name) {
  return api_status("H5Gmove", [&]() -> Status {
    return call_transfer("H5Gmove", LinkTransfer::kMove, {src_loc_id, src_name},
                         {H5L_SAME_LOC, dst_name}, {});
  });
}

herr_t H5Gmove2(hid_t src_loc_id, const char* src_name, hid_t dst_loc_id, const char* dst_name) {
  return api_status("H5Gmove2", [&]() -> Status {
    return call_transfer("H5Gmove2", LinkTransfer::kMove, {src_loc_id, src_name},
                         {dst_loc_id, dst_name}, {});
  });
}

herr_t H5Gunlink(hid_t loc_id, const char* name) {
  return api_status("H5Gunlink", [&]() -> Status {
    return call_delete_link("H5Gunlink", {loc_id, name}, H5P_DEFAULT);
  });
}

herr_t H5Gget_linkval(hid_t loc_id, const char* name, size_t size, char* buf) {
  return api_status("H5Gget_linkval", [&]() -> Status {
    PCIO_ASSIGN(LinkPlace place, place_at(loc_id, name, H5P_DEFAULT));
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    return copy_link_value(*link, buf, size);
  });
}

herr_t H5Giterate(hid_t loc_id, const char* name, int* idx, H5G_iterate_t op, void* op_data) {
  return api_value("H5Giterate", herr_t{-1}, [&]() -> Result<herr_t> {
    if (idx != nullptr && *idx < 0) return PCIO_ERROR(ARGS, BADVALUE, "argument idx: below 0");
    PCIO_TRY(need_callback(op));
    PCIO_ASSIGN(Location group, object_at(loc_id, name, H5P_DEFAULT));
    PCIO_ASSIGN(hid_t id, group_id_for(group));
    lend_to_function(id);
    hsize_t at = idx == nullptr ? 0 : static_cast<hsize_t>(*idx);
    auto answer = iterate_links(group, {}, &at, [&](const LinkPlace& place, const LinkMessage&) {
      const ProgramsTurn turn;
      return op(id, place.name.c_str(), op_data);
    });
    if (answer && idx != nullptr) *idx = static_cast<int>(at);
    return release_lent(id, "group", std::move(answer));
  });
}

herr_t H5Gget_num_objs(hid_t loc_id, hsize_t* num_objs) {
  return api_status("H5Gget_num_objs", [&]() -> Status {
    PCIO_TRY(need_pointer(num_objs, "num_objs"));
    PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
    PCIO_ASSIGN(GroupInfo info, group_info(at));
    *num_objs = info.nlinks;
    return Status();
  });
}

namespace {

H5G_obj_t old_kind(ObjectKind kind) { return static_cast<H5G_obj_t>(static_cast<int>(kind)); }

/// Facts about a soft or other link itself.
Status stat_link(const LinkMessage& link, H5G_stat_t* out) {
  out->type = link.type == kLinkSoft ? H5G_LINK : H5G_UDLINK;
  PCIO_ASSIGN(out->linklen, link_value_size(link));
  return Status();
}

Status stat_object(const Location& at, H5G_stat_t* out) {
  PCIO_ASSIGN(ObjectInfo info, object_info(at));
  out->fileno[0] = info.file_number;
  out->objno[0] = info.address;
  out->nlink = info.references;
  out->type = old_kind(info.kind);
  // A time that is not in the file is 0, as is the change time of a version 1 header.
  out->mtime = std::max(info.modification_time, info.change_time);
  out->ohdr.size = info.header_total;
  out->ohdr.free = info.header_free;
  out->ohdr.nmesgs = info.header_messages;
  out->ohdr.nchunks = info.header_chunks;
  return Status();
}

/// Facts about what a name leads to, or about the link where it is none to an object.
Status stat_name(hid_t loc_id, const char* name, bool follow, H5G_stat_t* out) {
  if (!follow) {
    PCIO_ASSIGN(LinkPlace place, place_at(loc_id, name, H5P_DEFAULT));
    auto link = find_link(place);
    if (!place.name.empty() && !link) return std::move(link.error());
    if (link && (*link)->type != kLinkHard) return stat_link(**link, out);
  }
  PCIO_ASSIGN(Location at, object_at(loc_id, name, H5P_DEFAULT));
  return stat_object(at, out);
}

}  // namespace

herr_t H5Gget_objinfo(hid_t loc_id, const char* name, hbool_t follow_link, H5G_stat_t* statbuf) {
  return api_status("H5Gget_objinfo", [&]() -> Status {
    H5G_stat_t facts{};
    PCIO_TRY(stat_name(loc_id, name, follow_link, &facts));
    if (statbuf != nullptr) *statbuf = facts;
    return Status();
  });
}

ssize_t H5Gget_objname_by_idx(hid_t loc_id, hsize_t idx, char* name, size_t size) {
  return api_value("H5Gget_objname_by_idx", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(LinkPlace place,
                indexed_place({loc_id, ".", H5P_DEFAULT}, H5_INDEX_NAME, H5_ITER_INC, idx));
    return copy_text(place.name, name, size);
  });
}

H5G_obj_t H5Gget_objtype_by_idx(hid_t loc_id, hsize_t idx) {
  return api_value("H5Gget_objtype_by_idx", H5G_UNKNOWN, [&]() -> Result<H5G_obj_t> {
    PCIO_ASSIGN(LinkPlace place,
                indexed_place({loc_id, ".", H5P_DEFAULT}, H5_INDEX_NAME, H5_ITER_INC, idx));
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    if (link->type == kLinkSoft) return H5G_LINK;
    if (link->type != kLinkHard) return H5G_UDLINK;
    PCIO_ASSIGN(Location at, find_object(place.group, place.name));
    return old_kind(at.kind());
  });
}
