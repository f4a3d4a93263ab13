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
std::uint64_t next_dataset(const FileStore& store, FileAddress from) {
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
        placer_(store, object, store.bytes()),
        codec_(*object->dataset, store, store.bytes(), FilterOptions()) {}

  /// What may lack memory. Local.
  Status prepare() {
    placer_.reserve();
    const auto ranks = static_cast<std::uint64_t>(store_.coordinator().size());
    const auto me = static_cast<std::uint64_t>(store_.coordinator().rank());
    if (!has_some(*object_)) return Status();
    for (ChunkInMemory* chunk : object_->dataset->chunks->pending.chunks())
      // All ranks have the same version of a chunk that nobody wrote: one of them writes it.
      if (chunk->written || chunk->ordinal % ranks == me) mine_.push_back(chunk);
    return Status();
  }

  Status run() {
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
    }
    if (object_->dataset->chunks) object_->dataset->chunks->pending.clear();
    return Status();
  }

 private:
  Status encode(std::uint64_t end, std::size_t& next) {
    for (; next < mine_.size() && mine_[next]->ordinal < end; ++next) {
      const ChunkInMemory& chunk = *mine_[next];
      if (chunk.stored_mask) {
        batch_.add(chunk.ordinal, chunk.image, *chunk.stored_mask);
        continue;
      }
      PCIO_ASSIGN(const EncodedView encoded, codec_.encode(chunk.ordinal, chunk.image));
      if (encoded.bytes.size() > 0xFFFFFFFFU)
        return PCIO_ERROR(PLINE, CANTFILTER, "a chunk is larger than 4 GiB behind its filters");
      batch_.add(chunk.ordinal, encoded.bytes, encoded.mask,
                 chunk.written ? ChunkVersion::kWritten : ChunkVersion::kCopied);
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
  ChunkPlacer placer_;
  ChunkCodec codec_;
  EncodedBatch batch_;
  std::vector<ChunkInMemory*> mine_;  ///< ascending
};

Status write_dataset(FileStore& store, FileAddress address) {
  StoredObjectPtr object;
  std::unique_ptr<PendingDataset> dataset;
  RankStatus mine;
  mine.unless_failed([&]() -> Status {
    PCIO_ASSIGN(object, store.objects().object(address));
    PCIO_TRY(store.datasets().state(object));
    PCIO_TRY(store.datasets().load_chunk_index(object));
    dataset = std::make_unique<PendingDataset>(store, object);
    return dataset->prepare();
  });
  PCIO_TRY(tell_failure(store.coordinator(), mine, [] {
    return PCIO_ERROR(IO, WRITEERROR, "another rank can't write its chunks");
  }));
  return dataset->run();
}

}  // namespace

bool has_pending_chunks(const FileStore& store) { return next_dataset(store, 0) != kEverything; }

Status write_pending_chunks(FileStore& store, const CallName& name) {
  Status status;
  for (FileAddress from = 0; status.ok();) {
    std::uint64_t next = next_dataset(store, from);
    PCIO_TRY(store.coordinator().allreduce_min(std::span(&next, 1)));
    if (next == kEverything) return Status();
    status = write_dataset(store, next);
    from = next + 1;
  }
  status.push(PCIO_FRAME(DATASET, WRITEERROR,
                         to_string(name) + ": chunks that were written independently"));
  return status;
}

PendingWork pending_work(FileStore& store, const CallName& name) {
  if (!store.parallel() || !store.writable()) return {};
  return {has_pending_chunks(store), [&store, &name] { return write_pending_chunks(store, name); }};
}

Status write_any_pending(FileStore& store, const CallName& name, const Status& local) {
  if (!store.parallel() || !store.writable() || !store.coordinator().health().ok()) return local;
  // Chunks that wait need space, which there is none of before.
  PCIO_TRY(store.recover_commit(name));
  const PendingFacts facts{CallKind::kFlushPending, has_pending_chunks(store)};
  PCIO_ASSIGN(const GlobalFacts agreed, store.coordinator().agree(name, to_local(facts), local));
  return agreed_pending(agreed) ? write_pending_chunks(store, name) : Status();
}

}  // namespace pcio
