// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: share_chunk_index.

#include "transfer/share_index.hpp"

#include <algorithm>
#include <vector>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "plan/address_lookup.hpp"
#include "storage/block_tape.hpp"
#include "storage/chunk_index_store.hpp"

namespace pcio {

namespace {

Status read_on_root(FileStore& store, const StoredObjectPtr& object,
                    std::vector<std::byte>* encoded) {
  PCIO_TRY(store.load_chunk_index(object));
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

/// Chunks of the grid whose blocks travel at once, so that no rank holds all blocks of a large index.
constexpr std::uint64_t kChunksAtOnce = std::uint64_t{1} << 18;

/// The index as the blocks that one rank reads, part by part.
class BlockSharing {
 public:
  BlockSharing(FileStore& store, const StoredObjectPtr& object, const CallName& name)
      : store_(store), coordinator_(store.coordinator()), object_(object), name_(name) {}

  Status run() {
    PCIO_TRY(choose_root());
    if (root_ == coordinator_.size()) return Status();  // all ranks have it
    PCIO_ASSIGN(const ChunkGrid grid, object_->dataset->grid());
    const Dims& dims = grid.grid();
    const std::uint64_t slice = std::max<std::uint64_t>(1, grid.count() / std::max<std::uint64_t>(1, dims[0]));
    const std::uint64_t step = std::max<std::uint64_t>(1, kChunksAtOnce / slice);
    for (std::uint64_t first = 0; first < dims[0] && dims[0] > step; first += step) {
      Box box{Dims(dims.size()), dims};
      box.start[0] = first;
      box.count[0] = std::min(step, dims[0] - first);
      PCIO_TRY(share([&] { return store_.load_chunks(object_, box); }));
    }
    PCIO_TRY(share([&] { return store_.load_chunk_index(object_); }));
    return coordinator_.outcome(name_, status_);
  }

 private:
  /// The first rank that has not loaded it yet, so that what it reads is what the others lack.
  Status choose_root() {
    std::uint64_t first = object_->dataset->index_is_whole()
                              ? static_cast<std::uint64_t>(coordinator_.size())
                              : static_cast<std::uint64_t>(coordinator_.rank());
    PCIO_TRY(coordinator_.allreduce_min(std::span(&first, 1)));
    root_ = static_cast<int>(first);
    return Status();
  }

  template <class Load>
  Status share(Load&& load) {
    const bool reads = coordinator_.rank() == root_;
    BlockTape tape;
    Status local = reads ? with_tape(&tape, load) : Status();
    std::uint64_t size = tape.bytes().size();
    PCIO_TRY(coordinator_.broadcast(std::as_writable_bytes(std::span(&size, 1)), root_));
    if (!reads)
      local = without_throwing([&] {
        tape.bytes().resize(static_cast<std::size_t>(size));
        return Status();
      });
    PCIO_TRY(coordinator_.outcome(name_, local));
    if (size > 0) PCIO_TRY(coordinator_.broadcast(tape.bytes(), root_));
    if (reads || !status_.ok() || object_->dataset->index_is_whole()) return Status();
    status_ = without_throwing([&]() -> Status {
      PCIO_ASSIGN(BlockTape played, BlockTape::play(std::move(tape.bytes())));
      return with_tape(&played, load);
    });
    return Status();
  }

  template <class Load>
  Status with_tape(BlockTape* tape, Load&& load) {
    store_.bytes().set_tape(tape);
    Status loaded = without_throwing(load);
    store_.bytes().set_tape(nullptr);
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
  return state.chunked() && has_structure(state.layout.index) &&
         state.layout.address != kUndefinedAddress;
}

Status share_chunk_index(FileStore& store, const StoredObjectPtr& object, const CallName& name) {
  if (!store.writable() && !object->dataset->filtered()) return share_runs(store, object, name);
  return BlockSharing(store, object, name).run();
}

}  // namespace pcio
