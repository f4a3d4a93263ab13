// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: compact datasets of parallel files.
//
// Their data are part of the object header, which every rank holds and one writes. A collective
// write leaves the same bytes on all ranks; an independent one changes this rank's copy only, so
// the commit must decide. Rank 0's copy wins; a rank whose own data are lost that way makes the
// commit an error, once: afterwards all copies are rank 0's and a retry succeeds.

#include <algorithm>
#include <array>
#include <limits>

#include "agree/call_log.hpp"
#include "base/without_throwing.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kNobody = std::numeric_limits<std::uint64_t>::max();
/// Longest name that a message repeats; bytes.
constexpr std::size_t kMostPathBytes = 4095;

}  // namespace

/// The first dataset with data that nobody keeps; its path ends with a zero byte.
struct FileStore::LostCompact {
  bool any = false;
  std::array<char, kMostPathBytes + 1> path{};
};

void FileStore::touch_compact(const StoredObjectPtr& object, std::string_view path) {
  if (parallel()) {
    std::string name(path.substr(0, kMostPathBytes));
    written_compact_[object->address] = {object, std::move(name)};
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

/// Collective: over the file; one exchange, and where the ranks did not all write the same some more per
/// dataset.
Status FileStore::agree_compact(const CallName& name, CompactCopies copies) {
  LostCompact lost;
  FileAddress next = 0;
  while (copies == CompactCopies::kDiffer) {
    auto mine = written_compact_.lower_bound(next);
    std::array<std::uint64_t, 1> first{mine == written_compact_.end() ? kNobody : mine->first};
    PCIO_TRY(context_.coordinator->allreduce_min(first));
    if (first[0] == kNobody) break;
    PCIO_TRY(share_compact(name, first[0], &lost));
    next = first[0] + 1;
  }
  // Until all ranks have them among what is to be written, they stay among what was.
  const Status touched = without_throwing([&] {
    for (auto& [address, written] : written_compact_) {
      written.object->dataset->messages_dirty = true;
      touch(written.object);
    }
    return Status();
  });
  PCIO_TRY(context_.coordinator->outcome(name, touched));
  written_compact_.clear();
  if (!lost.any) return Status();
  return PCIO_ERROR(DATASET, WRITEERROR,
                    "ranks wrote different data to the compact dataset \"" +
                        std::string(lost.path.data()) +
                        "\" in independent transfers; the data of rank 0 are kept: write it "
                        "collectively (H5Pset_dxpl_mpio), or on rank 0 alone");
}

/// Gives every rank rank 0's copy of one dataset; `lost` names the first whose data differed from
/// it. All that takes memory comes before the ranks agree that they have the dataset.
Status FileStore::share_compact(const CallName& name, FileAddress address, LostCompact* lost) {
  DatasetState* state = nullptr;
  std::vector<std::byte> kept;
  const bool wrote = written_compact_.count(address) > 0;
  const Status ready = without_throwing([&]() -> Status {
    PCIO_ASSIGN(StoredObjectPtr found, object(address));
    PCIO_ASSIGN(state, dataset(found));
    kept = state->layout.compact_data;
    if (!wrote) written_compact_[address] = {found, ""};
    return Status();
  });
  PCIO_TRY(context_.coordinator->outcome(name, ready));
  std::vector<std::byte>& data = state->layout.compact_data;
  PCIO_TRY(context_.coordinator->broadcast(kept, 0));
  std::array<std::uint64_t, 1> loser{
      wrote && kept != data ? static_cast<std::uint64_t>(context_.coordinator->rank()) : kNobody};
  data = std::move(kept);
  PCIO_TRY(context_.coordinator->allreduce_min(loser));
  if (loser[0] == kNobody || lost->any) return Status();
  lost->any = true;
  const std::string& path = written_compact_.find(address)->second.path;
  std::copy_n((path.empty() ? "?" : path.c_str()), std::min(path.size() + 1, kMostPathBytes),
              lost->path.begin());
  return context_.coordinator->broadcast(std::as_writable_bytes(std::span(lost->path)),
                                         static_cast<int>(loser[0]));
}

}  // namespace pcio
