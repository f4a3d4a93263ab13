// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Marking by ratio: every ratio at every small number of ranks, by each way, against counting.

#include "plan/chunk_marking.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <thread>

#include "base/library_lock.hpp"
#include "plan/marking_memory.hpp"
#include "support/sim_communicator.hpp"

namespace pcio {
namespace {

using test::MergeOrder;
using test::SimCommunicator;
using List = std::vector<OrdinalInterval>;

/// What the rule says, in the words of the rule.
bool is_collective(std::uint64_t touching, std::uint64_t ranks, unsigned percent) {
  if (percent == 0) return true;
  std::uint64_t share = ranks * percent / 100;
  if (share < 1) share = 1;
  return touching > share;
}

std::map<ChunkOrdinal, std::uint64_t> count(const std::vector<List>& touched) {
  std::map<ChunkOrdinal, std::uint64_t> ranks_of;
  for (const List& list : touched)
    for (const OrdinalInterval& i : list)
      for (ChunkOrdinal c = i.first; c < i.end(); ++c) ++ranks_of[c];
  return ranks_of;
}

MarkedChunks counted(const std::vector<List>& touched, std::uint64_t limit) {
  List marked;
  for (const auto& [chunk, ranks] : count(touched))
    if (ranks > limit) append_interval(marked, {chunk, 1});
  return MarkedChunks::of(marked);
}

/// Chunk c is touched by ranks 0 to c, so that every number of ranks occurs.
std::vector<List> staircase(std::uint64_t ranks) {
  std::vector<List> touched;
  for (std::uint64_t r = 0; r < ranks; ++r) touched.push_back({{r, ranks - r}});
  return touched;
}

ChunkCensus census_of(const std::vector<List>& touched, std::uint64_t dataset_chunks) {
  ChunkCensus census{touched.size(), 0, ~std::uint64_t{0}, 0, 0, dataset_chunks};
  for (const List& list : touched) {
    std::uint64_t n = 0;
    for (const OrdinalInterval& i : list) n += i.count;
    census.sum_chunks += n;
    census.min_chunks = std::min(census.min_chunks, n);
    census.max_chunks = std::max(census.max_chunks, n);
    census.ranks_with_data += n > 0 ? 1 : 0;
  }
  return census;
}

/// One way on all ranks; all must have the same result.
template <class Way>
MarkedChunks run(const std::vector<List>& touched, std::uint64_t limit, std::uint64_t chunks,
                 MergeOrder order = MergeOrder::kTree) {
  const std::uint64_t sum = census_of(touched, chunks).sum_chunks;
  std::deque<Way> ways;
  for (std::uint64_t r = 0; r < touched.size(); ++r)
    ways.emplace_back(marking::Task{touched[r], r, touched.size(), limit, sum, chunks});
  SimCommunicator sim(touched.size(), order);
  EXPECT_EQ(sim.run([&ways](std::uint64_t r) { return ways[r].next(); }), "");
  const MarkedChunks first = *ways[0].finish();
  for (std::uint64_t r = 1; r < touched.size(); ++r) EXPECT_EQ(*ways[r].finish(), first);
  return first;
}

MarkedChunks mark(const std::vector<List>& touched, unsigned percent, std::uint64_t chunks) {
  const ChunkCensus census = census_of(touched, chunks);
  std::deque<ChunkMarking> marking;
  for (std::uint64_t r = 0; r < touched.size(); ++r)
    marking.emplace_back(touched[r], percent, census, r);
  SimCommunicator sim(touched.size());
  EXPECT_EQ(sim.run([&marking](std::uint64_t r) { return marking[r].next(); }), "");
  const MarkedChunks first = *marking[0].finish();
  for (std::uint64_t r = 1; r < touched.size(); ++r) EXPECT_EQ(*marking[r].finish(), first);
  return first;
}

TEST(CollectiveLimit, IsTheShareOfTheRanksButAtLeastOne) {
  EXPECT_EQ(collective_limit(1, 60), 1U);
  EXPECT_EQ(collective_limit(3, 40), 1U);
  EXPECT_EQ(collective_limit(5, 40), 2U);
  EXPECT_EQ(collective_limit(100, 60), 60U);
  EXPECT_EQ(collective_limit(101, 60), 60U);
  EXPECT_EQ(collective_limit(7, 100), 7U);
  EXPECT_EQ(collective_limit(7, 4'000'000'000U), 7U);
  EXPECT_EQ(collective_limit(~std::uint64_t{0}, 50), ~std::uint64_t{0} / 2);
}

TEST(MarkChunks, EveryRatioOnEveryNumberOfRanks) {
  for (std::uint64_t ranks = 1; ranks <= 64; ++ranks) {
    const std::vector<List> touched = staircase(ranks);
    for (unsigned percent = 0; percent <= 100; ++percent) {
      const MarkedChunks marks = mark(touched, percent, ranks);
      for (ChunkOrdinal chunk = 0; chunk < ranks; ++chunk)
        ASSERT_EQ(marks.contains(chunk), is_collective(chunk + 1, ranks, percent))
            << chunk + 1 << " of " << ranks << " ranks, " << percent << " %";
    }
  }
}

TEST(MarkChunks, EachWayCountsAtBelowAndAboveTheLimit) {
  for (std::uint64_t ranks = 2; ranks <= 40; ++ranks) {
    const std::vector<List> touched = staircase(ranks);
    for (std::uint64_t limit = 1; limit <= ranks; ++limit) {
      const MarkedChunks wanted = counted(touched, limit);
      ASSERT_EQ(run<marking::Counters>(touched, limit, ranks), wanted) << ranks << " " << limit;
      ASSERT_EQ(run<marking::Intervals>(touched, limit, ranks), wanted) << ranks << " " << limit;
      if (census_of(touched, ranks).sum_chunks > limit) {
        ASSERT_EQ(run<marking::Summaries>(touched, limit, ranks), wanted) << ranks << " " << limit;
        ASSERT_EQ(run<marking::Summaries>(touched, limit, ranks, MergeOrder::kPerRank), wanted);
      }
    }
  }
}

TEST(MarkChunks, CountersDoNotRunOver) {
  // 255 ranks fill a counter of 8 bits, 256 need 16, 65,536 need 32; neighbours stay untouched.
  for (const std::uint64_t ranks : {254U, 255U, 256U, 257U, 65535U, 65536U}) {
    const std::vector<List> touched(ranks, List{{1, 1}, {3, 2}});
    EXPECT_EQ(run<marking::Counters>(touched, ranks - 1, 9), MarkedChunks::of({{1, 1}, {3, 2}}));
    EXPECT_TRUE(run<marking::Counters>(touched, ranks, 9).is_none());
  }
}

TEST(MarkChunks, WaysAgreeOnRandomChunks) {
  std::mt19937_64 random(7);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const std::uint64_t ranks = 2 + random() % 20, chunks = 1 + random() % 5000;
    std::vector<List> touched(ranks);
    for (List& list : touched)
      for (ChunkOrdinal c = random() % 9; c < chunks; c += 1 + random() % (1 + chunks / 50)) {
        const std::uint64_t n = std::min<std::uint64_t>(1 + random() % 9, chunks - c);
        append_interval(list, {c, n});
        c += n;
      }
    const std::uint64_t limit = 1 + random() % ranks;
    const MarkedChunks wanted = counted(touched, limit);
    ASSERT_EQ(run<marking::Counters>(touched, limit, chunks), wanted);
    if (census_of(touched, chunks).sum_chunks > limit) {
      ASSERT_EQ(run<marking::Summaries>(touched, limit, chunks), wanted);
    }
    ASSERT_EQ(
        mark(touched, static_cast<unsigned>(limit * 100 / ranks), chunks),
        counted(touched, collective_limit(ranks, static_cast<unsigned>(limit * 100 / ranks))));
  }
}

TEST(MarkChunks, ALongStreamOfIntervalsLosesNone) {
  // So far apart that counters would cost more; about half of the chunks are shared.
  std::mt19937_64 random(13);
  for (const std::uint64_t ranks : {2U, 3U, 5U, 64U}) {
    const std::uint64_t intervals = ranks == 64 ? 1500 : 9000;
    std::vector<List> touched(ranks);
    for (std::uint64_t i = 0; i < intervals; ++i)
      for (List& list : touched)
        if (random() % 4 != 0) append_interval(list, {i * 5000 + random() % 2, 1 + random() % 3});
    const std::uint64_t chunks = intervals * 5000;
    const MarkedChunks wanted = counted(touched, ranks / 2);
    EXPECT_GT(wanted.intervals().size(), intervals / 3);
    EXPECT_EQ(run<marking::Intervals>(touched, ranks / 2, chunks), wanted) << ranks;
  }
}

TEST(MarkChunks, NoExchangeWhereNothingCanBeCollective) {
  const std::vector<List> two_of_five{{{0, 3}}, {{0, 3}}, {}, {}, {}};
  const ChunkCensus census = census_of(two_of_five, 3);
  ChunkMarking marking(two_of_five[0], 60, census, 0);
  EXPECT_EQ(marking.next().kind, CollectiveKind::kDone);
  EXPECT_TRUE(marking.finish()->is_none());
  ChunkMarking all(two_of_five[0], 0, census, 0);
  EXPECT_EQ(all.next().kind, CollectiveKind::kDone);
  EXPECT_TRUE(all.finish()->is_all());
}

TEST(MarkedChunks, AnswersInAnyOrderAndInAscendingOrder) {
  const MarkedChunks marks = MarkedChunks::of({{2, 3}, {9, 1}, {20, 5}});
  MarkedChunks::Cursor cursor(marks);
  std::uint64_t n = 0;
  for (ChunkOrdinal c = 0; c < 30; ++c) {
    const bool wanted = (c >= 2 && c < 5) || c == 9 || (c >= 20 && c < 25);
    EXPECT_EQ(marks.contains(c), wanted) << c;
    EXPECT_EQ(cursor.contains(c), wanted) << c;
    n += wanted ? 1 : 0;
  }
  EXPECT_EQ(marks.size(1000), n);
  EXPECT_EQ(MarkedChunks::all().size(1000), 1000U);
  EXPECT_TRUE(MarkedChunks::all().contains(123));
  EXPECT_FALSE(MarkedChunks::none().contains(0));
}

TEST(MergeSummaries, ErrorIsABoundInAnyOrder) {
  std::mt19937_64 random(11);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const std::size_t capacity = 1 + random() % 40;
    const std::size_t parts = 1 + random() % 12;
    std::map<std::uint64_t, std::uint64_t> truth;
    std::vector<std::vector<std::uint64_t>> blocks;
    std::uint64_t total = 0;
    for (std::size_t p = 0; p < parts; ++p) {
      blocks.emplace_back(summary::words(capacity), 0);
      for (std::uint64_t key = random() % 3; key < 60; key += 1 + random() % 4) {
        count_in_summary(blocks.back(), key);
        ++truth[key];
        ++total;
      }
    }
    while (blocks.size() > 1) {
      const std::size_t into = random() % (blocks.size() - 1);
      MergeSummaries{}(blocks[into], blocks.back());
      blocks.pop_back();
    }
    const std::vector<std::uint64_t>& merged = blocks[0];
    std::map<std::uint64_t, std::uint64_t> found;
    for (std::size_t i = 0; i < merged[summary::kEntries]; ++i)
      found[merged[summary::kHeader + 2 * i]] = merged[summary::kHeader + 2 * i + 1];
    ASSERT_EQ(found.size(), merged[summary::kEntries]);
    ASSERT_LE(merged[summary::kEntries], capacity);
    // The bound of the paper, and that the error word is a bound for every key.
    ASSERT_LE(merged[summary::kError], total / (capacity + 1));
    for (const auto& [key, n] : truth) {
      ASSERT_LE(found[key], n);
      ASSERT_LE(n, found[key] + merged[summary::kError]);
    }
  }
}

// ---- threads -----------------------------------------------------------------------------------------------------

/// One thread in a call, that has no memory for what its ranks exchange. It waits as MPI does.
void exchange_without_memory(std::uint64_t mark, std::atomic<unsigned>* begun, unsigned together) {
  const CallFrame frame;
  marking::LastResort mine;
  marking::LastResort another;
  const std::span<std::uint64_t> words = mine.words(100);
  EXPECT_EQ(words.data(), another.words(50).data());
  std::fill(words.begin(), words.end(), mark);
  ++*begun;
  while (begun->load() < together) {
    const LibraryPause others_go_on;
    std::this_thread::yield();
  }
  EXPECT_EQ(words.front(), mark);
  EXPECT_EQ(words.back(), mark);
}

TEST(LastResort, IsEachThreadsOwn) {
  std::atomic<unsigned> begun{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < marking::LastResort::kThreads; ++i)
    threads.emplace_back(exchange_without_memory, i + 1, &begun, marking::LastResort::kThreads);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(begun.load(), marking::LastResort::kThreads);
}

TEST(LastResort, IsWaitedForByMoreThreads) {
  std::atomic<unsigned> begun{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 3 * marking::LastResort::kThreads; ++i)
    threads.emplace_back(exchange_without_memory, i + 1, &begun, marking::LastResort::kThreads);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace pcio
