// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index: one door to the structures that find chunks in a file.

#pragma once

#include "storage/index/model/index_reader.hpp"

namespace pcio {

/// Opens the index at `address` (not undefined) for reading by and by. Indexes without structure
/// (single chunk, implicit) are read at once into `index`, and there is no loader.
/// Collective: independent. Errors: those of the index's header; chunks outside the file.
Result<std::unique_ptr<ChunkLoader>> open_chunk_index(FileBytes& file, const ChunkIndexShape& shape,
                                                      FileAddress address, ChunkIndex* index);

/// An index with structure, about to be written anew.
struct IndexPlan {
  std::uint64_t bytes = 0;  ///< in all; 0: no chunk, no index
  /// Address of the index in the layout message, and its blocks, where its bytes begin at `address`.
  std::function<FileAddress(FileAddress address)> root_at;
  std::function<BlockSet(FileAddress address)> blocks;
  /// The index as later commits change it in place, its own blocks not settled yet; nothing where
  /// its kind is written anew. Called after blocks().
  std::function<std::shared_ptr<IndexUpdater>(FileAddress address)> placed_at;
};
/// Collective: pure; the same on all ranks. `index` outlives what is returned, and does not change
/// while blocks are encoded. Errors: more chunks than the index can list.
Result<IndexPlan> plan_chunk_index(const ChunkIndex& index, const ChunkIndexShape& shape);

/// Refuses an extent that has chunks which the index could never list, so that no commit meets one.
/// `grid`: of the extent; `most_bytes`: of a file. Collective: pure; the same on all ranks.
/// Errors: NOSPACE, OVERFLOW.
Status check_chunk_index(const ChunkIndexShape& shape, const ChunkGrid& grid,
                         std::uint64_t chunk_bytes, std::uint64_t most_bytes);

/// True for indexes that are structures of their own in the file.
bool has_structure(ChunkIndexKind kind);

/// The index that HDF5 chooses for a new dataset of the newest format: by the number of unlimited
/// dimensions, and for datasets with a limit by whether all chunks get their space at once.
/// Source: as observed with libhdf5 1.10.8.
ChunkIndexKind choose_chunk_index(const Dims& dims, const Dims& max_dims, const Dims& chunk,
                                  bool at_once);

}  // namespace pcio
