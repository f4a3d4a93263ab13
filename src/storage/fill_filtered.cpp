// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: early allocation of filtered chunks.
//
// libhdf5 was seen to write all of them, with the fill value or zeros, whatever the fill time says:
// without having been through the filters a chunk has no size.

#include <algorithm>
#include <cstring>

#include "storage/chunk_images.hpp"

namespace pcio {

namespace {

/// Chunks whose places follow each other are written together, up to this many bytes.
constexpr std::size_t kWriteTogether = std::size_t{4} << 20;

/// The fill value in a chunk's image and in its two stored forms.
class FilledChunk {
 public:
  explicit FilledChunk(const DatasetState& state) : state_(state) {
    image_.resize(static_cast<std::size_t>(state.chunk_bytes()));
    const std::vector<std::byte> element = state.fill_element();
    for (std::size_t at = 0; !element.empty() && at + element.size() <= image_.size();
         at += element.size())
      std::memcpy(image_.data() + at, element.data(), element.size());
  }

  Status encode() {
    PCIO_ASSIGN(filtered_, encode_chunk(state_.filters, image_));
    return Status();
  }
  [[nodiscard]] ConstBytes stored(const Dims& coords) const {
    return plain(coords) ? ConstBytes(image_) : ConstBytes(filtered_.bytes);
  }
  [[nodiscard]] std::uint32_t mask(const Dims& coords) const {
    return plain(coords) ? 0 : filtered_.mask;
  }

 private:
  [[nodiscard]] bool plain(const Dims& coords) const {
    return is_plain_edge(state_.layout, state_.index->grid(), coords);
  }
  const DatasetState& state_;
  std::vector<std::byte> image_;
  EncodedChunk filtered_;
};

std::vector<SizedChunk> missing_chunks(DatasetState& state, const FilledChunk& fill) {
  std::vector<SizedChunk> missing;
  const ChunkGrid& grid = state.index->grid();
  for (ChunkOrdinal i = 0; i < grid.count(); ++i) {
    if (state.index->filtered(i)) continue;
    if (state.chunks && state.chunks->cache.peek(i) != nullptr) continue;
    const Dims coords = grid.coords(i);
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
    if (!together.empty() && (places[i] != start + together.size() ||
                              together.size() + bytes.size() > kWriteTogether)) {
      PCIO_TRY(store.bytes().write(start, together));
      together.clear();
    }
    if (together.empty()) start = places[i];
    together.insert(together.end(), bytes.begin(), bytes.end());
  }
  return together.empty() ? Status() : store.bytes().write(start, together);
}

}  // namespace

Status allocate_filtered_chunks(FileStore& store, const StoredObjectPtr& object) {
  PCIO_TRY(store.load_chunk_index(object));
  DatasetState& state = *object->dataset;
  FilledChunk fill(state);
  PCIO_TRY(fill.encode());
  const std::vector<SizedChunk> missing = missing_chunks(state, fill);
  PCIO_ASSIGN(auto places, place_filtered_chunks(store, object, missing));
  Status written = write_filled(store, state.index->grid(), missing, places, fill);
  if (written.ok()) return Status();
  for (const SizedChunk& chunk : missing)
    static_cast<void>(drop_filtered_chunk(store, object, chunk.ordinal));
  return written;
}

}  // namespace pcio
