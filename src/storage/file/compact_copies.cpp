// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: CompactCopies: compact datasets of parallel files.
//
// Their data are part of the object header, which every rank holds and one writes. A collective
// write leaves the same bytes on all ranks; an independent one changes this rank's copy only, so
// the commit must decide. Rank 0's copy wins; a rank whose own data are lost that way makes the
// commit an error, once: afterwards all copies are rank 0's and a retry succeeds.

#include "storage/file/compact_copies.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "agree/call_log.hpp"
#include "base/without_throwing.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kNobody = std::numeric_limits<std::uint64_t>::max();
/// Longest name that a message repeats; bytes.
constexpr std::size_t kMostPathBytes = 4095;

}  // namespace

/// The first dataset with data that nobody keeps; its path ends with a zero byte.
struct CompactCopies::Lost {
  bool any = false;
  std::array<char, kMostPathBytes + 1> path{};
};

void CompactCopies::note_written(const StoredObjectPtr& object, std::string_view path) {
  if (file_.parallel()) {
    std::string name(path.substr(0, kMostPathBytes));
    written_[object->address] = {object, std::move(name)};
    return;
  }
  objects_.touch(object);
  object->dataset->mark_messages_changed();
}

std::uint64_t CompactCopies::hash() const {
  std::uint64_t hash = 0;
  for (const auto& [address, written] : written_)
    hash = hash_bytes(written.object->dataset->layout.compact_data, hash + address);
  return hash;
}

/// Collective: over the file; one exchange, and where the ranks did not all write the same some more per
/// dataset.
Status CompactCopies::agree(const CallName& name, Copies copies) {
  Lost lost;
  FileAddress next = 0;
  while (copies == Copies::kDiffer) {
    auto mine = written_.lower_bound(next);
    std::array<std::uint64_t, 1> first{mine == written_.end() ? kNobody : mine->first};
    PCIO_TRY(file_.coordinator->allreduce_min(first));
    if (first[0] == kNobody) break;
    PCIO_TRY(share(name, first[0], &lost));
    next = first[0] + 1;
  }
  // Until all ranks have them among what is to be written, they stay among what was.
  const Status touched = without_throwing([&] {
    for (auto& [address, written] : written_) {
      objects_.touch(written.object);
      written.object->dataset->mark_messages_changed();
    }
    return Status();
  });
  PCIO_TRY(file_.coordinator->outcome(name, touched));
  written_.clear();
  if (!lost.any) return Status();
  return PCIO_ERROR(DATASET, WRITEERROR,
                    "ranks wrote different data to the compact dataset \"" +
                        std::string(lost.path.data()) +
                        "\" in independent transfers; the data of rank 0 are kept: write it "
                        "collectively (H5Pset_dxpl_mpio), or on rank 0 alone");
}

/// Gives every rank rank 0's copy of one dataset; `lost` names the first whose data differed from
/// it. All that takes memory comes before the ranks agree that they have the dataset.
Status CompactCopies::share(const CallName& name, FileAddress address, Lost* lost) {
  DatasetState* state = nullptr;
  std::vector<std::byte> kept;
  const bool wrote = written_.contains(address);
  const Status ready = without_throwing([&]() -> Status {
    PCIO_ASSIGN(StoredObjectPtr found, objects_.object(address));
    PCIO_ASSIGN(state, datasets_.state(found));
    kept = state->layout.compact_data;
    if (!wrote) written_[address] = {found, ""};
    return Status();
  });
  PCIO_TRY(file_.coordinator->outcome(name, ready));
  std::vector<std::byte>& data = state->layout.compact_data;
  PCIO_TRY(file_.coordinator->broadcast(kept, 0));
  std::array<std::uint64_t, 1> loser{
      wrote && kept != data ? static_cast<std::uint64_t>(file_.coordinator->rank()) : kNobody};
  // In place: a write whose conversion came here goes on with it.
  std::copy(kept.begin(), kept.end(), data.begin());
  PCIO_TRY(file_.coordinator->allreduce_min(loser));
  if (loser[0] == kNobody || lost->any) return Status();
  lost->any = true;
  const std::string& path = written_.find(address)->second.path;
  std::copy_n((path.empty() ? "?" : path.c_str()), std::min(path.size() + 1, kMostPathBytes),
              lost->path.begin());
  return file_.coordinator->broadcast(std::as_writable_bytes(std::span(lost->path)),
                                      static_cast<int>(loser[0]));
}

}  // namespace pcio
