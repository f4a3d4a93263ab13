// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Campaign: the planner over 1 to 1,000 simulated ranks, on random transfers.
//
// Of each case: every element is in exactly one step; all ranks make the same exchanges and have
// the same schedule; addresses ascend; reported pairs are legal; and the choice is the one that the
// original algorithm, written down directly, makes. In some cases a rank runs out of memory: then
// all ranks fail, none alone.
//
// Environment: PCIO_SEED, PCIO_CASES; PCIO_LONG=1 for the long form. One line is printed at the
// end.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>

#include "plan/actual_io.hpp"
#include "plan/address_lookup.hpp"
#include "plan/chunk_marking.hpp"
#include "plan/chunk_order.hpp"
#include "plan/collective_causes.hpp"
#include "plan/naive_flow.hpp"
#include "plan/plan_case.hpp"
#include "plan/schedule.hpp"
#include "plan/transfer_runs.hpp"
#include "support/counted_memory.hpp"
#include "support/sim_communicator.hpp"

namespace pcio::test {
namespace {

/// How many cases had which property; every bin that is named at the start must be hit.
class Histogram {
 public:
  void expect(const std::string& dimension, std::initializer_list<const char*> bins) {
    if (counts_.count(dimension) == 0) order_.push_back(dimension);
    for (const char* bin : bins) counts_[dimension][bin] = 0;
  }
  void hit(const std::string& dimension, const std::string& bin) { ++counts_[dimension][bin]; }
  void print() const {
    for (const std::string& dimension : order_) {
      std::printf("; %s", dimension.c_str());
      for (const auto& [bin, n] : counts_.at(dimension))
        std::printf(" %s=%llu", bin.c_str(), static_cast<unsigned long long>(n));
    }
  }
  [[nodiscard]] std::uint64_t empty_bins() const {
    std::uint64_t n = 0;
    for (const auto& [dimension, bins] : counts_)
      for (const auto& [bin, hits] : bins) n += hits == 0 ? 1 : 0;
    return n;
  }

 private:
  std::vector<std::string> order_;
  std::map<std::string, std::map<std::string, std::uint64_t>> counts_;
};

std::string size_bin(std::uint64_t ranks) {
  if (ranks == 1) return "1";
  if (ranks <= 4) return "2-4";
  if (ranks <= 16) return "5-16";
  if (ranks <= 64) return "17-64";
  return ranks <= 255 ? "65-255" : "256-1000";
}

std::string request_name(ChunkOpt opt) {
  switch (opt) {
    case ChunkOpt::kDefault: return "automatic";
    case ChunkOpt::kOneIo: return "one";
    case ChunkOpt::kMultiIo: return "multi";
    case ChunkOpt::kAtOnce: return "at-once";
    case ChunkOpt::kAllIndependent: return "all-ind";
    case ChunkOpt::kMultiNoOpt: return "no-opt";
  }
  return "?";
}

/// The way of marking, told from its exchanges.
std::string way_name(const std::vector<CollectiveKind>& kinds, std::uint64_t candidates) {
  const auto count = [&kinds](CollectiveKind kind) {
    return std::count(kinds.begin(), kinds.end(), kind);
  };
  if (kinds.empty()) return "known";
  if (count(CollectiveKind::kBroadcast) > 0) return "keys-agreed";
  if (count(CollectiveKind::kSummaries) > 1) return "summary-passes";
  if (count(CollectiveKind::kSummaries) == 1)
    return candidates > marking::kInlineCounters ? "summary-heap" : "summary";
  if (count(CollectiveKind::kGather) > 0 && count(CollectiveKind::kSum) > 0)
    return "gather-counters";
  if (count(CollectiveKind::kGather) > 0)
    return count(CollectiveKind::kGather) > 1 ? "gather-stream" : "gather";
  return count(CollectiveKind::kMax) > 0 ? "counter-blocks" : "counters";
}

Histogram histogram() {
  Histogram h;
  h.expect("ranks", {"1", "2-4", "5-16", "17-64", "65-255", "256-1000"});
  h.expect("ndims", {"1", "2", "3", "4"});
  for (int p = 0; p < static_cast<int>(Pattern::kCount); ++p)
    h.expect("pattern", {pattern_name(static_cast<Pattern>(p))});
  h.expect("selection", {"none", "points", "regular", "irregular", "all"});
  h.expect("request", {"automatic", "one", "multi", "at-once", "all-ind", "no-opt"});
  h.expect("ratio", {"0", "1-99", "100"});
  h.expect("addresses", {"ordered", "sorted", "own", "broadcast"});
  h.expect("causes", {"none", "individual", "other"});
  h.expect("strategy",
           {"contiguous", "linked chunks", "chunk by chunk", "chunk by chunk without marking",
            "marked chunks at once", "all chunks independent", "not collective"});
  h.expect("threshold", {"below", "at", "above"});
  h.expect("marked", {"none", "some", "all"});
  h.expect("way", {"known", "counters", "counter-blocks", "gather", "gather-stream",
                   "gather-counters", "summary", "summary-heap", "summary-passes", "keys-agreed"});
  h.expect("io-mode", {"0", "1", "2", "3", "4"});
  h.expect("memory", {"enough", "failed"});
  return h;
}

/// One case on all its ranks.
class Checker {
 public:
  Checker(const PlanCase& c, std::uint64_t number, Histogram& h) : c_(c), number_(number), h_(h) {}

  bool run() {
    gather_facts();
    if (needs_marks(strategy_) && !mark()) return failures_ == 0;
    plan_and_execute();
    compare_with_flow();
    note();
    return failures_ == 0;
  }

 private:
  void fail(const std::string& what) {
    if (failures_++ < 3)
      std::fprintf(stderr, "case %llu (%s, %zu ranks): %s\n",
                   static_cast<unsigned long long>(number_), pattern_name(c_.pattern),
                   c_.ranks.size(), what.c_str());
  }

  void gather_facts() {
    census_.ranks = c_.ranks.size();
    census_.min_chunks = ~std::uint64_t{0};
    census_.dataset_chunks = c_.grid->count();
    for (const RankCase& rank : c_.ranks) {
      causes_ |= local_causes(rank.facts);
      touched_.push_back(touched_chunks(*c_.grid, rank.file));
      intervals_.push_back(as_intervals(touched_.back()));
      const std::uint64_t n = touched_.back().size();
      census_.sum_chunks += n;
      census_.min_chunks = std::min(census_.min_chunks, n);
      census_.max_chunks = std::max(census_.max_chunks, n);
      census_.ranks_with_data += n > 0 ? 1 : 0;
    }
    strategy_ = choose_strategy(causes_, c_.form, c_.hints, census_);
  }

  /// False where a rank ran out of memory, so that there is nothing more to check.
  bool mark() {
    const std::uint64_t ranks = c_.ranks.size();
    const bool scarce = number_ % 5 == 3;
    const bool per_rank = ranks <= 100 && number_ % 3 == 0;
    const std::uint64_t victim = number_ / 5 % ranks;
    std::deque<ChunkMarking> marking;
    for (std::uint64_t r = 0; r < ranks; ++r)
      marking.emplace_back(intervals_[r], c_.hints.ratio_percent, census_, r);
    if (scarce) {
      memory::begin(ranks);
      memory::fail_from(victim, number_ / 7 % 6);
    }
    SimCommunicator sim(ranks, per_rank ? MergeOrder::kPerRank : MergeOrder::kTree);
    const std::string wrong = sim.run([&](std::uint64_t r) {
      memory::attribute_to(r);
      const Collective e = marking[r].next();
      memory::attribute_to(memory::kNobody);
      return e;
    });
    memory::end();
    if (!wrong.empty()) {
      fail(wrong);
      return false;
    }
    way_ = way_name(sim.kinds(),
                    census_.sum_chunks / (collective_limit(ranks, c_.hints.ratio_percent) + 1));
    std::uint64_t failed = 0;
    for (ChunkMarking& m : marking) {
      Result<MarkedChunks> marks = m.finish();
      if (!marks) {
        ++failed;
        continue;
      }
      if (!marks_.empty() && !(*marks == marks_.front())) fail("ranks have different marks");
      marks_.push_back(std::move(*marks));
    }
    if (failed != 0 && failed != ranks) fail("some ranks failed and some did not");
    if (failed != 0 && !scarce) fail("failed with enough memory");
    h_.hit("memory", failed != 0 ? "failed" : "enough");
    return failed == 0;
  }

  void plan_and_execute() {
    const MarkedChunks nothing;
    for (std::uint64_t r = 0; r < c_.ranks.size(); ++r) {
      const MarkedChunks& marks = marks_.empty() ? nothing : marks_[r];
      Schedule schedule = make_schedule(strategy_, marks, census_);
      if (r == 0) {
        schedule_ = std::move(schedule);
        check_shape();
      } else if (!(schedule == schedule_)) {
        fail("ranks have different schedules");
      }
      execute(r, marks);
    }
  }

  /// Collective steps, then a barrier where there are both, then independent ones.
  void check_shape() {
    int phase = 0;
    for (const Step& step : schedule_.steps) {
      const int wanted = static_cast<int>(step.kind);
      if (wanted < phase) fail("a collective step behind an independent one");
      if (step.kind == StepKind::kIndependent && phase == 0 && &step != &schedule_.steps[0])
        fail("no barrier between collective and independent steps");
      if ((step.kind == StepKind::kCollective) != (step.rounds > 0) &&
          step.kind != StepKind::kBarrier)
        fail("a collective step without rounds");
      phase = wanted;
    }
  }

  void execute(std::uint64_t r, const MarkedChunks& marks) {
    std::vector<PlacedChunk> placed;
    for (const ChunkOrdinal chunk : touched_[r]) placed.push_back({chunk, c_.address(chunk)});
    h_.hit("addresses", order_by_address(placed) == WasOrdered::kYes ? "ordered" : "sorted");
    for (std::size_t i = 1; i < placed.size(); ++i)
      if (placed[i - 1].address >= placed[i].address) fail("addresses do not ascend");
    std::map<ChunkOrdinal, StepKind> kind;
    ExecutedChunks executed;
    MarkedChunks::Cursor cursor(marks);
    for (const ChunkOrdinal chunk : touched_[r])
      if (cursor.contains(chunk) != marks.contains(chunk)) fail("cursor and set differ");
    for (std::uint64_t at = 0; at < placed.size(); ++at) {
      unsigned steps = 0;
      for (const Step& step : schedule_.steps) {
        if (!in_step(step, marks, placed[at].ordinal, at)) continue;
        ++steps;
        kind[placed[at].ordinal] = step.kind;
        (step.kind == StepKind::kCollective ? executed.collective : executed.independent) += 1;
      }
      if (steps != 1)
        fail("chunk " + std::to_string(placed[at].ordinal) + " of rank " + std::to_string(r) +
             " is in " + std::to_string(steps) + " steps");
    }
    check_elements(r, kind);
    order_.push_back({});
    for (const PlacedChunk& p : placed) order_.back().push_back(p.ordinal);
    kinds_.push_back(std::move(kind));
    actual_.push_back(actual_io(strategy_, executed));
    if (!is_legal(actual_.back())) fail("an illegal pair is reported");
  }

  /// Every selected element is in one chunk of one step.
  void check_elements(std::uint64_t r, const std::map<ChunkOrdinal, StepKind>& kind) {
    const RankCase& rank = c_.ranks[r];
    std::vector<std::uint32_t> found(rank.expected.size(), 0);
    std::uint64_t elements = 0;
    ChunkPieceCursor cursor(*c_.grid, rank.file, rank.memory);
    Piece piece;
    while (cursor.next_chunk()) {
      if (kind.count(cursor.ordinal()) == 0) fail("a touched chunk is in no step");
      while (cursor.next(piece)) {
        elements += piece.count;
        for (std::uint64_t i = 0; i < piece.count && !found.empty(); ++i)
          ++found[element_number(cursor.coords(), piece.file_element + i)];
      }
    }
    if (elements != rank.file.selected()) fail("not as many elements as selected");
    if (found != rank.expected) fail("not the elements that were selected");
  }

  /// Of an element that is number `inside` in the chunk at `coords`.
  std::uint64_t element_number(const Dims& coords, std::uint64_t inside) const {
    const Dims& chunk = c_.grid->chunk();
    Dims at(chunk.size());
    for (unsigned d = chunk.size(); d-- > 0; inside /= chunk[d])
      at[d] = coords[d] * chunk[d] + inside % chunk[d];
    std::uint64_t number = 0;
    for (unsigned d = 0; d < at.size(); ++d) number = number * c_.grid->dims()[d] + at[d];
    return number;
  }

  void compare_with_flow() {
    NaiveInput in;
    in.chunked = c_.form == StorageForm::kChunked;
    in.individual_io = c_.hints.opt == CollectiveOpt::kIndividualIo;
    in.chunk_opt = c_.hints.request;
    in.chunk_opt_num = c_.hints.link_threshold;
    in.chunk_opt_ratio = c_.hints.ratio_percent;
    in.dataset_chunks = c_.grid->count();
    in.chunks = order_;
    for (const RankCase& rank : c_.ranks) {
      const CauseFacts& f = rank.facts;
      // Chunks with filters have owners, whatever MPI's types.
      const bool typeless = f.derived_types_disabled && !f.transport_forced && !f.filtered;
      in.independent_asked |= f.requested == TransferMode::kIndependent || in.individual_io;
      in.collective_broken |=
          f.error_while_checking || f.storage == StorageForm::kOther || f.mpiposix || typeless;
    }
    const NaiveOutcome flow = naive_flow(in);
    const AddressLookup lookup = choose_address_lookup(census_);
    h_.hit("addresses", lookup == AddressLookup::kOwn ? "own" : "broadcast");
    if ((lookup == AddressLookup::kBroadcastIndex) != flow.address_broadcast)
      fail("address lookup differs from the flow");
    for (std::uint64_t r = 0; r < c_.ranks.size(); ++r) {
      if (actual_[r].chunk_opt != flow.chunk_opt) fail("chunk option differs from the flow");
      if (actual_[r].io_mode != flow.io_mode[r]) fail("I/O mode differs from the flow");
      h_.hit("io-mode", std::to_string(static_cast<int>(actual_[r].io_mode)));
      for (const auto& [chunk, kind] : kinds_[r])
        if ((kind == StepKind::kCollective) != flow.collective[r].at(chunk))
          fail("chunk " + std::to_string(chunk) + " differs from the flow");
    }
  }

  void note() {
    h_.hit("ranks", size_bin(c_.ranks.size()));
    h_.hit("ndims", std::to_string(c_.grid->dims().size()));
    h_.hit("pattern", pattern_name(c_.pattern));
    h_.hit("request", request_name(c_.hints.request));
    const unsigned ratio = c_.hints.ratio_percent;
    h_.hit("ratio", ratio == 0 ? "0" : ratio < 100 ? "1-99" : "100");
    h_.hit("causes", causes_ == 0                        ? "none"
                     : causes_ == cause::kSetIndependent ? "individual"
                                                         : "other");
    h_.hit("strategy", strategy_name(strategy_));
    for (const RankCase& rank : c_.ranks) {
      const Selection& s = rank.file.selection();
      const SelectionKind kind = s.kind();
      h_.hit("selection", kind == SelectionKind::kNone     ? "none"
                          : kind == SelectionKind::kPoints ? "points"
                          : kind == SelectionKind::kAll    ? "all"
                          : s.is_regular()                 ? "regular"
                                                           : "irregular");
    }
    if (causes_ == 0 && c_.hints.request == ChunkOpt::kDefault) {
      const long double average =
          static_cast<long double>(census_.sum_chunks) / static_cast<long double>(census_.ranks);
      const auto threshold = static_cast<long double>(c_.hints.link_threshold);
      h_.hit("threshold", average < threshold ? "below" : average > threshold ? "above" : "at");
    }
    if (marks_.empty()) return;
    h_.hit("way", way_);
    h_.hit("marked", marks_[0].is_none() ? "none" : marks_[0].is_all() ? "all" : "some");
  }

  const PlanCase& c_;
  std::uint64_t number_;
  Histogram& h_;
  std::uint64_t failures_ = 0;
  CauseBits causes_ = 0;
  ChunkCensus census_;
  Strategy strategy_ = Strategy::kNoCollective;
  std::string way_;
  std::vector<std::vector<ChunkOrdinal>> touched_;
  std::vector<std::vector<OrdinalInterval>> intervals_;
  std::vector<MarkedChunks> marks_;
  Schedule schedule_;
  std::vector<std::vector<std::uint64_t>> order_;
  std::vector<std::map<ChunkOrdinal, StepKind>> kinds_;
  std::vector<ActualIo> actual_;
};

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace
}  // namespace pcio::test

int main() {
  using namespace pcio::test;
  const std::uint64_t seed = number_from("PCIO_SEED", 1);
  const std::uint64_t cases = number_from("PCIO_CASES", number_from("PCIO_LONG", 0) ? 20000 : 800);
  Histogram h = histogram();
  std::uint64_t failed = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const PlanCase c = make_plan_case(seed, i);
    if (!Checker(c, i, h).run()) ++failed;
  }
  std::printf("plan_campaign: seed %llu, %llu cases, %llu failed, %llu empty bins",
              static_cast<unsigned long long>(seed), static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(failed),
              static_cast<unsigned long long>(h.empty_bins()));
  h.print();
  std::printf("\n");
  return failed == 0 && h.empty_bins() == 0 ? 0 : 1;
}
