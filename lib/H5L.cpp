// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5L: links but for iteration (H5Liter.cpp).

#include <cstring>

#include "lib/api_entry.hpp"
#include "lib/iteration.hpp"
#include "lib/link_calls.hpp"
#include "lib/text_argument.hpp"

using namespace pcio;

herr_t H5Lcreate_hard(hid_t cur_loc, const char* cur_name, hid_t dst_loc, const char* dst_name,
                      hid_t lcpl_id, hid_t lapl_id) {
  return api_status("H5Lcreate_hard", [&]() -> Status {
    return call_create_hard("H5Lcreate_hard", {cur_loc, cur_name}, {dst_loc, dst_name},
                            {lcpl_id, lapl_id});
  });
}

herr_t H5Lcreate_soft(const char* link_target, hid_t link_loc_id, const char* link_name,
                      hid_t lcpl_id, hid_t lapl_id) {
  return api_status("H5Lcreate_soft", [&]() -> Status {
    return call_create_soft("H5Lcreate_soft", link_target, {link_loc_id, link_name},
                            {lcpl_id, lapl_id});
  });
}

herr_t H5Lcreate_external(const char* file_name, const char* obj_name, hid_t link_loc_id,
                          const char* link_name, hid_t lcpl_id, hid_t lapl_id) {
  return api_status("H5Lcreate_external", [&]() -> Status {
    PCIO_ASSIGN(Location at, location_of(link_loc_id, "link_loc_id"));
    NewLink link;
    std::string file, object;
    return metadata_call(
        *at.file, {"H5Lcreate_external", full_name(at, link_name)},
        [&](NamedArguments& out) -> Status {
          PCIO_TRY(link.prepare(out, link_name, {lcpl_id, lapl_id}));
          PCIO_ASSIGN(file, text_argument(file_name, "file_name"));
          PCIO_ASSIGN(object, text_argument(obj_name, "obj_name"));
          out.begin("name of the other file");
          put_argument(out, file);
          out.begin("name of the object in it");
          put_argument(out, object);
          return Status();
        },
        [&]() -> Status {
          PCIO_ASSIGN(LinkPlace place, free_place(at, link));
          return add_external_link(place, file, object, link.props);
        });
  });
}

herr_t H5Lmove(hid_t src_loc, const char* src_name, hid_t dst_loc, const char* dst_name,
               hid_t lcpl_id, hid_t lapl_id) {
  return api_status("H5Lmove", [&]() -> Status {
    return call_transfer("H5Lmove", LinkTransfer::kMove, {src_loc, src_name}, {dst_loc, dst_name},
                         {lcpl_id, lapl_id});
  });
}

herr_t H5Lcopy(hid_t src_loc, const char* src_name, hid_t dst_loc, const char* dst_name,
               hid_t lcpl_id, hid_t lapl_id) {
  return api_status("H5Lcopy", [&]() -> Status {
    return call_transfer("H5Lcopy", LinkTransfer::kCopy, {src_loc, src_name}, {dst_loc, dst_name},
                         {lcpl_id, lapl_id});
  });
}

herr_t H5Ldelete(hid_t loc_id, const char* name, hid_t lapl_id) {
  return api_status("H5Ldelete", [&]() -> Status {
    return call_delete_link("H5Ldelete", {loc_id, name}, lapl_id);
  });
}

herr_t H5Ldelete_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                        H5_iter_order_t order, hsize_t n, hid_t lapl_id) {
  return api_status("H5Ldelete_by_idx", [&]() -> Status {
    PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
    LinkPlace place;
    return metadata_call(
        *at.file, {"H5Ldelete_by_idx", full_name(at, group_name)},
        [&](NamedArguments& out) -> Status {
          PCIO_ASSIGN(place, indexed_place({loc_id, group_name, lapl_id}, idx_type, order, n));
          out.begin("link");
          put_argument(out, place.path());
          return Status();
        },
        [&]() -> Status {
          PCIO_TRY(remove_link(place));
          at.file->rename_objects(place.path(), "");
          return Status();
        });
  });
}

htri_t H5Lexists(hid_t loc_id, const char* name, hid_t lapl_id) {
  return api_int("H5Lexists", [&]() -> Result<bool> {
    PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
    PCIO_ASSIGN(std::string text, text_argument(name, "name"));
    PCIO_ASSIGN(auto access, props_or_default<LinkAccessProps>(lapl_id, "lapl_id"));
    // The root group counts as linked; "." is a place, not a link.
    PCIO_ASSIGN(LinkPlace place, find_place(at, text, *access));
    if (place.name.empty()) return text.front() == '/';
    return link_exists(at, text, *access);
  });
}

herr_t H5Lget_info(hid_t loc_id, const char* name, H5L_info_t* linfo, hid_t lapl_id) {
  return api_status("H5Lget_info", [&]() -> Status {
    PCIO_ASSIGN(LinkPlace place, place_at(loc_id, name, lapl_id));
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    if (linfo != nullptr) *linfo = link_facts(*link);
    return Status();
  });
}

herr_t H5Lget_info_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                          H5_iter_order_t order, hsize_t n, H5L_info_t* linfo, hid_t lapl_id) {
  return api_status("H5Lget_info_by_idx", [&]() -> Status {
    PCIO_ASSIGN(LinkPlace place, indexed_place({loc_id, group_name, lapl_id}, idx_type, order, n));
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    if (linfo != nullptr) *linfo = link_facts(*link);
    return Status();
  });
}

herr_t H5Lget_val(hid_t loc_id, const char* name, void* buf, size_t size, hid_t lapl_id) {
  return api_status("H5Lget_val", [&]() -> Status {
    PCIO_ASSIGN(LinkPlace place, place_at(loc_id, name, lapl_id));
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    PCIO_ASSIGN(std::string value, link_value(*link));
    copy_link_value(value, buf, size);
    return Status();
  });
}

herr_t H5Lget_val_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                         H5_iter_order_t order, hsize_t n, void* buf, size_t size, hid_t lapl_id) {
  return api_status("H5Lget_val_by_idx", [&]() -> Status {
    PCIO_ASSIGN(LinkPlace place, indexed_place({loc_id, group_name, lapl_id}, idx_type, order, n));
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    PCIO_ASSIGN(std::string value, link_value(*link));
    copy_link_value(value, buf, size);
    return Status();
  });
}

ssize_t H5Lget_name_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                           H5_iter_order_t order, hsize_t n, char* name, size_t size,
                           hid_t lapl_id) {
  return api_value("H5Lget_name_by_idx", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(LinkPlace place, indexed_place({loc_id, group_name, lapl_id}, idx_type, order, n));
    return copy_text(place.name, name, size);
  });
}

// The built-in kinds need no registration and don't count, but external links do; as in HDF5.
htri_t H5Lis_registered(H5L_type_t id) {
  return api_int("H5Lis_registered", [&]() -> Result<bool> {
    if (id < 0 || id > H5L_TYPE_MAX)
      return PCIO_ERROR(ARGS, BADRANGE, "argument id: " + std::to_string(id) + " is no link type");
    return id == H5L_TYPE_EXTERNAL;
  });
}

namespace {

/// Two texts, each with its NUL, behind the byte of version and flags.
Status unpack_external(const char* value, size_t size, const char** file, const char** object) {
  if (size < 3)
    return PCIO_ERROR(ARGS, BADRANGE, "argument link_size: too short for an external link");
  if ((static_cast<unsigned char>(value[0]) >> 4) != 0)
    return PCIO_ERROR(LINK, VERSION, "argument ext_linkval: unknown version of an external link");
  const char* end = value + size;
  const void* first = std::memchr(value + 1, 0, size - 1);
  if (first == nullptr || static_cast<const char*>(first) + 1 == end)
    return PCIO_ERROR(ARGS, BADVALUE, "argument ext_linkval: no object path in it");
  *file = value + 1;
  *object = static_cast<const char*>(first) + 1;
  if (std::memchr(*object, 0, static_cast<size_t>(end - *object)) == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE, "argument ext_linkval: the object path has no end");
  return Status();
}

}  // namespace

herr_t H5Lunpack_elink_val(const void* ext_linkval, size_t link_size, unsigned* flags,
                           const char** filename, const char** obj_path) {
  return api_status("H5Lunpack_elink_val", [&]() -> Status {
    PCIO_TRY(need_pointer(ext_linkval, "ext_linkval"));
    const char* value = static_cast<const char*>(ext_linkval);
    const char* file = nullptr;
    const char* object = nullptr;
    PCIO_TRY(unpack_external(value, link_size, &file, &object));
    if (flags != nullptr) *flags = static_cast<unsigned char>(value[0]) & 0x0f;
    if (filename != nullptr) *filename = file;
    if (obj_path != nullptr) *obj_path = object;
    return Status();
  });
}
