// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: chunk images.

#include "storage/chunks/chunk_images.hpp"

#include "base/checked.hpp"
#include "base/repeat.hpp"

namespace pcio {

bool is_plain_edge(const LayoutMessage& layout, const ChunkGrid& grid, const Dims& coords) {
  return layout.partial_edge_unfiltered && !(grid.box(coords) == grid.full_box(coords));
}

const FilterPipeline& filters_of_chunk(const DatasetState& state, const ChunkGrid& grid,
                                       const Dims& coords) {
  static const auto& kNone = *new FilterPipeline;  // never destroyed
  return is_plain_edge(state.layout, grid, coords) ? kNone : state.filters;
}

Status read_chunk_image(FileStore& store, const FilteredChunk& stored,
                        const FilterPipeline& filters, Bytes image, FilterScratch& scratch,
                        const FilterOptions& options) {
  if (!store.bytes().holds(stored.address, stored.size))
    return PCIO_ERROR(DATASET, TRUNCATED, "a chunk lies outside the file");
  std::vector<std::byte> bytes(static_cast<std::size_t>(stored.size));
  PCIO_TRY(store.bytes().read(stored.address, bytes));
  return decode_chunk(filters, bytes, stored.filter_mask, image, scratch, options);
}

DatasetChunks& chunks_of(FileStore& store, const StoredObjectPtr& object) {
  DatasetState& state = *object->dataset;
  if (!state.chunks) state.chunks = std::make_shared<DatasetChunks>();
  // Two ranks may write parts of one chunk, so no rank may keep what it once saw.
  if (store.parallel() && store.writable()) state.chunks->cache.keep_nothing();
  return *state.chunks;
}

void set_chunk_cache(FileStore& store, const StoredObjectPtr& object,
                     const ChunkCacheSettings& settings) {
  chunks_of(store, object).cache.set_settings(settings);
}

ChunkImages::ChunkImages(FileStore& store, StoredObjectPtr object, FilterOptions options)
    : store_(store),
      object_(std::move(object)),
      state_(*object_->dataset),
      chunks_(chunks_of(store, object_)),
      options_(std::move(options)) {}

ChunkCache::WriteBack ChunkImages::writer() {
  return [this](ChunkInMemory& chunk) { return write_back(chunk); };
}

Status ChunkImages::load(const Dims& coords, const FilteredChunk& stored,
                         std::vector<std::byte>& image) {
  const FilterPipeline& filters = filters_of_chunk(state_, state_.index->grid(), coords);
  // What the file says of a chunk's size is not believed before its stored bytes bear it out.
  PCIO_TRY(check_image_size(filters, stored.size, stored.filter_mask, state_.chunk_bytes()));
  image.resize(static_cast<std::size_t>(state_.chunk_bytes()));
  return read_chunk_image(store_, stored, filters, image, chunks_.scratch, options_);
}

Result<ChunkInMemory*> ChunkImages::find(const Dims& coords) {
  const ChunkOrdinal ordinal = state_.index->grid().ordinal(coords);
  if (ChunkInMemory* have = chunks_.pending.find(ordinal))
    return have->stored_mask ? find_packed(*have) : Result<ChunkInMemory*>(have);
  if (ChunkInMemory* have = chunks_.cache.find(ordinal)) return have;
  const auto stored = state_.index->filtered(ordinal);
  if (!stored) return nullptr;
  PCIO_TRY(chunks_.cache.make_room(state_.chunk_bytes(), writer()));
  std::vector<std::byte> image = chunks_.cache.take_spare();
  PCIO_TRY(load(coords, *stored, image));
  return &chunks_.cache.add(ordinal, std::move(image));
}

void ChunkImages::fill(std::vector<std::byte>& image) const {
  const bool zeros = !state_.wants_fill() || state_.fill_is_zero();
  image.resize(static_cast<std::size_t>(state_.chunk_bytes()));
  repeat_element(zeros ? std::vector<std::byte>() : state_.new_element(), image);
}

std::uint64_t pending_bytes(const FileStore& store) {
  std::uint64_t bytes = 0;
  for (const auto& [address, object] : store.pending().datasets())
    if (object->dataset && object->dataset->chunks)
      bytes += object->dataset->chunks->pending.bytes();
  return bytes;
}

std::string pending_memory_text(const FileStore& store) {
  const std::uint64_t most = store.pending().limit();
  const std::uint64_t unit = std::uint64_t{1} << 20;
  const bool whole = most % unit == 0;
  return std::to_string(whole ? most / unit : most) + (whole ? " MiB" : " bytes") +
         " (pcio_set_fapl_waiting_memory)";
}

namespace {

/// `bytes` more, in place of `less`.
Status check_pending_bytes(const FileStore& store, std::uint64_t bytes, std::uint64_t less) {
  if (fits_inside(pending_bytes(store) - less, bytes, store.pending().limit())) return Status();
  return PCIO_ERROR(RESOURCE, NOSPACE,
                    "more than " + pending_memory_text(store) +
                        " of independently written chunks with filters wait for the other ranks: "
                        "call H5Fflush on all ranks, or write collectively");
}

}  // namespace

Status keep_pending_chunk(FileStore& store, const StoredObjectPtr& object, const SizedChunk& chunk,
                          ConstBytes bytes) {
  ChunkCache& pending = chunks_of(store, object).pending;
  const ChunkInMemory* const before = pending.peek(chunk.ordinal);
  PCIO_TRY(check_pending_bytes(store, bytes.size(), before != nullptr ? before->image.size() : 0));
  std::vector<std::byte> copy(bytes.begin(), bytes.end());
  store.pending().note(object);
  if (before == nullptr) pending.add(chunk.ordinal, {});
  ChunkInMemory& kept = *pending.find(chunk.ordinal);
  pending.set_image(kept, std::move(copy));
  kept.stored_mask = chunk.mask;
  kept.dirty = kept.written = true;
  kept.touched += bytes.size();
  return Status();
}

Result<std::vector<std::byte>> unpack_pending(const DatasetState& state, const ChunkInMemory& chunk,
                                              FilterScratch& scratch,
                                              const FilterOptions& options) {
  const ChunkGrid& grid = state.index->grid();
  const FilterPipeline& filters = filters_of_chunk(state, grid, grid.coords(chunk.ordinal));
  const std::uint32_t mask = chunk.stored_mask.value_or(0);
  PCIO_TRY(check_image_size(filters, chunk.image.size(), mask, state.chunk_bytes()));
  std::vector<std::byte> image(static_cast<std::size_t>(state.chunk_bytes()));
  PCIO_TRY(decode_chunk(filters, chunk.image, mask, image, scratch, options));
  return image;
}

/// For reading: it waits on as it is.
Result<ChunkInMemory*> ChunkImages::find_packed(const ChunkInMemory& packed) {
  PCIO_ASSIGN(std::vector<std::byte> image,
              unpack_pending(state_, packed, chunks_.scratch, options_));
  return &chunks_.cache.add(packed.ordinal, std::move(image));
}

/// For writing into it.
Result<ChunkInMemory*> ChunkImages::unpack(ChunkInMemory& packed, OldContents old) {
  PCIO_TRY(check_pending_bytes(store_, state_.chunk_bytes(), packed.image.size()));
  std::vector<std::byte> image;
  if (old == OldContents::kReplaced) {
    fill(image);
  } else {
    PCIO_ASSIGN(image, unpack_pending(state_, packed, chunks_.scratch, options_));
  }
  // A write that fails leaves what waited before it.
  const std::uint32_t mask = packed.stored_mask.value_or(0);
  unpacked_ = {packed.ordinal, chunks_.pending.set_image(packed, std::move(image)), mask};
  return &packed;
}

/// Only all ranks together can give a filtered chunk a place, and only a whole one needs nothing
/// that another rank may be writing.
Result<ChunkInMemory*> ChunkImages::find_pending(ChunkOrdinal ordinal, OldContents old) {
  if (ChunkInMemory* have = chunks_.pending.find(ordinal))
    return have->stored_mask ? unpack(*have, old) : Result<ChunkInMemory*>(have);
  if (old == OldContents::kKept)
    return PCIO_ERROR(DATASET, WRITEERROR,
                      "a part of a chunk with filters can't be written independently in a parallel "
                      "file: write whole chunks, or collectively (H5Pset_dxpl_mpio)");
  PCIO_TRY(check_pending_bytes(store_, state_.chunk_bytes(), 0));
  std::vector<std::byte> image;
  fill(image);
  return &chunks_.pending.add(ordinal, std::move(image));
}

Result<ChunkInMemory*> ChunkImages::find_for_write(const Dims& coords, OldContents old) {
  const ChunkOrdinal ordinal = state_.index->grid().ordinal(coords);
  if (store_.parallel()) return find_pending(ordinal, old);
  if (ChunkInMemory* have = chunks_.cache.find(ordinal)) return have;
  if (old == OldContents::kKept) {
    PCIO_ASSIGN(ChunkInMemory * stored, find(coords));
    if (stored != nullptr) return stored;
  }
  PCIO_TRY(chunks_.cache.make_room(state_.chunk_bytes(), writer()));
  std::vector<std::byte> image = chunks_.cache.take_spare();
  fill(image);
  return &chunks_.cache.add(ordinal, std::move(image));
}

void ChunkImages::changed(ChunkInMemory& chunk) {
  unpacked_.reset();
  chunk.dirty = true;
  store_.pending().note(object_);
}

Status ChunkImages::release(ChunkInMemory& chunk) {
  return is_pending(chunk) ? Status() : chunks_.cache.release(chunk, writer());
}

void ChunkImages::discard(ChunkInMemory& chunk) {
  if (unpacked_ && unpacked_->ordinal == chunk.ordinal) {
    chunks_.pending.set_image(chunk, std::move(unpacked_->bytes));
    chunk.stored_mask = unpacked_->mask;
    unpacked_.reset();
    return;
  }
  if (chunk.dirty) return;
  (is_pending(chunk) ? chunks_.pending : chunks_.cache).remove(chunk.ordinal);
}

/// The place changes first: what was there is replaced by what is in memory, and that stays dirty,
/// so that no commit can happen, until it is in the file.
Status ChunkImages::write_back(ChunkInMemory& chunk) {
  // A read may need the room of a chunk that was written: it must not wait for a flush.
  if (store_.space().allocation_forbidden())
    PCIO_TRY(store_.recover_commit({"completing a commit", ""}));
  const ChunkGrid& grid = state_.index->grid();
  const FilterPipeline& filters = filters_of_chunk(state_, grid, grid.coords(chunk.ordinal));
  PCIO_ASSIGN(EncodedView stored, encode_chunk(filters, chunk.image, chunks_.scratch, options_));
  const SizedChunk sized{chunk.ordinal, stored.bytes.size(), stored.mask};
  PCIO_ASSIGN(auto places, place_filtered_chunks(store_, object_, std::span(&sized, 1)));
  PCIO_TRY(store_.bytes().write(places.front(), stored.bytes));
  chunk.dirty = false;
  return Status();
}

Status ChunkImages::flush() { return chunks_.cache.flush(writer()); }

Status flush_chunks(FileStore& store, const StoredObjectPtr& object) {
  if (!object->dataset || !object->dataset->chunks) return Status();
  if (!object->dataset->chunks->cache.has_dirty()) return Status();
  return ChunkImages(store, object).flush();
}

Status close_chunks(FileStore& store, const StoredObjectPtr& object) {
  if (!object->dataset || !object->dataset->chunks) return Status();
  Status flushed = flush_chunks(store, object);
  object->dataset->chunks->cache.drop_clean();
  return flushed;
}

Status flush_chunk_caches(FileStore& store) {
  Status first;
  const ObjectsByAddress& datasets = store.pending().datasets();
  for (auto it = datasets.begin(); it != datasets.end();) {
    const StoredObjectPtr object = (it++)->second;
    Status written = flush_chunks(store, object);
    if (object->dataset && object->dataset->chunks && object->dataset->chunks->pending.count() > 0)
      written = PCIO_ERROR(INTERNAL, INCONSISTENTSTATE, "chunks wait to be written by all ranks");
    if (written.ok()) store.pending().forget(object);
    if (first.ok()) first = std::move(written);
  }
  return first;
}

void drop_chunks(FileStore& store, const StoredObjectPtr& object) {
  store.pending().forget(object);
  if (!object->dataset || !object->dataset->chunks) return;
  object->dataset->chunks->cache.clear();
  object->dataset->chunks->pending.clear();
}

}  // namespace pcio
