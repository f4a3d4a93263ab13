// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5O: facts about objects, and visits of all that can be reached.

#include "lib/api_entry.hpp"
#include "lib/metadata_reads.hpp"
#include "lib/text_argument.hpp"
#include "lib/visit.hpp"
#include "object/metadata_sizes.hpp"
#include "object/object_info.hpp"

using namespace pcio;

namespace {

void fill_basic(const ObjectInfo& info, H5O_info_t* out) {
  out->fileno = info.file_number;
  out->addr = info.address;
  out->type = static_cast<H5O_type_t>(info.kind);
  out->rc = info.references;
}

void fill_times(const ObjectInfo& info, H5O_info_t* out) {
  out->atime = info.access_time;
  out->mtime = info.modification_time;
  out->ctime = info.change_time;
  out->btime = info.birth_time;
}

void fill_header(const ObjectInfo& info, H5O_info_t* out) {
  out->hdr.version = info.header_version;
  out->hdr.nmesgs = info.header_messages;
  out->hdr.nchunks = info.header_chunks;
  out->hdr.flags = info.header_flags;
  out->hdr.space.total = info.header_total;
  out->hdr.space.meta = info.header_meta;
  out->hdr.space.mesg = info.header_messages_bytes;
  out->hdr.space.free = info.header_free;
  out->hdr.mesg.present = info.messages_present;
  out->hdr.mesg.shared = info.messages_shared;
}

Status check_fields(unsigned fields) {
  if ((fields & ~H5O_INFO_ALL) == 0) return Status();
  return PCIO_ERROR(ARGS, BADVALUE, "argument fields: bits that mean nothing");
}

/// Fields that were not asked for are 0.
Result<H5O_info_t> facts_of(const Location& at, unsigned fields) {
  PCIO_TRY(check_fields(fields));
  PCIO_ASSIGN(ObjectInfo info, object_info(at));
  H5O_info_t out{};
  if (fields & H5O_INFO_BASIC) fill_basic(info, &out);
  if (fields & H5O_INFO_TIME) fill_times(info, &out);
  if (fields & H5O_INFO_NUM_ATTRS) out.num_attrs = info.attributes;
  if (fields & H5O_INFO_HDR) fill_header(info, &out);
  if (fields & H5O_INFO_META_SIZE) {
    PCIO_ASSIGN(MetadataSizes sizes, metadata_sizes(at));
    out.meta_size.obj.index_size = sizes.index;
    out.meta_size.obj.heap_size = sizes.heap;
    out.meta_size.attr.index_size = sizes.attribute_index;
    out.meta_size.attr.heap_size = sizes.attribute_heap;
  }
  return out;
}

/// An object as the calls name it: by id alone, or by a name under an id.
struct ObjectArgument {
  hid_t loc_id = H5I_INVALID_HID;
  const char* name = nullptr;
  hid_t lapl_id = H5P_DEFAULT;
  bool by_name = false;
};

Result<Location> locate(const ObjectArgument& argument) {
  if (!argument.by_name) return location_of(argument.loc_id, "loc_id");
  return object_at(argument.loc_id, argument.name, argument.lapl_id);
}

herr_t get_info(const char* function, const ObjectArgument& argument, H5O_info_t* oinfo,
                unsigned fields) {
  return api_status(function, [&] {
    return read_metadata({function, argument.loc_id, argument.name, argument.lapl_id},
                         [&]() -> Status {
                           PCIO_TRY(need_pointer(oinfo, "oinfo"));
                           PCIO_ASSIGN(Location at, locate(argument));
                           PCIO_ASSIGN(*oinfo, facts_of(at, fields));
                           return Status();
                         });
  });
}

/// An object by its number in a group.
struct NumberedObject {
  GroupArgument group;
  H5_index_t idx_type;
  H5_iter_order_t order;
  hsize_t n;
};

herr_t get_info_by_idx(const char* function, const NumberedObject& object, H5O_info_t* oinfo,
                       unsigned fields) {
  return api_status(function, [&] {
    const GroupArgument& group = object.group;
    return read_metadata({function, group.loc_id, group.name, group.lapl_id}, [&]() -> Status {
      PCIO_TRY(need_pointer(oinfo, "oinfo"));
      PCIO_ASSIGN(LinkPlace place, indexed_place(group, object.idx_type, object.order, object.n));
      PCIO_ASSIGN(Location at, linked_object(place, group.lapl_id));
      PCIO_ASSIGN(*oinfo, facts_of(at, fields));
      return Status();
    });
  });
}

struct ObjectVisit {
  H5_index_t idx_type;
  H5_iter_order_t order;
  H5O_iterate_t op;
  void* op_data;
  unsigned fields;
};

Result<herr_t> visit_from(const Location& start, hid_t start_id, const ObjectVisit& what) {
  PCIO_ASSIGN(ListOrder how, list_order(what.idx_type, what.order));
  PCIO_TRY(need_callback(what.op));
  PCIO_TRY(check_fields(what.fields));
  return visit_objects(start, how,
                       [&](const std::string& path, const Location& at) -> Result<herr_t> {
                         PCIO_ASSIGN(H5O_info_t info, facts_of(at, what.fields));
                         const ProgramsTurn turn;
                         return what.op(start_id, path.c_str(), &info, what.op_data);
                       });
}

herr_t visit(const char* function, const ObjectArgument& argument, const ObjectVisit& what) {
  return api_value(function, herr_t{-1}, [&]() -> Result<herr_t> {
    PCIO_ASSIGN(Location start, locate(argument));
    if (!argument.by_name) return visit_from(start, argument.loc_id, what);
    PCIO_ASSIGN(hid_t id, object_id_for(start));
    lend_to_function(id);
    return release_lent(id, "obj_name", visit_from(start, id, what));
  });
}

}  // namespace

herr_t H5Oget_info(hid_t loc_id, H5O_info_t* oinfo) {
  return get_info("H5Oget_info", {loc_id}, oinfo, H5O_INFO_ALL);
}
herr_t H5Oget_info1(hid_t loc_id, H5O_info_t* oinfo) {
  return get_info("H5Oget_info1", {loc_id}, oinfo, H5O_INFO_ALL);
}
herr_t H5Oget_info2(hid_t loc_id, H5O_info_t* oinfo, unsigned fields) {
  return get_info("H5Oget_info2", {loc_id}, oinfo, fields);
}

herr_t H5Oget_info_by_name(hid_t loc_id, const char* name, H5O_info_t* oinfo, hid_t lapl_id) {
  return get_info("H5Oget_info_by_name", {loc_id, name, lapl_id, true}, oinfo, H5O_INFO_ALL);
}
herr_t H5Oget_info_by_name1(hid_t loc_id, const char* name, H5O_info_t* oinfo, hid_t lapl_id) {
  return get_info("H5Oget_info_by_name1", {loc_id, name, lapl_id, true}, oinfo, H5O_INFO_ALL);
}
herr_t H5Oget_info_by_name2(hid_t loc_id, const char* name, H5O_info_t* oinfo, unsigned fields,
                            hid_t lapl_id) {
  return get_info("H5Oget_info_by_name2", {loc_id, name, lapl_id, true}, oinfo, fields);
}

herr_t H5Oget_info_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                          H5_iter_order_t order, hsize_t n, H5O_info_t* oinfo, hid_t lapl_id) {
  return get_info_by_idx("H5Oget_info_by_idx", {{loc_id, group_name, lapl_id}, idx_type, order, n},
                         oinfo, H5O_INFO_ALL);
}
herr_t H5Oget_info_by_idx1(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                           H5_iter_order_t order, hsize_t n, H5O_info_t* oinfo, hid_t lapl_id) {
  return get_info_by_idx("H5Oget_info_by_idx1", {{loc_id, group_name, lapl_id}, idx_type, order, n},
                         oinfo, H5O_INFO_ALL);
}
herr_t H5Oget_info_by_idx2(hid_t loc_id, const char* group_name, H5_index_t idx_type,
                           H5_iter_order_t order, hsize_t n, H5O_info_t* oinfo, unsigned fields,
                           hid_t lapl_id) {
  return get_info_by_idx("H5Oget_info_by_idx2", {{loc_id, group_name, lapl_id}, idx_type, order, n},
                         oinfo, fields);
}

herr_t H5Ovisit(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate_t op,
                void* op_data) {
  return visit("H5Ovisit", {obj_id}, {idx_type, order, op, op_data, H5O_INFO_ALL});
}
herr_t H5Ovisit1(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate_t op,
                 void* op_data) {
  return visit("H5Ovisit1", {obj_id}, {idx_type, order, op, op_data, H5O_INFO_ALL});
}
herr_t H5Ovisit2(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate_t op,
                 void* op_data, unsigned fields) {
  return visit("H5Ovisit2", {obj_id}, {idx_type, order, op, op_data, fields});
}

herr_t H5Ovisit_by_name(hid_t loc_id, const char* obj_name, H5_index_t idx_type,
                        H5_iter_order_t order, H5O_iterate_t op, void* op_data, hid_t lapl_id) {
  return visit("H5Ovisit_by_name", {loc_id, obj_name, lapl_id, true},
               {idx_type, order, op, op_data, H5O_INFO_ALL});
}
herr_t H5Ovisit_by_name1(hid_t loc_id, const char* obj_name, H5_index_t idx_type,
                         H5_iter_order_t order, H5O_iterate_t op, void* op_data, hid_t lapl_id) {
  return visit("H5Ovisit_by_name1", {loc_id, obj_name, lapl_id, true},
               {idx_type, order, op, op_data, H5O_INFO_ALL});
}
herr_t H5Ovisit_by_name2(hid_t loc_id, const char* obj_name, H5_index_t idx_type,
                         H5_iter_order_t order, H5O_iterate_t op, void* op_data, unsigned fields,
                         hid_t lapl_id) {
  return visit("H5Ovisit_by_name2", {loc_id, obj_name, lapl_id, true},
               {idx_type, order, op, op_data, fields});
}
