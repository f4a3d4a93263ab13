// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: giving space to datasets, and what that space holds before anything is written.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "storage/file/undo.hpp"

namespace pcio {

/// Refuses an extent that no commit could write: numbers that don't fit into the file's fields, more
/// chunks than the index can list. `grid`: of the extent. Collective: pure; the same on all ranks.
Status check_extent_writable(const FileStore& store, const DatasetState& state,
                             const Extent& extent, const ChunkGrid& grid);

/// How much of the space of a dataset exists already.
enum class AllocationState : std::uint8_t { kNone = 0, kPart = 1, kAll = 2 };

/// Collective: independent. Loads the chunk index where there is one.
Result<AllocationState> allocation_state(FileStore& store, const StoredObjectPtr& object);
/// Bytes that the dataset's data take in the file. Collective: independent.
Result<std::uint64_t> stored_bytes(FileStore& store, const StoredObjectPtr& object);

/// Space that a dataset has been given and may lose again.
struct GivenSpace {
  bool block = false;          ///< all there is: contiguous, or with an implicit index
  std::vector<IndexRun> runs;  ///< by the numbers of the current grid
  [[nodiscard]] bool empty() const { return !block && runs.empty(); }
};

/// What must get the fill value before anybody reads it.
struct NewSpace {
  std::vector<ByteRange> ranges;  ///< to be overwritten from end to end
  std::vector<Box> cut_chunks;    ///< chunk coordinates: the parts outside `cut_extent`
  Dims cut_extent{};
  GivenSpace given{};  ///< also what needs no fill value
  [[nodiscard]] bool empty() const { return ranges.empty() && cut_chunks.empty(); }
};

/// Gives addresses to everything that the extent needs and does not have: one contiguous block, or
/// all chunks. Writes nothing. Returns what is new and does not hold the fill value yet.
/// Collective: pure; the same on all ranks. On failure nothing has changed.
Result<NewSpace> allocate_all(FileStore& store, const StoredObjectPtr& object);

/// As allocate_all, for the chunks of `box` (chunk coordinates). Serial files. Returns all runs of
/// the box that are new; with an implicit index, where there is all or nothing, all runs, which are
/// filled. On failure nothing has changed.
Result<std::vector<IndexRun>> allocate_chunks(FileStore& store, const StoredObjectPtr& object,
                                              const Box& box);

/// Undoes allocations: what could not be filled, or was to be written as a whole and was not, must
/// not be read as data. Collective: pure; the same calls on all ranks.
void undo_allocation(FileStore& store, const StoredObjectPtr& object, const GivenSpace& given);
/// True where space that the dataset is given now may have to be filled; known before there is any,
/// so that a rank that can't get it takes part in the agreement on it. The same on all ranks.
bool may_need_fill(FileStore& store, const DatasetState& state);

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
/// A change of the extent that can be undone until it is finished.
struct ExtentChange {
  NewSpace unfilled;                  ///< to be filled before it is finished
  Dims before;                        ///< the old extent
  std::vector<ByteRange> dropped;     ///< of chunks outside, released at the end
  OptionalOnHeap<ChunkIndex> index;   ///< the old one, where it could not be made of the new one
  std::optional<IndexChanges> noted;  ///< else what the old one had noted
  DatasetState::Marks marks;          ///< the old ones
  bool was_dirty = false;             ///< the object was, before
  DeferredFill deferred;              ///< what is owed when it is finished
  HeapStore::LetGo cut_objects;       ///< of elements that were cut off; rank 0 knows them
  bool changed = false;
};

/// Chunks with filters that a change of the extent changes inside, as a rank of a parallel file has read them.
struct KeptChunks {
  using Images = std::vector<std::pair<ChunkOrdinal, std::vector<std::byte>>>;
  Images read;      ///< from the file
  Images unpacked;  ///< this rank's, that wait as they are to lie in the file
};

/// True where a change to `dims` changes chunks inside that have filters, in a parallel file: what a rank has
/// to read for that it may be unable to alone. Equal on all ranks; asks for no memory.
bool extent_reads_chunks(const FileStore& store, const DatasetState& state, const Dims& dims);
/// Reads them. Collective: independent. Nothing changes. Errors: perhaps of this rank alone.
Result<KeptChunks> keep_cut_chunks(FileStore& store, const StoredObjectPtr& object,
                                   const Dims& dims);

/// What change_extent() would refuse but for memory and space. Nothing changes. Collective: independent.
Status check_extent_change(FileStore& store, const StoredObjectPtr& object, const Dims& dims);

/// Changes the extent: new chunks are allocated where the dataset allocates early (all parallel
/// files), chunks outside are released. What is cut off in chunks that stay must not be seen again
/// when the dataset grows: it is owed (DeferredFill), and what a growing dataset owed before is among
/// what must be filled now. Collective: pure, but for serial files with filters, whose chunks are
/// written here: those that are cut, and new ones of early allocation. On failure nothing has changed.
/// `kept`: what keep_cut_chunks() has read for it, where all ranks have; else it is read here.
/// Errors: not chunked; beyond the maximum; an extent that the file can't hold; what reading and writing give.
Result<ExtentChange> change_extent(FileStore& store, const StoredObjectPtr& object,
                                   const Dims& dims, KeptChunks* kept = nullptr);
/// Everything is filled, or nothing had to be. Collective: pure.
void finish_extent(FileStore& store, const StoredObjectPtr& object, ExtentChange& change);
/// It could not be filled: the dataset is what it was, to the last mark: ranks that fail at different steps hold the
/// same then. Collective: pure.
void undo_extent(FileStore& store, const StoredObjectPtr& object, ExtentChange& change);
/// True where a change to `dims` may have to fill something; as may_need_fill.
bool extent_may_need_fill(FileStore& store, const DatasetState& state, const Dims& dims);

/// Makes of a chunk's bytes in the file what they will be when everything owed is paid. `image`: all of
/// chunk `coords` (chunk coordinates). Collective: pure.
void put_deferred(const DatasetState& state, const Dims& coords, Bytes image);
/// What the dataset owes, as write_fill takes it. Collective: pure; the same on all ranks.
NewSpace deferred_space(const DatasetState& state);

/// Which bytes a dataset has beside its header.
struct DataRanges {
  std::vector<ByteRange>
      heap;  ///< names of external files; mappings, where nobody else is in their heap
  std::vector<ByteRange>
      data;  ///< chunks that follow each other are one range where none is filtered
  std::vector<ByteRange> index;  ///< blocks of the chunk index
};
/// Collective: independent. Errors: what is damaged.
Result<DataRanges> data_ranges_by_use(FileStore& store, const StoredObjectPtr& object);
/// All of them, of a dataset that is being deleted. Collective: independent.
Result<std::vector<ByteRange>> data_ranges(FileStore& store, const StoredObjectPtr& object);

}  // namespace pcio
