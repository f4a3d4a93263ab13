// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5L: links but for iteration (H5Liter.cpp).

#include "lib/api_entry.hpp"
#include "lib/iteration.hpp"
#include "lib/link_calls.hpp"
#include "lib/metadata_reads.hpp"
#include "lib/text_argument.hpp"
#include "lib/user_links.hpp"

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
    LinkPlace place;
    std::string file, object;
    return metadata_call_to(
        at.file, {"H5Lcreate_external", full_name(at, link_name)},
        [&](NamedArguments& out) -> Status {
          PCIO_TRY(link.prepare(out, link_name, {lcpl_id, lapl_id}));
          if (!is_link_class(H5L_TYPE_EXTERNAL))
            return PCIO_ERROR(LINK, NOTREGISTERED,
                              "external links are not registered (H5Lunregister)");
          PCIO_ASSIGN(file, text_argument(file_name, "file_name"));
          PCIO_ASSIGN(object, text_argument(obj_name, "obj_name"));
          out.begin("name of the other file");
          put_argument(out, file);
          out.begin("name of the object in it");
          put_argument(out, object);
          return Status();
        },
        [&]() -> Result<FilePtr> {
          PCIO_ASSIGN(place, free_place(at, link));
          return place.group.file;
        },
        [&] { return add_external_link(place, file, object, link.props); });
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
    return metadata_call_to(
        at.file, {"H5Ldelete_by_idx", full_name(at, group_name)},
        [&](NamedArguments& out) -> Status {
          PCIO_ASSIGN(place, indexed_place({loc_id, group_name, lapl_id}, idx_type, order, n));
          out.begin("link");
          put_argument(out, place.path());
          return Status();
        },
        [&]() -> Result<FilePtr> { return place.group.file; }, [&] { return delete_link(place); });
  });
}

htri_t H5Lexists(hid_t loc_id, const char* name, hid_t lapl_id) {
  return api_int("H5Lexists", [&] {
    return read_metadata({"H5Lexists", loc_id, name, lapl_id}, [&]() -> Result<bool> {
      PCIO_ASSIGN(Location at, location_of(loc_id, "loc_id"));
      PCIO_ASSIGN(std::string text, text_argument(name, "name"));
      PCIO_ASSIGN(auto access, props_or_default<LinkAccessProps>(lapl_id, "lapl_id"));
      // The root group counts as linked; "." is a place, not a link.
      PCIO_ASSIGN(LinkPlace place, find_place(at, text, *access));
      if (place.name.empty()) return text.front() == '/';
      return is_taken(place);
    });
  });
}

herr_t H5Lget_info(hid_t loc_id, const char* name, H5L_info_t* linfo, hid_t lapl_id) {
  return api_status("H5Lget_info", [&] {
    return read_metadata({"H5Lget_info", loc_id, name, lapl_id}, [&]() -> Status {
      PCIO_ASSIGN(LinkPlace place, place_at(loc_id, name, lapl_id));
      PCIO_ASSIGN(const LinkMessage* link, find_link(place));
      PCIO_ASSIGN(const H5L_info_t facts, link_facts(*link));
      if (linfo != nullptr) *linfo = facts;
      return Status();
    });
  });
}

herr_t H5Lget_info_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                          H5_iter_order_t order, hsize_t n, H5L_info_t* linfo, hid_t lapl_id) {
  return api_status("H5Lget_info_by_idx", [&]() -> Status {
    PCIO_ASSIGN(LinkPlace place, indexed_place({loc_id, group_name, lapl_id}, idx_type, order, n));
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    PCIO_ASSIGN(const H5L_info_t facts, link_facts(*link));
    if (linfo != nullptr) *linfo = facts;
    return Status();
  });
}

herr_t H5Lget_val(hid_t loc_id, const char* name, void* buf, size_t size, hid_t lapl_id) {
  return api_status("H5Lget_val", [&]() -> Status {
    PCIO_ASSIGN(LinkPlace place, place_at(loc_id, name, lapl_id));
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    return copy_link_value(*link, buf, size);
  });
}

herr_t H5Lget_val_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                         H5_iter_order_t order, hsize_t n, void* buf, size_t size, hid_t lapl_id) {
  return api_status("H5Lget_val_by_idx", [&]() -> Status {
    PCIO_ASSIGN(LinkPlace place, indexed_place({loc_id, group_name, lapl_id}, idx_type, order, n));
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    return copy_link_value(*link, buf, size);
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
