// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: places for chunks whose sizes are known only after their filters ran.
//
// Unfiltered chunks get space once, by their number. A filtered chunk changes its size with each
// write, and what the last commit refers to must stay as it is until the next one: so a write of a
// chunk is a new place for it.

#pragma once

#include <span>
#include <vector>

#include "storage/file/file_store.hpp"

namespace pcio {

/// A chunk as it is to be stored.
struct SizedChunk {
  ChunkOrdinal ordinal = 0;
  std::uint64_t size = 0;  ///< bytes in the file, > 0
  std::uint32_t mask = 0;  ///< bit i set: filter i was skipped
};

/// Whether the index of the dataset can say how large a chunk is, which filters have made of one; bytes. A commit could
/// never be made with one that it can't. Collective: pure. Errors: PLINE CANTFILTER.
Status check_stored_size(const DatasetState& state, std::uint64_t size);

/// Gives each of `chunks` (ascending ordinals) a place in the file, releases the place that it had,
/// and notes both in the dataset's index. The addresses are returned in the order of `chunks`.
///
/// A place that was given since the last commit is free at once, before the new one is chosen: what the chunk holds in
/// the file must not be needed any more. So a chunk that is rewritten stays where it is; among several none may have such
/// a place. Places that a commit refers to are free after the next one. In space that was never used the chunks lie one behind the other.
/// Collective: pure; the same calls give the same addresses on all ranks. On failure nothing has
/// changed. Errors: NOSPACE; INTERNAL for several with places as above; BADVALUE for ordinals that don't ascend or are off the grid, or a size
/// of 0; those of loading the index.
Result<std::vector<FileAddress>> place_filtered_chunks(FileStore& store,
                                                       const StoredObjectPtr& object,
                                                       std::span<const SizedChunk> chunks);
/// The same into `places`, as many as `chunks`, where the index is loaded. May throw bad_alloc half
/// way: where other ranks make the same call, the file must be given up then.
Status place_filtered_chunks(FileStore& store, const StoredObjectPtr& object,
                             std::span<const SizedChunk> chunks, std::span<FileAddress> places);
/// The same beside the old places, which the caller releases when the new ones are written, or takes
/// back.
Status place_filtered_beside(FileStore& store, const StoredObjectPtr& object,
                             std::span<const SizedChunk> chunks, std::span<FileAddress> places);
/// Memory that the call may take for each chunk, in small pieces: a run of the index, and ranges of
/// free and of new space with their order by size. Bytes.
inline constexpr std::uint64_t kPlacingMemory = 1024;

/// Gives one chunk a new place, writes `bytes` there, and then releases the old place.
/// Collective: independent; serial files. On failure nothing has changed.
/// Errors: as place_filtered_chunks; short writes.
Status replace_filtered_chunk(FileStore& store, const StoredObjectPtr& object,
                              const SizedChunk& chunk, ConstBytes bytes);

/// A dataset of one chunk has no index structure: its layout message says what an index would. To be
/// called when the index of any filtered dataset changed. Collective: pure.
void note_single_chunk(DatasetState& state);

/// Takes one chunk out of the index and releases its place. Nothing where it has none.
/// Collective: pure.
Status drop_filtered_chunk(FileStore& store, const StoredObjectPtr& object, ChunkOrdinal ordinal);

}  // namespace pcio
