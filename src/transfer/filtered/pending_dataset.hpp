// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: what waits of one dataset goes to the file.

#pragma once

#include <utility>
#include <vector>

#include "storage/chunks/chunk_images.hpp"
#include "transfer/filtered/chunk_codec.hpp"
#include "transfer/filtered/chunk_placing.hpp"

namespace pcio {

/// This rank has chunks of the dataset that wait.
[[nodiscard]] inline bool has_pending(const StoredObject& object) {
  return object.dataset && object.dataset->chunks && object.dataset->chunks->pending.count() > 0;
}

/// Chunks of one dataset that wait, of all ranks. They walk through the chunk numbers together, so that all versions of
/// a chunk meet in the same exchange. Where something could not be encoded they walk once more, with what lacked memory
/// and with copies that all ranks have and that the one rank which was to write them did not. Threads: one thread.
class PendingDataset {
 public:
  /// `round`: the call's number; chunks that it leaves out are older than what is written behind it.
  PendingDataset(FileStore& store, const StoredObjectPtr& object, std::uint32_t round);

  /// What may lack memory. Local.
  Status prepare();
  /// Encodes, places and writes. `left`: becomes a failure, on all ranks, where chunks of any rank could not be encoded;
  /// lacks_memory() of it on all ranks where one lacks it. Collective: over the file.
  Status run(Status* left);

 private:
  Status walk(std::uint64_t most);
  void prepare_again();
  Status encode(std::uint64_t end, std::size_t& next);
  Status encode_one(ChunkInMemory& chunk, EncodedView* encoded);
  void leave(ChunkInMemory& chunk, Status why);
  void settle();
  void keep_failures();
  void finish();
  [[nodiscard]] Status failure(const Status& status) const;
  [[nodiscard]] Status failure_left();
  [[nodiscard]] ChunkCache& pending() { return object_->dataset->chunks->pending; }
  [[nodiscard]] std::uint64_t me() const {
    return static_cast<std::uint64_t>(store_.coordinator().rank());
  }

  FileStore& store_;
  const StoredObjectPtr& object_;
  const std::uint32_t round_;
  const ChunksInFilters in_filters_;
  ChunkPlacer placer_;
  ChunkCodec codec_;
  EncodedBatch batch_;
  std::vector<ChunkInMemory*> mine_;  ///< ascending
  bool is_second_walk_ = false;
  /// This rank's that could not be encoded and for which nothing newer is in the file; those of them that lacked memory.
  std::uint64_t left_ = 0, lacking_ = 0;
  std::vector<std::pair<ChunkInMemory*, Status>> failures_;  ///< of the batch
  Status refused_, lacked_;                                  ///< the first ones of this rank
};

}  // namespace pcio
