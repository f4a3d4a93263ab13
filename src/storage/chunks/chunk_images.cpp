// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: chunk images.

#include "storage/chunks/chunk_images.hpp"

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "base/never_destroyed.hpp"
#include "base/repeat.hpp"
#include "base/without_throwing.hpp"

namespace pcio {

bool is_plain_edge(const LayoutMessage& layout, const ChunkGrid& grid, const Dims& coords) {
  return layout.partial_edge_unfiltered && !(grid.box(coords) == grid.full_box(coords));
}

const FilterPipeline& filters_of_chunk(const DatasetState& state, const ChunkGrid& grid,
                                       const Dims& coords) {
  static NeverDestroyed<const FilterPipeline> none;
  return is_plain_edge(state.layout, grid, coords) ? *none : state.filters;
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
  if (!state.chunks) {
    state.chunks = std::make_shared<DatasetChunks>();
    state.chunks->pending.count_in(store.pending().memory());
  }
  if (store.parallel() && store.writable()) state.chunks->cache.keep_nothing();
  return *state.chunks;
}

void set_chunk_cache(FileStore& store, const StoredObjectPtr& object,
                     const ChunkCacheSettings& settings) {
  DatasetChunks& chunks = chunks_of(store, object);
  chunks.cache.set_settings(settings);
  chunks.kept.set_settings(settings);
}

ChunkImages::ChunkImages(FileStore& store, StoredObjectPtr object, FilterOptions options)
    : store_(store),
      object_(std::move(object)),
      state_(*object_->dataset),
      chunks_(chunks_of(store, object_)),
      options_(std::move(options)) {}

ChunkInMemory* ChunkImages::use(ChunkInMemory& chunk) {
  done_with_it();
  ++chunk.uses;
  return in_use_ = &chunk;
}

ChunkInMemory* ChunkImages::use_to_fill(ChunkInMemory& chunk) {
  use(chunk);
  ++chunk.fillers;
  fills_ = true;
  return &chunk;
}

/// A conversion may write the same chunk: each for itself.
void ChunkImages::stop_filling() {
  if (std::exchange(fills_, false)) --in_use_->fillers;
}

void ChunkImages::done_with_it() {
  stop_filling();
  if (in_use_ != nullptr) --std::exchange(in_use_, nullptr)->uses;
}

ChunkCache::WriteBack ChunkImages::writer() {
  return [this](ChunkInMemory& chunk) { return write_back(chunk); };
}

Status ChunkImages::load(const Dims& coords, const FilteredChunk& stored,
                         std::vector<std::byte>& image) {
  const FilterPipeline& filters = filters_of_chunk(state_, state_.index->grid(), coords);
  // What the file says of a chunk's size is not believed before its stored bytes bear it out.
  PCIO_TRY(check_image_size(filters, stored.size, stored.filter_mask, state_.chunk_bytes()));
  image.resize(static_cast<std::size_t>(state_.chunk_bytes()));
  LentScratch scratch(chunks_);
  return read_chunk_image(store_, stored, filters, image, scratch.get(), options_);
}

Result<ChunkInMemory*> ChunkImages::find(const Dims& coords) {
  const ChunkOrdinal ordinal = state_.index->grid().ordinal(coords);
  if (ChunkInMemory* have = chunks_.pending.find(ordinal))
    return have->stored_mask ? find_packed(*have) : Result<ChunkInMemory*>(use(*have));
  if (ChunkInMemory* have = chunks_.cache.find(ordinal)) return use(*have);
  return find_stored(coords);
}

Result<ChunkInMemory*> ChunkImages::find_stored(const Dims& coords) {
  const ChunkOrdinal ordinal = state_.index->grid().ordinal(coords);
  const auto stored = state_.index->filtered(ordinal);
  if (!stored) return nullptr;
  if (may_keep()) return find_kept(coords, *stored);
  if (others_write() || chunks_.encodings > 0) {
    PCIO_TRY(load(coords, *stored, own_.image));
    return use(own_);
  }
  PCIO_TRY(chunks_.cache.make_room(state_.chunk_bytes(), writer()));
  std::vector<std::byte> image = chunks_.cache.take_spare();
  PCIO_TRY(load(coords, *stored, image));
  // Functions of the program may have been called.
  if (ChunkInMemory* have = chunks_.cache.find(ordinal)) return use(*have);
  return use(chunks_.cache.add(ordinal, std::move(image)));
}

/// Of chunks that other ranks write: they do so in calls of all ranks only, and each such call changes the index on all of them.
/// Within one nobody knows which of the two is in the file; nor does a machine with a cache of its own, which has not looked anew.
bool ChunkImages::may_keep() {
  if (!others_write() || store_.driver().caches_apart()) return false;
  if (chunks_.encodings > 0 || store_.coordinator().is_exchanging()) return false;
  const std::uint64_t version = state_.index->version();
  if (chunks_.kept_of == version) return true;
  chunks_.kept.drop_clean();
  // A read goes on whose conversion has made a call of all ranks.
  if (chunks_.kept.count() > 0) return false;
  chunks_.kept_of = version;
  return true;
}

bool ChunkImages::has(ChunkOrdinal ordinal) {
  return chunks_.cache.peek(ordinal) != nullptr ||
         (may_keep() && chunks_.kept.peek(ordinal) != nullptr);
}

Result<ChunkInMemory*> ChunkImages::find_kept(const Dims& coords, const FilteredChunk& stored) {
  const ChunkOrdinal ordinal = state_.index->grid().ordinal(coords);
  if (ChunkInMemory* have = chunks_.kept.find(ordinal)) return use(*have);
  PCIO_TRY(chunks_.kept.make_room(state_.chunk_bytes(), {}));
  std::vector<std::byte> image = chunks_.kept.take_spare();
  const std::uint64_t version = state_.index->version();
  PCIO_TRY(load(coords, stored, image));
  // Functions of the program may have been called, which read it, too, or made a call of all ranks.
  const bool is_older = !state_.index || state_.index->version() != version;
  if (is_older || !may_keep() || chunks_.kept.peek(ordinal) != nullptr) {
    own_.image = std::move(image);
    return use(own_);
  }
  return use(chunks_.kept.add(ordinal, std::move(image)));
}

void ChunkImages::fill(std::vector<std::byte>& image) const {
  const bool zeros = !state_.wants_fill() || state_.fill_is_zero();
  image.resize(static_cast<std::size_t>(state_.chunk_bytes()));
  repeat_element(zeros ? std::vector<std::byte>() : state_.new_element(), image);
}

std::string pending_memory_text(const FileStore& store) {
  const std::uint64_t most = store.pending().limit();
  const std::uint64_t unit = std::uint64_t{1} << 20;
  const bool whole = most % unit == 0;
  return std::to_string(whole ? most / unit : most) + (whole ? " MiB" : " bytes") +
         " (pcio_set_fapl_waiting_memory)";
}

namespace {

/// One image more, of so many bytes, in place of that of `before`, if any.
Status check_pending_memory(const FileStore& store, std::uint64_t bytes,
                            const ChunkInMemory* before) {
  const std::uint64_t less = before != nullptr ? ChunkCache::memory_of(before->image.size()) : 0;
  const std::uint64_t others = *store.pending().memory() - less;
  if (fits_inside(others, ChunkCache::memory_of(bytes), store.pending().limit())) return Status();
  return PCIO_ERROR(RESOURCE, NOSPACE,
                    "more than " + pending_memory_text(store) +
                        " of independently written chunks with filters wait for the other ranks: "
                        "call H5Fflush on all ranks, or write collectively");
}

}  // namespace

Status keep_pending_chunk(FileStore& store, const StoredObjectPtr& object, const SizedChunk& chunk,
                          ConstBytes bytes) {
  ChunkCache& pending = chunks_of(store, object).pending;
  PCIO_TRY(check_not_in_use(*object->dataset, chunk.ordinal));
  const ChunkInMemory* const before = pending.peek(chunk.ordinal);
  PCIO_TRY(check_pending_memory(store, bytes.size(), before));
  std::vector<std::byte> copy(bytes.begin(), bytes.end());
  store.pending().note(object);
  if (before == nullptr) pending.add(chunk.ordinal, {});
  ChunkInMemory& kept = *pending.find(chunk.ordinal);
  pending.set_image(kept, std::move(copy));
  kept.stored_mask = chunk.mask;
  kept.dirty = kept.written = true;
  kept.left_in = 0;
  kept.goes_with_use = false;
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
Result<ChunkInMemory*> ChunkImages::find_packed(ChunkInMemory& packed) {
  const ChunkInUse in_use(packed);
  LentScratch scratch(chunks_);
  PCIO_ASSIGN(own_.image, unpack_pending(state_, packed, scratch.get(), options_));
  return use(own_);
}

/// For writing into it.
Result<ChunkInMemory*> ChunkImages::unpack(ChunkInMemory& packed, OldContents old) {
  PCIO_TRY(check_pending_memory(store_, state_.chunk_bytes(), &packed));
  PCIO_TRY(check_not_in_use(state_, packed.ordinal));
  std::vector<std::byte> image;
  if (old == OldContents::kReplaced) {
    fill(image);
  } else {
    const ChunkInUse in_use(packed);
    LentScratch scratch(chunks_);
    PCIO_ASSIGN(image, unpack_pending(state_, packed, scratch.get(), options_));
  }
  // A write that fails leaves what waited before it.
  const std::uint32_t mask = packed.stored_mask.value_or(0);
  unpacked_ = {packed.ordinal, chunks_.pending.set_image(packed, std::move(image)), mask,
               packed.touched};
  return use_to_fill(packed);
}

/// Only all ranks together can give a filtered chunk a place, and only a whole one needs nothing
/// that another rank may be writing.
Result<ChunkInMemory*> ChunkImages::find_pending(ChunkOrdinal ordinal, OldContents old) {
  if (ChunkInMemory* have = chunks_.pending.find(ordinal))
    return have->stored_mask ? unpack(*have, old) : Result<ChunkInMemory*>(use_to_fill(*have));
  if (old == OldContents::kKept)
    return PCIO_ERROR(DATASET, WRITEERROR,
                      "a part of a chunk with filters can't be written independently in a parallel "
                      "file: write whole chunks, or collectively (H5Pset_dxpl_mpio)");
  PCIO_TRY(check_pending_memory(store_, state_.chunk_bytes(), nullptr));
  std::vector<std::byte> image;
  fill(image);
  return use_to_fill(chunks_.pending.add(ordinal, std::move(image)));
}

Result<ChunkInMemory*> ChunkImages::find_for_write(const Dims& coords, OldContents old) {
  const ChunkOrdinal ordinal = state_.index->grid().ordinal(coords);
  if (chunks_.encodings > 0) PCIO_TRY(check_not_in_use(state_, ordinal));
  if (store_.parallel()) return find_pending(ordinal, old);
  if (ChunkInMemory* have = chunks_.cache.find(ordinal)) return use(*have);
  if (old == OldContents::kKept) {
    PCIO_ASSIGN(ChunkInMemory * stored, find(coords));
    if (stored != nullptr) return stored;
  }
  PCIO_TRY(chunks_.cache.make_room(state_.chunk_bytes(), writer()));
  // Functions of the program may have been called.
  if (ChunkInMemory* have = chunks_.cache.find(ordinal)) return use(*have);
  std::vector<std::byte> image = chunks_.cache.take_spare();
  fill(image);
  return use(chunks_.cache.add(ordinal, std::move(image)));
}

void ChunkImages::changed(ChunkInMemory& chunk) {
  unpacked_.reset();
  chunk.dirty = true;
  chunk.left_in = 0;
  chunk.goes_with_use = false;
  stop_filling();
}

Status ChunkImages::release(ChunkInMemory& chunk) {
  done_with_it();
  if (&chunk == &own_) return Status();
  if (is_pending(chunk)) {
    if (chunk.goes_with_use && chunk.uses == 0) chunks_.pending.remove(chunk.ordinal);
    return Status();
  }
  // While others are in their filters nothing moves.
  if (chunks_.encodings > 0) return Status();
  ChunkCache& home = chunks_.kept.peek(chunk.ordinal) == &chunk ? chunks_.kept : chunks_.cache;
  return home.release(chunk, writer());
}

void ChunkImages::discard(ChunkInMemory& chunk) {
  done_with_it();
  if (&chunk == &own_) return;
  auto unpacked = std::exchange(unpacked_, std::nullopt);
  // What a call in a conversion has put there since, or uses, is not this one's.
  if (chunk.uses > 0) return;
  if (unpacked && unpacked->ordinal == chunk.ordinal) {
    if (chunk.touched != unpacked->touched) return;
    chunks_.pending.set_image(chunk, std::move(unpacked->bytes));
    chunk.stored_mask = unpacked->mask;
    return;
  }
  if (chunk.dirty) return;
  (is_pending(chunk) ? chunks_.pending : chunks_.cache).remove(chunk.ordinal);
}

Status check_encoded(const DatasetState& state, const Result<EncodedView>& encoded) {
  if (!encoded) return encoded.error();
  if (encoded->bytes.empty())
    return PCIO_ERROR(PLINE, CANTFILTER, "nothing is left of it behind its filters");
  return check_stored_size(state, encoded->bytes.size());
}

Status cant_encode(const DatasetState& state, ChunkOrdinal ordinal, Status why) {
  const ChunkGrid& grid = state.index->grid();
  Dims first = grid.coords(ordinal);
  for (unsigned d = 0; d < first.size(); ++d) first[d] *= grid.chunk()[d];
  why.push(PCIO_FRAME(DATASET, WRITEERROR,
                      "the chunk that begins at " + first.to_string() + " can't be encoded"));
  return why;
}

/// Where it is encoded its place changes first: what was there is replaced by what is in memory, and that stays dirty,
/// so that no commit can happen, until it is in the file.
Status ChunkImages::write_back(ChunkInMemory& chunk) {
  // A read may need the room of a chunk that was written: it must not wait for a flush.
  if (store_.space().allocation_forbidden())
    PCIO_TRY(store_.recover_commit({"completing a commit", ""}));
  const ChunksInFilters in_filters(object_);
  const ChunkInUse in_use(chunk);
  LentScratch scratch(chunks_);
  const ChunkGrid& grid = state_.index->grid();
  const FilterPipeline& filters = filters_of_chunk(state_, grid, grid.coords(chunk.ordinal));
  EncodedView stored;
  Status encoded = without_throwing([&] {
    auto made = encode_chunk(filters, chunk.image, scratch.get(), options_);
    Status good = check_encoded(state_, made);
    if (good.ok()) stored = *made;
    return good;
  });
  chunk.is_unencoded = !encoded.ok();
  chunk.lacks_memory = lacks_memory(encoded);
  if (!encoded.ok()) return cant_encode(state_, chunk.ordinal, std::move(encoded));
  const SizedChunk sized{chunk.ordinal, stored.bytes.size(), stored.mask};
  PCIO_ASSIGN(auto places, place_filtered_chunks(store_, object_, std::span(&sized, 1)));
  chunk.dirty = chunk.is_placed = true;
  PCIO_TRY(store_.bytes().write(places.front(), stored.bytes));
  chunk.dirty = chunk.is_placed = false;
  return Status();
}

Status ChunkImages::flush() { return chunks_.cache.flush(writer()); }

}  // namespace pcio
