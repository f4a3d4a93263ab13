// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Makes the objects and links of the source in the new file. Room: tools, public headers only.

#include "structure.hpp"

#include <pcio.h>

#include "dataset_list.hpp"

namespace repack {

using tools::need;
using tools::need_id;

namespace {

herr_t add_link_name(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

herr_t add_attribute_name(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/,
                          void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

H5_index_t index_for(unsigned order) {
  return (order & H5P_CRT_ORDER_TRACKED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

/// Links of a class that is a program's are kept as they are: nobody follows them here.
hid_t follow_nothing(const char* /*name*/, hid_t /*group*/, const void* /*value*/, size_t /*size*/,
                     hid_t /*link_list*/, hid_t /*transfer_list*/) {
  return -1;
}

void know_class(H5L_type_t type, const std::string& path) {
  if (H5Lis_registered(type) > 0) return;
  H5L_class_t known{};
  known.version = H5L_LINK_CLASS_T_VERS;
  known.id = type;
  known.comment = "kept as it is";
  known.trav_func = follow_nothing;
  need(H5Lregister(&known), path);
}

class Maker {
 public:
  Maker(const Options& options, Twins* twins, const Warn& warn)
      : options_(options), twins_(*twins), warn_(warn) {}

  std::vector<Item> make() {
    H5O_info_t info{};
    need(H5Oget_info_by_name(twins_.in(), "/", &info, H5P_DEFAULT), "/");
    twins_.put(info.addr, "/");
    items_.push_back({"/", H5O_TYPE_GROUP});
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (items_[i].type == H5O_TYPE_GROUP) make_links(std::string(items_[i].path));
    return std::move(items_);
  }

 private:
  /// The group whose links are being made, in both files.
  struct Group {
    std::string path;
    hid_t in, out;
  };

  void make_links(const std::string& path);
  void make_link(const Group& group, const std::string& name);
  void make_hard(const Group& group, const std::string& name, const std::string& path, hid_t list);
  void make_other(const Group& group, const std::string& name, const std::string& path, hid_t list,
                  const H5L_info_t& info);
  void make_group(hid_t source, const Group& group, const std::string& name,
                  const std::string& path, hid_t list);
  void make_type(hid_t source, haddr_t address, const Group& group, const std::string& name,
                 const std::string& path, hid_t list);
  void make_dataset(hid_t source, const Group& group, const std::string& name, hid_t list,
                    Item* item);

  const Options& options_;
  Twins& twins_;
  const Warn& warn_;
  std::vector<Item> items_;
};

void Maker::make_links(const std::string& path) {
  const Id in = need_id(H5Gopen2(twins_.in(), path.c_str(), H5P_DEFAULT), path);
  const Id out = need_id(H5Gopen2(twins_.out(), path.c_str(), H5P_DEFAULT), path);
  const Id list = need_id(H5Gget_create_plist(in.get()), path);
  unsigned order = 0;
  need(H5Pget_link_creation_order(list.get(), &order), path);
  const Group group{path, in.get(), out.get()};
  for (const std::string& name : link_names(in.get(), path, order)) make_link(group, name);
}

void Maker::make_link(const Group& group, const std::string& name) {
  const std::string path = (group.path == "/" ? "" : group.path) + "/" + name;
  H5L_info_t info{};
  need(H5Lget_info(group.in, name.c_str(), &info, H5P_DEFAULT), path);
  const Id list = need_id(H5Pcreate(H5P_LINK_CREATE), path);
  need(H5Pset_char_encoding(list.get(), info.cset), path);
  if (info.type == H5L_TYPE_HARD)
    make_hard(group, name, path, list.get());
  else
    make_other(group, name, path, list.get(), info);
}

void Maker::make_other(const Group& group, const std::string& name, const std::string& path,
                       hid_t list, const H5L_info_t& info) {
  std::vector<char> value(info.u.val_size + 1);
  need(H5Lget_val(group.in, name.c_str(), value.data(), info.u.val_size, H5P_DEFAULT), path);
  if (info.type == H5L_TYPE_SOFT) {
    need(H5Lcreate_soft(value.data(), group.out, name.c_str(), list, H5P_DEFAULT), path);
  } else if (info.type == H5L_TYPE_EXTERNAL) {
    const char *file = nullptr, *object = nullptr;
    unsigned flags = 0;
    need(H5Lunpack_elink_val(value.data(), info.u.val_size, &flags, &file, &object), path);
    need(H5Lcreate_external(file, object, group.out, name.c_str(), list, H5P_DEFAULT), path);
  } else {
    know_class(info.type, path);
    need(H5Lcreate_ud(group.out, name.c_str(), info.type, value.data(), info.u.val_size, list,
                      H5P_DEFAULT),
         path);
  }
}

void Maker::make_hard(const Group& group, const std::string& name, const std::string& path,
                      hid_t list) {
  H5O_info_t info{};
  const Id source = need_id(H5Oopen(group.in, name.c_str(), H5P_DEFAULT), path);
  need(H5Oget_info(source.get(), &info), path);
  if (const std::string* const before = twins_.path_of(info.addr)) {
    need(H5Lcreate_hard(twins_.out(), before->c_str(), group.out, name.c_str(), list, H5P_DEFAULT),
         path);
    return;
  }
  Item item{path, info.type};
  switch (info.type) {
    case H5O_TYPE_GROUP: make_group(source.get(), group, name, path, list); break;
    case H5O_TYPE_DATASET: make_dataset(source.get(), group, name, list, &item); break;
    case H5O_TYPE_NAMED_DATATYPE:
      make_type(source.get(), info.addr, group, name, path, list);
      break;
    default: throw tools::Failure(tools::printable(path) + ": an object of no known kind");
  }
  twins_.put(info.addr, path);
  items_.push_back(std::move(item));
}

void Maker::make_group(hid_t source, const Group& group, const std::string& name,
                       const std::string& path, hid_t list) {
  const Id how = need_id(H5Gget_create_plist(source), path);
  if (options_.most_compact >= 0 || options_.least_dense >= 0) {
    unsigned compact = 0, dense = 0;
    need(H5Pget_link_phase_change(how.get(), &compact, &dense), path);
    if (options_.most_compact >= 0) compact = static_cast<unsigned>(options_.most_compact);
    if (options_.least_dense >= 0) dense = static_cast<unsigned>(options_.least_dense);
    need(H5Pset_link_phase_change(how.get(), compact, dense), path);
  }
  need_id(H5Gcreate2(group.out, name.c_str(), list, how.get(), H5P_DEFAULT), path);
}

void Maker::make_type(hid_t source, haddr_t address, const Group& group, const std::string& name,
                      const std::string& path, hid_t list) {
  hid_t made = -1;
  if (twins_.made_before(address, &made)) {
    need(H5Olink(made, group.out, name.c_str(), list, H5P_DEFAULT), path);
    return;
  }
  const Id type = need_id(H5Tcopy(source), path);
  const Id how = need_id(H5Tget_create_plist(source), path);
  need(H5Tcommit2(group.out, name.c_str(), type.get(), list, how.get(), H5P_DEFAULT), path);
}

void Maker::make_dataset(hid_t source, const Group& group, const std::string& name, hid_t list,
                         Item* item) {
  const std::string& path = item->path;
  const DatasetPlan plan = plan_dataset(options_, path, source);
  const Id stored = need_id(H5Dget_type(source), path);
  const Id type = twins_.type_for(stored.get());
  const Id access = need_id(H5Pcreate(H5P_DATASET_ACCESS), path);
  // What has no place in the source gets none here.
  need(pcio_set_dapl_late_allocation(access.get(), 1), path);
  const Id made(H5Dcreate2(group.out, name.c_str(), type.get(), plan.space.get(), list,
                           plan.list.get(), access.get()));
  item->changed = plan.changed;
  if (made.valid()) return;
  const std::string why = tools::last_reason();
  if (plan.named) throw tools::Failure(tools::printable(path) + ": " + why);
  if (plan.changed) warn_(fmt::format("{}: stays as it is: {}", tools::printable(path), why));
  item->changed = false;
  const Id old = need_id(H5Dget_create_plist(source), path),
           space = need_id(H5Dget_space(source), path);
  const Id as_it_was(plan.changed ? H5Dcreate2(group.out, name.c_str(), type.get(), space.get(),
                                               list, old.get(), access.get())
                                  : -1);
  if (as_it_was.valid()) return;
  // Filters that nobody has here: its chunks can be copied as they lie in the file.
  const Id copy = need_id(H5Pcreate(H5P_OBJECT_COPY), path);
  need(H5Pset_copy_object(copy.get(), H5O_COPY_WITHOUT_ATTR_FLAG), path);
  if (has_references(stored.get()) ||
      H5Ocopy(group.in, name.c_str(), group.out, name.c_str(), copy.get(), list) < 0)
    throw tools::Failure(tools::printable(path) + ": " + why);
  item->complete = true;
}

}  // namespace

std::vector<std::string> link_names(hid_t group, const std::string& path, unsigned order) {
  std::vector<std::string> names;
  hsize_t from = 0;
  need(H5Literate(group, index_for(order), H5_ITER_INC, &from, add_link_name, &names), path);
  return names;
}

std::vector<std::string> attribute_names(hid_t object, const std::string& path, unsigned order) {
  std::vector<std::string> names;
  hsize_t from = 0;
  need(H5Aiterate2(object, index_for(order), H5_ITER_INC, &from, add_attribute_name, &names), path);
  return names;
}

std::vector<Item> make_structure(const Options& options, Twins* twins, const Warn& warn) {
  return Maker(options, twins, warn).make();
}

}  // namespace repack
