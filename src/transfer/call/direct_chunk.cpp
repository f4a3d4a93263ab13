// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: direct chunks.

#include "transfer/call/direct_chunk.hpp"

#include <algorithm>

#include "agree/outcome_alike.hpp"
#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "plan/interval_union.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/chunks/stored_chunks.hpp"
#include "transfer/call/atomic_access.hpp"
#include "transfer/filtered/chunk_placing.hpp"
#include "transfer/call/late_allocation.hpp"
#include "transfer/filtered/pending_chunks.hpp"
#include "transfer/job/transfer_facts.hpp"

namespace pcio {

namespace {

/// Position in the grid of the chunk whose first element is at `offset`.
Result<Dims> chunk_position(const DatasetState& state, const Dims& offset) {
  const ChunkGrid& grid = state.index->grid();
  Dims coords = offset;
  for (unsigned d = 0; d < offset.size(); ++d) {
    if (offset[d] % grid.chunk()[d] != 0)
      return PCIO_ERROR(ARGS, BADVALUE,
                        "offset " + offset.to_string() + " is not the corner of a chunk");
    coords[d] = offset[d] / grid.chunk()[d];
    if (offset[d] >= grid.dims()[d])
      return PCIO_ERROR(ARGS, BADVALUE, "offset " + offset.to_string() + " is outside the dataset");
  }
  return coords;
}

Result<DatasetState*> chunked_state(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  if (!state->chunked()) return PCIO_ERROR(DATASET, BADVALUE, "the dataset is not chunked");
  PCIO_TRY(Status(state->unsupported));
  PCIO_TRY(store.datasets().load_chunk_index(object));
  return state;
}

/// What this rank keeps of a chunk until all ranks write it; null: nothing.
const ChunkInMemory* pending_chunk(const DatasetState& state, const StoredChunk& chunk) {
  if (!state.chunks) return nullptr;
  const ChunkGrid& grid = state.index->grid();
  Dims coords = chunk.offset;
  for (unsigned d = 0; d < coords.size(); ++d) coords[d] /= grid.chunk()[d];
  return state.chunks->pending.peek(grid.ordinal(coords));
}

/// One chunk on its way into the file.
class DirectWrite {
 public:
  DirectWrite(FileStore& store, const StoredObjectPtr& object, const DirectChunk& chunk,
              const CallName& name)
      : store_(store), object_(object), chunk_(chunk), name_(name) {}

  Status run_independent(const Status& checked) {
    PCIO_TRY(Status(checked));
    if (store_.parallel()) PCIO_TRY(store_.coordinator().health());
    PCIO_TRY(prepare());
    if (chunk_.bytes.empty())
      return PCIO_ERROR(ARGS, BADVALUE, "argument data_size: a chunk of 0 bytes");
    // Nobody gets space before a commit that failed is completed: one process can try that at once.
    if (!store_.parallel()) static_cast<void>(store_.recover_commit(name_));
    if (state_->filtered()) return write_filtered_independent();
    if (!store_.parallel()) {
      PCIO_TRY(write_deferred());
      PCIO_TRY(allocate_one());
    }
    Status written = without_throwing([&] { return write_plain(); });
    if (!written.ok()) undo_allocation(store_, object_, given_);
    return written;
  }

  Status run_collective(const Status& checked) {
    Status local = checked.ok() ? without_throwing([&] { return prepare(); }) : checked;
    PCIO_ASSIGN(const GlobalFacts merged,
                store_.coordinator().agree(name_, to_local(facts(local)), local));
    const AgreedTransfer agreed = agreed_transfer(merged);
    if (agreed.allocation_differs()) return allocation_differs();
    // Else what another machine keeps back of the same chunk could reach the file later than this.
    if (agreed.has_unseen_writes) PCIO_TRY(store_.writer().show_writes(name_));
    // Nobody gets space before a commit that failed is completed.
    if (state_->filtered() || agreed.has_pending_chunks || agreed.needs_allocation)
      PCIO_TRY(store_.recover_commit(name_));
    // What ranks wrote by themselves before is older than this call.
    if (agreed.has_pending_chunks) {
      PCIO_TRY(write_pending_before(store_, *object_, name_));
      if (agreed.caches_apart) PCIO_TRY(store_.writer().show_writes(name_));
    }
    if (state_->filtered()) return write_filtered_collective();
    PCIO_TRY(write_deferred());
    if (agreed.needs_allocation)
      PCIO_TRY(agreed.allocates_late ? allocate_given() : allocate_collective());
    Status written = store_.coordinator().outcome(
        name_, without_throwing([&] { return chunk_.bytes.empty() ? Status() : write_plain(); }));
    // Chunks that were to be written as a whole hold nothing.
    if (!written.ok()) undo_allocation(store_, object_, given_);
    return written;
  }

 private:
  Status prepare() {
    if (!store_.writable())
      return PCIO_ERROR(DATASET, WRITEERROR, "the file was opened for reading only");
    PCIO_ASSIGN(state_, chunked_state(store_, object_));
    // A rank that takes part with nothing needs no offset.
    if (chunk_.bytes.empty()) return Status();
    PCIO_ASSIGN(coords_, chunk_position(*state_, chunk_.offset));
    ordinal_ = state_->index->grid().ordinal(coords_);
    if (!state_->filtered() && chunk_.bytes.size() != state_->chunk_bytes())
      return PCIO_ERROR(ARGS, BADSIZE,
                        "a chunk without filters has " + std::to_string(state_->chunk_bytes()) +
                            " bytes, not " + std::to_string(chunk_.bytes.size()));
    return check_stored_size(*state_, chunk_.bytes.size());
  }
  /// What this rank brings to the agreement, where `local` has come so far.
  [[nodiscard]] TransferFacts facts(const Status& local) const {
    TransferFacts facts;
    facts.call = CallKind::kWriteChunk;
    facts.object = object_->address;
    facts.bytes = chunk_.bytes.size();
    facts.has_pending_chunks = has_pending_chunks(store_);
    facts.caches_apart = store_.driver().caches_apart();
    facts.has_unseen_writes = store_.driver().has_unseen_writes();
    if (!local.ok()) return facts;
    facts.needs_allocation = needs_allocation();
    facts.allocation = state_->allocates_late() ? AllocationTime::kLate : AllocationTime::kAtOnce;
    return facts;
  }
  /// What a smaller extent cut off before is older than this chunk. Collective: as the write.
  Status write_deferred() {
    if (state_->deferred.empty()) return Status();
    const Status paid =
        without_throwing([&] { return write_fill(store_, *state_, deferred_space(*state_)); });
    PCIO_TRY(store_.coordinator().outcome(name_, paid));
    state_->deferred = DeferredFill();
    return Status();
  }
  [[nodiscard]] bool needs_allocation() const {
    return !chunk_.bytes.empty() && !state_->filtered() &&
           state_->index->address_of(ordinal_) == kUndefinedAddress;
  }

  Status allocate_one() {
    Box box{coords_, coords_};
    for (unsigned d = 0; d < coords_.size(); ++d) box.count[d] = 1;
    PCIO_ASSIGN(auto runs, allocate_chunks(store_, object_, box));
    // With all chunks or none they are filled.
    if (!state_->index_class().all_chunks_or_none) given_.runs = std::move(runs);
    return Status();
  }
  Status allocate_collective() {
    NewSpace unfilled;
    Status given = without_throwing([&]() -> Status {
      PCIO_ASSIGN(unfilled, allocate_all(store_, object_));
      return Status();
    });
    Status filled = given;
    if (given.ok())
      filled = without_throwing([&] { return write_fill(store_, *state_, unfilled); });
    Status all = outcome_alike(store_.coordinator(), name_, given, filled);
    if (!all.ok()) undo_allocation(store_, object_, unfilled.given);
    return all;
  }
  /// The chunks that the ranks give, which need no fill, and no others.
  Status allocate_given() {
    const OrdinalInterval given{ordinal_, 1};
    const std::size_t count = needs_allocation() ? 1 : 0;
    auto wanted = gather_union(store_.coordinator(), std::span(&given, count));
    PCIO_TRY(store_.coordinator().outcome(name_, wanted ? Status() : wanted.error()));
    const Status allocated = without_throwing([&]() -> Status {
      PCIO_ASSIGN(given_.runs, allocate_listed(store_, object_, *wanted));
      return Status();
    });
    return outcome_alike(store_.coordinator(), name_, allocated);
  }
  Status write_plain() {
    const FileAddress address = state_->index->address_of(ordinal_);
    if (address == kUndefinedAddress)
      return PCIO_ERROR(DATASET, WRITEERROR,
                        "the chunk has no space in the file; a collective write gives it some");
    AtomicAccess access;
    PCIO_TRY(access.begin(store_, object_->address, coords_[0], Direction::kWrite));
    return store_.bytes().write(address, chunk_.bytes);
  }

  Status write_filtered_independent() {
    // Only all ranks together can give it a place.
    if (store_.parallel())
      return keep_pending_chunk(store_, object_, {ordinal_, chunk_.bytes.size(), chunk_.mask},
                                chunk_.bytes);
    PCIO_TRY(check_not_in_use(*state_, ordinal_));
    PCIO_TRY(replace_filtered_chunk(store_, object_, {ordinal_, chunk_.bytes.size(), chunk_.mask},
                                    chunk_.bytes));
    if (state_->chunks) state_->chunks->cache.remove(ordinal_);
    return Status();
  }

  /// Where several ranks give the same chunk, the highest rank's wins. What can't be written leaves
  /// the old chunk.
  Status write_filtered_collective() {
    ChunkPlacer placer(store_, object_, store_.bytes());
    EncodedBatch batch;
    // Memory that one rank lacks fails the call on all.
    Status ready = without_throwing([&] {
      placer.reserve();
      if (!chunk_.bytes.empty()) batch.add(ordinal_, chunk_.bytes, chunk_.mask);
      return Status();
    });
    PCIO_TRY(store_.coordinator().outcome(name_, ready));
    PlacingAnswer answer = PlacingAnswer::kGoOn;
    while (answer == PlacingAnswer::kGoOn) {
      PCIO_ASSIGN(answer, placer.exchange(batch, false, Status()));
    }
    return store_.coordinator().outcome(name_, placer.status());
  }

  FileStore& store_;
  const StoredObjectPtr& object_;
  const DirectChunk& chunk_;
  const CallName& name_;
  DatasetState* state_ = nullptr;
  Dims coords_;
  ChunkOrdinal ordinal_ = 0;
  GivenSpace given_;  ///< by this call, not filled
};

}  // namespace

Status write_direct_chunk(FileStore& store, const StoredObjectPtr& object, const DirectChunk& chunk,
                          TransferMode mode, const CallName& name, const Status& checked) {
  DirectWrite write(store, object, chunk, name);
  if (store.parallel() && mode == TransferMode::kCollective) return write.run_collective(checked);
  return write.run_independent(checked);
}

Status read_direct_chunk(FileStore& store, const StoredObjectPtr& object, const Dims& offset,
                         std::byte* into, std::uint32_t* mask) {
  if (store.parallel()) PCIO_TRY(store.coordinator().health());
  PCIO_ASSIGN(DatasetState * state, chunked_state(store, object));
  PCIO_ASSIGN(const Dims coords, chunk_position(*state, offset));
  PCIO_ASSIGN(auto chunk, stored_chunk_at(store, object, offset));
  if (!chunk)
    return PCIO_ERROR(DATASET, READERROR,
                      "the chunk at " + offset.to_string() + " has no space in the file");
  *mask = chunk->mask;
  if (const ChunkInMemory* waits = pending_chunk(*state, *chunk)) {
    if (!waits->stored_mask)
      return PCIO_ERROR(DATASET, READERROR,
                        "the chunk was written and waits for the other ranks: call H5Fflush first");
    std::copy(waits->image.begin(), waits->image.end(), into);
    return Status();
  }
  if (!fits_inside(chunk->address, chunk->size, store.bytes().end()))
    return PCIO_ERROR(DATASET, TRUNCATED, "a chunk lies outside the file");
  const Bytes image(into, static_cast<std::size_t>(chunk->size));
  AtomicAccess access;
  PCIO_TRY(access.begin(store, object->address, coords[0], Direction::kRead));
  PCIO_TRY(store.bytes().read(chunk->address, image));
  if (!state->filtered()) put_deferred(*state, coords, image);
  return Status();
}

}  // namespace pcio
