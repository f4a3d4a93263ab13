// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: many ranks in one process.

#include "support/sim_communicator.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace pcio::test {

namespace {

using Words = std::span<std::uint64_t>;
using ConstWords = std::span<const std::uint64_t>;

constexpr std::size_t kMostExchanges = 1'000'000;

void add(Words into, ConstWords from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
}
void maximum(Words into, ConstWords from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}
void merge_summaries(Words into, ConstWords from) { MergeSummaries{}(into, from); }
void merge_counts(Words into, ConstWords from) { MergeCounts{}(into, from); }

}  // namespace

std::string SimCommunicator::run(const std::function<Collective(std::uint64_t)>& next) {
  kinds_.clear();
  while (kinds_.size() < kMostExchanges) {
    for (std::uint64_t r = 0; r < size(); ++r) wanted_[r] = next(r);
    if (std::string wrong = difference(); !wrong.empty()) return wrong;
    if (wanted_[0].kind == CollectiveKind::kDone) return {};
    kinds_.push_back(wanted_[0].kind);
    perform();
  }
  return "no end after " + std::to_string(kMostExchanges) + " exchanges";
}

std::string SimCommunicator::difference() const {
  const Collective& first = wanted_[0];
  for (std::uint64_t r = 0; r < size(); ++r) {
    const Collective& e = wanted_[r];
    const std::size_t room = e.kind == CollectiveKind::kGather  ? e.words.size() * size()
                             : e.kind == CollectiveKind::kSizes ? std::size_t{size()}
                                                                : std::size_t{0};
    if (e.kind == CollectiveKind::kRows && e.kind == first.kind && fits_rows(e, r)) continue;
    if (e.kind != CollectiveKind::kRows && e.kind == first.kind &&
        e.words.size() == first.words.size() && e.all.size() == room)
      continue;
    return "exchange " + std::to_string(kinds_.size()) + ": rank 0 wants kind " +
           std::to_string(static_cast<int>(first.kind)) + " with " +
           std::to_string(first.words.size()) + " words, rank " + std::to_string(r) + " kind " +
           std::to_string(static_cast<int>(e.kind)) + " with " + std::to_string(e.words.size());
  }
  return {};
}

/// What each rank expects of rank `from` is what that one sends.
bool SimCommunicator::fits_rows(const Collective& e, std::uint64_t from) const {
  std::uint64_t sent = 0;
  for (std::uint64_t to = 0; to < size(); ++to) {
    if (e.counts.size() != size() || wanted_[to].all_counts.size() != size() ||
        wanted_[to].all_counts[from] != e.counts[to])
      return false;
    sent += e.counts[to];
  }
  std::uint64_t received = 0;
  for (const std::uint64_t count : e.all_counts) received += count;
  return sent == e.words.size() && received == e.all.size();
}

void SimCommunicator::exchange_rows() {
  std::vector<std::size_t> filled(size(), 0);
  for (std::uint64_t from = 0; from < size(); ++from) {
    std::size_t at = 0;
    for (std::uint64_t to = 0; to < size(); ++to) {
      const std::size_t n = wanted_[from].counts[to];
      if (n == 0) continue;
      std::copy_n(wanted_[from].words.begin() + static_cast<std::ptrdiff_t>(at), n,
                  wanted_[to].all.begin() + static_cast<std::ptrdiff_t>(filled[to]));
      at += n;
      filled[to] += n;
      ++counters_[from].messages;
      counters_[from].bytes_out += n * sizeof(std::uint64_t);
      counters_[to].bytes_in += n * sizeof(std::uint64_t);
    }
  }
}

void SimCommunicator::exchange_sizes() {
  const auto levels = static_cast<std::uint64_t>(std::bit_width(size() - 1));
  for (std::uint64_t to = 0; to < size(); ++to) {
    for (std::uint64_t from = 0; from < size(); ++from)
      wanted_[to].all[from] = wanted_[from].words[to];
    // Bruck's: half of the words in each round.
    counters_[to].rounds += levels;
    counters_[to].messages += levels;
    counters_[to].bytes_in += levels * size() / 2 * sizeof(std::uint64_t);
    counters_[to].bytes_out += levels * size() / 2 * sizeof(std::uint64_t);
  }
}

void SimCommunicator::scan() {
  count_reduction(wanted_[0].words.size_bytes());
  std::vector<std::uint64_t> below(wanted_[0].words.size(), 0);
  for (const Collective& e : wanted_)
    for (std::size_t i = 0; i < below.size(); ++i) below[i] += std::exchange(e.words[i], below[i]);
}

void SimCommunicator::perform() {
  for (std::uint64_t r = 0; r < size(); ++r) {
    ++counters_[r].calls;
    counters_[r].payload_bytes += wanted_[r].words.size_bytes();
  }
  const std::uint64_t bytes = wanted_[0].words.size_bytes();
  switch (wanted_[0].kind) {
    case CollectiveKind::kDone: return;
    case CollectiveKind::kSum: return reduce(&add);
    case CollectiveKind::kMax: return reduce(&maximum);
    case CollectiveKind::kSummaries: return reduce(&merge_summaries);
    case CollectiveKind::kCounts: return reduce(&merge_counts);
    case CollectiveKind::kGather:
      count_gather(bytes);
      for (std::uint64_t r = 0; r < size(); ++r)
        for (const Collective& to : wanted_)
          std::copy(wanted_[r].words.begin(), wanted_[r].words.end(),
                    to.all.begin() + static_cast<std::ptrdiff_t>(r * wanted_[r].words.size()));
      return;
    case CollectiveKind::kBroadcast:
      count_broadcast(bytes);
      for (const Collective& to : wanted_)
        if (to.words.data() != wanted_[0].words.data())
          std::copy(wanted_[0].words.begin(), wanted_[0].words.end(), to.words.begin());
      return;
    case CollectiveKind::kScan: return scan();
    case CollectiveKind::kSizes: return exchange_sizes();
    case CollectiveKind::kRows: return exchange_rows();
  }
}

/// Merges in the order of recursive doubling: folding, then a butterfly. Operations are
/// commutative, so all ranks get what rank 0 gets.
void SimCommunicator::reduce(void (*merge)(Words, ConstWords)) {
  count_reduction(wanted_[0].words.size_bytes());
  if (order_ == MergeOrder::kPerRank) return reduce_per_rank(merge);
  const std::uint64_t core = std::bit_floor(size());
  const std::uint64_t folded = size() - core;
  // Pairs (0, 1), (2, 3) ... fold until `core` ranks are left.
  const auto member = [folded](std::uint64_t i) { return i < folded ? 2 * i : i + folded; };
  for (std::uint64_t i = 0; i < folded; ++i) merge(wanted_[2 * i].words, wanted_[2 * i + 1].words);
  for (std::uint64_t step = 1; step < core; step *= 2)
    for (std::uint64_t i = 0; i + step < core; i += 2 * step)
      merge(wanted_[member(i)].words, wanted_[member(i + step)].words);
  for (std::uint64_t r = 1; r < size(); ++r)
    std::copy(wanted_[0].words.begin(), wanted_[0].words.end(), wanted_[r].words.begin());
}

/// Rank r merges r, r + 1, ... around: size()^2 merges.
void SimCommunicator::reduce_per_rank(void (*merge)(Words, ConstWords)) {
  std::vector<std::vector<std::uint64_t>> given;
  for (const Collective& e : wanted_) given.emplace_back(e.words.begin(), e.words.end());
  for (std::uint64_t r = 0; r < size(); ++r)
    for (std::uint64_t i = 1; i < size(); ++i) merge(wanted_[r].words, given[(r + i) % size()]);
}

void SimCommunicator::count_reduction(std::uint64_t bytes) {
  const std::uint64_t core = std::bit_floor(size());
  const std::uint64_t folded = size() - core;
  const auto levels = static_cast<std::uint64_t>(std::countr_zero(core));
  for (std::uint64_t r = 0; r < size(); ++r) {
    SimCounters& c = counters_[r];
    const bool in_pair = r < 2 * folded;
    const bool waits = in_pair && r % 2 == 1;
    const std::uint64_t exchanges = (waits ? 0 : levels) + (in_pair ? 1 : 0);
    c.rounds += levels + (folded > 0 ? 2 : 0);
    c.messages += exchanges;
    c.bytes_in += exchanges * bytes;
    c.bytes_out += exchanges * bytes;
  }
}

void SimCommunicator::count_gather(std::uint64_t bytes) {
  const auto levels = static_cast<std::uint64_t>(std::bit_width(size() - 1));
  for (SimCounters& c : counters_) {
    c.rounds += levels;
    c.messages += levels;
    c.bytes_in += (size() - 1) * bytes;
    c.bytes_out += (size() - 1) * bytes;
  }
}

void SimCommunicator::count_broadcast(std::uint64_t bytes) {
  const auto levels = static_cast<std::uint64_t>(std::bit_width(size() - 1));
  for (std::uint64_t r = 0; r < size(); ++r) {
    SimCounters& c = counters_[r];
    c.rounds += levels;
    c.bytes_in += r == 0 ? 0 : bytes;
    // Children of r: r + 2^l for every l above r's highest bit.
    for (std::uint64_t step = r == 0 ? 1 : std::bit_floor(r) * 2; r + step < size(); step *= 2) {
      ++c.messages;
      c.bytes_out += bytes;
    }
  }
}

SimCounters SimCommunicator::worst() const {
  SimCounters w;
  for (const SimCounters& c : counters_) {
    w.calls = std::max(w.calls, c.calls);
    w.payload_bytes = std::max(w.payload_bytes, c.payload_bytes);
    w.rounds = std::max(w.rounds, c.rounds);
    w.messages = std::max(w.messages, c.messages);
    w.bytes_in = std::max(w.bytes_in, c.bytes_in);
    w.bytes_out = std::max(w.bytes_out, c.bytes_out);
  }
  return w;
}

}  // namespace pcio::test
