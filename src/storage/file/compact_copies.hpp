// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: the data of compact datasets, of which each rank of a parallel file has a copy.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "storage/objects/dataset_table.hpp"

namespace pcio {

/// Whether all ranks have written the same.
enum class Copies : std::uint8_t { kEqual, kDiffer };

/// Knows which copies this rank has changed since the last commit, and makes them equal in the next.
/// Threads: one thread drives a file.
class CompactCopies {
 public:
  CompactCopies(FileContext& file, ObjectTable& objects, DatasetTable& datasets)
      : file_(file), objects_(objects), datasets_(datasets) {}

  /// Notes that a transfer changed the data of a compact dataset. In a parallel file that may be
  /// this rank's copy alone; the next commit decides whose data reach the file. `path`: what the
  /// user calls it, for the message. Collective: independent.
  void note_written(const StoredObjectPtr& object, std::string_view path);
  [[nodiscard]] bool any_written() const { return !written_.empty(); }
  /// Of the data that were written: equal on ranks that wrote the same.
  [[nodiscard]] std::uint64_t hash() const;
  /// Rank 0's copies become everybody's; what was written is changed metadata from here on.
  /// Collective: over the file; one exchange, and where the ranks did not all write the same some more
  /// per dataset. Errors, on all ranks alike: the first dataset whose data another rank has lost by it,
  /// once: a retry succeeds.
  Status agree(const CallName& name, Copies copies);
  /// The dataset is deleted.
  void remove(FileAddress address) { written_.erase(address); }

 private:
  struct Written {
    StoredObjectPtr object;
    std::string path;
  };
  struct Lost;
  Status share(const CallName& name, FileAddress address, Lost* lost);

  FileContext& file_;
  ObjectTable& objects_;
  DatasetTable& datasets_;
  std::map<FileAddress, Written> written_;  ///< on this rank, since the last commit
};

}  // namespace pcio
