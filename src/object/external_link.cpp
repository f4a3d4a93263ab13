// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: links into other files, out of line.

#include "object/external_link.hpp"

#include <cstdlib>
#include <unistd.h>

#include "object/link_callbacks.hpp"
#include "object/shared_reads.hpp"

namespace pcio {

namespace {

std::string join_path(const std::string& folder, const std::string& name) {
  if (folder.empty() || folder.back() == '/') return folder + name;
  return folder + "/" + name;
}

LinkCallbacks& callbacks() {
  static LinkCallbacks set;
  return set;
}

/// Numbers of H5F_ACC_RDWR and H5F_ACC_DEFAULT.
constexpr unsigned kReadWrite = 1;
constexpr unsigned kAsParent = 0xffff;

/// What the lists say, before the program's own function.
ChildOpen opening_of(File& parent, const LinkMessage& link, const LinkAccessProps& access) {
  ChildOpen how;
  how.file = link.file.text();
  how.object = link.target.text();
  how.flags = access.elink_acc_flags;
  if (how.flags == kAsParent) how.flags = parent.writable() ? kReadWrite : 0;
  how.access = access.elink_fapl ? *access.elink_fapl : parent.access();
  how.access.file_image.reset();
  how.access.close_degree = CloseDegree::kWeak;
  return how;
}

/// Opens the first of the paths that there is. A file that is there and can't be opened is passed by, too,
/// but its error is the one that is told.
Result<FileHoldPtr> open_first_of(const std::vector<std::string>& paths, OpenFileRequest* request) {
  Status failed;
  for (const std::string& path : paths) {
    request->path = path;
    const bool exists = ::access(path.c_str(), F_OK) == 0;
    auto opened = File::open_child(*request);
    if (opened) return opened;
    if (exists && failed.ok()) failed = std::move(opened.error());
  }
  if (!failed.ok()) return detail::StatusReturn(std::move(failed));
  std::string tried;
  for (const std::string& path : paths) tried += (tried.empty() ? "" : ", ") + path;
  return PCIO_ERROR(LINK, CANTOPENFILE, "there is no such file: " + tried);
}

}  // namespace

void set_link_callbacks(const LinkCallbacks& set) { callbacks() = set; }
const LinkCallbacks& link_callbacks() { return callbacks(); }

std::vector<std::string> child_paths(const ChildSearch& search) {
  std::vector<std::string> paths;
  std::string name = search.name;
  if (!name.empty() && name.front() == '/') {
    paths.push_back(name);
    name = name.substr(name.rfind('/') + 1);
    if (name.empty()) return paths;
  }
  auto add = [&](const std::string& folder) { paths.push_back(join_path(folder, name)); };
  for (std::size_t at = 0; at < search.environment.size();) {
    const std::size_t end = std::min(search.environment.find(':', at), search.environment.size());
    if (end > at) add(search.environment.substr(at, end - at));
    at = end + 1;
  }
  if (!search.prefix.empty()) add(search.prefix);
  if (!search.folder.empty() || search.name.front() != '/') add(search.folder);
  paths.push_back(name);
  return paths;
}

Result<ChildPlace> open_child_of(const LinkPlace& place, const LinkMessage& link,
                                 const LinkAccessProps& access) {
  File& parent = *place.group.file;
  ChildOpen how = opening_of(parent, link, access);
  if (how.file.empty())
    return PCIO_ERROR(LINK, BADVALUE, "external link \"" + place.path() + "\" names no file");
  if (access.elink_callback != nullptr && link_callbacks().ask != nullptr) {
    PCIO_TRY(SharedReads::end_before_program());
    PCIO_TRY(link_callbacks().ask(place, access, &how));
  }
  OpenFileRequest request;
  request.access = std::move(how.access);
  request.access.close_degree = CloseDegree::kWeak;
  request.mode = (how.flags & kReadWrite) != 0 ? OpenMode::kReadWrite : OpenMode::kReadOnly;
  // Opening through MPI takes all ranks, and this one alone is here.
  if (request.access.driver.value().is_parallel()) request.access.driver = DriverChoice();
  request.private_child = parent.parallel() || parent.is_private_child();
  if (request.private_child) request.mode = OpenMode::kReadOnly;
  const char* environment = std::getenv("HDF5_EXT_PREFIX");
  const auto paths = child_paths(
      {how.file, environment != nullptr ? environment : "", access.elink_prefix, parent.folder()});
  auto opened = open_first_of(paths, &request);
  if (!opened) {
    Status failed = std::move(opened.error());
    failed.push(PCIO_FRAME(LINK, CANTOPENFILE,
                           "external link \"" + place.path() + "\" leads to \"" + how.object +
                               "\" in file \"" + how.file + "\", which can't be opened"));
    return detail::StatusReturn(std::move(failed));
  }
  PCIO_TRY(parent.keep_child(*opened));
  ChildPlace child{root_of((*opened)->file()), std::move(how.object)};
  child.root.hold = std::move(*opened);
  return child;
}

}  // namespace pcio
