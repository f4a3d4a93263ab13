// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: datasets with chunks in memory that the file does not have.

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "storage/objects/object_table.hpp"

namespace pcio {

/// Keeps datasets in memory until their chunks are written, at the next commit at the latest. Which there
/// are is this rank's own: chunks wait where they were written independently. Threads: one thread drives
/// a file.
class PendingDatasets {
 public:
  /// `limit`: bytes.
  explicit PendingDatasets(std::uint64_t limit) : limit_(limit) {}

  void note(const StoredObjectPtr& object) { datasets_[object->address] = object; }
  void forget(const StoredObjectPtr& object) { datasets_.erase(object->address); }
  [[nodiscard]] const ObjectsByAddress& datasets() const { return datasets_; }

  /// Memory of the chunks that wait, of all datasets of the file. Bytes.
  [[nodiscard]] const std::shared_ptr<std::uint64_t>& memory() const { return memory_; }
  /// Most memory of chunks with filters that wait on this rank; equal on all ranks. Bytes.
  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  void set_limit(std::uint64_t agreed) { limit_ = agreed; }

  /// The number, from 1, of a call in which all ranks write what waits: those that they leave out are told by it, and
  /// are older than such of a later call. Equal on all ranks.
  std::uint32_t begin_round() {
    constexpr std::uint32_t kMost = 0xFFFFFFFE;
    return rounds_ = std::min(rounds_, kMost - 1) + 1;
  }

 private:
  ObjectsByAddress datasets_;
  std::shared_ptr<std::uint64_t> memory_ = std::make_shared<std::uint64_t>(0);
  std::uint64_t limit_;
  std::uint32_t rounds_ = 0;
};

}  // namespace pcio
