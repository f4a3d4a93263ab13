// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: files that a create has made, out of line.

#include "driver/made_files.hpp"

#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/without_throwing.hpp"
#include "driver/writer_lock.hpp"

namespace pcio {

Result<PosixFile> MadeFiles::make(const std::string& path) {
  files_.reserve(files_.size() + 1);
  FileIdentity made{0, 0, path};
  Result<PosixFile> file = PosixFile::open(path, OpenMode::kCreateExclusive);
  struct stat info {};
  if (!file || keeps_ || ::fstat(*file->address(), &info) != 0) return file;
  made.device = info.st_dev;
  made.inode = info.st_ino;
  files_.push_back(std::move(made));
  return file;
}

Result<PosixFile> MadeFiles::open(const std::string& path, OpenMode mode) {
  Result<PosixFile> file = make(path);
  if (file || mode == OpenMode::kCreateExclusive) return file;
  return PosixFile::open(path, mode);
}

Status MadeFiles::note(const std::string& path) {
  const FileIdentity made = identify_file(path);
  if (!keeps_ && made.inode != 0) files_.push_back(made);
  return Status();
}

void MadeFiles::keep() noexcept {
  files_.clear();
  keeps_ = true;
}

void MadeFiles::remove(bool is_locked) noexcept {
  for (const FileIdentity& made : files_) {
    std::optional<WriterLock> lock;
    const Status locked = without_throwing([&]() -> Status {
      if (is_locked) return Status();
      PCIO_ASSIGN(lock, WriterLock::take(made.path, FileLocking::kBestEffort));
      return Status();
    });
    if (!locked.ok()) continue;
    struct stat info {};
    if (::lstat(made.path.c_str(), &info) == 0 && info.st_dev == made.device &&
        info.st_ino == made.inode)
      (void)::unlink(made.path.c_str());
  }
  files_.clear();
}

Result<PosixFile> open_noted(const OpenRequest& request, const std::string& path, OpenMode mode) {
  const bool notes = is_create(mode) && request.made != nullptr;
  return notes ? request.made->open(path, mode) : PosixFile::open(path, mode);
}

Status keep_if_locked(const OpenRequest& request, Status locked) {
  if (!locked.ok() && request.made != nullptr) request.made->keep();
  return locked;
}

}  // namespace pcio
