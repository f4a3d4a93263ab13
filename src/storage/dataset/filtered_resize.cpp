// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: FilteredResize.

#include "storage/dataset/filtered_resize.hpp"

#include <cstring>

#include "base/make_room.hpp"

namespace pcio {

bool FilteredResize::stays(const Dims& coords) const {
  for (unsigned d = 0; d < coords.size(); ++d)
    if (coords[d] >= after_.grid()[d]) return false;
  return true;
}

bool FilteredResize::is_cut(const Dims& coords) const {
  for (const Box& box : cut_)
    if (box.contains(coords)) return true;
  return false;
}

bool FilteredResize::changes(const ChunkGrid& before, const Dims& coords) const {
  if (!stays(coords)) return false;
  const LayoutMessage& layout = object_->dataset->layout;
  return is_cut(coords) ||
         is_plain_edge(layout, before, coords) != is_plain_edge(layout, after_, coords);
}

bool FilteredResize::needed() const {
  const DatasetState& state = *object_->dataset;
  if (cut_.empty() && !state.layout.partial_edge_unfiltered) return false;
  const ChunkGrid& before = state.index->grid();
  for (const auto& [ordinal, chunk] : state.index->filtered_chunks())
    if (changes(before, before.coords(ordinal))) return true;
  return false;
}

bool FilteredResize::changes_any() const {
  return !cut_.empty() || object_->dataset->layout.partial_edge_unfiltered;
}

Status FilteredResize::prepare(KeptChunks* kept) {
  const DatasetState& state = *object_->dataset;
  if (!changes_any()) return Status();
  chunks_of(store_, object_);
  const ChunksInFilters in_filters(object_);
  element_ = state.new_element();
  if (store_.parallel()) {
    KeptChunks now;
    if (kept == nullptr) {
      PCIO_ASSIGN(now, keep());
    }
    wait_for_all(kept == nullptr ? now : *kept);
    find_images();
    return Status();
  }
  find_images();
  const ChunkGrid& before = state.index->grid();
  Status status;
  for (const auto& [ordinal, chunk] : state.index->filtered_chunks()) {
    const Dims coords = before.coords(ordinal);
    if (!changes(before, coords)) continue;
    if (state.chunks && state.chunks->cache.peek(ordinal) != nullptr) continue;
    status = rewrite(coords, chunk);
    if (!status.ok()) break;
  }
  return status;
}

FilteredResize::~FilteredResize() {
  // Copies that nobody has changed hide what others write.
  for (ChunkOrdinal ordinal : copies_) {
    ChunkCache& pending = object_->dataset->chunks->pending;
    if (const ChunkInMemory* copy = pending.peek(ordinal);
        copy != nullptr && !copy->dirty && copy->uses == 0)
      pending.remove(ordinal);
  }
  for (const Changed& one : changed_) release_or_tell(store_, {one.now.address, one.now.size});
}

void FilteredResize::find_images() {
  const DatasetState& state = *object_->dataset;
  if (!state.chunks) return;
  const ChunkGrid& before = state.index->grid();
  for (ChunkCache* cache : {&state.chunks->cache, &state.chunks->pending})
    for (ChunkInMemory* chunk : cache->chunks()) {
      const Dims coords = before.coords(chunk->ordinal);
      if (changes(before, coords)) images_.push_back({chunk, coords});
    }
  if (!images_.empty()) store_.pending().note(object_);
}

/// All ranks read the same chunks; whoever writes them, the others must not see what was cut off.
Result<KeptChunks> FilteredResize::keep() {
  const DatasetState& state = *object_->dataset;
  KeptChunks kept;
  if (!changes_any()) return kept;
  DatasetChunks& chunks = chunks_of(store_, object_);
  const ChunksInFilters in_filters(object_);
  const ChunkGrid& before = state.index->grid();
  PCIO_TRY(unpack_pending_chunks(&kept));
  // What is counted is equal on all ranks: each has chunks of its own that wait.
  std::uint64_t bytes = 0;
  for (const auto& [ordinal, stored] : state.index->filtered_chunks()) {
    const Dims coords = before.coords(ordinal);
    if (!changes(before, coords)) continue;
    bytes += ChunkCache::memory_of(state.chunk_bytes());
    if (bytes > store_.pending().limit())
      return PCIO_ERROR(RESOURCE, NOSPACE,
                        "this change of size changes more than " + pending_memory_text(store_) +
                            " of chunks with filters; make it in a file that is opened serially");
    if (chunks.pending.peek(ordinal) != nullptr) continue;
    const FilterPipeline& filters = filters_of_chunk(state, before, coords);
    PCIO_TRY(check_image_size(filters, stored.size, stored.filter_mask, state.chunk_bytes()));
    std::vector<std::byte> image(static_cast<std::size_t>(state.chunk_bytes()));
    LentScratch scratch(chunks);
    PCIO_TRY(read_chunk_image(store_, stored, filters, image, scratch.get(), {}));
    kept.read.emplace_back(ordinal, std::move(image));
  }
  return kept;
}

void FilteredResize::wait_for_all(KeptChunks& kept) {
  DatasetChunks& chunks = chunks_of(store_, object_);
  for (auto& [ordinal, image] : kept.unpacked)
    if (ChunkInMemory* chunk = chunks.pending.find(ordinal))
      chunks.pending.set_image(*chunk, std::move(image));
  copies_.reserve(kept.read.size());
  if (!kept.read.empty()) store_.pending().note(object_);
  for (auto& [ordinal, image] : kept.read) {
    copies_.push_back(ordinal);
    chunks.pending.add(ordinal, std::move(image));
  }
}

/// This rank's chunks that wait as they are to lie in the file: the change is made in images.
Status FilteredResize::unpack_pending_chunks(KeptChunks* kept) {
  const DatasetState& state = *object_->dataset;
  DatasetChunks& chunks = chunks_of(store_, object_);
  for (ChunkInMemory* chunk : chunks.pending.chunks()) {
    if (!chunk->stored_mask ||
        !changes(state.index->grid(), state.index->grid().coords(chunk->ordinal)))
      continue;
    LentScratch scratch(chunks);
    PCIO_ASSIGN(std::vector<std::byte> image, unpack_pending(state, *chunk, scratch.get(), {}));
    kept->unpacked.emplace_back(chunk->ordinal, std::move(image));
  }
  return Status();
}

Status FilteredResize::rewrite(const Dims& coords, const FilteredChunk& stored) {
  const DatasetState& state = *object_->dataset;
  LentScratch lent(chunks_of(store_, object_));
  FilterScratch& scratch = lent.get();
  const FilterPipeline& old = filters_of_chunk(state, state.index->grid(), coords);
  PCIO_TRY(check_image_size(old, stored.size, stored.filter_mask, state.chunk_bytes()));
  std::vector<std::byte> image(static_cast<std::size_t>(state.chunk_bytes()));
  PCIO_TRY(read_chunk_image(store_, stored, old, image, scratch, {}));
  fill_outside(coords, image);
  PCIO_ASSIGN(EncodedView made,
              encode_chunk(filters_of_chunk(state, after_, coords), image, scratch));
  PCIO_TRY(check_stored_size(state, made.bytes.size()));
  make_room(changed_, 1);
  PCIO_ASSIGN(FileAddress address, store_.space().allocate(made.bytes.size(), SpaceUse::kRawData));
  changed_.push_back({coords, {address, made.bytes.size(), made.mask}});
  return store_.bytes().write(address, made.bytes);
}

/// Whatever the fill time says: what was cut off must not be seen again.
void FilteredResize::fill_outside(const Dims& coords,
                                  std::vector<std::byte>& image) const noexcept {
  const DatasetState& state = *object_->dataset;
  const bool undefined = state.fill.state == FillState::kUndefined && state.type.is_fixed();
  if (undefined || !is_cut(coords)) return;
  const Dims inside = after_.box(coords).count;
  const Dims& full = after_.chunk();
  std::byte* to = image.data();
  for_each_position(full, [&](const Dims& at) {
    bool keep = true;
    for (unsigned d = 0; d < at.size(); ++d) keep = keep && at[d] < inside[d];
    if (!keep) std::memcpy(to, element_.data(), element_.size());
    to += element_.size();
  });
}

void FilteredResize::enter(std::vector<ByteRange>* dropped) {
  DatasetState& state = *object_->dataset;
  for (const Changed& one : changed_) {
    const ChunkOrdinal ordinal = after_.ordinal(one.coords);
    if (const auto old = state.index->filtered(ordinal)) {
      store_.datasets().note_replaced(object_);
      dropped->push_back({old->address, old->size});
    }
    state.index->put_filtered(ordinal, one.now);
    state.mark_index_changed();
  }
}

void FilteredResize::change_images(const ChunkGrid& before) noexcept {
  changed_.clear();
  copies_.clear();
  DatasetState& state = *object_->dataset;
  for (const Image& image : images_) {
    fill_outside(image.coords, image.chunk->image);
    image.chunk->dirty = true;
  }
  if (!state.chunks) return;
  state.chunks->cache.renumber(before, after_);
  state.chunks->pending.renumber(before, after_);
}

}  // namespace pcio
