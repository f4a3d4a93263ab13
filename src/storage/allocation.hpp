// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: giving space to datasets, and what that space holds before anything is written.

#pragma once

#include <vector>

#include "storage/file_store.hpp"

namespace pcio {

/// How much of the space of a dataset exists already.
enum class AllocationState : std::uint8_t { kNone = 0, kPart = 1, kAll = 2 };

/// Collective: independent. Loads the chunk index where there is one.
Result<AllocationState> allocation_state(FileStore& store, const StoredObjectPtr& object);
/// Bytes that the dataset's data take in the file. Collective: independent.
Result<std::uint64_t> stored_bytes(FileStore& store, const StoredObjectPtr& object);

/// A piece of the file that was just allocated, in bytes.
using NewSpace = std::vector<ByteRange>;

/// Gives addresses to everything that the extent needs and does not have: one contiguous block, or
/// all chunks. Writes nothing. Returns what is new and does not hold the fill value yet.
/// Collective: pure; the same on all ranks. On failure nothing has changed.
Result<NewSpace> allocate_all(FileStore& store, const StoredObjectPtr& object);

/// As allocate_all, for the chunks of `box` (chunk coordinates). Serial files.
Result<std::vector<IndexRun>> allocate_chunks(FileStore& store, const StoredObjectPtr& object,
                                              const Box& box);

/// True where `range` must be written before it may be read: the fill value is not zero, or the
/// bytes are not fresh.
bool must_fill(FileStore& store, const DatasetState& state, ByteRange range);

/// Writes the fill value over `space`; in a parallel file each rank writes its share.
/// Collective: independent; the caller puts a barrier behind it.
Status write_fill(FileStore& store, const DatasetState& state, const NewSpace& space);

/// Changes the extent: new chunks are allocated where the dataset allocates early (all parallel
/// files), chunks outside are released. Returns what is new and must be filled.
/// Collective: pure. Errors: not chunked, beyond the maximum.
Result<NewSpace> change_extent(FileStore& store, const StoredObjectPtr& object, const Dims& dims);

/// Releases data and index of a dataset that is being deleted.
Status release_data(FileStore& store, const StoredObjectPtr& object);

}  // namespace pcio
