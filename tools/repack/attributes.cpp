// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Attributes and comments. Room: tools, public headers only.

#include "attributes.hpp"

#include <vector>

namespace repack {

using tools::need;
using tools::need_id;

namespace {

void copy_value(Twins* twins, const std::string& what, hid_t in, hid_t out, hid_t type,
                hid_t space) {
  const auto count = static_cast<std::size_t>(need(H5Sget_simple_extent_npoints(space), what));
  if (count == 0) return;
  const Id memory = need_id(H5Tcopy(type), what);
  std::vector<unsigned char> values(count * H5Tget_size(memory.get()));
  need(H5Aread(in, memory.get(), values.data()), what);
  std::vector<unsigned char> own =
      has_sequences(memory.get()) ? values : std::vector<unsigned char>();
  if (has_references(memory.get())) twins->translate(memory.get(), values.data(), count);
  const herr_t wrote = H5Awrite(out, memory.get(), values.data());
  const std::string reason = wrote < 0 ? tools::last_reason() : "";
  if (!own.empty()) H5Dvlen_reclaim(memory.get(), space, H5P_DEFAULT, own.data());
  if (wrote < 0) throw tools::Failure(tools::printable(what) + ": " + reason);
}

void copy_attribute(Twins* twins, const std::string& what, hid_t from, hid_t to,
                    const std::string& name) {
  const Id in = need_id(H5Aopen(from, name.c_str(), H5P_DEFAULT), what);
  const Id stored = need_id(H5Aget_type(in.get()), what),
           space = need_id(H5Aget_space(in.get()), what);
  const Id list = need_id(H5Aget_create_plist(in.get()), what);
  const Id type = twins->type_for(stored.get());
  const Id out =
      need_id(H5Acreate2(to, name.c_str(), type.get(), space.get(), list.get(), H5P_DEFAULT), what);
  copy_value(twins, what, in.get(), out.get(), stored.get(), space.get());
}

void copy_comment(const std::string& path, hid_t from, hid_t to) {
  const ssize_t length = need(H5Oget_comment(from, nullptr, 0), path);
  if (length == 0) return;
  std::vector<char> text(static_cast<std::size_t>(length) + 1);
  need(H5Oget_comment(from, text.data(), text.size()), path);
  need(H5Oset_comment(to, text.data()), path);
}

unsigned attribute_order(hid_t object, H5O_type_t type, const std::string& path) {
  const Id list = need_id(type == H5O_TYPE_GROUP     ? H5Gget_create_plist(object)
                          : type == H5O_TYPE_DATASET ? H5Dget_create_plist(object)
                                                     : H5Tget_create_plist(object),
                          path);
  unsigned order = 0;
  need(H5Pget_attr_creation_order(list.get(), &order), path);
  return order;
}

}  // namespace

void copy_attributes(Twins* twins, const Item& item) {
  const Id from = need_id(H5Oopen(twins->in(), item.path.c_str(), H5P_DEFAULT), item.path);
  const Id to = need_id(H5Oopen(twins->out(), item.path.c_str(), H5P_DEFAULT), item.path);
  const unsigned order = attribute_order(from.get(), item.type, item.path);
  for (const std::string& name : attribute_names(from.get(), item.path, order))
    copy_attribute(twins, fmt::format("{}, attribute {}", item.path, name), from.get(), to.get(),
                   name);
  copy_comment(item.path, from.get(), to.get());
}

}  // namespace repack
