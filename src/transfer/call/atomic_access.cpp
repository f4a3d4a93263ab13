// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: atomic_range, AtomicAccess.

#include "transfer/call/atomic_access.hpp"

#include "base/without_throwing.hpp"

namespace pcio {

ByteRange atomic_range(const DatasetState& state, FileAddress object, const Dataspace& selected,
                       std::uint64_t element_bytes) {
  const std::optional<Box> bounds = selected.selected_bounds();
  const Dims& dims = selected.dims();
  if (!bounds || dims.empty()) return {object, 1};
  const Box& box = *bounds;
  if (state.chunked()) {
    const std::uint64_t row = state.layout.chunk_dims[0];
    const std::uint64_t first = box.start[0] / row;
    const std::uint64_t last = (box.start[0] + box.count[0] - 1) / row;
    return {object + first, last - first + 1};
  }
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  for (unsigned d = 0; d < dims.size(); ++d) {
    first = first * dims[d] + box.start[d];
    last = last * dims[d] + box.start[d] + box.count[d] - 1;
  }
  const FileAddress data = state.external ? object : state.layout.address;
  return {data + first * element_bytes, (last - first + 1) * element_bytes};
}

Status AtomicAccess::begin(const TransferJob& job) {
  RangeLocks* locks = job.store().driver().atomic_locks();
  if (locks == nullptr || job.effort() == Effort::kDryRun || job.file().selected() == 0)
    return Status();
  return begin(job.store(), *locks,
               atomic_range(*job.state(), job.object()->address, job.file(), job.form().file_size),
               job.request().direction);
}

Status AtomicAccess::begin(FileStore& store, FileAddress object, std::uint64_t row,
                           Direction direction) {
  RangeLocks* locks = store.driver().atomic_locks();
  return locks == nullptr ? Status() : begin(store, *locks, {object + row, 1}, direction);
}

/// Where machines have caches of their own the one that had the lock before has synced, and this one looks anew.
Status AtomicAccess::begin(FileStore& store, RangeLocks& locks, ByteRange range,
                           Direction direction) {
  PCIO_TRY(locks.lock(range, direction));
  locks_ = &locks;
  store_ = &store;
  writes_ = direction == Direction::kWrite;
  // Bytes that this machine has not written back yet are not forgotten.
  if (store.driver().has_unsynced_writes()) PCIO_TRY(store.sync().sync_independent());
  return store.sync().catch_up_here();
}

/// A sync that fails is told by the next flush (FileSync::lost).
AtomicAccess::~AtomicAccess() {
  if (locks_ == nullptr) return;
  if (writes_ && store_->driver().has_unsynced_writes())
    static_cast<void>(without_throwing([&] { return store_->sync().sync_independent(); }));
  locks_->unlock();
}

}  // namespace pcio
