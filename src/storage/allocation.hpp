// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: giving space to datasets, and what that space holds before anything is written.

#pragma once

#include <span>
#include <vector>

#include "storage/file_store.hpp"

namespace pcio {

/// How much of the space of a dataset exists already.
enum class AllocationState : std::uint8_t { kNone = 0, kPart = 1, kAll = 2 };

/// Collective: independent. Loads the chunk index where there is one.
Result<AllocationState> allocation_state(FileStore& store, const StoredObjectPtr& object);
/// Bytes that the dataset's data take in the file. Collective: independent.
Result<std::uint64_t> stored_bytes(FileStore& store, const StoredObjectPtr& object);

/// What must get the fill value before anybody reads it.
struct NewSpace {
  std::vector<ByteRange> ranges;  ///< to be overwritten from end to end
  std::vector<Box> cut_chunks;    ///< chunk coordinates: the parts outside the current extent
  [[nodiscard]] bool empty() const { return ranges.empty() && cut_chunks.empty(); }
};

/// Gives addresses to everything that the extent needs and does not have: one contiguous block, or
/// all chunks. Writes nothing. Returns what is new and does not hold the fill value yet.
/// Collective: pure; the same on all ranks. On failure nothing has changed.
Result<NewSpace> allocate_all(FileStore& store, const StoredObjectPtr& object);

/// As allocate_all, for the chunks of `box` (chunk coordinates). Serial files. Returns all runs of
/// the box that are new; with an implicit index, where there is all or nothing, all runs.
Result<std::vector<IndexRun>> allocate_chunks(FileStore& store, const StoredObjectPtr& object,
                                              const Box& box);

/// True where space is given at create and extend: early allocation, and on parallel files all but
/// late allocation.
bool allocates_at_once(const FileStore& store, const DatasetState& state);

/// As allocate_all, for unfiltered chunks with these numbers, ascending and apart, of a dataset that
/// allocates late. Returns the new runs, by ascending number. Collective: pure.
Result<std::vector<IndexRun>> allocate_listed(FileStore& store, const StoredObjectPtr& object,
                                              std::span<const OrdinalInterval> chunks);

/// True where `range` must be written before it may be read: the fill value is not zero, or the
/// bytes are not fresh.
bool must_fill(FileStore& store, const DatasetState& state, ByteRange range);

/// Writes the fill value over `space`; in a parallel file each rank writes its share.
/// Collective: independent; the caller puts a barrier behind it.
Status write_fill(FileStore& store, const DatasetState& state, const NewSpace& space);

/// Errors: DATASET BADRANGE where a dimension is 2^63 or more. Collective: pure.
Status check_dimensions(const Dims& dims);

/// Changes the extent: new chunks are allocated where the dataset allocates early (all parallel
/// files), chunks outside are released. Returns what must be filled: new space, and what was cut
/// off in chunks that stay, because it must not be seen again when the dataset grows. Collective:
/// pure, but for serial files with filters, whose chunks are written here: those that are cut, and
/// new ones of early allocation. On failure nothing has changed. Errors: not chunked; beyond the
/// maximum; a filtered chunk of a parallel file would have to be written anew, which is refused
/// naming the filter; what writing gives.
Result<NewSpace> change_extent(FileStore& store, const StoredObjectPtr& object, const Dims& dims);

/// Data and index of a dataset that is being deleted. Collective: independent.
Result<std::vector<ByteRange>> data_ranges(FileStore& store, const StoredObjectPtr& object);

}  // namespace pcio
