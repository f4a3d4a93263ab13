// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index: one door to the structures that find chunks in a file, of whatever kind.
//
// model/chunk_index_class.hpp says what a kind is; the table of them is in chunk_index_store.cpp.

#pragma once

#include <span>

#include "storage/index/model/chunk_index_class.hpp"

namespace pcio {

/// Every kind, in the order in which new datasets choose. Collective: pure.
std::span<const ChunkIndexClass* const> chunk_index_classes();
/// What a kind is. Collective: pure.
const ChunkIndexClass& chunk_index_class(ChunkIndexKind kind);

/// The order in which the index counts chunks. Collective: pure. Errors: OVERFLOW.
Result<ChunkNumbering> number_chunks(const ChunkIndexShape& shape, const ChunkGrid& grid);

/// Opens the index at `address` (not undefined) for reading by and by. Indexes without structure
/// are read at once into `index`, and there is no loader.
/// Collective: independent. Errors: those of the index's header; chunks outside the file.
Result<std::unique_ptr<ChunkLoader>> open_chunk_index(FileBytes& file, const ChunkIndexShape& shape,
                                                      FileAddress address, ChunkIndex* index);

/// Never null. Collective: pure; the same on all ranks. `index` outlives what is returned, and does
/// not change while blocks are encoded. Errors: more chunks than the index can list.
Result<IndexPlanPtr> plan_chunk_index(const ChunkIndex& index, const ChunkIndexShape& shape);

/// Refuses an extent that has chunks which the index could never list, so that no commit meets one.
/// `grid`: of the extent; `most_bytes`: of a file. Collective: pure; the same on all ranks.
/// Errors: NOSPACE, OVERFLOW.
Status check_chunk_index(const ChunkIndexShape& shape, const ChunkGrid& grid,
                         std::uint64_t chunk_bytes, std::uint64_t most_bytes);

/// The index that HDF5 chooses for a new dataset: in the newest format by the number of unlimited
/// dimensions, and for datasets with a limit by whether all chunks get their space at once.
/// Collective: pure. Source: as observed with libhdf5 1.10.8.
ChunkIndexKind choose_chunk_index(const NewChunks& chunks);

}  // namespace pcio
