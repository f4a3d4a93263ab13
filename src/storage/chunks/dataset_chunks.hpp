// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: what a dataset has of chunks in memory, and what protects it from calls that functions of the
// program, filters and conversions, make while another call works with it.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "filter/pipeline.hpp"
#include "storage/chunks/chunk_cache.hpp"
#include "storage/objects/stored_object.hpp"

namespace pcio {

/// Cache of one dataset with the buffers of its filters.
struct DatasetChunks {
  ChunkCache cache;
  /// In a file that is open for parallel writing: what chunks of the file held when this rank read them by itself, as
  /// long as the index has this version. Nothing in it is ever changed.
  ChunkCache kept;
  std::uint64_t kept_of = 0;
  /// In a file that is open for parallel writing: whole chunks of this rank that wait for the next
  /// call in which all ranks can give them places.
  ChunkCache pending;
  FilterScratch scratch;
  unsigned encodings = 0;  ///< of its chunks, going on: ChunksInFilters
};

/// While it lives, chunks of the dataset go through its filters on their way into the file: functions of the program
/// that run there may read the dataset, but change nothing of it.
class ChunksInFilters {
 public:
  explicit ChunksInFilters(const StoredObjectPtr& object)
      : in_transfer_(object), chunks_(object->dataset->chunks) {
    if (chunks_) ++chunks_->encodings;
  }
  ChunksInFilters(const ChunksInFilters&) = delete;
  ChunksInFilters& operator=(const ChunksInFilters&) = delete;
  ~ChunksInFilters() {
    if (chunks_) --chunks_->encodings;
  }

 private:
  const DatasetInTransfer in_transfer_;
  const std::shared_ptr<DatasetChunks> chunks_;
};

/// The dataset's buffers, for one chunk: a function of the program that a filter calls may need such, too.
class LentScratch {
 public:
  explicit LentScratch(DatasetChunks& chunks)
      : chunks_(chunks), scratch_(std::exchange(chunks.scratch, FilterScratch())) {}
  LentScratch(const LentScratch&) = delete;
  LentScratch& operator=(const LentScratch&) = delete;
  ~LentScratch() { chunks_.scratch = std::move(scratch_); }
  FilterScratch& get() { return scratch_; }

 private:
  DatasetChunks& chunks_;
  FilterScratch scratch_;
};

/// The chunk stays where it is meanwhile.
class ChunkInUse {
 public:
  explicit ChunkInUse(ChunkInMemory& chunk) : chunk_(chunk) { ++chunk_.uses; }
  ChunkInUse(const ChunkInUse&) = delete;
  ChunkInUse& operator=(const ChunkInUse&) = delete;
  ~ChunkInUse() { --chunk_.uses; }

 private:
  ChunkInMemory& chunk_;
};

/// The chunk may get another image, or go. Errors: CANTOPERATE where a call around this one uses it, from whose
/// conversion this one is made, or has chunks of the dataset in filters.
Status check_not_in_use(const DatasetState& state, ChunkOrdinal ordinal);

}  // namespace pcio
