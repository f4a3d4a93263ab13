// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: agree_on_freeing.

#include "storage/heaps/heap_freeing.hpp"

#include "base/communicator.hpp"
#include "base/rank_status.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kIndexesInWord = 4;
/// Objects that a rank tells of in one commit; the rest comes with the next.
constexpr std::uint64_t kMostFreed = std::uint64_t{1} << 22;

/// A collection's address, how many objects, and their indexes, four in a word.
void append(const HeapStore::LetGo& objects, std::vector<std::uint64_t>* words) {
  for (const auto& [address, indexes] : objects) {
    words->push_back(address);
    words->push_back(indexes.size());
    for (std::size_t i = 0; i < indexes.size(); ++i) {
      if (i % kIndexesInWord == 0) words->push_back(0);
      words->back() |= std::uint64_t{indexes[i] & kGlobalHeapMaxIndex} << 16 * (i % kIndexesInWord);
    }
  }
}

void take(std::span<const std::uint64_t> words, HeapStore::LetGo* objects) {
  for (std::size_t at = 0; at + 2 <= words.size();) {
    std::vector<std::uint32_t>& indexes = (*objects)[words[at]];
    const std::uint64_t count = words[at + 1];
    at += 2;
    for (std::uint64_t i = 0; i < count; ++i)
      indexes.push_back(static_cast<std::uint32_t>(
          words[at + i / kIndexesInWord] >> 16 * (i % kIndexesInWord) & kGlobalHeapMaxIndex));
    at += (count + kIndexesInWord - 1) / kIndexesInWord;
  }
}

class Freeing {
 public:
  Freeing(HeapStore& heaps, Coordinator& coordinator) : heaps_(heaps), coordinator_(coordinator) {}

  Status run() {
    const auto ranks = static_cast<std::size_t>(coordinator_.size());
    mine_.unless_failed([&] {
      counts_.assign(ranks, 0);
      their_counts_.assign(ranks, 0);
      append(heaps_.take_let_go(kMostFreed), &words_);
      counts_[0] = words_.size();
      return Status();
    });
    PCIO_ASSIGN(const bool packed, all_good());
    if (!packed) return Status();
    PCIO_TRY(coordinator_.alltoall(counts_, their_counts_));
    std::uint64_t all = 0;
    for (const std::uint64_t count : their_counts_) all += count;
    mine_.unless_failed([&]() -> Status {
      if (all > kMostRowWords) return PCIO_ERROR(RESOURCE, NOSPACE, "too much to free at once");
      theirs_.resize(static_cast<std::size_t>(all));
      return Status();
    });
    PCIO_ASSIGN(const bool has_room, all_good());
    if (!has_room) return Status();
    PCIO_TRY(coordinator_.alltoallv(words_, counts_, theirs_, their_counts_));
    return tell_changes();
  }

 private:
  Result<bool> all_good() {
    std::uint64_t failed = mine_.word();
    PCIO_TRY(coordinator_.allreduce_max(std::span(&failed, 1)));
    return failed == 0;
  }

  Status tell_changes() {
    const bool first = coordinator_.rank() == 0;
    if (first)
      mine_.unless_failed([&] {
        HeapStore::LetGo objects;
        take(theirs_, &objects);
        return heaps_.take_out(objects, &changes_);
      });
    std::uint64_t count = changes_.size();
    PCIO_TRY(coordinator_.broadcast(std::as_writable_bytes(std::span(&count, 1)), 0));
    // Where rank 0 came to an end half-way, that half is free.
    mine_ = RankStatus();
    mine_.unless_failed([&] {
      if (!first) changes_.resize(static_cast<std::size_t>(count));
      heaps_.make_room_for_changes(changes_.size() / 2);
      return Status();
    });
    PCIO_ASSIGN(const bool has_room, all_good());
    if (!has_room) return Status();
    PCIO_TRY(coordinator_.broadcast(std::as_writable_bytes(std::span(changes_)), 0));
    heaps_.note_changes(changes_);
    return Status();
  }

  HeapStore& heaps_;
  Coordinator& coordinator_;
  RankStatus mine_;
  std::vector<std::uint64_t> words_, counts_, theirs_, their_counts_, changes_;
};

}  // namespace

Status agree_on_freeing(HeapStore& heaps, Coordinator& coordinator) {
  return Freeing(heaps, coordinator).run();
}

}  // namespace pcio
