// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5A: questions about attributes, and iteration.

#include "lib/api_entry.hpp"
#include "lib/attribute_calls.hpp"
#include "lib/metadata_reads.hpp"
#include "lib/text_argument.hpp"

using namespace pcio;

hid_t H5Aget_space(hid_t attr_id) {
  return api_id("H5Aget_space", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto attribute, get_member<AttributeObject>(attr_id, "attr_id"));
    return make_id<SpaceObject>(attribute->space);
  });
}

hid_t H5Aget_type(hid_t attr_id) {
  return api_id("H5Aget_type", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto attribute, get_member<AttributeObject>(attr_id, "attr_id"));
    return type_id_for(attribute->open->file_ptr(), {attribute->type, attribute->committed_type});
  });
}

hid_t H5Aget_create_plist(hid_t attr_id) {
  return api_id("H5Aget_create_plist", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto attribute, get_member<AttributeObject>(attr_id, "attr_id"));
    AttributeCreateProps create;
    create.char_encoding = static_cast<int>(attribute->cset);
    return property_list_id_for(create);
  });
}

ssize_t H5Aget_name(hid_t attr_id, size_t buf_size, char* buf) {
  return api_value("H5Aget_name", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto attribute, get_member<AttributeObject>(attr_id, "attr_id"));
    if (buf_size > 0) PCIO_TRY(need_pointer(buf, "buf"));
    return copy_text(attribute->name, buf, buf_size);
  });
}

ssize_t H5Aget_name_by_idx(hid_t loc_id, const char* obj_name, H5_index_t idx_type,
                           H5_iter_order_t order, hsize_t n, char* name, size_t size,
                           hid_t lapl_id) {
  return api_value("H5Aget_name_by_idx", ssize_t{-1}, [&]() -> Result<ssize_t> {
    const NumberedAttribute which{OwnerArgument::named(loc_id, obj_name, lapl_id), idx_type, order,
                                  n};
    PCIO_ASSIGN(OpenObjectPtr owner, open_owner(which.owner));
    PCIO_ASSIGN(std::string found, numbered_name(*owner, which));
    return copy_text(found, name, size);
  });
}

// 0 is also the answer on failure, as in HDF5.
hsize_t H5Aget_storage_size(hid_t attr_id) {
  return api_value("H5Aget_storage_size", hsize_t{0}, [&]() -> Result<hsize_t> {
    PCIO_ASSIGN(auto attribute, get_member<AttributeObject>(attr_id, "attr_id"));
    return attribute->type.size() * attribute->space.npoints();
  });
}

namespace {

Status fill_info(const OpenObject& owner, const std::string& name, H5A_info_t* ainfo) {
  PCIO_TRY(need_pointer(ainfo, "ainfo"));
  PCIO_ASSIGN(Attribute attribute, find_attribute(owner, name));
  *ainfo = attribute_facts(attribute);
  return Status();
}

}  // namespace

herr_t H5Aget_info(hid_t attr_id, H5A_info_t* ainfo) {
  return api_status("H5Aget_info", [&]() -> Status {
    PCIO_ASSIGN(auto attribute, get_member<AttributeObject>(attr_id, "attr_id"));
    PCIO_TRY(attribute->check_there());
    return fill_info(*attribute->open, attribute->name, ainfo);
  });
}

herr_t H5Aget_info_by_name(hid_t loc_id, const char* obj_name, const char* attr_name,
                           H5A_info_t* ainfo, hid_t lapl_id) {
  return api_status("H5Aget_info_by_name", [&]() -> Status {
    PCIO_ASSIGN(OpenObjectPtr owner, open_owner(OwnerArgument::named(loc_id, obj_name, lapl_id)));
    PCIO_ASSIGN(std::string name, text_argument(attr_name, "attr_name"));
    return fill_info(*owner, name, ainfo);
  });
}

herr_t H5Aget_info_by_idx(hid_t loc_id, const char* obj_name, H5_index_t idx_type,
                          H5_iter_order_t order, hsize_t n, H5A_info_t* ainfo, hid_t lapl_id) {
  return api_status("H5Aget_info_by_idx", [&]() -> Status {
    const NumberedAttribute which{OwnerArgument::named(loc_id, obj_name, lapl_id), idx_type, order,
                                  n};
    PCIO_ASSIGN(OpenObjectPtr owner, open_owner(which.owner));
    PCIO_ASSIGN(std::string name, numbered_name(*owner, which));
    return fill_info(*owner, name, ainfo);
  });
}

namespace {

Result<bool> exists(const char* function, const OwnerArgument& argument, const char* attr_name) {
  return read_metadata({function, argument.loc_id, attr_name, argument.lapl_id},
                       [&]() -> Result<bool> {
                         PCIO_ASSIGN(OpenObjectPtr owner, open_owner(argument));
                         PCIO_ASSIGN(std::string name, text_argument(attr_name, "attr_name"));
                         return attribute_exists(*owner, name);
                       });
}

/// Calls `visit(name, info) -> herr_t` for the attributes of an owner from number `*idx` on.
template <class Visit>
Result<herr_t> iterate_attributes(const OpenObject& owner, ListOrder how, hsize_t* idx,
                                  Visit&& visit) {
  auto take = [&](hsize_t first) -> Result<IteratedNames<AttributeName>> {
    IteratedNames<AttributeName> list;
    PCIO_ASSIGN(NameRange range, native_resolved(owner, {how.by, how.order, first, kNamesAtFirst}));
    PCIO_ASSIGN(const bool at_once, goes_by_message(owner, range));
    if (at_once) range.most = static_cast<std::size_t>(-1);
    PCIO_ASSIGN(list.names, attribute_names_from(owner, range));
    PCIO_ASSIGN(list.count, attribute_count(owner));
    if (at_once) return list;
    list.behind = [&owner, by = range.by, order = range.order](const AttributeName& last) {
      return attribute_names_behind(owner, by, order, last);
    };
    return list;
  };
  return iterate_names(take, idx, [&](const std::string& name) -> Result<herr_t> {
    auto attribute = find_attribute(owner, name);
    if (!attribute) {
      // Deleted by a callback; anything else is a failure.
      PCIO_ASSIGN(bool there, attribute_exists(owner, name));
      if (there) return detail::StatusReturn(std::move(attribute.error()));
      return 0;
    }
    const H5A_info_t info = attribute_facts(*attribute);
    const herr_t answer = visit(name.c_str(), &info);
    PCIO_TRY(check_open(owner.file()));
    return answer;
  });
}

}  // namespace

htri_t H5Aexists(hid_t obj_id, const char* attr_name) {
  return api_int("H5Aexists", [&] { return exists("H5Aexists", {obj_id}, attr_name); });
}

htri_t H5Aexists_by_name(hid_t obj_id, const char* obj_name, const char* attr_name, hid_t lapl_id) {
  return api_int("H5Aexists_by_name", [&] {
    return exists("H5Aexists_by_name", OwnerArgument::named(obj_id, obj_name, lapl_id), attr_name);
  });
}

int H5Aget_num_attrs(hid_t loc_id) {
  return api_int("H5Aget_num_attrs", [&]() -> Result<int> {
    PCIO_ASSIGN(OpenObjectPtr owner, open_owner({loc_id}));
    PCIO_ASSIGN(std::uint64_t count, attribute_count(*owner));
    return static_cast<int>(count);
  });
}

herr_t H5Aiterate2(hid_t loc_id, H5_index_t idx_type, H5_iter_order_t order, hsize_t* idx,
                   H5A_operator2_t op, void* op_data) {
  return api_value("H5Aiterate2", herr_t{-1}, [&]() -> Result<herr_t> {
    PCIO_ASSIGN(ListOrder how, list_order(idx_type, order));
    PCIO_TRY(need_callback(op));
    PCIO_ASSIGN(OpenObjectPtr owner, open_owner({loc_id}));
    owner->lend();
    return iterate_attributes(*owner, how, idx, [&](const char* name, const H5A_info_t* info) {
      const ProgramsTurn turn;
      return op(loc_id, name, info, op_data);
    });
  });
}

herr_t H5Aiterate_by_name(hid_t loc_id, const char* obj_name, H5_index_t idx_type,
                          H5_iter_order_t order, hsize_t* idx, H5A_operator2_t op, void* op_data,
                          hid_t lapl_id) {
  return api_value("H5Aiterate_by_name", herr_t{-1}, [&]() -> Result<herr_t> {
    PCIO_ASSIGN(ListOrder how, list_order(idx_type, order));
    PCIO_TRY(need_callback(op));
    PCIO_ASSIGN(Location at, object_at(loc_id, obj_name, lapl_id));
    PCIO_ASSIGN(hid_t id, object_id_for(at));
    lend_to_function(id);
    OpenObjectPtr owner = open_location(at);
    owner->lend();
    auto answer =
        iterate_attributes(*owner, how, idx, [&](const char* name, const H5A_info_t* info) {
          const ProgramsTurn turn;
          return op(id, name, info, op_data);
        });
    return release_lent(id, "obj_name", std::move(answer));
  });
}

herr_t H5Aiterate1(hid_t loc_id, unsigned* idx, H5A_operator1_t op, void* op_data) {
  return api_value("H5Aiterate1", herr_t{-1}, [&]() -> Result<herr_t> {
    PCIO_TRY(need_callback(op));
    PCIO_ASSIGN(OpenObjectPtr owner, open_owner({loc_id}));
    owner->lend();
    hsize_t at = idx == nullptr ? 0 : *idx;
    auto answer = iterate_attributes(*owner, {IndexBy::kCreationOrder, IterOrder::kIncreasing}, &at,
                                     [&](const char* name, const H5A_info_t*) {
                                       const ProgramsTurn turn;
                                       return op(loc_id, name, op_data);
                                     });
    if (answer && idx != nullptr) *idx = static_cast<unsigned>(at);
    return answer;
  });
}
