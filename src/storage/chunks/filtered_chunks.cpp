// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: place_filtered_chunks.

#include "storage/chunks/filtered_chunks.hpp"

#include "base/checked.hpp"
#include "storage/file/undo.hpp"
#include "storage/space/taken_space.hpp"

namespace pcio {

Status check_stored_size(const DatasetState& state, std::uint64_t size) {
  const std::uint64_t most = state.most_stored_bytes();
  if (size <= most) return Status();
  return PCIO_ERROR(PLINE, CANTFILTER,
                    "a chunk is " + std::to_string(size) + " bytes behind its filters, and the " +
                        chunk_index_name(state.layout.index) + " of the dataset can say " +
                        std::to_string(most) + " at most of one that has " +
                        std::to_string(state.chunk_bytes()) + " without them");
}

namespace {

/// Everything that could be refused later, so that the index changes only where nothing can fail.
Status check_chunks(const DatasetState& state, std::span<const SizedChunk> chunks) {
  const ChunkIndex& index = *state.index;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (chunks[i].ordinal >= index.grid().count() ||
        (i > 0 && chunks[i].ordinal <= chunks[i - 1].ordinal))
      return PCIO_ERROR(DATASET, BADVALUE,
                        "chunks to be placed are out of order or outside the dataset");
    if (chunks[i].size == 0)
      return PCIO_ERROR(DATASET, BADVALUE, "a filtered chunk of 0 bytes can't be stored");
    PCIO_TRY(check_stored_size(state, chunks[i].size));
  }
  return Status();
}

/// Room for all of them behind everything else, so that no allocation can fail half way.
Status check_room(const FileSpace& space, std::span<const SizedChunk> chunks) {
  if (space.allocation_forbidden())
    return PCIO_ERROR(RESOURCE, NOSPACE,
                      "no space before the commit that failed was repeated (H5Fflush)");
  const FileSpace& part = space.raw_part();
  const SpaceSettings& settings = part.settings();
  const auto padding =
      checked_add<std::uint64_t>(settings.alignment, space.paged() ? settings.page_size : 0);
  std::uint64_t end = part.end_of_allocation();
  for (const SizedChunk& chunk : chunks) {
    auto padded = padding ? checked_add(chunk.size, *padding) : std::nullopt;
    auto next = padded ? checked_add(end, *padded) : std::nullopt;
    if (!next || *next > settings.max_address)
      return PCIO_ERROR(RESOURCE, NOSPACE, "no file addresses left for the filtered chunks");
    end = *next;
  }
  return Status();
}

}  // namespace

void note_single_chunk(DatasetState& state) {
  if (!state.index_class().single_chunk) return;
  // Also where there is no chunk: libhdf5 fills in the numbers without making room for them.
  const auto one = state.index->filtered(0);
  state.layout.single_filter = SingleChunkFilter{};
  if (one) state.layout.single_filter = SingleChunkFilter{one->size, one->filter_mask};
  state.mark_messages_changed();
}

Result<std::vector<FileAddress>> place_filtered_chunks(FileStore& store,
                                                       const StoredObjectPtr& object,
                                                       std::span<const SizedChunk> chunks) {
  PCIO_TRY(store.datasets().load_chunk_index(object));
  std::vector<FileAddress> places(chunks.size());
  PCIO_TRY(place_filtered_chunks(store, object, chunks, places));
  return places;
}

namespace {

enum class OldPlaces : std::uint8_t { kReleased, kKept };

/// Places that are free at once: several chunks that release such may get each other's, and then one that fails can't
/// have its own back.
Status check_moves(const FileSpace& space, const ChunkIndex& index,
                   std::span<const SizedChunk> chunks) {
  if (chunks.size() == 1) return Status();
  for (const SizedChunk& chunk : chunks)
    if (const auto old = index.filtered(chunk.ordinal); old && space.is_uncommitted(old->address))
      return PCIO_ERROR(INTERNAL, CANTOPERATE,
                        "several filtered chunks would release places that no commit has named");
  return Status();
}

/// What is marked and does not come does no harm.
void mark_chunks_changed(FileStore& store, const StoredObjectPtr& object,
                         std::span<const SizedChunk> chunks) {
  DatasetState& state = *object->dataset;
  store.objects().touch(object);
  state.mark_index_changed();
  for (const SizedChunk& chunk : chunks)
    if (state.index->filtered(chunk.ordinal)) store.datasets().note_replaced(object);
}

/// Chunks on their way from their old places to new ones. Those that have none in the end keep the old.
class Places {
 public:
  Places(FileStore& store, DatasetState& state, std::span<const SizedChunk> chunks)
      : store_(store), space_(store.space()), index_(*state.index), chunks_(chunks) {}
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  ~Places() {
    undo_or_tell(store_, [&] {
      for (; placed_ < released_; ++placed_)
        if (const auto old = index_.filtered(chunks_[placed_].ordinal))
          space_.take_again({old->address, old->size});
    });
  }

  /// All of them at once: they join, and the new ones fill them from their beginning.
  void release_old() {
    for (; released_ < chunks_.size(); ++released_)
      if (const auto old = index_.filtered(chunks_[released_].ordinal))
        space_.release({old->address, old->size});
  }
  Status find_new(std::span<FileAddress> places) {
    for (; placed_ < chunks_.size(); ++placed_) {
      const SizedChunk& chunk = chunks_[placed_];
      PCIO_ASSIGN(places[placed_], space_.allocate(chunk.size, SpaceUse::kRawData));
      TakenSpace taken(space_, {places[placed_], chunk.size});
      index_.put_filtered(chunk.ordinal, {places[placed_], chunk.size, chunk.mask});
      taken.keep();
    }
    return Status();
  }

 private:
  FileStore& store_;
  FileSpace& space_;
  ChunkIndex& index_;
  std::span<const SizedChunk> chunks_;
  std::size_t released_ = 0, placed_ = 0;
};

Status place_chunks(FileStore& store, const StoredObjectPtr& object,
                    std::span<const SizedChunk> chunks, std::span<FileAddress> places,
                    OldPlaces olds) {
  DatasetState& state = *object->dataset;
  PCIO_TRY(check_chunks(state, chunks));
  PCIO_TRY(check_room(store.space(), chunks));
  if (chunks.empty()) return Status();
  mark_chunks_changed(store, object, chunks);
  if (olds == OldPlaces::kReleased) PCIO_TRY(check_moves(store.space(), *state.index, chunks));
  Places moving(store, state, chunks);
  if (olds == OldPlaces::kReleased) moving.release_old();
  PCIO_TRY(moving.find_new(places));
  note_single_chunk(state);
  return Status();
}

}  // namespace

Status place_filtered_chunks(FileStore& store, const StoredObjectPtr& object,
                             std::span<const SizedChunk> chunks, std::span<FileAddress> places) {
  return place_chunks(store, object, chunks, places, OldPlaces::kReleased);
}

Status place_filtered_beside(FileStore& store, const StoredObjectPtr& object,
                             std::span<const SizedChunk> chunks, std::span<FileAddress> places) {
  return place_chunks(store, object, chunks, places, OldPlaces::kKept);
}

namespace {

/// Ranks of a parallel file may fail together: their call says so at once.
void release_replaced(FileStore& store, const ByteRange& range) {
  store.parallel() ? store.space().release(range) : release_or_tell(store, range);
}

}  // namespace

Status replace_filtered_chunk(FileStore& store, const StoredObjectPtr& object,
                              const SizedChunk& chunk, ConstBytes bytes) {
  PCIO_TRY(store.datasets().load_chunk_index(object));
  DatasetState& state = *object->dataset;
  PCIO_TRY(check_chunks(state, std::span(&chunk, 1)));
  mark_chunks_changed(store, object, std::span(&chunk, 1));
  PCIO_ASSIGN(FileAddress address, store.space().allocate(chunk.size, SpaceUse::kRawData));
  TakenSpace taken(store.space(), {address, chunk.size});
  PCIO_TRY(store.bytes().write(address, bytes));
  const auto old = state.index->filtered(chunk.ordinal);
  state.index->put_filtered(chunk.ordinal, {address, chunk.size, chunk.mask});
  taken.keep();
  note_single_chunk(state);
  if (old) release_replaced(store, {old->address, old->size});
  return Status();
}

Status drop_filtered_chunk(FileStore& store, const StoredObjectPtr& object, ChunkOrdinal ordinal) {
  PCIO_TRY(store.datasets().load_chunk_index(object));
  DatasetState& state = *object->dataset;
  const auto old = state.index->filtered(ordinal);
  if (!old) return Status();
  store.objects().touch(object);
  state.mark_index_changed();
  state.index->remove_filtered(ordinal);
  note_single_chunk(state);
  release_replaced(store, {old->address, old->size});
  return Status();
}

}  // namespace pcio
