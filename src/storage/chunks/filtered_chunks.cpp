// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: place_filtered_chunks.

#include "storage/chunks/filtered_chunks.hpp"

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Everything that could be refused later, so that the index changes only where nothing can fail.
Status check_chunks(const ChunkIndex& index, std::span<const SizedChunk> chunks) {
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (chunks[i].ordinal >= index.grid().count() ||
        (i > 0 && chunks[i].ordinal <= chunks[i - 1].ordinal))
      return PCIO_ERROR(DATASET, BADVALUE,
                        "chunks to be placed are out of order or outside the dataset");
    if (chunks[i].size == 0 || chunks[i].size > 0xFFFFFFFFU)
      return PCIO_ERROR(DATASET, BADVALUE, "a filtered chunk of 0 bytes or 4 GiB can't be stored");
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

Status place_chunks(FileStore& store, const StoredObjectPtr& object,
                    std::span<const SizedChunk> chunks, std::span<FileAddress> places,
                    OldPlaces olds) {
  DatasetState& state = *object->dataset;
  FileSpace& space = store.space();
  PCIO_TRY(check_chunks(*state.index, chunks));
  PCIO_TRY(check_room(space, chunks));
  if (chunks.empty()) return Status();
  // All old places first: they join, and the new ones fill them from their beginning.
  for (const SizedChunk& chunk : chunks)
    if (const auto old = state.index->filtered(chunk.ordinal)) {
      if (olds == OldPlaces::kReleased) space.release({old->address, old->size});
      store.datasets().note_replaced(object);
    }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const SizedChunk& chunk = chunks[i];
    PCIO_ASSIGN(places[i], space.allocate(chunk.size, SpaceUse::kRawData));
    state.index->put_filtered(chunk.ordinal, {places[i], chunk.size, chunk.mask});
  }
  note_single_chunk(state);
  state.mark_index_changed();
  store.objects().touch(object);
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

Status replace_filtered_chunk(FileStore& store, const StoredObjectPtr& object,
                              const SizedChunk& chunk, ConstBytes bytes) {
  PCIO_TRY(store.datasets().load_chunk_index(object));
  DatasetState& state = *object->dataset;
  PCIO_TRY(check_chunks(*state.index, std::span(&chunk, 1)));
  PCIO_ASSIGN(FileAddress address, store.space().allocate(chunk.size, SpaceUse::kRawData));
  if (Status written = store.bytes().write(address, bytes); !written.ok()) {
    store.space().release({address, chunk.size});
    return written;
  }
  if (const auto old = state.index->filtered(chunk.ordinal)) {
    store.space().release({old->address, old->size});
    store.datasets().note_replaced(object);
  }
  state.index->put_filtered(chunk.ordinal, {address, chunk.size, chunk.mask});
  note_single_chunk(state);
  state.mark_index_changed();
  store.objects().touch(object);
  return Status();
}

Status drop_filtered_chunk(FileStore& store, const StoredObjectPtr& object, ChunkOrdinal ordinal) {
  PCIO_TRY(store.datasets().load_chunk_index(object));
  DatasetState& state = *object->dataset;
  const auto old = state.index->filtered(ordinal);
  if (!old) return Status();
  store.space().release({old->address, old->size});
  state.index->remove_filtered(ordinal);
  note_single_chunk(state);
  state.mark_index_changed();
  store.objects().touch(object);
  return Status();
}

}  // namespace pcio
