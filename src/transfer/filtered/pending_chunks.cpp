// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: pending chunks.
//
// Dataset after dataset, by ascending address; in each the ranks walk through the chunk numbers
// together, so that all versions of a chunk meet in the same exchange.

#include "transfer/filtered/pending_chunks.hpp"

#include <algorithm>
#include <limits>

#include "agree/heard_failure.hpp"
#include "agree/tell_failure.hpp"
#include "base/without_throwing.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "transfer/filtered/chunk_codec.hpp"
#include "transfer/filtered/chunk_placing.hpp"
#include "transfer/job/transfer_facts.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kEverything = std::numeric_limits<std::uint64_t>::max();
/// Images that are encoded between two exchanges. Bytes.
constexpr std::uint64_t kBatchBytes = std::uint64_t{16} << 20;

[[nodiscard]] bool has_some(const StoredObject& object) {
  return object.dataset && object.dataset->chunks && object.dataset->chunks->pending.count() > 0;
}

/// Address of the first dataset from `from` on that has some.
std::uint64_t next_dataset(FileStore& store, FileAddress from) {
  for (auto it = store.pending().datasets().lower_bound(from);
       it != store.pending().datasets().end(); ++it)
    if (has_some(*it->second)) return it->first;
  return kEverything;
}

/// One dataset. Threads: one thread.
class PendingDataset {
 public:
  PendingDataset(FileStore& store, const StoredObjectPtr& object)
      : store_(store),
        object_(object),
        in_filters_(object),
        placer_(store, object, store.bytes()),
        codec_(*object->dataset, store, store.bytes(), FilterOptions()) {}

  /// What may lack memory. Local.
  Status prepare() {
    placer_.reserve();
    const auto ranks = static_cast<std::uint64_t>(store_.coordinator().size());
    if (!has_some(*object_)) return Status();
    ChunkCache& pending = object_->dataset->chunks->pending;
    pending.remove_if(is_through);
    for (ChunkInMemory* chunk : pending.chunks()) {
      chunk->is_settled = chunk->is_left = false;
      // The file has it, and it goes with its last use; or a write has begun it, and nothing of it waits yet.
      if (chunk->goes_with_use || !chunk->dirty) continue;
      // All ranks have the same version of a chunk that nobody wrote: one of them writes it.
      if (chunk->written || chunk->ordinal % ranks == me()) mine_.push_back(chunk);
    }
    return Status();
  }

  /// `left`: becomes a failure, on all ranks, where chunks of any rank could not be encoded.
  Status run(Status* left) {
    const std::uint64_t most = std::clamp<std::uint64_t>(
        kBatchBytes / std::max<std::uint64_t>(1, codec_.image_bytes()), 1, placer_.most_chunks());
    Status status;
    std::size_t next = 0;
    for (;;) {
      std::uint64_t end = mine_.size() - next > most ? mine_[next + most]->ordinal : kEverything;
      PCIO_TRY(store_.coordinator().allreduce_min(std::span(&end, 1)));
      if (status.ok()) status = without_throwing([&] { return encode(end, next); });
      PCIO_ASSIGN(const PlacingAnswer answer,
                  placer_.exchange(batch_, next < mine_.size(), status));
      if (answer == PlacingAnswer::kFinished) break;
      if (answer == PlacingAnswer::kFailed) return failure(status);
      settle();
    }
    finish();
    if (!placer_.some_left_out()) return Status();
    *left = !left_.ok() ? std::move(left_)
                        : PCIO_ERROR(DATASET, WRITEERROR,
                                     std::string(kAnotherRank) + "can't encode its chunks");
    return Status();
  }

 private:
  [[nodiscard]] std::uint64_t me() const {
    return static_cast<std::uint64_t>(store_.coordinator().rank());
  }

  [[nodiscard]] static bool is_through(const ChunkInMemory& chunk) {
    return chunk.goes_with_use && chunk.uses == 0;
  }
  static ChunkVersion version_of(const ChunkInMemory& chunk) {
    if (!chunk.written) return ChunkVersion::kCopied;
    return chunk.is_old ? ChunkVersion::kOld : ChunkVersion::kWritten;
  }

  /// Of this rank's versions those wait on that nobody's in the file is newer than.
  void settle() {
    if (!object_->dataset->chunks) return;
    ChunkCache& pending = object_->dataset->chunks->pending;
    placer_.for_each_placed([&](ChunkOrdinal ordinal, const ChunkPlacer::Placed& placed) {
      ChunkInMemory* const chunk = pending.find(ordinal);
      if (chunk == nullptr || chunk->is_filling) return;
      const ChunkVersion version = version_of(*chunk);
      const bool is_older = placed.version > version;
      chunk->is_settled = chunk->is_settled || is_older || version == ChunkVersion::kCopied ||
                          (placed.version == version && placed.mpi_rank >= me());
    });
  }

  /// All that was placed is in the file. What was left out is older than what is written from here on.
  void finish() {
    if (!object_->dataset->chunks) return;
    ChunkCache& pending = object_->dataset->chunks->pending;
    for (ChunkInMemory& chunk : pending.all()) {
      chunk.goes_with_use = chunk.goes_with_use || chunk.is_settled;
      chunk.is_old = chunk.is_old || (chunk.is_left && !chunk.is_settled);
    }
    pending.remove_if(is_through);
  }

  Status encode(std::uint64_t end, std::size_t& next) {
    for (; next < mine_.size() && mine_[next]->ordinal < end; ++next) {
      ChunkInMemory& chunk = *mine_[next];
      if (chunk.stored_mask && !chunk.is_filling) {
        batch_.add(chunk.ordinal, chunk.image, *chunk.stored_mask, version_of(chunk));
        continue;
      }
      EncodedView encoded;
      Status good = without_throwing([&] {
        if (chunk.is_filling)
          return Status(PCIO_ERROR(DATASET, CANTOPERATE,
                                   "a write of it goes on, whose conversion calls this"));
        const auto made = codec_.encode(chunk.ordinal, chunk.image);
        Status checked = check_encoded(made);
        if (checked.ok()) encoded = *made;
        return checked;
      });
      if (!good.ok()) {
        placer_.leave_out();
        chunk.is_left = true;
        if (left_.ok()) left_ = cant_encode(*object_->dataset, chunk.ordinal, std::move(good));
        continue;
      }
      batch_.add(chunk.ordinal, encoded.bytes, encoded.mask, version_of(chunk));
    }
    return Status();
  }

  Status failure(const Status& status) const {
    if (!status.ok()) return status;
    if (!placer_.status().ok()) return placer_.status();
    return PCIO_ERROR(IO, WRITEERROR, "another rank failed to write chunks with filters");
  }

  FileStore& store_;
  const StoredObjectPtr& object_;
  const ChunksInFilters in_filters_;
  ChunkPlacer placer_;
  ChunkCodec codec_;
  EncodedBatch batch_;
  std::vector<ChunkInMemory*> mine_;  ///< ascending
  Status left_;                       ///< the first chunk of this rank that could not be encoded
};

/// Nothing asks for memory behind the last exchange.
Status write_dataset(FileStore& store, FileAddress address, LeftOut* left) {
  StoredObjectPtr object;
  LeftOut own;
  std::unique_ptr<PendingDataset> dataset;
  RankStatus mine;
  mine.unless_failed([&]() -> Status {
    own.emplace(address, Status());
    PCIO_ASSIGN(object, store.objects().object(address));
    PCIO_TRY(store.datasets().state(object));
    PCIO_TRY(store.datasets().load_chunk_index(object));
    dataset = std::make_unique<PendingDataset>(store, object);
    return dataset->prepare();
  });
  PCIO_TRY(tell_failure(store.coordinator(), mine, [] {
    return PCIO_ERROR(IO, WRITEERROR, "another rank can't write its chunks");
  }));
  Status& unencoded = own.begin()->second;
  PCIO_TRY(dataset->run(&unencoded));
  if (!unencoded.ok()) left->merge(own);
  return Status();
}

std::string to_text(const CallName& name) {
  return to_string(name) + ": chunks that were written independently";
}

}  // namespace

bool has_pending_chunks(FileStore& store) { return next_dataset(store, 0) != kEverything; }

Status write_pending_chunks(FileStore& store, const CallName& name, LeftOut* left) {
  Status status;
  for (FileAddress from = 0; status.ok();) {
    std::uint64_t next = next_dataset(store, from);
    PCIO_TRY(store.coordinator().allreduce_min(std::span(&next, 1)));
    if (next == kEverything) return Status();
    status = write_dataset(store, next, left);
    from = next + 1;
  }
  status.push(PCIO_FRAME(DATASET, WRITEERROR, to_text(name)));
  return status;
}

Status write_pending_before(FileStore& store, const StoredObject& dataset, const CallName& name) {
  LeftOut left;
  PCIO_TRY(write_pending_chunks(store, name, &left));
  const auto own = left.find(dataset.address);
  if (own == left.end()) return Status();
  Status failure = store.coordinator().outcome(name, own->second);
  failure.push(PCIO_FRAME(DATASET, WRITEERROR, to_text(name)));
  return failure;
}

PendingWork pending_work(FileStore& store, const CallName& name) {
  if (!store.parallel() || !store.writable()) return {};
  return {has_pending_chunks(store),
          [&store, &name](LeftOut* left) { return write_pending_chunks(store, name, left); }};
}

Status write_any_pending(FileStore& store, const StoredObject& dataset, const CallName& name) {
  if (!store.parallel() || !store.writable() || !store.coordinator().health().ok()) return Status();
  // Chunks that wait need space, which there is none of before.
  PCIO_TRY(store.recover_commit(name));
  const PendingFacts facts{CallKind::kFlushPending, has_pending_chunks(store)};
  PCIO_ASSIGN(const GlobalFacts agreed, store.coordinator().agree(name, to_local(facts), Status()));
  return agreed_pending(agreed) ? write_pending_before(store, dataset, name) : Status();
}

}  // namespace pcio
