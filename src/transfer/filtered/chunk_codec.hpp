// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: one chunk of a filtered dataset between its image and its bytes in the file.

#pragma once

#include <vector>

#include "filter/pipeline.hpp"
#include "storage/file/file_store.hpp"
#include "storage/bytes/piece_store.hpp"
#include "transfer/pieces/file_piece.hpp"

namespace pcio {

/// Buffers are kept from chunk to chunk. Threads: one thread.
class ChunkCodec {
 public:
  /// `source`: where stored chunks are read: the file, or in a dry run what counts its reads. The
  /// index of `state` is loaded.
  ChunkCodec(const DatasetState& state, FileStore& store, PieceStore& source, Effort effort,
             const FilterOptions& options)
      : state_(state), store_(store), source_(source), effort_(effort), options_(options) {}

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
  void fill(Bytes image);
  /// Valid until the next call. Errors: a mandatory filter failed.
  Result<EncodedView> encode(ChunkOrdinal ordinal, ConstBytes image);

 private:
  /// Chunks that stick out of the extent may be stored as they are.
  [[nodiscard]] const FilterPipeline& filters_of(ChunkOrdinal ordinal) const;

  const DatasetState& state_;
  FileStore& store_;
  PieceStore& source_;
  Effort effort_;
  FilterOptions options_;
  FilterScratch scratch_;
  std::vector<std::byte> stored_;
  std::vector<std::byte> element_;
};

}  // namespace pcio
