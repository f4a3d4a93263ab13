// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Merging of facts, verdicts, the call log and the environment, without MPI.

#include "agree/agreement.hpp"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "agree/coordinator.hpp"

namespace pcio {
namespace {

std::vector<WireFacts> random_ranks(unsigned seed, int ranks) {
  std::mt19937_64 random(seed);
  std::vector<WireFacts> all;
  for (int r = 0; r < ranks; ++r) {
    LocalFacts facts;
    facts.causes = static_cast<std::uint32_t>(random() & 0xFF);
    facts.any_flags = random();
    facts.all_flags = random();
    facts.chunks = random() % 1000;
    facts.bytes = random() % 3 == 0 ? 0 : random() % 100000;
    facts.mean_run = random() % 5000;
    facts.low = random() % 1000;
    facts.high = 1000 + random() % 1000;
    for (auto& word : facts.same) word = random() % 4;
    for (auto& word : facts.sums) word = random() % 100;
    for (auto& word : facts.maxima) word = random();
    LocalOutcome outcome = random() % 2 == 0 ? LocalOutcome::kGood : LocalOutcome::kFailed;
    all.push_back(to_wire(facts, {random() % 2, random() % 2, random() % 3}, outcome, r));
  }
  return all;
}

TEST(Merge, GivesTheSameInEveryOrder) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::vector<WireFacts> ranks = random_ranks(seed, 7);
    WireFacts forward = ranks[0];
    for (std::size_t i = 1; i < ranks.size(); ++i) merge(forward, ranks[i]);
    WireFacts tree = ranks[6];
    for (std::size_t i = 0; i + 1 < 6; i += 2) {
      WireFacts pair = ranks[i + 1];
      merge(pair, ranks[i]);
      merge(tree, pair);
    }
    EXPECT_EQ(std::memcmp(&forward, &tree, sizeof forward), 0) << seed;
  }
}

TEST(Merge, KnowsSumsAndExtremes) {
  LocalFacts a;
  a.chunks = 3;
  a.bytes = 100;
  a.mean_run = 50;
  a.low = 10;
  a.high = 200;
  a.causes = 1;
  a.same[2] = 7;
  LocalFacts nothing;  // a rank with an empty selection
  nothing.causes = 4;
  nothing.same[2] = 7;
  nothing.same[3] = 1;
  WireFacts wire = to_wire(a, {}, LocalOutcome::kGood, 0);
  merge(wire, to_wire(nothing, {}, LocalOutcome::kGood, 1));
  GlobalFacts all = to_global(wire);
  EXPECT_EQ(all.causes, 5U);
  EXPECT_EQ(all.sum_chunks, 3U);
  EXPECT_EQ(all.min_chunks, 0U);
  EXPECT_EQ(all.max_bytes, 100U);
  EXPECT_EQ(all.smallest_mean_run, 50U);
  EXPECT_EQ(all.low, 10U);
  EXPECT_EQ(all.high, 200U);
  EXPECT_EQ(all.ranks_with_data, 1U);
  EXPECT_TRUE(all.same[2].equal());
  EXPECT_FALSE(all.same[3].equal());
  EXPECT_EQ(judge(wire), Verdict::kAgreed);
}

WireFacts two_ranks(const LocalFacts& a, const LogFacts& log_a, const LocalFacts& b,
                    const LogFacts& log_b) {
  WireFacts wire = to_wire(a, log_a, LocalOutcome::kGood, 0);
  merge(wire, to_wire(b, log_b, LocalOutcome::kGood, 1));
  return wire;
}

TEST(Judge, TellsWhatDiffers) {
  LocalFacts write;
  write.call_kind = CallKind::kWrite;
  write.object = 800;
  LocalFacts close;
  close.call_kind = CallKind::kClose;
  LocalFacts other = write;
  other.object = 900;
  EXPECT_EQ(judge(two_ranks(write, {}, write, {})), Verdict::kAgreed);
  EXPECT_EQ(judge(two_ranks(write, {}, close, {})), Verdict::kCallsDiffer);
  EXPECT_EQ(judge(two_ranks(write, {}, other, {})), Verdict::kCallsDiffer);
  EXPECT_EQ(judge(two_ranks(write, {1, 0, 0}, write, {2, 0, 0})), Verdict::kLogsDiffer);
  EXPECT_EQ(judge(two_ranks(write, {1, 0, 0, 3, 1}, write, {1, 0, 0, 4, 1})),
            Verdict::kSpaceDiffers);
  EXPECT_EQ(judge(two_ranks(write, {1, 0, 0, 3, 1}, write, {1, 0, 0, 3, 2})),
            Verdict::kSpaceDiffers);
  WireFacts diverged = two_ranks(write, {1, 0, 0}, close, {1, 5, 1});
  EXPECT_EQ(judge(diverged), Verdict::kDiverged);
  EXPECT_EQ(rank_to_ask(diverged, Verdict::kDiverged), 1);
  // Failed alike on both: no disagreement.
  EXPECT_EQ(judge(two_ranks(write, {1, 5, 1}, write, {1, 5, 1})), Verdict::kAgreed);
}

TEST(Judge, NamesTheLowestFailedRank) {
  LocalFacts facts;
  WireFacts wire = to_wire(facts, {}, LocalOutcome::kGood, 0);
  for (int rank : {3, 1, 2}) merge(wire, to_wire(facts, {}, LocalOutcome::kFailed, rank));
  EXPECT_EQ(judge(wire), Verdict::kFailed);
  EXPECT_EQ(rank_to_ask(wire, Verdict::kFailed), 1);
}

TEST(CallLog, HashDependsOnOrderArgumentsAndFailures) {
  const std::byte one[] = {std::byte{1}};
  const std::byte two[] = {std::byte{2}};
  CallLog a, b;
  a.record({"H5Gcreate2", "/a"}, one);
  a.record({"H5Gcreate2", "/b"}, two);
  b.record({"H5Gcreate2", "/b"}, two);
  b.record({"H5Gcreate2", "/a"}, one);
  EXPECT_NE(a.facts().hash, b.facts().hash);
  CallLog c;
  c.record({"H5Gcreate2", "another name of /a"}, one);
  c.record({"H5Gcreate2", "/b"}, two);
  EXPECT_EQ(a.facts().hash, c.facts().hash);  // names are for messages only
  c.record_failure({"H5Gcreate2", "/b"}, "is there");
  EXPECT_NE(a.facts().failure_hash, c.facts().failure_hash);
  EXPECT_EQ(c.last_failure(), "H5Gcreate2 on /b failed: is there");
  EXPECT_EQ(a.describe(), "2 metadata calls, the last H5Gcreate2 on /b");
  a.restart();
  EXPECT_EQ(a.facts().hash, CallLog().facts().hash);
}

TEST(SpaceHash, ReleasesCountAsBytesInAnyPiecesAndOrder) {
  SpaceHash whole, pieces;
  for (SpaceHash* hash : {&whole, &pieces}) hash->allocated({100, 50});
  whole.released({100, 50});
  pieces.released({120, 30});
  pieces.released({100, 20});
  EXPECT_EQ(whole.value(), pieces.value());
  pieces.taken_back({100, 20});
  EXPECT_NE(whole.value(), pieces.value());
  pieces.released({100, 20});
  EXPECT_EQ(whole.value(), pieces.value());
  EXPECT_EQ(whole.allocations(), 1U);
}

TEST(SpaceHash, SeesAddressesSizesAndTheOrderOfAllocations) {
  auto hash_of = [](auto&&... steps) {
    SpaceHash hash;
    (steps(hash), ...);
    return hash.value();
  };
  auto take = [](FileAddress at, std::uint64_t size) {
    return [=](SpaceHash& hash) { hash.allocated({at, size}); };
  };
  auto give = [](FileAddress at, std::uint64_t size) {
    return [=](SpaceHash& hash) { hash.released({at, size}); };
  };
  const std::uint64_t first = hash_of(take(0, 8), take(8, 8));
  EXPECT_NE(first, hash_of(take(8, 8), take(0, 8)));
  EXPECT_NE(first, hash_of(take(0, 8), take(8, 9)));
  EXPECT_NE(first, hash_of(take(0, 8)));
  // What comes before an allocation may be what it got.
  EXPECT_NE(hash_of(take(0, 8), give(0, 8), take(8, 8)),
            hash_of(take(0, 8), take(8, 8), give(0, 8)));
}

/// Steps of two ranks, whose nth differs in its space.
void play_trails(std::uint64_t steps, std::uint64_t differs, CallTrail* a, CallTrail* b) {
  for (std::uint64_t n = 1; n <= steps; ++n) {
    a->note("step " + std::to_string(n), n, n);
    b->note("step " + std::to_string(n), n, n < differs ? n : n + 1000000);
  }
}

TEST(CallTrail, FindsTheFirstStepThatDiffers) {
  for (std::uint64_t differs : {1, 2, 17, 30}) {
    CallTrail a, b;
    play_trails(30, differs, &a, &b);
    EXPECT_EQ(a.first_difference(b.words(), CallTrail::Mark::kSpace), differs);
    EXPECT_EQ(b.first_difference(a.words(), CallTrail::Mark::kSpace), differs);
    EXPECT_EQ(a.first_difference(b.words(), CallTrail::Mark::kCalls), CallTrail::kNoStep);
    EXPECT_EQ(a.name_of(differs), "step " + std::to_string(differs));
  }
}

TEST(CallTrail, OfManyStepsItFindsOneNearBy) {
  for (std::uint64_t differs : {1, 400, 999, 1000}) {
    CallTrail a, b;
    play_trails(1000, differs, &a, &b);
    const std::uint64_t found = a.first_difference(b.words(), CallTrail::Mark::kSpace);
    EXPECT_GE(found, differs);
    EXPECT_LT(found, differs + 1000 / (CallTrail::kKept / 2) + 2);
  }
}

TEST(CallTrail, AStepThatOnlyOneRankMadeDiffers) {
  CallTrail a, b;
  play_trails(5, 100, &a, &b);
  a.note("more", 6, 6);
  EXPECT_EQ(a.first_difference(b.words(), CallTrail::Mark::kCalls), 6U);
  EXPECT_EQ(b.first_difference(a.words(), CallTrail::Mark::kCalls), 6U);
  EXPECT_EQ(a.name_of(6), "more");
  EXPECT_EQ(b.name_of(6), "nothing more");
  a.clear();
  b.clear();
  EXPECT_EQ(a.first_difference(b.words(), CallTrail::Mark::kCalls), CallTrail::kNoStep);
}

NamedArguments arguments_of(std::uint64_t time, std::string_view name,
                            const char* second = "name") {
  NamedArguments arguments;
  arguments.number("fill time", time);
  arguments.begin(second);
  arguments.text(name);
  return arguments;
}

TEST(NamedArguments, TheFirstPartThatDiffersIsNamed) {
  const ArgumentMarks marks = arguments_of(2, "a long name").marks();
  const ArgumentMarks other_number = arguments_of(1, "another long name").marks();
  EXPECT_EQ(marks.first_difference(marks.words()), ArgumentMarks::kNone);
  EXPECT_EQ(marks.first_difference(other_number.words()), 0U);
  EXPECT_EQ(marks.name_of(0), "fill time");
  EXPECT_TRUE(marks.is_number(0));
  EXPECT_EQ(other_number.value_of(0), 1U);
  const ArgumentMarks other_text = arguments_of(2, "another name").marks();
  EXPECT_EQ(marks.first_difference(other_text.words()), 1U);
  EXPECT_FALSE(marks.is_number(1));
  // Other parts: another kind of call, of which nothing can be said.
  EXPECT_EQ(marks.first_difference(arguments_of(2, "x", "size").marks().words()),
            ArgumentMarks::kNone);
  EXPECT_EQ(marks.first_difference(ArgumentMarks().words()), ArgumentMarks::kNone);
}

/// However short it is: what of a list, or of a name, is told as a number says nothing.
TEST(NamedArguments, BytesAreNoNumber) {
  const ArgumentMarks one_byte = arguments_of(2, "x").marks();
  EXPECT_EQ(one_byte.first_difference(arguments_of(2, "a long name").marks().words()), 1U);
  EXPECT_FALSE(one_byte.is_number(1));
  EXPECT_FALSE(arguments_of(2, "").marks().is_number(1));
}

TEST(CallLog, WhatWasAgreedOnIsNoArgumentOfWhatFollows) {
  CallLog log;
  log.record({"H5Gcreate2", "/a"}, {}, arguments_of(2, "a").marks());
  EXPECT_EQ(log.current_arguments().name_of(0), "fill time");
  log.restart();
  EXPECT_EQ(log.current_arguments().name_of(0), "");
}

TEST(NamedArguments, PartsBeyondTheLastOneBelongToIt) {
  NamedArguments a, b;
  for (NamedArguments* one : {&a, &b})
    for (std::size_t i = 0; i < ArgumentMarks::kMost + 5; ++i) {
      one->begin(i < ArgumentMarks::kMost ? "part" : "too many");
      one->u64(i == ArgumentMarks::kMost + 3 && one == &a ? 7 : i);
    }
  EXPECT_EQ(a.marks().first_difference(b.marks().words()), ArgumentMarks::kMost - 1);
}

TEST(CallLog, HashSeesLengthsAndPositions) {
  std::vector<std::byte> data(40, std::byte{0});
  std::vector<std::uint64_t> seen;
  for (std::size_t n = 0; n <= data.size(); ++n)
    seen.push_back(hash_bytes(ConstBytes(data).first(n), 0));
  for (std::byte& b : data) {
    b = std::byte{1};
    seen.push_back(hash_bytes(data, 0));
    b = std::byte{0};
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

TEST(SharedEnvironment, SurvivesTheBroadcast) {
  SharedEnvironment environment;
  environment.transport = "view";
  environment.report = "stderr,json=/tmp/x";
  environment.check_calls = true;
  environment.hang_seconds = 2.5;
  environment.hang_abort = true;
  SharedEnvironment back = decode_environment(encode(environment));
  EXPECT_EQ(back.transport, "view");
  EXPECT_EQ(back.report, environment.report);
  EXPECT_TRUE(back.check_calls);
  EXPECT_DOUBLE_EQ(back.hang_seconds, 2.5);
  EXPECT_TRUE(back.hang_abort);
  EXPECT_DOUBLE_EQ(decode_environment("garbage").hang_seconds, 60);
}

TEST(SharedEnvironment, BadNumbersAreTheDefault) {
  for (const char* text : {"abc", "-1", "nan", "1e300"}) {
    ASSERT_EQ(setenv("PCIO_HANG_SECONDS", text, 1), 0);
    EXPECT_DOUBLE_EQ(read_environment().hang_seconds, 60) << text;
  }
  ASSERT_EQ(setenv("PCIO_HANG_SECONDS", "0", 1), 0);
  EXPECT_DOUBLE_EQ(read_environment().hang_seconds, 0);
  ASSERT_EQ(unsetenv("PCIO_HANG_SECONDS"), 0);
}

TEST(Coordinator, SerialFormIsOneRankThatAlwaysAgrees) {
  auto coordinator = Coordinator::serial();
  EXPECT_EQ(coordinator->size(), 1);
  EXPECT_FALSE(coordinator->is_parallel());
  LocalFacts facts;
  facts.bytes = 10;
  facts.mean_run = 10;
  auto all = coordinator->agree({"H5Dwrite", "/a"}, facts, Status());
  ASSERT_TRUE(all);
  EXPECT_EQ(all->sum_bytes, 10U);
  EXPECT_EQ(all->ranks_with_data, 1U);
  Status failure = PCIO_ERROR(ARGS, BADTYPE, "wrong type");
  Status seen = coordinator->outcome({"H5Dwrite", "/a"}, failure);
  EXPECT_EQ(seen.frames().size(), 1U);
  EXPECT_EQ(seen.message(), "wrong type");
  // A failed metadata call does not disturb what follows.
  EXPECT_TRUE(coordinator->begin_metadata_call({"H5Gcreate2", "/a"}, ConstBytes{}).ok());
  EXPECT_FALSE(coordinator->end_metadata_call({"H5Gcreate2", "/a"}, failure).ok());
  EXPECT_TRUE(coordinator->outcome({"H5Fflush", ""}, Status()).ok());
  std::uint64_t words[] = {5};
  EXPECT_TRUE(coordinator->exscan_sum(words).ok());
  EXPECT_EQ(words[0], 0U);
}

}  // namespace
}  // namespace pcio
