// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: files that a create has made, which go again where it fails.

#pragma once

#include <string>
#include <vector>

#include "driver/posix_file.hpp"

namespace pcio {

/// Files that this process has made under names that nobody had before. Threads: one.
class MadeFiles {
 public:
  /// Makes a file that nobody has, and notes it. Errors: there is one, or a link.
  Result<PosixFile> make(const std::string& path);
  /// The same; with OpenMode::kTruncate one that is there is opened.
  Result<PosixFile> open(const std::string& path, OpenMode mode);
  /// Notes a file that another has made for this call.
  Status note(const std::string& path);
  /// They stay, and what is made from here on.
  void keep() noexcept;
  [[nodiscard]] bool keeps() const { return keeps_; }
  /// Removes those that still have their names. Those who come to the name together must not have come back from the call:
  /// what one of them makes in the place of such a file is the same file.
  /// `is_locked`: this call has the writer's lock, on whichever rank. Else those stay of which another program has it.
  void remove(bool is_locked = true) noexcept;

 private:
  std::vector<FileIdentity> files_;
  bool keeps_ = false;
};

/// As PosixFile::open, for the file of a request or a part of it; what it makes is noted in OpenRequest::made.
Result<PosixFile> open_noted(const OpenRequest& request, const std::string& path, OpenMode mode);

/// `locked`. Who has the lock of a file that this call has made writes it: then it stays.
Status keep_if_locked(const OpenRequest& request, Status locked);

}  // namespace pcio
