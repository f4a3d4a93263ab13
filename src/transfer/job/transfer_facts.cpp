// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/job: the folds of TransferFacts, ListFacts and PendingFacts.

#include "transfer/job/transfer_facts.hpp"

#include <algorithm>

namespace pcio {

namespace {

/// LocalFacts::any_flags.
enum AnyFact : std::uint64_t {
  kNeedsAllocation = 1,
  kLooksUpLater = 2,
  kKeepsOldBytes = 4,
  kHasPendingChunks = 8,
  kAllocatesAtOnce = 16,
  kAllocatesLate = 32,
  kCommitsFirst = 64,
  kLacksPlaces = 128,
  kCachesApart = 256,
  kHasUnseenWrites = 512,
  kCallsProgram = 1024,
};
/// LocalFacts::all_flags.
enum AllFact : std::uint64_t { kHasIndex = 1 };

/// LocalFacts::same. The hints come first, in their order.
constexpr std::size_t kSelectionWord = TransferHints::kCount;
constexpr std::size_t kPartsWord = 0;
constexpr std::size_t kPartHashWord = 1;

/// LocalFacts::sums and maxima.
constexpr std::size_t kRunsWord = 0;

constexpr std::uint64_t bit_if(bool holds, std::uint64_t bit) { return holds ? bit : 0; }

}  // namespace

static_assert(kSelectionWord < std::tuple_size_v<decltype(LocalFacts::same)>);

LocalFacts to_local(const TransferFacts& facts) {
  LocalFacts local;
  local.call_kind = facts.call;
  local.object = facts.object;
  local.causes = facts.causes;
  local.chunks = facts.chunks;
  local.bytes = facts.bytes;
  if (facts.mean_run > 0) {
    local.mean_run = facts.mean_run;
    local.sums[kRunsWord] = local.maxima[kRunsWord] = facts.bytes / facts.mean_run;
  }
  local.any_flags =
      bit_if(facts.needs_allocation, kNeedsAllocation) |
      bit_if(facts.looks_up_later, kLooksUpLater) | bit_if(facts.keeps_old_bytes, kKeepsOldBytes) |
      bit_if(facts.calls_program, kCallsProgram) |
      bit_if(facts.has_pending_chunks, kHasPendingChunks) |
      bit_if(facts.caches_apart, kCachesApart) | bit_if(facts.has_unseen_writes, kHasUnseenWrites) |
      bit_if(facts.allocation == AllocationTime::kAtOnce, kAllocatesAtOnce) |
      bit_if(facts.allocation == AllocationTime::kLate, kAllocatesLate);
  local.all_flags = bit_if(facts.has_index, kHasIndex);
  const auto hints = facts.hints.all();
  for (std::size_t i = 0; i < hints.size(); ++i) local.same[i] = *hints[i];
  local.same[kSelectionWord] = facts.selection;
  return local;
}

AgreedTransfer agreed_transfer(const GlobalFacts& agreed) {
  AgreedTransfer all;
  all.causes = agreed.causes;
  all.sum_chunks = agreed.sum_chunks;
  all.min_chunks = agreed.min_chunks;
  all.max_chunks = agreed.max_chunks;
  all.sum_bytes = agreed.sum_bytes;
  all.min_bytes = agreed.min_bytes;
  all.max_bytes = agreed.max_bytes;
  all.sum_runs = agreed.sums[kRunsWord];
  all.max_runs = agreed.maxima[kRunsWord];
  all.ranks_with_data = agreed.ranks_with_data;
  all.needs_allocation = (agreed.any_flags & kNeedsAllocation) != 0;
  all.looks_up_later = (agreed.any_flags & kLooksUpLater) != 0;
  all.keeps_old_bytes = (agreed.any_flags & kKeepsOldBytes) != 0;
  all.calls_program = (agreed.any_flags & kCallsProgram) != 0;
  all.has_pending_chunks = (agreed.any_flags & kHasPendingChunks) != 0;
  all.caches_apart = (agreed.any_flags & kCachesApart) != 0;
  all.has_unseen_writes = (agreed.any_flags & kHasUnseenWrites) != 0;
  all.allocates_at_once = (agreed.any_flags & kAllocatesAtOnce) != 0;
  all.allocates_late = (agreed.any_flags & kAllocatesLate) != 0;
  all.all_have_index = (agreed.all_flags & kHasIndex) != 0;
  const auto hints = all.hints.all();
  for (std::size_t i = 0; i < hints.size(); ++i) *hints[i] = agreed.same[i];
  all.equal_selections = agreed.same[kSelectionWord].equal();
  return all;
}

LocalFacts to_local(const ListFacts& facts) {
  LocalFacts local;
  local.call_kind =
      facts.direction == Direction::kWrite ? CallKind::kWriteList : CallKind::kReadList;
  local.causes = facts.causes;
  local.same[kPartsWord] = facts.parts;
  local.same[kPartHashWord] = facts.part_hash;
  return local;
}

AgreedList agreed_list(const GlobalFacts& agreed) {
  return {agreed.same[kPartsWord], agreed.same[kPartHashWord].equal()};
}

LocalFacts to_local(const SequenceFacts& facts) {
  LocalFacts local;
  local.call_kind = CallKind::kWrite;
  local.object = facts.object;
  local.any_flags =
      bit_if(facts.commits_first, kCommitsFirst) | bit_if(facts.lacks_places, kLacksPlaces);
  local.sums[0] = facts.demand.own;
  local.sums[1] = facts.demand.shared;
  local.sums[2] = facts.demand.shared_objects;
  return local;
}

AgreedSequences agreed_sequences(const GlobalFacts& agreed) {
  return {{agreed.sums[0], agreed.sums[1], agreed.sums[2]},
          (agreed.any_flags & kCommitsFirst) != 0,
          (agreed.any_flags & kLacksPlaces) != 0};
}

LocalFacts to_local(const PendingFacts& facts) {
  LocalFacts local;
  local.call_kind = facts.call;
  local.any_flags = bit_if(facts.has_pending_chunks, kHasPendingChunks);
  return local;
}

bool agreed_pending(const GlobalFacts& agreed) {
  return (agreed.any_flags & kHasPendingChunks) != 0;
}

}  // namespace pcio
