// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: compact datasets of parallel files.
//
// Their data are part of the object header, which every rank holds and one writes. A collective
// write leaves the same bytes on all ranks; an independent one changes this rank's copy only, so
// the commit must decide. Rank 0's copy wins; a rank whose own data are lost that way makes the
// commit an error, once: afterwards all copies are rank 0's and a retry succeeds.

#include <algorithm>
#include <array>
#include <limits>

#include "agree/call_log.hpp"
#include "storage/file_store.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kNobody = std::numeric_limits<std::uint64_t>::max();
/// Longest name that a message repeats; bytes.
constexpr std::uint64_t kMostPathBytes = 4096;

}  // namespace

void FileStore::touch_compact(const StoredObjectPtr& object, std::string_view path) {
  if (parallel()) {
    written_compact_[object->address] = {object, std::string(path.substr(0, kMostPathBytes))};
    return;
  }
  object->dataset->messages_dirty = true;
  touch(object);
}

std::uint64_t FileStore::hash_written_compact() const {
  std::uint64_t hash = 0;
  for (const auto& [address, written] : written_compact_)
    hash = hash_bytes(written.object->dataset->layout.compact_data, hash + address);
  return hash;
}

/// Collective: over the file; no exchange where all ranks wrote the same, else some per dataset.
Status FileStore::agree_compact(const CallName& name, CompactCopies copies) {
  std::string lost;
  FileAddress next = 0;
  while (copies == CompactCopies::kDiffer) {
    auto mine = written_compact_.lower_bound(next);
    std::array<std::uint64_t, 1> first{mine == written_compact_.end() ? kNobody : mine->first};
    PCIO_TRY(coordinator_->allreduce_min(first));
    if (first[0] == kNobody) break;
    PCIO_TRY(share_compact(name, first[0], &lost));
    next = first[0] + 1;
  }
  for (auto& [address, written] : written_compact_) {
    written.object->dataset->messages_dirty = true;
    touch(written.object);
  }
  written_compact_.clear();
  if (lost.empty()) return Status();
  return PCIO_ERROR(DATASET, WRITEERROR,
                    "ranks wrote different data to the compact dataset \"" + lost +
                        "\" in independent transfers; the data of rank 0 are kept: write it "
                        "collectively (H5Pset_dxpl_mpio), or on rank 0 alone");
}

/// Gives every rank rank 0's copy of one dataset; `lost` names the first whose data differed from
/// it.
Status FileStore::share_compact(const CallName& name, FileAddress address, std::string* lost) {
  Status status;
  DatasetState* state = nullptr;
  auto mine = written_compact_.find(address);
  bool wrote = mine != written_compact_.end();
  auto found = object(address);
  status = found ? Status() : found.error();
  if (status.ok()) {
    auto loaded = dataset(*found);
    if (loaded) state = *loaded;
    status = loaded ? Status() : loaded.error();
  }
  PCIO_TRY(coordinator_->outcome(name, status));
  std::vector<std::byte>& data = state->layout.compact_data;
  std::vector<std::byte> kept = data;
  PCIO_TRY(coordinator_->broadcast(kept, 0));
  std::array<std::uint64_t, 1> loser{
      wrote && kept != data ? static_cast<std::uint64_t>(coordinator_->rank()) : kNobody};
  data = std::move(kept);
  if (!wrote) written_compact_[address] = {*found, ""};
  PCIO_TRY(coordinator_->allreduce_min(loser));
  if (loser[0] == kNobody || !lost->empty()) return Status();
  const std::string& path = written_compact_[address].path;
  ConstBytes text = std::as_bytes(std::span(path));
  std::vector<std::byte> agreed(text.begin(), text.end());
  PCIO_TRY(coordinator_->broadcast_sized(agreed, static_cast<int>(loser[0]), kMostPathBytes));
  lost->assign(reinterpret_cast<const char*>(agreed.data()), agreed.size());
  if (lost->empty()) *lost = "?";
  return Status();
}

}  // namespace pcio
