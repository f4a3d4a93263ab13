// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: a dataset changes its size.
//
// What is cut off must read as the fill value when the dataset grows again. Whole chunks lose their
// space; in chunks that stay in part the rest is overwritten, whatever the fill time says, as libhdf5
// was seen to do. That is owed until the dataset grows or the next commit, so that a smaller extent
// writes nothing which could fail. A larger one is filled before anybody can see it, and is taken
// back where that fails.

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "space/unlimited.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/index/chunk_index_store.hpp"
#include "storage/dataset/filtered_resize.hpp"
#include "storage/dataset/owned_objects.hpp"
#include "storage/objects/message_codec.hpp"

namespace pcio {

namespace {

/// Elements without a value are anything; those that refer to something never are.
bool is_undefined(const DatasetState& state) {
  return state.fill.state == FillState::kUndefined && state.type.is_fixed();
}

/// What elements refer to that are cut off goes with them. Where it can't be read its room is lost, and
/// nothing else.
HeapStore::LetGo cut_objects(FileStore& store, const StoredObjectPtr& object, const Dims& dims) {
  HeapStore::LetGo cut;
  if (store.coordinator().rank() == 0)
    static_cast<void>(
        without_throwing([&] { return find_cut_objects(store, object, dims, &cut); }));
  return cut;
}

void let_go(FileStore& store, const HeapStore::LetGo& cut) {
  static_cast<void>(without_throwing([&] {
    for (const auto& [collection, indexes] : cut)
      for (const std::uint32_t index : indexes) store.heaps().let_go({collection, index});
    return Status();
  }));
}

/// Coordinates of elements have a sign in places (selection offsets, the C calls' counts).
constexpr std::uint64_t kLargestDimension = (std::uint64_t{1} << 63) - 1;

/// Chunks that keep a part of what the old extent had of them, as disjoint boxes: one for each
/// dimension that becomes shorter inside a chunk.
std::vector<Box> cut_chunks(const Dims& before, const ChunkGrid& after) {
  std::vector<Box> boxes;
  if (after.count() == 0) return boxes;
  Box rest = Box::whole(after.grid());
  for (unsigned d = 0; d < before.size(); ++d) {
    if (after.dims()[d] >= before[d] || after.dims()[d] % after.chunk()[d] == 0) continue;
    Box box = rest;
    box.start[d] = after.grid()[d] - 1;
    box.count[d] = 1;
    boxes.push_back(box);
    --rest.count[d];
  }
  return boxes;
}

/// Dimensions whose last chunks hold what a smaller extent cut off: those of `before` that stay as
/// they are, and those that the change cuts.
std::uint32_t cut_dimensions(std::uint32_t before, const Dims& old, const ChunkGrid& after) {
  std::uint32_t cut = 0;
  for (unsigned d = 0; d < old.size(); ++d) {
    const std::uint32_t bit = std::uint32_t{1} << d;
    if (after.dims()[d] == old[d]) cut |= before & bit;
    if (after.dims()[d] < old[d] && after.dims()[d] % after.chunk()[d] != 0) cut |= bit;
  }
  return cut;
}

bool any_larger(const Dims& after, const Dims& before) {
  for (unsigned d = 0; d < after.size(); ++d)
    if (after[d] > before[d]) return true;
  return false;
}

/// Chunks that come to a grid, as disjoint boxes.
std::vector<Box> added_chunks(const Dims& before, const Dims& after) {
  std::vector<Box> boxes;
  Box rest = Box::whole(after);
  for (unsigned d = 0; d < before.size(); ++d) {
    if (after[d] <= before[d]) continue;
    Box box = rest;
    box.start[d] = before[d];
    box.count[d] = after[d] - before[d];
    if (!box.empty()) boxes.push_back(box);
    rest.count[d] = before[d];
  }
  return boxes;
}

Status check_room(FileStore& store, const DatasetState& state, const ChunkGrid& grid) {
  auto bytes = checked_mul(grid.count(), state.chunk_bytes());
  const FileSpace& space = store.space().raw_part();
  auto end = bytes ? checked_add(*bytes, space.end_of_allocation()) : std::nullopt;
  if (end && *end <= space.settings().max_address) return Status();
  return PCIO_ERROR(DATASET, NOSPACE, "chunks of the dataset need more bytes than a file can have");
}

/// The last chunks of the dimensions in `cut` that have space, as far as they lie inside `grid`.
std::vector<Box> deferred_boxes(const DatasetState& state, std::uint32_t cut, const ChunkGrid& of,
                                const ChunkGrid& inside) {
  std::vector<Box> boxes;
  if (of.count() == 0 || inside.count() == 0) return boxes;
  Box all = Box::whole(of.grid());
  for (unsigned d = 0; d < all.count.size(); ++d)
    all.count[d] = std::min(all.count[d], inside.grid()[d]);
  for (unsigned d = 0; d < all.count.size(); ++d) {
    if ((cut >> d & 1U) == 0 || of.grid()[d] > inside.grid()[d]) continue;
    Box box = all;
    box.start[d] = of.grid()[d] - 1;
    box.count[d] = 1;
    if (!state.index->lookup(box).empty()) boxes.push_back(box);
  }
  return boxes;
}

/// True where the index in the file is not to stay as it is, though no chunk may come or go: its
/// chunks get other numbers, or it lists such as lie outside, which a larger extent must not bring
/// back. Written anew by the next commit it is the same for ranks that had it in memory all the time
/// and for those that read it again later.
bool index_is_outdated(const DatasetState& state, const Dims& before, const Dims& after) {
  if (state.layout.address == kUndefinedAddress || !state.index_class().has_structure) return false;
  if (state.index->outside_bytes() != 0) return true;
  return state.index_class().numbers_move_with_extent() &&
         !std::equal(before.begin() + 1, before.end(), after.begin() + 1);
}

/// A growing dataset pays first. The index has been renumbered.
void add_deferred(const DatasetState& state, const ChunkGrid& before, NewSpace* unfilled) {
  unfilled->ranges = state.deferred.ranges;
  unfilled->cut_chunks = deferred_boxes(state, state.deferred.cut, before, state.index->grid());
  unfilled->cut_extent = before.dims();
}

/// With an implicit index chunks keep their places, so what the new extent lacks is owed, and what it
/// has more is to be filled: libhdf5 fills neither what lies outside the extent when it makes a
/// dataset, nor what it cuts off.
Status renumber_implicit(FileStore& store, const StoredObjectPtr& object, const Dims& old_grid,
                         ExtentChange* change) {
  DatasetState& state = *object->dataset;
  const Dims grid = state.index->grid().grid();
  for (const ByteRange& range : std::exchange(change->dropped, {}))
    change->deferred.ranges.push_back(range);
  state.index.reset();
  PCIO_TRY(store.datasets().load_chunk_index(object));
  for (const Box& box : added_chunks(old_grid, grid))
    for (const IndexRun& run : state.index->lookup(box)) {
      const ByteRange range{run.address, run.count * state.chunk_bytes()};
      if (must_fill(store, state, range)) change->unfilled.ranges.push_back(range);
    }
  return Status();
}

/// Space for what the new extent has and the file has not.
Status allocate_more(FileStore& store, const StoredObjectPtr& object, ExtentChange* change) {
  PCIO_ASSIGN(NewSpace added, allocate_all(store, object));
  NewSpace& all = change->unfilled;
  all.given = std::move(added.given);
  if (all.ranges.empty())
    all.ranges = std::move(added.ranges);
  else
    all.ranges.insert(all.ranges.end(), added.ranges.begin(), added.ranges.end());
  return Status();
}

/// Chunks are dropped, whose numbers can't be found again, or get others, which to undo would take memory. The index of a
/// dataset that only grows is not copied: it may have any number of chunks.
bool is_kept_for_undo(const ChunkGrid& before, const ChunkGrid& after) {
  return any_larger(before.dims(), after.dims()) || !ChunkIndex::keeps_numbers(before, after);
}

/// Of datasets without filters: everything but what can be refused.
Status change_plain(FileStore& store, const StoredObjectPtr& object, const ChunkGrid& grid,
                    ExtentChange* change) {
  DatasetState& state = *object->dataset;
  const ChunkGrid before = state.index->grid();
  const bool grows = any_larger(grid.dims(), before.dims());
  const bool undefined = is_undefined(state);
  const bool implicit = state.index_class().all_chunks_or_none;
  // One run, or none.
  const bool keeps = implicit ? store.coordinator().size() > 1 : is_kept_for_undo(before, grid);
  if (keeps) change->index = state.index;
  if (!keeps) change->noted = state.index->changes();
  if (!grows) change->deferred.ranges = state.deferred.ranges;
  change->deferred.cut = cut_dimensions(grows ? 0 : state.deferred.cut, before.dims(), grid);
  const std::uint64_t had = state.index->allocated_count();
  if (index_is_outdated(state, before.grid(), grid.grid())) state.mark_index_changed();
  change->dropped = state.index->resize(grid);
  if (grows && !undefined) add_deferred(state, before, &change->unfilled);
  if (implicit) PCIO_TRY(renumber_implicit(store, object, before.grid(), change));
  if (allocates_at_once(store, state)) PCIO_TRY(allocate_more(store, object, change));
  if (!implicit && (state.index->allocated_count() != had || !change->dropped.empty()))
    state.mark_index_changed();
  if (!undefined) return Status();
  change->deferred = DeferredFill();
  change->unfilled.ranges.clear();
  change->unfilled.cut_chunks.clear();
  return Status();
}

/// Of datasets with filters: their chunks are written before anything changes. On failure nothing has.
Status change_filtered(FileStore& store, const StoredObjectPtr& object, Extent extent,
                       const ChunkGrid& grid, KeptChunks* kept) {
  DatasetState& state = *object->dataset;
  const ChunkGrid before = state.index->grid();
  FilteredResize resize(store, object, grid, cut_chunks(before.dims(), grid));
  FilledChunks filled(store);
  if (allocates_at_once(store, state) && !store.parallel()) PCIO_TRY(filled.write(object, grid));
  PCIO_TRY(resize.prepare(kept));
  // Places that were replaced can't be found again either.
  OptionalOnHeap<ChunkIndex> index;
  if (is_kept_for_undo(before, grid) || resize.replaces()) index = state.index;
  const std::uint64_t had = state.index->allocated_count();
  if (index_is_outdated(state, before.grid(), grid.grid())) state.mark_index_changed();
  std::vector<ByteRange> dropped;
  Status entered = without_throwing([&] {
    dropped = state.index->resize(grid);
    resize.enter(&dropped);
    filled.enter(object);
    return Status();
  });
  if (!entered.ok()) {
    filled.take_back();
    undo_or_tell(store, [&] {
      if (index)
        state.index = std::move(index);
      else
        state.index->resize(before);
    });
    return entered;
  }
  // From here on nothing fails.
  state.extent = std::move(extent);
  if (state.index->allocated_count() != had) state.mark_index_changed();
  note_single_chunk(state);
  resize.change_images(before);
  for (const ByteRange& range : dropped) release_or_tell(store, range);
  return Status();
}

/// External files are there from the beginning: nothing is given, dropped or filled.
Status change_external(FileStore& store, const StoredObjectPtr& object, const Dims& dims) {
  DatasetState& state = *object->dataset;
  PCIO_TRY(check_dimensions(dims));
  Extent extent = state.extent;
  PCIO_TRY(extent.set_dims(dims));
  // What could not be opened any more.
  const auto bytes = checked_mul<std::uint64_t>(extent.npoints(), state.element_size());
  if (!is_countable(extent) || !bytes || *bytes > kLargestDimension)
    return PCIO_ERROR(DATASET, OVERFLOW, "dataset is larger than any file can be");
  PCIO_TRY(detail::to_status(encode_space(store.context(), extent)));
  store.objects().touch(object);
  state.extent = std::move(extent);
  state.mark_messages_changed();
  return Status();
}

void set_extent_of(DatasetState& state, const Dims& dims) {
  Extent extent = state.extent;
  if (extent.set_dims(dims).ok()) state.extent = std::move(extent);
}

Status restore_extent(FileStore& store, const StoredObjectPtr& object, ExtentChange& change) {
  DatasetState& state = *object->dataset;
  set_extent_of(state, change.before);
  if (change.index) state.index = std::move(change.index);
  const bool is_there = state.index && state.index->grid().dims() == change.before;
  if (!state.chunked() || is_there) return Status();
  PCIO_ASSIGN(ChunkGrid grid, ChunkGrid::make(change.before, state.layout.chunk_dims));
  if (!state.index_class().all_chunks_or_none) {
    if (!state.index) return Status();
    state.index->resize(grid);
    state.index->restore_changes(std::move(change.noted));
    return Status();
  }
  // Who asks for it finds it again.
  state.index.reset();
  if (state.layout.address != kUndefinedAddress) return store.datasets().load_chunk_index(object);
  state.index.emplace(std::move(grid), state.chunk_bytes());
  return Status();
}

}  // namespace

Status check_dimensions(const Dims& dims) {
  for (unsigned d = 0; d < dims.size(); ++d)
    if (dims[d] > kLargestDimension)
      return PCIO_ERROR(DATASET, BADRANGE,
                        "dimension " + std::to_string(d) + " of " + dims.to_string() +
                            " is 2^63 or more, which no dataset can have");
  return Status();
}

Status check_extent_writable(const FileStore& store, const DatasetState& state,
                             const Extent& extent, const ChunkGrid& grid) {
  PCIO_TRY(detail::to_status(encode_space(store.context(), extent)));
  return check_chunk_index(store.datasets().chunk_index_shape(state), grid, state.chunk_bytes(),
                           store.space().raw_part().settings().max_address);
}

bool extent_reads_chunks(const FileStore& store, const DatasetState& state, const Dims& dims) {
  if (!store.parallel() || !state.chunked() || !state.filtered()) return false;
  const Dims& now = state.extent.dims();
  if (dims.size() != now.size() || dims == now) return false;
  if (state.layout.partial_edge_unfiltered) return true;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (dims[d] < now[d] && dims[d] % state.layout.chunk_dims[d] != 0) return true;
  return false;
}

Result<KeptChunks> keep_cut_chunks(FileStore& store, const StoredObjectPtr& object,
                                   const Dims& dims) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  if (!extent_reads_chunks(store, *state, dims)) return KeptChunks();
  PCIO_TRY(check_dimensions(dims));
  PCIO_TRY(store.datasets().load_chunk_index(object));
  PCIO_ASSIGN(ChunkGrid grid, ChunkGrid::make(dims, state->layout.chunk_dims));
  const Dims before = state->index->grid().dims();
  return FilteredResize(store, object, grid, cut_chunks(before, grid)).keep();
}

namespace {

Status check_may_change(const DatasetState& state) {
  if (state.chunked() || state.external) return Status();
  return PCIO_ERROR(DATASET, CANTSET,
                    "only a chunked dataset, or one with external files, can change its size");
}

struct WantedExtent {
  Extent extent;
  ChunkGrid grid;
};

/// Errors: what a chunked dataset can't be, in this file. Collective: pure.
Result<WantedExtent> wanted_extent(FileStore& store, const DatasetState& state, const Dims& dims) {
  PCIO_TRY(check_dimensions(dims));
  Extent extent = state.extent;
  PCIO_TRY(extent.set_dims(dims));
  PCIO_ASSIGN(ChunkGrid grid, ChunkGrid::make(dims, state.layout.chunk_dims));
  if (allocates_at_once(store, state)) PCIO_TRY(check_room(store, state, grid));
  PCIO_TRY(check_extent_writable(store, state, extent, grid));
  return WantedExtent{std::move(extent), std::move(grid)};
}

}  // namespace

Status check_extent_change(FileStore& store, const StoredObjectPtr& object, const Dims& dims) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  PCIO_TRY(check_may_change(*state));
  if (state->external || state->extent.dims() == dims) return Status();
  PCIO_TRY(store.datasets().load_chunk_index(object));
  return detail::to_status(wanted_extent(store, *state, dims));
}

Result<ExtentChange> change_extent(FileStore& store, const StoredObjectPtr& object,
                                   const Dims& dims, KeptChunks* kept) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  PCIO_TRY(check_may_change(*state));
  ExtentChange change;
  change.before = state->extent.dims();
  if (change.before == dims) return change;
  change.marks = state->marks();
  change.was_dirty = object->is_dirty();
  // Filters may be functions of the program.
  const DatasetInTransfer stays(object);
  if (state->external) {
    PCIO_TRY(change_external(store, object, dims));
    change.changed = true;
    return change;
  }
  PCIO_TRY(store.datasets().load_chunk_index(object));
  PCIO_ASSIGN(WantedExtent wanted, wanted_extent(store, *state, dims));
  Extent& extent = wanted.extent;
  const ChunkGrid& grid = wanted.grid;
  // What may lack memory comes before the first change.
  const unsigned writes = object->sequence_writes;
  change.cut_objects = cut_objects(store, object, dims);
  FirstTouch touched(store.objects(), object);
  if (state->filtered()) {
    PCIO_TRY(change_filtered(store, object, std::move(extent), grid, kept));
    touched.keep();
    // What was written meanwhile let objects go already.
    if (object->sequence_writes == writes) let_go(store, change.cut_objects);
    state->mark_messages_changed();
    return change;
  }
  change.changed = true;
  state->extent = std::move(extent);
  state->mark_messages_changed();
  Status changed = without_throwing([&] { return change_plain(store, object, grid, &change); });
  if (!changed.ok()) {
    undo_extent(store, object, change);
    return detail::StatusReturn(std::move(changed));
  }
  touched.keep();
  return change;
}

void finish_extent(FileStore& store, const StoredObjectPtr& object, ExtentChange& change) {
  if (!std::exchange(change.changed, false)) return;
  let_go(store, change.cut_objects);
  object->dataset->deferred = std::move(change.deferred);
  for (const ByteRange& range : change.dropped) release_or_tell(store, range);
}

void undo_extent(FileStore& store, const StoredObjectPtr& object, ExtentChange& change) {
  if (!std::exchange(change.changed, false)) return;
  DatasetState& state = *object->dataset;
  // The old index never knew of what was given.
  if (change.index) {
    for (const IndexRun& run : change.unfilled.given.runs)
      release_or_tell(store, {run.address, run.count * state.chunk_bytes()});
    change.unfilled.given.runs.clear();
  }
  undo_allocation(store, object, change.unfilled.given);
  undo_or_tell(store, [&] { return restore_extent(store, object, change); });
  state.restore(change.marks);
  if (!change.was_dirty) store.objects().untouch(*object);
}

bool extent_may_need_fill(FileStore& store, const DatasetState& state, const Dims& dims) {
  if (!state.chunked() || dims.size() != state.extent.dims().size() || is_undefined(state))
    return false;
  if (state.fill_has_objects() && any_larger(dims, state.extent.dims())) return true;
  if (state.filtered()) return false;
  const bool pays = !state.deferred.empty() || state.index_class().all_chunks_or_none;
  if (pays && any_larger(dims, state.extent.dims())) return true;
  return allocates_at_once(store, state) &&
         (state.fill_has_objects() || may_need_fill(store, state));
}

NewSpace deferred_space(const DatasetState& state) {
  NewSpace space;
  if (state.deferred.empty() || !state.index) return space;
  const ChunkGrid& grid = state.index->grid();
  space.ranges = state.deferred.ranges;
  space.cut_chunks = deferred_boxes(state, state.deferred.cut, grid, grid);
  space.cut_extent = grid.dims();
  return space;
}

}  // namespace pcio
