// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: where the selected elements of a dataset lie, as pieces ready to be moved.

#pragma once

#include <vector>

#include "space/dataspace.hpp"
#include "storage/file_store.hpp"
#include "transfer/execute.hpp"

namespace pcio {

/// What one rank is going to move. Memory: one entry per contiguous piece.
struct TransferPlan {
  /// Ascending by address; where points were selected twice, in the order of the selection.
  std::vector<FilePiece> pieces;
  std::vector<FilePiece> missing;  ///< read: elements without space in the file; address unused
  std::uint64_t chunks = 0;        ///< touched
};

/// The user's file selection on the dataset's current extent.
/// Errors: another number of dimensions; outside the extent.
Result<Dataspace> rebase_selection(const Dataspace& extent, const Dataspace& given);

/// Where the plan may find chunks without space.
enum class Unallocated : std::uint8_t { kIsMissing, kIsAllocated, kIsAllocatedFilled, kIsError };

/// Plans a contiguous or unfiltered chunked dataset. Collective: independent.
/// kIsAllocated gives space to touched chunks and fills what the transfer does not cover (serial
/// writes); kIsAllocatedFilled fills all of it, for writes that keep bytes of each element, as
/// those of some members of a compound do; kIsError names what to do instead (independent writes to
/// parallel files).
Result<TransferPlan> plan_transfer(FileStore& store, const StoredObjectPtr& object,
                                   const Dataspace& file, const Dataspace& memory,
                                   Unallocated unallocated);

/// Of elements that a write selects more than once keeps those selected last: afterwards pieces
/// ascend and don't overlap. Collective: pure.
void keep_last_writes(std::vector<FilePiece>& pieces, std::uint64_t element_size);

/// Pieces of a compact dataset: addresses are byte offsets in its data.
TransferPlan plan_compact(const DatasetState& state, const Dataspace& file,
                          const Dataspace& memory);

}  // namespace pcio
