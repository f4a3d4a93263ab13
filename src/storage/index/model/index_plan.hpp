// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: a chunk index that is about to be written anew.

#pragma once

#include <memory>

#include "storage/index/model/index_updater.hpp"

namespace pcio {

/// The sizes and places of all blocks, before anything is encoded. The ChunkIndex outlives the plan
/// and does not change while blocks are encoded. The same on all ranks.
class IndexPlan {
 public:
  IndexPlan() = default;
  IndexPlan(const IndexPlan&) = delete;
  IndexPlan& operator=(const IndexPlan&) = delete;
  virtual ~IndexPlan() = default;

  /// Of all blocks, one behind the other; 0: nothing is to be written.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// What the layout message names where the blocks begin at `address`. Most begin with a header.
  [[nodiscard]] virtual FileAddress root_at(FileAddress address) const { return address; }
  /// The blocks at `address`; they keep alive what they need. Called once.
  virtual BlockSet blocks(FileAddress address) = 0;
  /// The index as later commits change it in place, its own blocks not committed yet; nothing where
  /// its kind is always written anew. Called after blocks().
  virtual std::shared_ptr<IndexUpdater> updater_at(FileAddress address) = 0;
};
using IndexPlanPtr = std::shared_ptr<IndexPlan>;

/// Nothing is written: there is no chunk, or the layout message names chunks itself.
class NoIndexPlan final : public IndexPlan {
 public:
  explicit NoIndexPlan(FileAddress root = kUndefinedAddress) : root_(root) {}
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }
  [[nodiscard]] FileAddress root_at(FileAddress /*address*/) const override { return root_; }
  BlockSet blocks(FileAddress /*address*/) override { return {}; }
  std::shared_ptr<IndexUpdater> updater_at(FileAddress /*address*/) override { return nullptr; }

 private:
  FileAddress root_;
};

/// Of an index whose updater can begin with nothing: all its blocks are new ones.
class UpdaterPlan final : public IndexPlan {
 public:
  /// `updater`: has no place yet, all chunks of `index` are marked. Errors: those of mark().
  static Result<IndexPlanPtr> make(std::shared_ptr<IndexUpdater> updater, const ChunkIndex& index) {
    PCIO_ASSIGN(const IndexUpdater::Cost cost, updater->mark(index, IntervalSet()));
    return IndexPlanPtr(std::make_shared<UpdaterPlan>(std::move(updater), index, cost.added));
  }
  UpdaterPlan(std::shared_ptr<IndexUpdater> updater, const ChunkIndex& index, std::uint64_t bytes)
      : updater_(std::move(updater)), index_(index), bytes_(bytes) {}
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  BlockSet blocks(FileAddress address) override {
    updater_->place(address);
    return updater_->blocks(index_);
  }
  std::shared_ptr<IndexUpdater> updater_at(FileAddress /*address*/) override { return updater_; }

 private:
  std::shared_ptr<IndexUpdater> updater_;
  const ChunkIndex& index_;
  std::uint64_t bytes_;
};

}  // namespace pcio
