// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: one chunk of a filtered dataset between its image and its bytes in the file.

#pragma once

#include <vector>

#include "filter/pipeline.hpp"
#include "storage/file/file_store.hpp"
#include "storage/bytes/byte_target.hpp"
#include "transfer/pieces/by_effort.hpp"

namespace pcio {

/// Buffers are kept from chunk to chunk. Threads: one thread.
class ChunkCodec {
 public:
  /// `source`: where stored chunks are read: the file, or what counts its reads. The index of `state` is
  /// loaded.
  ChunkCodec(const DatasetState& state, FileStore& store, ByteTarget& source,
             const FilterOptions& options)
      : state_(state), store_(store), source_(source), options_(options) {}
  ChunkCodec(const ChunkCodec&) = delete;
  ChunkCodec& operator=(const ChunkCodec&) = delete;
  virtual ~ChunkCodec() = default;

  [[nodiscard]] const DatasetState& state() const { return state_; }
  [[nodiscard]] std::uint64_t image_bytes() const { return state_.chunk_bytes(); }
  /// True where the chunk sticks out of the extent.
  [[nodiscard]] bool is_cut(ChunkOrdinal ordinal) const;
  /// Bytes of the chunk that lie in the extent.
  [[nodiscard]] std::uint64_t bytes_inside(ChunkOrdinal ordinal) const;

  /// What the chunk holds now: its bytes in the file decoded, or the fill value. Collective:
  /// independent. Left on failure: anything. Errors: damaged chunks, filters, the store's.
  Status load(ChunkOrdinal ordinal, Bytes image);
  /// The same of a stored chunk that may lie elsewhere.
  Status decode(ChunkOrdinal ordinal, ConstBytes stored, std::uint32_t mask, Bytes image);
  /// The fill value, or zeros where there is none.
  virtual void fill(Bytes image);
  /// Valid until the next call. Errors: a mandatory filter failed.
  virtual Result<EncodedView> encode(ChunkOrdinal ordinal, ConstBytes image);
  /// Gives back the memory of its buffers.
  void give_back() {
    scratch_ = FilterScratch();
    stored_ = std::vector<std::byte>();
  }

  /// Where encode() leaves what it made; whoever takes a buffer from there leaves another one, or none.
  [[nodiscard]] FilterScratch& scratch() { return scratch_; }

 protected:
  /// The chunk as it lies in the file.
  virtual Status load_stored(ChunkOrdinal ordinal, const FilteredChunk& chunk, Bytes image);
  [[nodiscard]] ByteTarget& source() { return source_; }

 private:
  /// Chunks that stick out of the extent may be stored as they are.
  [[nodiscard]] const FilterPipeline& filters_of(ChunkOrdinal ordinal) const;

  const DatasetState& state_;
  FileStore& store_;
  ByteTarget& source_;
  FilterOptions options_;
  FilterScratch scratch_;
  std::vector<std::byte> stored_;
  std::vector<std::byte> element_;
};

/// That of a dry run: counts what would be read, and makes nothing of it. What would be encoded is taken
/// to be as long as the chunk.
class CountingCodec final : public ChunkCodec {
 public:
  using ChunkCodec::ChunkCodec;
  void fill(Bytes) override {}
  Result<EncodedView> encode(ChunkOrdinal, ConstBytes image) override {
    return EncodedView{image, 0};
  }

 private:
  Status load_stored(ChunkOrdinal, const FilteredChunk& chunk, Bytes image) override {
    return source().read(chunk.address, Bytes(image.data(), chunk.size));
  }
};

using CodecByEffort = ByEffort<ChunkCodec, ChunkCodec, CountingCodec>;

}  // namespace pcio
