// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: share_chunk_index.

#include "transfer/call/share_index.hpp"

#include <algorithm>
#include <vector>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "plan/address_lookup.hpp"
#include "base/recorded_reads.hpp"
#include "storage/index/chunk_index_store.hpp"

namespace pcio {

namespace {

Status read_on_root(FileStore& store, const StoredObjectPtr& object,
                    std::vector<std::byte>* encoded) {
  PCIO_TRY(store.datasets().load_chunk_index(object));
  std::vector<AddressRun> runs;
  for (const IndexRun& run : object->dataset->index->runs())
    runs.push_back({run.first, run.count, run.address});
  *encoded = encode_runs(runs);
  return Status();
}

Status take_over(FileStore& store, DatasetState& state, ConstBytes encoded) {
  PCIO_ASSIGN(ChunkGrid grid, state.grid());
  PCIO_ASSIGN(std::vector<AddressRun> runs, decode_runs(encoded));
  ChunkIndex index(std::move(grid), state.chunk_bytes());
  for (const AddressRun& run : runs) {
    if (run.address == kUndefinedAddress) continue;
    if (!fits_inside(run.first, run.count, index.grid().count()) ||
        !fits_inside(run.address, run.count * state.chunk_bytes(), store.bytes().end()))
      return PCIO_ERROR(DATASET, BADVALUE, "a shared chunk index names chunks that can't be");
    index.add_run({run.first, run.count, run.address});
  }
  state.index = std::move(index);
  state.loader.reset();
  return Status();
}

Status share_runs(FileStore& store, const StoredObjectPtr& object, const CallName& name) {
  Coordinator& coordinator = store.coordinator();
  const bool reads = coordinator.rank() == 0;
  std::vector<std::byte> encoded;
  Status local =
      reads ? without_throwing([&] { return read_on_root(store, object, &encoded); }) : Status();
  std::uint64_t size = encoded.size();
  PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0));
  if (!reads)
    local = without_throwing([&] {
      encoded.resize(size);
      return Status();
    });
  PCIO_TRY(coordinator.outcome(name, local));
  PCIO_TRY(coordinator.broadcast(encoded, 0));
  if (!reads && !object->dataset->index_is_whole())
    local = without_throwing([&] { return take_over(store, *object->dataset, encoded); });
  return coordinator.outcome(name, local);
}

/// The index as the blocks that one rank reads, part by part, in the order in which it counts its
/// chunks: so every part is a few blocks, whichever dimension grows.
class BlockSharing {
 public:
  BlockSharing(FileStore& store, const StoredObjectPtr& object, const CallName& name)
      : store_(store), coordinator_(store.coordinator()), object_(object), name_(name) {}

  Status run() {
    PCIO_TRY(choose_root());
    if (root_ == coordinator_.size()) return Status();  // all ranks have it
    DatasetState& state = *object_->dataset;
    // What ranks have read before by themselves others lack, and it makes them read other blocks.
    state.forget_loaded_part();
    PCIO_ASSIGN(const ChunkGrid grid, state.grid());
    PCIO_ASSIGN(const ChunkNumbering numbering,
                number_chunks(store_.datasets().chunk_index_shape(state), grid));
    // The last part is that of load_chunk_index(), and all of a small index.
    for (LookupParts parts(numbering.count()); parts.end() < numbering.count();) {
      const std::uint64_t first = parts.first(), end = parts.end();
      PCIO_ASSIGN(const std::uint64_t bytes, share([&] {
                    return store_.datasets().load_counted_chunks(object_, first, end);
                  }));
      parts.next(bytes);
    }
    PCIO_TRY(detail::to_status(share([&] { return store_.datasets().load_chunk_index(object_); })));
    return coordinator_.outcome(name_, status_);
  }

 private:
  /// The first rank that has not all of it yet: who has reads nothing that could be told.
  Status choose_root() {
    std::uint64_t first = object_->dataset->index_is_whole()
                              ? static_cast<std::uint64_t>(coordinator_.size())
                              : static_cast<std::uint64_t>(coordinator_.rank());
    PCIO_TRY(coordinator_.allreduce_min(std::span(&first, 1)));
    root_ = static_cast<int>(first);
    return Status();
  }

  /// Bytes of blocks that travelled; equal on all ranks.
  template <class Load>
  Result<std::uint64_t> share(Load&& load) {
    const bool reads = coordinator_.rank() == root_;
    RecordedReads recorded;
    Status local = reads ? with_recorded(&recorded, load) : Status();
    std::uint64_t size = recorded.bytes().size();
    PCIO_TRY(coordinator_.broadcast(std::as_writable_bytes(std::span(&size, 1)), root_));
    if (!reads)
      local = without_throwing([&] {
        recorded.bytes().resize(static_cast<std::size_t>(size));
        return Status();
      });
    PCIO_TRY(coordinator_.outcome(name_, local));
    if (size > 0) PCIO_TRY(coordinator_.broadcast(recorded.bytes(), root_));
    if (reads || !status_.ok() || object_->dataset->index_is_whole()) return size;
    status_ = without_throwing([&]() -> Status {
      PCIO_ASSIGN(RecordedReads played, RecordedReads::replay(std::move(recorded.bytes())));
      return with_recorded(&played, load);
    });
    return size;
  }

  template <class Load>
  Status with_recorded(RecordedReads* recorded, Load&& load) {
    store_.bytes().set_recorded_reads(recorded);
    Status loaded = without_throwing(load);
    store_.bytes().set_recorded_reads(nullptr);
    return loaded;
  }

  FileStore& store_;
  Coordinator& coordinator_;
  const StoredObjectPtr& object_;
  const CallName& name_;
  int root_ = 0;
  Status status_;  ///< of this rank, told at the end
};

}  // namespace

bool has_stored_index(const DatasetState& state) {
  return state.chunked() && state.index_class().has_structure &&
         state.layout.address != kUndefinedAddress;
}

Status share_chunk_index(FileStore& store, const StoredObjectPtr& object, const CallName& name) {
  if (!store.writable() && !object->dataset->filtered()) return share_runs(store, object, name);
  return BlockSharing(store, object, name).run();
}

}  // namespace pcio
