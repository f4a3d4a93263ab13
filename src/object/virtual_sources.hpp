// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: the sources of a virtual dataset during one call, and which parts of it they are.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/without_throwing.hpp"
#include "object/traverse.hpp"
#include "storage/objects/virtual_data.hpp"

namespace pcio {

/// How a source file comes to be open.
enum class SourceOpening : std::uint8_t {
  kForReading,  ///< by this rank alone
  kForWriting,  ///< the same, in a serial file
  kOpenAlready  ///< by the program, for writing
};

/// A source file that was opened for one call is given back at its end.
class SourceFile {
 public:
  SourceFile(FilePtr file, bool opened) : file_(std::move(file)), opened_(opened) {}
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;
  ~SourceFile() {
    static_cast<void>(without_throwing([&] { return close(); }));
  }
  [[nodiscard]] const FilePtr& file() const { return file_; }
  Status close() {
    if (!std::exchange(opened_, false)) return Status();
    return file_->release_file_id(file_, "");
  }

 private:
  FilePtr file_;
  bool opened_;
};

/// The sources of one virtual dataset during one call. Threads: one thread.
class Sources {
 public:
  Sources(const Location& dataset, const VirtualData& data, SourceOpening opening)
      : dataset_(dataset), data_(data), opening_(opening) {}

  /// The dataset behind two names; no file where there is none. Collective: independent.
  Result<Location> find(const std::string& file, const std::string& name);
  /// Gives all files back. Errors: those of their commits.
  Status close() {
    Status first;
    for (auto& [name, file] : files_)
      if (Status closed = file ? file->close() : Status(); first.ok()) first = std::move(closed);
    return first;
  }

 private:
  Result<FilePtr> file_of(const std::string& name);
  Result<std::unique_ptr<SourceFile>> open(const std::string& path) const;

  const Location& dataset_;
  const VirtualData& data_;
  SourceOpening opening_;
  std::map<std::string, std::unique_ptr<SourceFile>> files_;
};

/// Where this rank sees the file of a source; empty: nowhere. Collective: independent.
std::string source_path(const std::string& name, const VirtualData& data, const File& file);
/// The source in a file that is open; no file where it has none of that name. Collective: independent.
/// Errors: damage; the virtual dataset itself.
Result<Location> source_in(const FilePtr& file, const std::string& name, const Location& dataset);

/// Which source: the mapping, and of mappings with a number in their names the block's number.
struct SourceKey {
  std::uint32_t mapping = 0;
  std::uint64_t block = 0;
  friend auto operator<=>(const SourceKey&, const SourceKey&) = default;
};
/// True where each block of the mapping has a source of its own.
bool has_number(const VirtualMapping& mapping);
/// A name with a block's number in the place of each %b; %% is a percent sign.
std::string numbered(const std::string& pattern, std::uint64_t number);

/// A part of a virtual dataset that has one source.
struct Part {
  SourceKey key;
  std::string file, dataset;
  Dataspace source;  ///< its extent is not known before the source is open
  Dataspace target;
};
/// The parts that the mappings stand for, as far as the extent `now` of the virtual dataset reaches; of a mapping
/// with a source for each block, those that have something in a coordinate that is selected in `wanted`, which is
/// placed. Collective: independent. Errors: those of sources that say how far a mapping reaches; more than 2^20
/// such blocks.
Result<std::vector<Part>> parts_of(Sources& sources, const VirtualData& data, const Dims& now,
                                   const Dataspace& wanted);
/// Today's extent, which a source that is virtual itself takes from its own. Collective: independent.
Result<const Extent*> extent_of(const Location& source);

struct FollowedSources;
/// One more virtual dataset on the way of this thread from source to source. Threads: one thread.
class SourceLevel {
 public:
  SourceLevel();
  SourceLevel(const SourceLevel&) = delete;
  SourceLevel& operator=(const SourceLevel&) = delete;
  ~SourceLevel();
  /// Errors: they lead to each other, or too far.
  [[nodiscard]] Status check() const;

 private:
  FollowedSources* followed_;
};

}  // namespace pcio
