// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: agreeing before a file is opened on many ranks.
//
// MPI_File_open itself does not promise that all ranks fail together, so whatever can be known
// before is found out and agreed first.

#include "driver/parallel_open.hpp"

#include <cerrno>
#include <sys/stat.h>

#include "agree/call_log.hpp"
#include "driver/posix_file.hpp"

namespace pcio {

namespace {

constexpr std::size_t kModeWord = 0;
constexpr std::size_t kNameWord = 1;

/// Ranks may reach one file by different folders (mount points), hardly by different last names.
std::string_view last_name(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::string strip_prefix(const std::string& path) {
  const std::size_t colon = path.find(':');
  if (colon == std::string::npos || colon < 2 || path.find('/') < colon) return path;
  return path.substr(colon + 1);
}

Status inspect_path(const OpenRequest& request) {
  if (!request.checked.ok()) return request.checked;
  if (request.path.empty()) return PCIO_ERROR(ARGS, BADVALUE, "no file name");
  if (request.image != nullptr && !request.image->bytes.empty())
    return PCIO_ERROR(FILE, UNSUPPORTED, "an MPI driver takes no initial file image");
  const std::string path = strip_prefix(request.path);
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (request.mode == OpenMode::kCreateExclusive)
    return exists ? system_error("create " + path, EEXIST, Minor::FILEEXISTS) : Status();
  if (request.mode == OpenMode::kTruncate) {
    if (exists && !S_ISREG(info.st_mode))
      return PCIO_ERROR(FILE, CANTOPENFILE, "create " + path + ": not a regular file");
    return Status();
  }
  // Opening once by hand tells more than access(): the answer is for the effective user.
  PCIO_TRY(PosixFile::open(path, request.mode));
  return Status();
}

Result<std::shared_ptr<Coordinator>> agree_to_open(Lobby& lobby, const OpenRequest& request) {
  const CallName call{is_create(request.mode) ? "H5Fcreate" : "H5Fopen", request.path};
  PCIO_ASSIGN(std::shared_ptr<Coordinator> coordinator, Coordinator::create(lobby, call));
  LocalFacts facts;
  facts.call_kind = is_create(request.mode) ? CallKind::kCreate : CallKind::kOpen;
  facts.same[kModeWord] = static_cast<std::uint64_t>(request.mode);
  facts.same[kNameWord] = hash_text(last_name(request.path), 0);
  const CallName name{is_create(request.mode) ? "creating a file" : "opening a file", request.path};
  PCIO_ASSIGN(GlobalFacts all, coordinator->agree(name, facts, inspect_path(request)));
  if (!all.same[kModeWord].equal())
    return PCIO_ERROR(FILE, BADVALUE, "the ranks open " + request.path + " with different flags");
  if (!all.same[kNameWord].equal())
    return PCIO_ERROR(FILE, BADVALUE,
                      "the ranks open different files; this rank's is " + request.path);
  return coordinator;
}

}  // namespace pcio
