// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: early allocation of filtered chunks.
//
// libhdf5 was seen to write all of them, with the fill value or zeros, whatever the fill time says:
// without having been through the filters a chunk has no size.

#include <algorithm>

#include "base/repeat.hpp"
#include "base/time_split.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/dataset/allocation.hpp"

namespace pcio {

namespace {

/// Chunks whose places follow each other are written together, up to this many bytes.
constexpr std::size_t kFillTogether = std::size_t{4} << 20;

/// The fill value in a chunk's image and in its two stored forms.
class FilledChunk {
 public:
  FilledChunk(const DatasetState& state, const ChunkGrid& grid) : state_(state), grid_(grid) {
    image_.resize(static_cast<std::size_t>(state.chunk_bytes()));
    repeat_element(state.new_element(), image_);
  }

  Status encode() {
    PCIO_ASSIGN(filtered_, encode_chunk(state_.filters, image_));
    return check_stored_size(state_, filtered_.bytes.size());
  }
  [[nodiscard]] ConstBytes stored(const Dims& coords) const {
    return plain(coords) ? ConstBytes(image_) : ConstBytes(filtered_.bytes);
  }
  [[nodiscard]] std::uint32_t mask(const Dims& coords) const {
    return plain(coords) ? 0 : filtered_.mask;
  }

 private:
  [[nodiscard]] bool plain(const Dims& coords) const {
    return is_plain_edge(state_.layout, grid_, coords);
  }
  const DatasetState& state_;
  const ChunkGrid& grid_;
  std::vector<std::byte> image_;
  EncodedChunk filtered_;
};

bool is_on(const ChunkGrid& grid, const Dims& coords) {
  for (unsigned d = 0; d < coords.size(); ++d)
    if (coords[d] >= grid.grid()[d]) return false;
  return true;
}

/// Chunks of `grid` that the index, which may be of another extent, does not have.
std::vector<SizedChunk> missing_chunks(const DatasetState& state, const ChunkGrid& grid,
                                       const FilledChunk& fill) {
  std::vector<SizedChunk> missing;
  const ChunkGrid& now = state.index->grid();
  for (ChunkOrdinal i = 0; i < grid.count(); ++i) {
    const Dims coords = grid.coords(i);
    if (is_on(now, coords)) {
      const ChunkOrdinal known = now.ordinal(coords);
      if (state.index->filtered(known)) continue;
      if (state.chunks && state.chunks->cache.peek(known) != nullptr) continue;
    }
    missing.push_back({i, fill.stored(coords).size(), fill.mask(coords)});
  }
  return missing;
}

Status write_filled(FileStore& store, const ChunkGrid& grid, std::span<const SizedChunk> chunks,
                    std::span<const FileAddress> places, const FilledChunk& fill) {
  std::vector<std::byte> together;
  FileAddress start = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const ConstBytes bytes = fill.stored(grid.coords(chunks[i].ordinal));
    if (!together.empty() &&
        (places[i] != start + together.size() || together.size() + bytes.size() > kFillTogether)) {
      PCIO_TRY(store.bytes().write(start, together));
      together.clear();
    }
    if (together.empty()) start = places[i];
    together.insert(together.end(), bytes.begin(), bytes.end());
  }
  return together.empty() ? Status() : store.bytes().write(start, together);
}

}  // namespace

Status FilledChunks::write(const StoredObjectPtr& object, const ChunkGrid& grid) {
  PCIO_TRY(store_.datasets().load_chunk_index(object));
  const Spends fills(Spent::kFill);
  const DatasetState& state = *object->dataset;
  // Nobody may have it open yet, and no link leads to it.
  const ChunksInFilters in_filters(object);
  FilledChunk fill(state, grid);
  PCIO_TRY(fill.encode());
  chunks_ = missing_chunks(state, grid, fill);
  places_.reserve(chunks_.size());
  for (const SizedChunk& chunk : chunks_) {
    PCIO_ASSIGN(FileAddress at, store_.space().allocate(chunk.size, SpaceUse::kRawData));
    places_.push_back(at);
  }
  return write_filled(store_, grid, chunks_, places_, fill);
}

FilledChunks::~FilledChunks() {
  for (std::size_t i = entered_; i < places_.size(); ++i)
    release_or_tell(store_, {places_[i], chunks_[i].size});
}

void FilledChunks::enter(const StoredObjectPtr& object) {
  if (chunks_.empty()) return;
  DatasetState& state = *object->dataset;
  store_.objects().touch(object);
  state.mark_index_changed();
  for (; entered_ < chunks_.size(); ++entered_) {
    const SizedChunk& chunk = chunks_[entered_];
    state.index->put_filtered(chunk.ordinal, {places_[entered_], chunk.size, chunk.mask});
  }
  note_single_chunk(state);
}

Status allocate_filtered_chunks(FileStore& store, const StoredObjectPtr& object) {
  PCIO_TRY(store.datasets().load_chunk_index(object));
  const ChunkGrid grid = object->dataset->index->grid();
  FilledChunks filled(store);
  PCIO_TRY(filled.write(object, grid));
  filled.enter(object);
  return Status();
}

}  // namespace pcio
