// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: PendingDataset.

#include "transfer/filtered/pending_dataset.hpp"

#include <algorithm>
#include <limits>

#include "agree/heard_failure.hpp"
#include "base/without_throwing.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kBehindAllChunks = std::numeric_limits<std::uint64_t>::max();
/// Images that are encoded between two exchanges. Bytes.
constexpr std::uint64_t kBatchBytes = std::uint64_t{16} << 20;

bool is_through(const ChunkInMemory& chunk) { return chunk.goes_with_use && chunk.uses == 0; }

ChunkVersion version_of(const ChunkInMemory& chunk) {
  if (!chunk.written) return ChunkVersion::kCopied;
  return chunk.left_in == 0 ? ChunkVersion::kWritten : version_left_in(chunk.left_in);
}

}  // namespace

PendingDataset::PendingDataset(FileStore& store, const StoredObjectPtr& object, std::uint32_t round)
    : store_(store),
      object_(object),
      round_(round),
      in_filters_(object),
      placer_(store, object, store.bytes()),
      codec_(*object->dataset, store, store.bytes(), FilterOptions()) {}

Status PendingDataset::prepare() {
  placer_.reserve();
  const auto ranks = static_cast<std::uint64_t>(store_.coordinator().size());
  if (!has_pending(*object_)) return Status();
  pending().remove_if(is_through);
  mine_.reserve(pending().count());
  failures_.reserve(std::min<std::uint64_t>(pending().count(), placer_.most_chunks()));
  for (ChunkInMemory* chunk : pending().chunks()) {
    chunk->is_settled = chunk->is_left = chunk->lacks_memory = false;
    // The file has it, and it goes with its last use; or a write has begun it, and nothing of it waits yet.
    if (chunk->goes_with_use || !chunk->dirty) continue;
    // All ranks have the same version of a chunk that nobody wrote: one of them writes it.
    if (chunk->written || chunk->ordinal % ranks == me()) mine_.push_back(chunk);
  }
  return Status();
}

Status PendingDataset::run(Status* left) {
  PCIO_TRY(walk(std::clamp<std::uint64_t>(
      kBatchBytes / std::max<std::uint64_t>(1, codec_.image_bytes()), 1, placer_.most_chunks())));
  if (placer_.some_left_out()) {
    prepare_again();
    PCIO_TRY(walk(1));
  }
  finish();
  if (placer_.some_left_out()) *left = failure_left();
  return Status();
}

/// `most`: chunks of this rank between two exchanges. Collective: over the file.
Status PendingDataset::walk(std::uint64_t most) {
  Status status;
  std::size_t next = 0;
  for (;;) {
    std::uint64_t end = mine_.size() - next > most ? mine_[next + most]->ordinal : kBehindAllChunks;
    PCIO_TRY(store_.coordinator().allreduce_min(std::span(&end, 1)));
    if (status.ok()) status = without_throwing([&] { return encode(end, next); });
    placer_.tell_left(left_ > 0, lacking_ > 0);
    PCIO_ASSIGN(const PlacingAnswer answer, placer_.exchange(batch_, next < mine_.size(), status));
    if (answer == PlacingAnswer::kFailed) return failure(status);
    if (answer == PlacingAnswer::kFinished) return Status();
    settle();
    keep_failures();
  }
}

/// What lacked memory gets what can be given back, one after the other. Asks for none.
void PendingDataset::prepare_again() {
  is_second_walk_ = true;
  batch_.give_back();
  placer_.give_back();
  codec_.give_back();
  mine_.clear();
  if (!object_->dataset->chunks) return;
  object_->dataset->chunks->scratch = FilterScratch();
  for (ChunkInMemory& chunk : pending().all()) {
    if (chunk.is_settled || chunk.goes_with_use || !chunk.dirty) continue;
    if (chunk.written && !chunk.lacks_memory) continue;
    if (std::exchange(chunk.is_left, false)) --left_;
    if (std::exchange(chunk.lacks_memory, false)) --lacking_;
    mine_.push_back(&chunk);
  }
  std::sort(mine_.begin(), mine_.end(),
            [](const ChunkInMemory* a, const ChunkInMemory* b) { return a->ordinal < b->ordinal; });
}

Status PendingDataset::encode_one(ChunkInMemory& chunk, EncodedView* encoded) {
  if (chunk.fillers > 0)
    return PCIO_ERROR(DATASET, CANTOPERATE, "a write of it goes on, whose conversion calls this");
  const auto made = codec_.encode(chunk.ordinal, chunk.image);
  PCIO_TRY(check_encoded(codec_.state(), made));
  *encoded = *made;
  return Status();
}

Status PendingDataset::encode(std::uint64_t end, std::size_t& next) {
  for (; next < mine_.size() && mine_[next]->ordinal < end; ++next) {
    ChunkInMemory& chunk = *mine_[next];
    const bool is_packed = chunk.stored_mask && chunk.fillers == 0;
    EncodedView encoded{chunk.image, chunk.stored_mask.value_or(0)};
    Status done;
    if (!is_packed) done = without_throwing([&] { return encode_one(chunk, &encoded); });
    if (done.ok())
      done = without_throwing([&] {
        batch_.add(chunk.ordinal, encoded.bytes, encoded.mask, version_of(chunk));
        return Status();
      });
    if (!done.ok()) leave(chunk, std::move(done));
  }
  return Status();
}

void PendingDataset::leave(ChunkInMemory& chunk, Status why) {
  chunk.is_left = true;
  chunk.lacks_memory = lacks_memory(why);
  ++left_;
  if (chunk.lacks_memory) ++lacking_;
  // What is tried once more has not failed yet.
  if ((chunk.lacks_memory || !chunk.written) && !is_second_walk_) return;
  failures_.emplace_back(&chunk, cant_encode(*object_->dataset, chunk.ordinal, std::move(why)));
}

/// Of this rank's versions those wait on that nobody's in the file is newer than.
void PendingDataset::settle() {
  if (!object_->dataset->chunks) return;
  placer_.for_each_placed([&](ChunkOrdinal ordinal, const ChunkPlacer::Placed& placed) {
    ChunkInMemory* const chunk = pending().find(ordinal);
    if (chunk == nullptr || chunk->fillers > 0 || chunk->is_settled) return;
    const ChunkVersion version = version_of(*chunk);
    chunk->is_settled = placed.version > version || version == ChunkVersion::kCopied ||
                        (placed.version == version && placed.mpi_rank >= me());
    if (!chunk->is_settled) return;
    if (chunk->is_left) --left_;
    if (chunk->lacks_memory) --lacking_;
  });
}

/// All versions of a chunk meet in one exchange: what is not settled now isn't in this walk.
void PendingDataset::keep_failures() {
  for (auto& [chunk, why] : failures_) {
    if (chunk->is_settled) continue;
    Status& first = chunk->lacks_memory ? lacked_ : refused_;
    if (first.ok()) first = std::move(why);
  }
  failures_.clear();
}

/// All that was placed is in the file. What was left out is older than what is written from here on.
void PendingDataset::finish() {
  if (!object_->dataset->chunks) return;
  for (ChunkInMemory& chunk : pending().all()) {
    chunk.goes_with_use = chunk.goes_with_use || chunk.is_settled;
    if (chunk.is_left && !chunk.is_settled && chunk.left_in == 0) chunk.left_in = round_;
  }
  pending().remove_if(is_through);
}

Status PendingDataset::failure_left() {
  keep_failures();
  if (placer_.some_lack_memory())
    return !lacked_.ok() ? std::move(lacked_)
                         : PCIO_ERROR(RESOURCE, NOSPACE,
                                      std::string(kAnotherRank) +
                                          "has no memory in which to encode its chunks");
  if (!refused_.ok()) return std::move(refused_);
  return PCIO_ERROR(DATASET, WRITEERROR, std::string(kAnotherRank) + "can't encode its chunks");
}

Status PendingDataset::failure(const Status& status) const {
  if (!status.ok()) return status;
  if (!placer_.status().ok()) return placer_.status();
  return PCIO_ERROR(IO, WRITEERROR, "another rank failed to write chunks with filters");
}

}  // namespace pcio
