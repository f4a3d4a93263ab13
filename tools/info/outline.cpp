// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The names in a file, out of line. Room: tools, public headers only.

#include "outline.hpp"

#include <fmt/format.h>
#include <utility>
#include <vector>

#include "describe.hpp"
#include "id.hpp"

namespace pcioinfo {

namespace {

using Names = std::vector<std::pair<std::string, H5L_type_t>>;

herr_t add_link(hid_t, const char* name, const H5L_info_t* info, void* out) {
  static_cast<Names*>(out)->emplace_back(name, info->type);
  return 0;
}

}  // namespace

std::string Outline::describe(hid_t group, const std::string& name, H5L_type_t type, bool* below) {
  if (type != H5L_TYPE_HARD)
    return type == H5L_TYPE_SOFT       ? " (soft link)"
           : type == H5L_TYPE_EXTERNAL ? " (external link)"
                                       : " (link)";
  const Id object(H5Oopen(group, name.c_str(), H5P_DEFAULT));
  H5O_info_t info{};
  if (!object.valid() || H5Oget_info(object.get(), &info) < 0) {
    ++refusals_;
    return " refused: " + last_reason();
  }
  const bool fresh = seen_.insert(info.addr).second;
  if (info.type == H5O_TYPE_GROUP) {
    *below = fresh;
    return fresh ? "/" : "/ (shown before)";
  }
  if (info.type != H5O_TYPE_DATASET) return " (type)";
  const Id dataset_type(H5Dget_type(object.get())), space(H5Dget_space(object.get()));
  if (dataset_type.valid() && space.valid())
    return fmt::format(" {} {}", describe_space(space.get()), describe_type(dataset_type.get()));
  ++refusals_;
  return " refused: " + last_reason();
}

void Outline::print_links(hid_t group, const std::string& before, int depth) {
  Names names;
  hsize_t from = 0;
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &from, add_link, &names) < 0) {
    ++refusals_;
    fmt::print("{}links refused: {}\n", before, last_reason());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size();
    bool below = false;
    const auto& [name, type] = names[i];
    const std::string text = describe(group, name, type, &below);
    fmt::print("{}{}{}{}\n", before, last ? "└── " : "├── ", printable(name), text);
    if (!below || depth >= most_depth_) continue;
    const Id inside(H5Oopen(group, name.c_str(), H5P_DEFAULT));
    print_links(inside.get(), before + (last ? "    " : "│   "), depth + 1);
  }
}

void Outline::print(hid_t object, const std::string& name) {
  fmt::print("{}\n", printable(name));
  H5O_info_t info{};
  if (H5Oget_info(object, &info) < 0 || info.type != H5O_TYPE_GROUP) return;
  seen_.insert(info.addr);
  print_links(object, "", 1);
}

}  // namespace pcioinfo
