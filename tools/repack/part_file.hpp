// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The file that is written before it has its name. Room: tools.

#ifndef PCIO_TOOLS_REPACK_PART_FILE_HPP
#define PCIO_TOOLS_REPACK_PART_FILE_HPP

#include <string>

namespace repack {

/// A file beside the one that it is to become. Unless it is finished it goes away: with the object, and
/// with a signal that ends the process. One at a time.
class PartFile {
 public:
  /// `path`: of the part, equal on all ranks; each rank looks after it.
  explicit PartFile(std::string path);
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile();

  const std::string& path() const { return path_; }
  /// Gives it the name `to`, replacing what has it. On one rank. Throws tools::Failure.
  void finish(const std::string& to);
  /// Somebody else has finished it.
  void leave();

 private:
  std::string path_;
  bool mine_ = true;
};

/// "NAME.part-" and a number that no other process of this machine has now.
std::string part_name(const std::string& name);

}  // namespace repack

#endif
