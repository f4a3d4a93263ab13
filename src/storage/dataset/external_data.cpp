// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: ExternalTarget.

#include "storage/dataset/external_data.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <sys/stat.h>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// As PosixFile cuts them; bytes.
constexpr std::uint64_t kBytesOfACall = std::uint64_t{1} << 30;

}  // namespace

std::string prefixed_path(const std::string& prefix, const std::string& name) {
  if (prefix.empty() || (!name.empty() && name.front() == '/')) return name;
  return prefix + (prefix.back() == '/' ? "" : "/") + name;
}

std::string effective_prefix(const char* of_environment, const std::string& of_list,
                             const std::string& folder) {
  std::string prefix =
      of_environment != nullptr && *of_environment != '\0' ? of_environment : of_list;
  if (prefix == ".") return std::string();
  constexpr std::string_view kOrigin = "${ORIGIN}";
  if (prefix.compare(0, kOrigin.size(), kOrigin) == 0) prefix.replace(0, kOrigin.size(), folder);
  return prefix;
}

std::string ExternalTarget::path_of(const ExternalFile& file) const {
  return prefixed_path(files_.prefix, file.name);
}

/// Calls move(file, offset in it, bytes done before, bytes).
template <class Move>
Status ExternalTarget::in_parts(FileAddress address, std::uint64_t bytes, Move&& move) {
  std::uint64_t before = 0;  // bytes of the files that were passed
  std::uint64_t done = 0;
  for (const ExternalFile& file : files_.files) {
    if (done == bytes) break;
    const std::uint64_t at = address + done - before;
    if (at < file.size) {
      const std::uint64_t part = std::min(bytes - done, file.size - at);
      const auto end = checked_add(static_cast<std::uint64_t>(file.offset) + part, at);
      if (!end || *end > kLargestFileOffset)
        return PCIO_ERROR(EFL, OVERFLOW,
                          "byte " + std::to_string(address + done) +
                              " of the dataset would lie behind any file's end");
      PCIO_TRY(move(file, static_cast<std::uint64_t>(file.offset) + at, done, part));
      done += part;
    }
    before += std::min(file.size, ~before);
  }
  if (done == bytes) return Status();
  return PCIO_ERROR(EFL, OVERFLOW,
                    "byte " + std::to_string(address + done) +
                        " of the dataset is behind the end of its external files");
}

Result<PosixFile*> ExternalTarget::open(const ExternalFile& file, Access access) {
  if (is_ == &file && (access_ == access || access_ == Access::kWrite)) return &file_;
  PCIO_TRY(let_go());
  // Never empties a file that is there.
  auto opened = PosixFile::open(
      path_of(file), access == Access::kWrite ? OpenMode::kTruncate : OpenMode::kReadOnly);
  if (!opened) {
    opened.error().push(
        PCIO_FRAME(EFL, CANTOPENFILE, "external file \"" + path_of(file) + "\" can't be opened"));
    return tl::unexpected(std::move(opened.error()));
  }
  file_ = std::move(*opened);
  is_ = &file;
  access_ = access;
  if (caches_ == ExternalCaches::kApart && effort_ == ExternalEffort::kMove)
    PCIO_TRY(file_.catch_up());
  return &file_;
}

Status ExternalTarget::let_go() {
  const bool syncs = is_ != nullptr && access_ == Access::kWrite &&
                     caches_ == ExternalCaches::kApart && effort_ == ExternalEffort::kMove;
  is_ = nullptr;
  Status synced = syncs ? file_.sync() : Status();
  Status closed = file_.close();
  return synced.ok() ? closed : synced;
}

Status ExternalTarget::read(FileAddress address, Bytes into) {
  return in_parts(address, into.size(),
                  [&](const ExternalFile& file, std::uint64_t offset, std::uint64_t done,
                      std::uint64_t bytes) -> Status {
                    if (effort_ == ExternalEffort::kCount) return count_read(file, offset, bytes);
                    return read_part(file, offset, into.subspan(done, bytes));
                  });
}

Status ExternalTarget::read_part(const ExternalFile& file, std::uint64_t offset, Bytes into) {
  PCIO_ASSIGN(PosixFile * opened, open(file, Access::kRead));
  PCIO_ASSIGN(const std::uint64_t have, opened->read(offset, into, counters_.independent_reads));
  counters_.bytes_read += have;
  std::memset(into.data() + have, 0, into.size() - have);
  return Status();
}

Status ExternalTarget::count_read(const ExternalFile& file, std::uint64_t offset,
                                  std::uint64_t bytes) {
  PCIO_ASSIGN(const PosixFile* opened, open(file, Access::kRead));
  PCIO_ASSIGN(const std::uint64_t size, opened->size());
  const std::uint64_t there = size > offset ? std::min(bytes, size - offset) : 0;
  counters_.independent_reads += ceil_div(there, kBytesOfACall) + (there < bytes ? 1 : 0);
  counters_.bytes_read += there;
  return Status();
}

Status ExternalTarget::write(FileAddress address, ConstBytes from) {
  return in_parts(address, from.size(),
                  [&](const ExternalFile& file, std::uint64_t offset, std::uint64_t done,
                      std::uint64_t bytes) -> Status {
                    if (effort_ == ExternalEffort::kMove)
                      return write_part(file, offset, from.subspan(done, bytes));
                    counters_.independent_writes += ceil_div(bytes, kBytesOfACall);
                    counters_.bytes_written += bytes;
                    return Status();
                  });
}

Status ExternalTarget::write_part(const ExternalFile& file, std::uint64_t offset, ConstBytes from) {
  PCIO_ASSIGN(PosixFile * opened, open(file, Access::kWrite));
  PCIO_ASSIGN(const std::uint64_t done, opened->write(offset, from, counters_.independent_writes));
  counters_.bytes_written += done;
  return done == from.size() ? Status() : short_write_error(done, from.size(), offset);
}

}  // namespace pcio
