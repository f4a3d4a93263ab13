// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The objects that links lead to, out of line. Room: tools, public headers only.

#include "walk.hpp"

#include <filesystem>

namespace check {

struct Walk::Link {
  std::string name;
  H5L_type_t type;
  haddr_t address;
};

herr_t Walk::add_link(hid_t, const char* name, const H5L_info_t* info, void* links) {
  static_cast<std::vector<Link>*>(links)->push_back(
      {name, info->type, info->type == H5L_TYPE_HARD ? info->u.address : HADDR_UNDEF});
  return 0;
}

std::vector<Object> Walk::from(haddr_t address, const std::string& path) {
  std::vector<Object> objects;
  if (!seen_.insert(address).second) return objects;
  waiting_.push_back({address, path});
  while (!waiting_.empty()) {
    const Named next = std::move(waiting_.front());
    waiting_.pop_front();
    visit(next, &objects);
  }
  return objects;
}

void Walk::visit(const Named& named, std::vector<Object>* objects) {
  const tools::Id id(H5Oopen_by_addr(file_, named.address));
  if (!id.valid()) {
    tell_reason(found_, "object", named.path);
    return;
  }
  const H5I_type_t type = H5Iget_type(id.get());
  objects->push_back({named.address, named.path, type});
  if (type == H5I_GROUP) follow_links(id.get(), named.path);
}

void Walk::follow_links(hid_t group, const std::string& path) {
  std::vector<Link> links;
  hsize_t from = 0;
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, &from, add_link, &links) < 0)
    tell_reason(found_, "links", path);
  found_->count(Counted::kLinks, links.size());
  for (const Link& link : links) follow(group, path, link);
}

void Walk::follow(hid_t group, const std::string& path, const Link& link) {
  const std::string below = (path == "/" ? path : path + "/") + tools::printable(link.name);
  if (link.type == H5L_TYPE_HARD) {
    LinkCount& count = found_->links[link.address];
    if (loose_)
      count.loose = true;
    else
      ++count.found;
    if (seen_.insert(link.address).second) waiting_.push_back({link.address, below});
  } else if (!tries_) {
    return;
  } else if (link.type == H5L_TYPE_SOFT) {
    try_soft(group, below, link.name);
  } else if (link.type == H5L_TYPE_EXTERNAL) {
    try_external(group, below, link.name);
  }
}

void Walk::try_soft(hid_t group, const std::string& path, const std::string& name) {
  const tools::Id target(H5Oopen(group, name.c_str(), H5P_DEFAULT));
  if (target.valid()) return;
  H5Eclear2(H5E_DEFAULT);
  found_->note("link", path, "the soft link leads nowhere");
}

/// Only into files that are plain ones: who opens a pipe waits for somebody to write into it.
void Walk::try_external(hid_t group, const std::string& path, const std::string& name) {
  H5L_info_t info{};
  std::vector<char> value;
  const char *file = nullptr, *object = nullptr;
  unsigned flags = 0;
  bool well = H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT) >= 0 &&
              info.u.val_size < (std::size_t{1} << 20);
  if (well) value.resize(info.u.val_size + 1);
  well = well && H5Lget_val(group, name.c_str(), value.data(), info.u.val_size, H5P_DEFAULT) >= 0 &&
         H5Lunpack_elink_val(value.data(), info.u.val_size, &flags, &file, &object) >= 0;
  if (!well) {
    tell_reason(found_, "links", path);
    return;
  }
  std::error_code ignored;
  const std::filesystem::path target(file);
  const bool there = std::filesystem::is_regular_file(
      target.is_absolute() ? target : std::filesystem::path(folder_) / target, ignored);
  const tools::Id opened(there ? H5Oopen(group, name.c_str(), H5P_DEFAULT) : H5I_INVALID_HID);
  if (opened.valid()) return;
  H5Eclear2(H5E_DEFAULT);
  found_->note("link", path,
               fmt::format("the external link leads nowhere: {}:{}", tools::printable(file),
                           tools::printable(object)));
}

}  // namespace check
