// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: what a kind of chunk index is: the properties that others ask for by name, and
// the protocol of its reader, its plan and (behind both) its updater.
//
// Each kind has a folder and defines one ChunkIndexClass there; the table in chunk_index_store.cpp
// lists them. Outside its folder nobody asks for a kind by name, but for its properties.

#pragma once

#include "storage/index/model/index_plan.hpp"
#include "storage/index/model/index_reader.hpp"

namespace pcio {

/// What decides which index a new dataset gets.
struct NewChunks {
  Dims dims;  ///< elements, as the next two
  Dims max_dims;
  Dims chunk;
  /// The file's format, or the dataset, allows layout messages of version 4.
  bool new_layout = true;
  bool at_once = false;  ///< all chunks get their space when the dataset is made

  [[nodiscard]] unsigned unlimited() const {
    return static_cast<unsigned>(std::count(max_dims.begin(), max_dims.end(), kUnlimited));
  }
};

/// What an index must be able to list.
struct WantedChunks {
  const ChunkGrid& grid;  ///< of the extent
  const ChunkNumbering& numbering;
  std::uint64_t chunk_bytes;
  std::uint64_t file_bytes;  ///< the most that a file can have
};

/// A kind of chunk index. Threads: never changes.
struct ChunkIndexClass {
  ChunkIndexKind kind{};

  // Properties.
  /// Has blocks of its own in the file. Else the layout message finds the chunks by itself.
  bool has_structure = true;
  /// All chunks that the largest dimensions allow have space, in one piece and filled, or none has.
  bool all_chunks_or_none = false;
  /// The one chunk's size and filter mask, where it has filters, stand in the layout message.
  bool single_chunk = false;
  NumberedBy numbered_by = NumberedBy::kToday;
  /// Chunks get other numbers when another dimension than the slowest one changes.
  [[nodiscard]] bool numbers_move_with_extent() const { return numbered_by == NumberedBy::kToday; }

  // Protocol.
  /// A new dataset gets the first kind of the table that suits. Collective: pure.
  bool (*suits)(const NewChunks& chunks) = nullptr;
  /// The order in which the index counts chunks. Collective: pure. Errors: OVERFLOW.
  Result<ChunkNumbering> (*number)(const ChunkIndexShape& shape,
                                   const ChunkGrid& grid) = &number_by_today;
  /// True where the index can list all chunks of an extent, and those that must have a place before
  /// they come; null: it always can. Collective: pure.
  bool (*holds)(const ChunkIndexShape& shape, const WantedChunks& wanted) = nullptr;
  /// Reader of the index at `address` (not undefined). Without a structure: its chunks are added to
  /// `index` at once, and there is no reader. Collective: independent. Errors: a damaged header, chunks
  /// outside the file.
  Result<std::unique_ptr<IndexReader>> (*open)(FileBytes& file, const ChunkIndexShape& shape,
                                               const ChunkNumbering& numbering, FileAddress address,
                                               ChunkIndex* index) = nullptr;
  /// Plan for writing `index`, which has at least one chunk, anew. Collective: pure; the same on all
  /// ranks. Errors: more chunks than the index can list.
  Result<IndexPlanPtr> (*plan)(const ChunkIndex& index, const ChunkIndexShape& shape) = nullptr;
};

/// True where `value` fits in so many bytes and is not all ones there, which means undefined.
[[nodiscard]] constexpr bool fits_in(std::uint64_t value, unsigned bytes) {
  return bytes >= 8 || value < (std::uint64_t{1} << (8 * bytes)) - 1;
}

}  // namespace pcio
