// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: share_chunk_index.

#include "transfer/share_index.hpp"

#include <vector>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "plan/address_lookup.hpp"

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

}  // namespace

Status share_chunk_index(FileStore& store, const StoredObjectPtr& object, const CallName& name) {
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

}  // namespace pcio
