// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: ChunkPlacer.

#include "transfer/filtered/chunk_placing.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/without_throwing.hpp"

namespace pcio {

namespace {

/// Chunks of a batch of all ranks together, as far as each may have some.
constexpr std::uint64_t kChunksOfAll = std::uint64_t{64} * 1024;
constexpr std::uint64_t kLeastChunks = 4;
constexpr std::uint64_t kMostChunks = 8192;
/// Encoded chunks from here on are not copied into the memory that a batch has for all of them ...
constexpr std::uint64_t kOwnBuffer = 64 << 10;

/// What each rank says first: how it failed, more to come, intervals of chunks, chunks.
constexpr std::uint64_t kFailed = 0;
constexpr std::uint64_t kMore = 1;
constexpr std::uint64_t kIntervals = 2;
constexpr std::uint64_t kChunks = 3;
constexpr std::uint64_t kHeaderWords = 4;
/// Bits of how it failed: by itself, in the last write, in giving places.
constexpr std::uint64_t kFailedHere = 1;
constexpr std::uint64_t kBatchFailed = 2;
constexpr std::uint64_t kDiverged = 4;
/// In the same word, and no failures: chunks that could not be encoded, some of them for want of memory.
constexpr std::uint64_t kLeftOut = 8;
constexpr std::uint64_t kLacksMemory = 16;
/// Beside the length of an interval: which versions these are.
constexpr unsigned kVersionShift = 32;
constexpr std::uint64_t kLengthMask = (std::uint64_t{1} << kVersionShift) - 1;

}  // namespace

void EncodedBatch::add(ChunkOrdinal ordinal, ConstBytes bytes, std::uint32_t mask,
                       ChunkVersion version) {
  arena_.insert(arena_.end(), bytes.begin(), bytes.end());
  try {
    list(ordinal, bytes.size(), mask, version);
  } catch (...) {
    arena_.resize(static_cast<std::size_t>(shared_bytes_));
    throw;
  }
}

void EncodedBatch::list(ChunkOrdinal ordinal, std::uint64_t bytes, std::uint32_t mask,
                        ChunkVersion version) {
  chunks_.push_back({{ordinal, bytes, mask}, shared_bytes_, version, {}});
  shared_bytes_ += bytes;
}

void EncodedBatch::take(ChunkOrdinal ordinal, const EncodedView& encoded, FilterScratch* scratch) {
  const ConstBytes bytes = encoded.bytes;
  FilterBuffer& buffer = bytes.data() == scratch->front.data() ? scratch->front : scratch->back;
  // ... where not much of their buffer is empty.
  const bool takes = bytes.size() >= kOwnBuffer && bytes.data() == buffer.data() &&
                     buffer.owned() && buffer.capacity() - bytes.size() <= bytes.size() / 4;
  if (!takes) return add(ordinal, bytes, encoded.mask);
  // Room for them all, so that clear() needs none.
  spares_.reserve(spares_.size() + chunks_.size() + 1);
  chunks_.push_back({{ordinal, bytes.size(), encoded.mask}, 0, ChunkVersion::kWritten, {}});
  own_bytes_ += bytes.size();
  chunks_.back().own = std::move(buffer);
  if (spares_.empty()) return;
  buffer = std::move(spares_.back());
  spares_.pop_back();
}

bool ChunkPlacer::follows(const EncodedBatch::Chunk& before, const EncodedBatch::Chunk& chunk) {
  return chunk.sized.ordinal == before.sized.ordinal + 1 && chunk.version == before.version;
}

void EncodedBatch::clear() {
  for (Chunk& chunk : chunks_)
    if (chunk.own.owned()) spares_.push_back(std::move(chunk.own));
  shared_bytes_ = own_bytes_ = 0;
  chunks_.clear();
  arena_.clear();
}

void EncodedBatch::give_back() {
  chunks_ = std::vector<Chunk>();
  arena_ = std::vector<std::byte>();
  shared_bytes_ = own_bytes_ = 0;
  spares_ = std::vector<FilterBuffer>();
}

ChunkPlacer::ChunkPlacer(FileStore& store, const StoredObjectPtr& object, ByteTarget& target,
                         ExchangeCounts& counts, Effort effort)
    : store_(store),
      object_(object),
      target_(target),
      ranks_(static_cast<std::uint64_t>(store.coordinator().size())),
      most_chunks_(most_chunks_of(ranks_)),
      gathering_(store.coordinator(), counts, effort) {}

std::uint64_t ChunkPlacer::most_chunks_of(std::uint64_t ranks) {
  return std::clamp(kChunksOfAll / std::max<std::uint64_t>(1, ranks), kLeastChunks, kMostChunks);
}

std::uint64_t ChunkPlacer::memory_of(std::uint64_t ranks) {
  const std::uint64_t most = most_chunks_of(ranks);
  const std::uint64_t of_rank = words_of(most) * sizeof(std::uint64_t) + 2 * sizeof(std::uint64_t) +
                                most * (sizeof(Version) + sizeof(SizedChunk) + sizeof(FileAddress) +
                                        sizeof(std::uint64_t) + sizeof(OldPlace));
  return of_rank * ranks;
}

/// Whether there is memory; an interval of two words and a size for each chunk.
std::uint64_t ChunkPlacer::words_of(std::uint64_t chunks) {
  return std::max(kHeaderWords, 1 + 3 * chunks);
}

void ChunkPlacer::reserve() {
  const std::uint64_t words = words_of(most_chunks_);
  mine_ = std::make_unique_for_overwrite<std::uint64_t[]>(words);
  all_ = std::make_unique_for_overwrite<std::uint64_t[]>(words * ranks_);
  counts_.resize(2 * ranks_);
  versions_.reserve(most_chunks_ * ranks_);
  placed_.reserve(most_chunks_ * ranks_);
  winners_.reserve(most_chunks_ * ranks_);
  places_.reserve(most_chunks_ * ranks_);
  old_.reserve(most_chunks_ * ranks_);
}

std::span<const std::uint64_t> ChunkPlacer::message(std::uint64_t rank, std::uint64_t words) const {
  return {all_.get() + rank * words, words};
}

std::uint64_t ChunkPlacer::failures(const Status& local) const {
  return (!local.ok() || !rank_status_.ok() ? kFailedHere : 0) |
         (batch_failed_ ? kBatchFailed : 0) | (diverged_ ? kDiverged : 0);
}

Result<PlacingAnswer> ChunkPlacer::exchange(EncodedBatch& batch, bool more, const Status& local) {
  std::vector<EncodedBatch::Chunk>& chunks = batch.chunks_;
  std::sort(chunks.begin(), chunks.end(),
            [](const auto& a, const auto& b) { return a.sized.ordinal < b.sized.ordinal; });
  std::uint64_t intervals = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i)
    if (i == 0 || !follows(chunks[i - 1], chunks[i])) ++intervals;
  const std::uint64_t failed = failures(local);
  const std::uint64_t left = (leaves_out_ ? kLeftOut : 0) | (lacks_memory_ ? kLacksMemory : 0);
  std::uint64_t header[kHeaderWords] = {failed | left, more ? 1U : 0U, failed != 0 ? 0 : intervals,
                                        failed != 0 ? 0 : chunks.size()};
  const std::span room(all_.get(), kHeaderWords * ranks_);
  PCIO_TRY(store_.coordinator().allgather(std::as_bytes(std::span(header)),
                                          std::as_writable_bytes(room)));
  std::uint64_t words = 0, how = 0;
  bool go_on = false;
  for (std::uint64_t r = 0; r < ranks_; ++r) {
    const auto said = message(r, kHeaderWords);
    how |= said[kFailed];
    go_on = go_on || said[kMore] != 0 || said[kChunks] != 0;
    words = std::max(words, 2 * said[kIntervals] + said[kChunks]);
    counts_[2 * r] = said[kIntervals];
    counts_[2 * r + 1] = said[kChunks];
  }
  some_left_out_ = (how & kLeftOut) != 0;
  some_lack_memory_ = (how & kLacksMemory) != 0;
  if (how &= ~(kLeftOut | kLacksMemory); how != 0) return fail_batch(how);
  placed_.clear();
  winners_.clear();
  if (!go_on) return finish();
  static_cast<void>(release_old());
  if (words == 0) return PlacingAnswer::kGoOn;
  PCIO_ASSIGN(const bool all_ready, gather_sizes(batch, words + 1));
  if (!all_ready) return PlacingAnswer::kFailed;
  // What is thrown here has changed something on this rank alone.
  const bool differed = std::exchange(diverged_, true);
  Status placed = without_throwing([&] {
    places_.resize(placed_.size());
    Status done = place(placed_, places_);
    diverged_ = differed;
    return done;
  });
  rank_status_.note(std::move(placed));
  PCIO_TRY(gather_stripes(batch));
  if (rank_status_.ok()) {
    batch_failed_ = !rank_status_.even_if_failed([&] { return write(batch); });
  } else {
    old_.clear();  // nobody has a place, and nothing has changed
  }
  batch.clear();
  return PlacingAnswer::kGoOn;
}

/// All ranks know that one failed; `said`: what all of them said.
Result<PlacingAnswer> ChunkPlacer::fail_batch(std::uint64_t said) {
  std::uint64_t failed = (said & kDiverged) != 0 ? 1 : 0;
  if (failed == 0) {
    Status taken = without_throwing([&] {
      undo_allocation();
      return Status();
    });
    failed = taken.ok() ? 0 : 1;
    rank_status_.note(std::move(taken));
    PCIO_TRY(store_.coordinator().allreduce_max(std::span(&failed, 1)));
  }
  if (failed != 0)
    store_.coordinator().poison(PCIO_ERROR(RESOURCE, NOSPACE,
                                           "a rank ran out of memory, or MPI failed on it, while "
                                           "chunks with filters got their places"));
  return PlacingAnswer::kFailed;
}

/// What is given back here is what the small pieces
/// that maps of space and index need come from.
Status ChunkPlacer::prepare() {
  std::uint64_t chunks = 0;
  for (std::uint64_t r = 0; r < ranks_; ++r) chunks += counts_[2 * r + 1];
  ::operator delete(::operator new(static_cast<std::size_t>(chunks * kPlacingMemory)));
  return store_.datasets().load_chunk_index(object_);
}

/// Intervals of ordinals, then sizes and masks in their order; behind all whether this rank has
/// memory. False on all ranks where one of them has not.
Result<bool> ChunkPlacer::gather_sizes(const EncodedBatch& batch, std::uint64_t words) {
  Status ready = without_throwing([&] { return prepare(); });
  const std::span mine(mine_.get(), words);
  fill_message(batch, mine);
  mine.back() = ready.ok() ? 0 : 1;
  const std::span all(all_.get(), words * ranks_);
  PCIO_TRY(store_.coordinator().allgather(std::as_bytes(mine), std::as_writable_bytes(all)));
  rank_status_.note(std::move(ready));
  for (std::uint64_t r = 0; r < ranks_; ++r)
    if (message(r, words).back() != 0) return false;
  choose_versions(words);
  return true;
}

void ChunkPlacer::fill_message(const EncodedBatch& batch, std::span<std::uint64_t> mine) const {
  std::fill(mine.begin(), mine.end(), 0);
  const auto& chunks = batch.chunks_;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (i > 0 && follows(chunks[i - 1], chunks[i])) {
      ++mine[at - 1];
      continue;
    }
    mine[at++] = chunks[i].sized.ordinal;
    mine[at++] = 1 | static_cast<std::uint64_t>(chunks[i].version) << kVersionShift;
  }
  for (const auto& chunk : chunks)
    mine[at++] = chunk.sized.size | std::uint64_t{chunk.sized.mask} << 32;
}

/// Of several ranks' versions of a chunk one that was written wins, and of those the highest
/// rank's.
void ChunkPlacer::choose_versions(std::uint64_t words) {
  versions_.clear();
  for (std::uint64_t r = 0; r < ranks_; ++r) {
    const auto said = message(r, words);
    std::uint64_t size = 2 * counts_[2 * r];
    for (std::uint64_t i = 0; i < counts_[2 * r]; ++i)
      for (std::uint64_t n = 0; n < (said[2 * i + 1] & kLengthMask); ++n, ++size)
        versions_.push_back({{said[2 * i] + n, said[size] & 0xFFFFFFFFU,
                              static_cast<std::uint32_t>(said[size] >> 32)},
                             r,
                             static_cast<ChunkVersion>(said[2 * i + 1] >> kVersionShift)});
  }
  std::sort(versions_.begin(), versions_.end(), [](const Version& a, const Version& b) {
    if (a.sized.ordinal != b.sized.ordinal) return a.sized.ordinal < b.sized.ordinal;
    return a.version != b.version ? a.version < b.version : a.mpi_rank < b.mpi_rank;
  });
  for (std::size_t i = 0; i < versions_.size(); ++i) {
    if (i + 1 < versions_.size() && versions_[i + 1].sized.ordinal == versions_[i].sized.ordinal)
      continue;
    placed_.push_back(versions_[i].sized);
    winners_.push_back({versions_[i].mpi_rank, versions_[i].version});
  }
}

Status ChunkPlacer::place(std::span<const SizedChunk> chunks, std::span<FileAddress> places) {
  const ChunkIndex& index = *object_->dataset->index;
  for (const SizedChunk& chunk : chunks) {
    const auto old = index.filtered(chunk.ordinal);
    old_.push_back({chunk.ordinal, old.value_or(FilteredChunk{kUndefinedAddress, 0, 0})});
  }
  return place_filtered_beside(store_, object_, chunks, places);
}

Status CountingPlacer::place(std::span<const SizedChunk> chunks, std::span<FileAddress> places) {
  FileAddress next = store().space().end_of_allocation();
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    places[i] = next;
    next += chunks[i].size;
  }
  return Status();
}

/// Where this rank has no place for its chunks, or no memory for others', all write what they have.
Status ChunkPlacer::gather_stripes(const EncodedBatch& batch) {
  gathering_.clear();
  // (File systems whose machines have caches of their own lock no stripes, and a rank sees what it writes itself.)
  if (store_.context().lock_unit <= 1 || store_.coordinator().one_machine() ||
      store_.driver().caches_apart())
    return Status();
  Status ready = rank_status_.status();
  if (ready.ok()) ready = without_throwing([&] { return prepare_gathering(batch); });
  std::uint64_t lacks = ready.ok() ? 0 : 1;
  PCIO_TRY(store_.coordinator().allreduce_max(std::span(&lacks, 1)));
  if (lacks != 0)
    gathering_.give_up();
  else if (Status done = gathering_.exchange(); !done.ok()) {
    // Letters that nobody has received would come in the next exchange, so that there is none. Who waits for one that could
    // not be sent is told by the hang watch alone.
    diverged_ = true;
    rank_status_.note(std::move(done));
  }
  return Status();
}

Status ChunkPlacer::prepare_gathering(const EncodedBatch& batch) {
  own_.clear();
  std::vector<HeldBytes> held;
  const auto me = static_cast<std::uint64_t>(store_.coordinator().rank());
  auto chunk = batch.chunks_.begin();
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const ByteRange range{places_[i], placed_[i].size};
    if (range.size == 0) continue;
    held.push_back({range, static_cast<std::uint32_t>(winners_[i].mpi_rank)});
    if (winners_[i].mpi_rank != me) continue;
    while (chunk->sized.ordinal != placed_[i].ordinal) ++chunk;
    own_.push_back({range, &*chunk});
  }
  const auto by_address = [](const auto& a, const auto& b) {
    return a.range.offset < b.range.offset;
  };
  std::sort(held.begin(), held.end(), by_address);
  std::sort(own_.begin(), own_.end(), by_address);
  return gathering_.prepare(
      held, {store_.context().lock_unit, store_.bytes().base(), kMostGathered},
      [&](const ByteRange& range) {
        const auto own = std::prev(std::upper_bound(
            own_.begin(), own_.end(), range.offset,
            [](FileAddress a, const OwnChunk& one) { return a < one.range.offset; }));
        return batch.bytes_from(*own->chunk, own->range.size)
            .subspan(static_cast<std::size_t>(range.offset - own->range.offset),
                     static_cast<std::size_t>(range.size));
      });
}

/// This rank's chunks, those that follow each other here and there in one call, and what it gathered.
Status ChunkPlacer::write(const EncodedBatch& batch) {
  FileAddress start = 0;
  std::uint64_t skipped = 0, bytes = 0;
  const EncodedBatch::Chunk *first = nullptr, *last = nullptr;
  auto flush = [&]() -> Status {
    if (bytes == 0) return Status();
    return target_.write(
        start, batch.bytes_from(*first, skipped + bytes)
                   .subspan(static_cast<std::size_t>(skipped), static_cast<std::size_t>(bytes)));
  };
  std::size_t at = 0;
  const auto me = static_cast<std::uint64_t>(store_.coordinator().rank());
  for (const auto& chunk : batch.chunks_) {
    while (placed_[at].ordinal != chunk.sized.ordinal) ++at;
    if (winners_[at].mpi_rank != me) continue;
    const ByteRange place{places_[at], chunk.sized.size};
    PCIO_TRY(gathering_.for_each_left(place, [&](const ByteRange& part) -> Status {
      const bool goes_on =
          last != nullptr && chunk.is_behind(*last) && start + bytes == part.offset;
      if (goes_on && part.offset == place.offset) {
        bytes += part.size;
      } else {
        PCIO_TRY(flush());
        first = &chunk;
        start = part.offset;
        skipped = part.offset - place.offset;
        bytes = part.size;
      }
      last = &chunk;
      return Status();
    }));
  }
  PCIO_TRY(flush());
  return gathering_.write(target_);
}

/// The last batch is written everywhere. True where it had replaced anything; the same on all ranks.
bool ChunkPlacer::release_old() {
  bool replaced = false;
  diverged_ = true;
  Status released = without_throwing([&] {
    for (const OldPlace& old : old_) {
      if (old.chunk.address == kUndefinedAddress) continue;
      replaced = true;
      store_.space().release({old.chunk.address, old.chunk.size});
    }
    diverged_ = false;
    return Status();
  });
  rank_status_.note(std::move(released));
  old_.clear();
  return replaced;
}

/// Nobody has anything left. There is no next exchange that would tell of a rank whose map differs.
Result<PlacingAnswer> ChunkPlacer::finish() {
  if (!release_old()) return PlacingAnswer::kFinished;
  std::uint64_t differs = diverged_ ? 1 : 0;
  PCIO_TRY(store_.coordinator().allreduce_max(std::span(&differs, 1)));
  return differs == 0 ? PlacingAnswer::kFinished : fail_batch(kDiverged);
}

/// A batch that was not written everywhere: its chunks are what they were before, also such as were
/// rewritten since the last commit, and those that there were none of are none again: the index must
/// not lead to bytes that nobody wrote. The same on all ranks.
void ChunkPlacer::undo_allocation() {
  if (old_.empty()) return;
  ChunkIndex& index = *object_->dataset->index;
  for (const OldPlace& old : old_) {
    const auto now = index.filtered(old.ordinal);
    if (!now || now->address == old.chunk.address) continue;
    store_.space().release({now->address, now->size});
    if (old.chunk.address == kUndefinedAddress)
      index.remove_filtered(old.ordinal);
    else
      index.put_filtered(old.ordinal, old.chunk);
  }
  note_single_chunk(*object_->dataset);
  old_.clear();
}

}  // namespace pcio
