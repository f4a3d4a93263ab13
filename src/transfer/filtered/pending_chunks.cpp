// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: pending chunks.
//
// Dataset after dataset, by ascending address.

#include "transfer/filtered/pending_chunks.hpp"

#include <limits>

#include "agree/tell_failure.hpp"
#include "transfer/filtered/pending_dataset.hpp"
#include "transfer/job/transfer_facts.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kEverything = std::numeric_limits<std::uint64_t>::max();

/// Address of the first dataset from `from` on that has some.
std::uint64_t next_dataset(FileStore& store, FileAddress from) {
  for (auto it = store.pending().datasets().lower_bound(from);
       it != store.pending().datasets().end(); ++it)
    if (has_pending(*it->second)) return it->first;
  return kEverything;
}

/// Nothing asks for memory behind the last exchange.
Status write_dataset(FileStore& store, FileAddress address, std::uint32_t round, LeftOut* left) {
  StoredObjectPtr object;
  LeftOut own;
  std::unique_ptr<PendingDataset> dataset;
  RankStatus mine;
  mine.unless_failed([&]() -> Status {
    own.emplace(address, Status());
    PCIO_ASSIGN(object, store.objects().object(address));
    PCIO_TRY(store.datasets().state(object));
    PCIO_TRY(store.datasets().load_chunk_index(object));
    dataset = std::make_unique<PendingDataset>(store, object, round);
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
  const std::uint32_t round = store.pending().begin_round();
  for (FileAddress from = 0; status.ok();) {
    std::uint64_t next = next_dataset(store, from);
    PCIO_TRY(store.coordinator().allreduce_min(std::span(&next, 1)));
    if (next == kEverything) return Status();
    status = write_dataset(store, next, round, left);
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
