// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: what ranks tell each other, folded over 1 to 6 of them in any order, against a plain
// model of each fact.

#include "transfer/job/transfer_facts.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace pcio {
namespace {

/// As an agreement merges: each rank's words, in an order of chance.
class Ranks {
 public:
  explicit Ranks(std::mt19937_64& random) : random_(random) {}
  GlobalFacts agree(const std::vector<LocalFacts>& all) {
    const WireFacts wire = merged(all);
    EXPECT_EQ(judge(wire), Verdict::kAgreed);
    return to_global(wire);
  }
  WireFacts merged(const std::vector<LocalFacts>& all) {
    std::vector<WireFacts> wires;
    for (std::size_t r = 0; r < all.size(); ++r)
      wires.push_back(to_wire(all[r], LogFacts(), LocalOutcome::kGood, static_cast<int>(r)));
    while (wires.size() > 1) {
      std::shuffle(wires.begin(), wires.end(), random_);
      merge(wires[0], wires.back());
      wires.pop_back();
    }
    return wires.front();
  }

 private:
  std::mt19937_64& random_;
};

class TransferFactsFold : public ::testing::Test {
 protected:
  [[nodiscard]] std::uint64_t below(std::uint64_t n) { return random_() % n; }
  /// Seldom, so that facts of one rank among several are seen.
  [[nodiscard]] bool one_in_four() { return below(4) == 0; }

  TransferFacts draw() {
    TransferFacts f;
    f.call = CallKind::kWrite;
    f.object = 4096;
    f.causes = one_in_four() ? static_cast<CauseBits>(1U << below(9)) : 0;
    f.bytes = one_in_four() ? 0 : 1 + below(1 << 20);
    f.chunks = f.bytes == 0 ? 0 : 1 + below(50);
    f.mean_run = f.bytes == 0 ? 0 : 1 + below(f.bytes);
    f.needs_allocation = one_in_four();
    f.looks_up_later = one_in_four();
    f.keeps_old_bytes = one_in_four();
    f.has_pending_chunks = one_in_four();
    f.caches_apart = one_in_four();
    f.has_unseen_writes = one_in_four();
    f.has_index = !one_in_four();
    f.allocation = static_cast<AllocationTime>(below(3));
    for (std::uint64_t* hint : f.hints.all()) *hint = 7 + (below(8) == 0 ? 1 : 0);
    f.selection = below(2);
    return f;
  }

  std::mt19937_64 random_{2026};
  Ranks ranks_{random_};
};

template <class F>
bool any(const std::vector<TransferFacts>& all, F&& holds) {
  return std::any_of(all.begin(), all.end(), holds);
}
template <class F>
std::vector<std::uint64_t> values(const std::vector<TransferFacts>& all, F&& of) {
  std::vector<std::uint64_t> found;
  for (const TransferFacts& f : all) found.push_back(of(f));
  std::sort(found.begin(), found.end());
  return found;
}
std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  std::uint64_t all = 0;
  for (std::uint64_t value : values) all += value;
  return all;
}

void expect_flags(const std::vector<TransferFacts>& all, const AgreedTransfer& got) {
  using F = TransferFacts;
  EXPECT_EQ(got.needs_allocation, any(all, [](const F& f) { return f.needs_allocation; }));
  EXPECT_EQ(got.looks_up_later, any(all, [](const F& f) { return f.looks_up_later; }));
  EXPECT_EQ(got.keeps_old_bytes, any(all, [](const F& f) { return f.keeps_old_bytes; }));
  EXPECT_EQ(got.has_pending_chunks, any(all, [](const F& f) { return f.has_pending_chunks; }));
  EXPECT_EQ(got.caches_apart, any(all, [](const F& f) { return f.caches_apart; }));
  EXPECT_EQ(got.has_unseen_writes, any(all, [](const F& f) { return f.has_unseen_writes; }));
  EXPECT_EQ(got.all_have_index, !any(all, [](const F& f) { return !f.has_index; }));
  auto allocates = [&](AllocationTime time) {
    return any(all, [&](const F& f) { return f.allocation == time; });
  };
  EXPECT_EQ(got.allocates_at_once, allocates(AllocationTime::kAtOnce));
  EXPECT_EQ(got.allocates_late, allocates(AllocationTime::kLate));
  EXPECT_EQ(got.allocation_differs(),
            allocates(AllocationTime::kAtOnce) && allocates(AllocationTime::kLate));
}

void expect_numbers(const std::vector<TransferFacts>& all, const AgreedTransfer& got) {
  using F = TransferFacts;
  CauseBits causes = 0;
  for (const F& f : all) causes |= f.causes;
  EXPECT_EQ(got.causes, causes);
  const auto chunks = values(all, [](const F& f) { return f.chunks; });
  EXPECT_EQ(got.sum_chunks, sum(chunks));
  EXPECT_EQ(got.min_chunks, chunks.front());
  EXPECT_EQ(got.max_chunks, chunks.back());
  const auto bytes = values(all, [](const F& f) { return f.bytes; });
  EXPECT_EQ(got.sum_bytes, sum(bytes));
  EXPECT_EQ(got.min_bytes, bytes.front());
  EXPECT_EQ(got.max_bytes, bytes.back());
  const auto runs =
      values(all, [](const F& f) { return f.mean_run == 0 ? 0 : f.bytes / f.mean_run; });
  EXPECT_EQ(got.sum_runs, sum(runs));
  EXPECT_EQ(got.max_runs, runs.back());
  EXPECT_EQ(got.ranks_with_data,
            std::count_if(bytes.begin(), bytes.end(), [](std::uint64_t n) { return n > 0; }));
}

void expect_compared(const std::vector<TransferFacts>& all, const AgreedTransfer& got) {
  for (std::size_t i = 0; i < TransferHints::kCount; ++i) {
    const auto hints = values(all, [&](const TransferFacts& f) { return *f.hints.all()[i]; });
    EXPECT_EQ(got.hints.all()[i]->min, hints.front());
    EXPECT_EQ(got.hints.all()[i]->max, hints.back());
  }
  const auto selections = values(all, [](const TransferFacts& f) { return f.selection; });
  EXPECT_EQ(got.equal_selections, selections.front() == selections.back());
}

TEST_F(TransferFactsFold, IsThatOfEachFact) {
  for (int round = 0; round < 2000; ++round) {
    std::vector<TransferFacts> all;
    std::vector<LocalFacts> local;
    for (std::uint64_t r = 0, n = 1 + below(6); r < n; ++r) {
      all.push_back(draw());
      local.push_back(to_local(all.back()));
    }
    const AgreedTransfer got = agreed_transfer(ranks_.agree(local));
    expect_flags(all, got);
    expect_numbers(all, got);
    expect_compared(all, got);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

/// Each flag by itself: no two share a bit.
TEST_F(TransferFactsFold, KeepsFlagsApart) {
  using Set = void (*)(TransferFacts&);
  constexpr Set kSets[] = {
      [](TransferFacts& f) { f.needs_allocation = true; },
      [](TransferFacts& f) { f.looks_up_later = true; },
      [](TransferFacts& f) { f.keeps_old_bytes = true; },
      [](TransferFacts& f) { f.has_pending_chunks = true; },
      [](TransferFacts& f) { f.caches_apart = true; },
      [](TransferFacts& f) { f.has_unseen_writes = true; },
      [](TransferFacts& f) { f.has_index = false; },
      [](TransferFacts& f) { f.allocation = AllocationTime::kAtOnce; },
      [](TransferFacts& f) { f.allocation = AllocationTime::kLate; },
  };
  for (const Set set : kSets) {
    std::vector<TransferFacts> all(3);
    set(all[1]);
    std::vector<LocalFacts> local;
    for (const TransferFacts& f : all) local.push_back(to_local(f));
    expect_flags(all, agreed_transfer(ranks_.agree(local)));
  }
}

TEST_F(TransferFactsFold, OfAListComparesItsParts) {
  for (std::uint64_t other : {0, 1, 2}) {
    ListFacts mine{Direction::kRead, 0, 5, 77};
    ListFacts theirs = mine;
    if (other == 1) theirs.parts = 6;
    if (other == 2) theirs.part_hash = 78;
    const AgreedList got = agreed_list(ranks_.agree({to_local(mine), to_local(theirs)}));
    EXPECT_EQ(got.parts.equal(), other != 1);
    EXPECT_EQ(got.parts.max, other == 1 ? 6U : 5U);
    EXPECT_EQ(got.equal_parts, other != 2);
  }
}

TEST_F(TransferFactsFold, OfPendingChunksAsksForAny) {
  for (std::size_t n = 1; n <= 6; ++n) {
    for (std::size_t who = 0; who <= n; ++who) {
      std::vector<LocalFacts> local;
      for (std::size_t r = 0; r < n; ++r)
        local.push_back(to_local(PendingFacts{CallKind::kFlushPending, r == who}));
      EXPECT_EQ(agreed_pending(ranks_.agree(local)), who < n);
    }
  }
}

/// Calls that must not meet: two ranks in different ones are told so.
TEST_F(TransferFactsFold, CallsThatDifferDoNotMeet) {
  std::vector<LocalFacts> calls;
  for (const CallKind kind : {CallKind::kRead, CallKind::kWrite, CallKind::kExplainRead,
                              CallKind::kExplainWrite, CallKind::kWriteChunk}) {
    TransferFacts f;
    f.call = kind;
    f.object = 800;
    calls.push_back(to_local(f));
    f.object = 801;
    calls.push_back(to_local(f));
  }
  for (const Direction direction : {Direction::kRead, Direction::kWrite})
    calls.push_back(to_local(ListFacts{direction, 0, 1, 1}));
  calls.push_back(to_local(PendingFacts{CallKind::kFlushPending, false}));
  for (const CallKind kind : {CallKind::kFlush, CallKind::kClose, CallKind::kOutcome}) {
    calls.emplace_back();
    calls.back().call_kind = kind;
  }
  for (std::size_t a = 0; a < calls.size(); ++a)
    for (std::size_t b = 0; b < calls.size(); ++b)
      EXPECT_EQ(judge(ranks_.merged({calls[a], calls[b]})),
                a == b ? Verdict::kAgreed : Verdict::kCallsDiffer)
          << a << " and " << b;
}

}  // namespace
}  // namespace pcio
