// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Walks a file and prints it as a tree. Room: tools, public headers only.

#include "tree.hpp"

#include <fmt/format.h>
#include <utility>
#include <vector>

#include "describe.hpp"
#include "details.hpp"
#include "id.hpp"

namespace pcioinfo {

namespace {

constexpr std::size_t kMostNames = 1000000;  // of one group: no memory without end

using Names = std::vector<std::pair<std::string, H5L_type_t>>;

herr_t add_link(hid_t, const char* name, const H5L_info_t* info, void* out) {
  auto* const names = static_cast<Names*>(out);
  if (names->size() >= kMostNames) return -1;
  names->emplace_back(name, info->type);
  return 0;
}

herr_t add_attribute(hid_t, const char* name, const H5A_info_t*, void* out) {
  auto* const names = static_cast<Names*>(out);
  if (names->size() >= kMostNames) return -1;
  names->emplace_back(name, H5L_TYPE_ERROR);
  return 0;
}

std::string indent_of(int depth) { return std::string(2 * static_cast<std::size_t>(depth), ' '); }

std::string below(const std::string& path, const std::string& name) {
  return path == "/" ? path + name : path + "/" + name;
}

}  // namespace

std::string Tree::refused(const std::string& what) {
  ++refusals_;
  return fmt::format("{} refused: {}", what, last_reason());
}

std::string Tree::describe_dataset(hid_t dataset) {
  const Id type(H5Dget_type(dataset)), space(H5Dget_space(dataset));
  if (!type.valid()) return refused("dataset, type");
  if (!space.valid()) return refused("dataset, shape");
  bool failed = false;
  const std::string storage = describe_storage(dataset, failed);
  if (failed) ++refusals_;
  return fmt::format("dataset {} {}; {}", describe_type(type.get()), describe_space(space.get()),
                     storage);
}

void Tree::print_attribute(hid_t object, const std::string& name, const std::string& indent) {
  const Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  std::string text;
  if (!attribute.valid()) {
    text = refused("attribute");
  } else {
    const Id type(H5Aget_type(attribute.get())), space(H5Aget_space(attribute.get()));
    bool failed = false;
    text = describe_type(type.get()) + " " + describe_space(space.get());
    text += describe_value(attribute.get(), failed, options_.details ? kAllValues : ValueLimits());
    if (failed) ++refusals_;
  }
  fmt::print("{}@{}: {}\n", indent, printable(name), text);
}

void Tree::print_attributes(hid_t object, const std::string& indent) {
  Names names;
  hsize_t from = 0;
  if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &from, add_attribute, &names) < 0)
    fmt::print("{}{}\n", indent, refused("attributes"));
  for (const auto& [name, type] : names) print_attribute(object, name, indent);
}

void Tree::print_named_link(hid_t group, const std::string& name, H5L_type_t type,
                            const std::string& indent) {
  H5L_info_t info{};
  std::vector<char> value;
  const bool sized = H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT) >= 0 &&
                     info.u.val_size < (std::size_t{1} << 20);
  if (sized) value.resize(info.u.val_size + 1);
  if (!sized || H5Lget_val(group, name.c_str(), value.data(), info.u.val_size, H5P_DEFAULT) < 0) {
    fmt::print("{}{} {}\n", indent, printable(name), refused("link"));
    return;
  }
  const char *file = nullptr, *target = value.data();
  unsigned flags = 0;
  if (type == H5L_TYPE_EXTERNAL &&
      H5Lunpack_elink_val(value.data(), info.u.val_size, &flags, &file, &target) < 0) {
    fmt::print("{}{} {}\n", indent, printable(name), refused("external link"));
    return;
  }
  fmt::print("{}{} -> {}{}{}\n", indent, printable(name), file != nullptr ? printable(file) : "",
             file != nullptr ? ":" : "", printable(target));
}

void Tree::print_link(hid_t group, const std::string& path, const std::string& name,
                      H5L_type_t type, int depth) {
  const std::string indent = indent_of(depth);
  if (type == H5L_TYPE_SOFT || type == H5L_TYPE_EXTERNAL) {
    print_named_link(group, name, type, indent);
    return;
  }
  if (type != H5L_TYPE_HARD) {
    fmt::print("{}{} user-defined link of class {}\n", indent, printable(name),
               static_cast<int>(type));
    return;
  }
  const Id object(H5Oopen(group, name.c_str(), H5P_DEFAULT));
  if (!object.valid())
    fmt::print("{}{} {}\n", indent, printable(name), refused("object"));
  else
    print(object.get(), below(path, name), name, depth);
}

void Tree::print_links(hid_t group, const std::string& path, int depth) {
  Names names;
  hsize_t from = 0;
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &from, add_link, &names) < 0)
    fmt::print("{}{}\n", indent_of(depth), refused("links"));
  for (const auto& [name, type] : names) print_link(group, path, name, type, depth);
}

void Tree::print(hid_t object, const std::string& path, const std::string& shown, int depth) {
  const std::string indent = indent_of(depth), inside = indent_of(depth + 1);
  H5O_info_t info{};
  if (H5Oget_info(object, &info) < 0) {
    fmt::print("{}{} {}\n", indent, printable(shown), refused("object"));
    return;
  }
  const auto [at, fresh] = seen_.emplace(info.addr, path);
  if (!fresh) {
    fmt::print("{}{} = {}\n", indent, printable(shown), printable(at->second));
    return;
  }
  const bool group = info.type == H5O_TYPE_GROUP;
  std::string text = group ? "group" : "";
  if (info.type == H5O_TYPE_DATASET) text = describe_dataset(object);
  if (info.type == H5O_TYPE_NAMED_DATATYPE) text = "type " + describe_type(object);
  fmt::print("{}{}{} {}\n", indent, printable(shown), group && path != "/" ? "/" : "", text);
  if (options_.details && info.type == H5O_TYPE_DATASET)
    fmt::print("{}{}\n", inside, describe_details(object));
  if (options_.attributes) print_attributes(object, inside);
  if (!group) return;
  if (depth >= options_.most_depth)
    fmt::print("{}...\n", inside);
  else
    print_links(object, path, depth + 1);
}

}  // namespace pcioinfo
