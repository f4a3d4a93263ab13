// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: marking by mergeable summaries, exact by a second reduction.
//
// With more than sum / (limit + 1) counters, a summary's error is below limit + 1, so a chunk that
// passes the limit keeps a counter. More counters than fit a bounded block are made in passes over
// the chunks, each pass over those with one remainder of a hash.

#include <algorithm>

#include "base/checked.hpp"
#include "plan/marking_memory.hpp"
#include "plan/marking_methods.hpp"

namespace pcio::marking {

namespace {

/// How often the number of passes is doubled before counting everything.
constexpr unsigned kMostRestarts = 4;

/// Spreads bits; the constants are those of the finalizer of MurmurHash3.
std::uint64_t spread(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCDULL;
  x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53ULL;
  return x ^ (x >> 33);
}

}  // namespace

Summaries::Summaries(const Task& task) : task_(task), counters_(counters_needed(task)) {
  if (counters_ <= kMostCounters) return;
  // Passes are uneven, so each has room for twice its share.
  passes_ = ceil_div(counters_, kMostCounters / 2);
  counters_ = kMostCounters;
}

std::uint64_t Summaries::counters_needed(const Task& task) {
  return task.sum_chunks / (task.limit + 1);
}

bool Summaries::in_pass(ChunkOrdinal ordinal) const {
  return passes_ == 1 || spread(ordinal) % passes_ == pass_;
}

bool Summaries::touches(ChunkOrdinal ordinal) const {
  const auto& touched = task_.touched;
  const auto behind = std::upper_bound(
      touched.begin(), touched.end(), ordinal,
      [](ChunkOrdinal wanted, const OrdinalInterval& i) { return wanted < i.first; });
  return behind != touched.begin() && ordinal < std::prev(behind)->end();
}

/// Over everything that all ranks must have in common after merging.
std::uint64_t Summaries::hash_of_keys() const {
  const auto words = keys_;
  const std::uint64_t entries = words[summary::kEntries];
  std::uint64_t hash = spread(entries) + words[summary::kError];
  hash = spread(hash) + words[summary::kFailures];
  for (std::uint64_t i = 0; i < entries; ++i) hash = spread(hash) + words[summary::kHeader + 2 * i];
  return spread(hash);
}

Collective Summaries::start() {
  const std::size_t key_words = summary::words(counters_);
  const std::size_t count_words = counts::kHeader + counters_;
  const bool small = counters_ <= kInlineCounters;
  const bool enough = has_memory([&] {
    found_.reserve(counters_);
    if (!small) heap_.resize(key_words + count_words);
  });
  failures_ = enough ? 0 : 1;
  if (small) {
    keys_ = std::span(inline_summary_).first(key_words);
    counts_ = std::span(inline_counts_).first(count_words);
  } else {
    static_assert(summary::words(kMostCounters) + counts::kHeader + kMostCounters <=
                  kLastResortWords);
    const std::span<std::uint64_t> all =
        heap_.empty() ? reserve_.words(key_words + count_words) : std::span(heap_);
    keys_ = all.first(key_words);
    counts_ = all.subspan(key_words);
  }
  return fill_summary();
}

Collective Summaries::fill_summary() {
  phase_ = Phase::kSummary;
  std::fill(keys_.begin(), keys_.end(), 0);
  keys_[summary::kFailures] = failures_;
  for (const OrdinalInterval& interval : task_.touched)
    for (ChunkOrdinal chunk = interval.first; chunk < interval.end(); ++chunk)
      if (in_pass(chunk)) count_in_summary(keys_, chunk);
  return {CollectiveKind::kSummaries, keys_, {}};
}

/// The block has a place for every counter, used or not: its length must not depend on the summary,
/// which ranks may hold in different forms until their hashes have been compared.
Collective Summaries::fill_counts() {
  phase_ = Phase::kCounts;
  const auto keys = keys_;
  const auto words = counts_;
  std::fill(words.begin(), words.end(), 0);
  const std::uint64_t hash = hash_of_keys();
  words[counts::kKeys] = hash;
  words[counts::kNotKeys] = ~hash;
  words[counts::kFailures] = failures_;
  for (std::uint64_t i = 0; i < keys[summary::kEntries]; ++i)
    words[counts::kHeader + i] = touches(keys[summary::kHeader + 2 * i]) ? 1 : 0;
  return {CollectiveKind::kCounts, words, {}};
}

Collective Summaries::take_counts() {
  const auto keys = keys_;
  const auto words = counts_;
  if (words[counts::kKeys] != ~words[counts::kNotKeys]) {
    // The merges were made in different orders on different ranks: rank 0's result is as good as
    // any.
    phase_ = Phase::kAgreeKeys;
    return {CollectiveKind::kBroadcast, keys, {}};
  }
  failures_ = words[counts::kFailures] + keys[summary::kFailures];
  phase_ = Phase::kDone;
  if (failures_ > 0) return {};
  if (keys[summary::kError] > task_.limit) return restart();
  const bool enough = has_memory([&] {
    for (std::uint64_t i = 0; i < keys[summary::kEntries]; ++i)
      if (words[counts::kHeader + i] > task_.limit)
        found_.push_back({keys[summary::kHeader + 2 * i], 1});
  });
  if (!enough) failures_ = 1;
  return end_pass();
}

/// A pass had so many more chunks than its share that one might be lost: more and smaller passes.
Collective Summaries::restart() {
  if (restarts_++ == kMostRestarts) {
    phase_ = Phase::kHandOver;
    return {};
  }
  passes_ *= 2;
  pass_ = 0;
  found_.clear();
  return fill_summary();
}

Collective Summaries::end_pass() {
  if (++pass_ < passes_) return fill_summary();
  phase_ = Phase::kDone;
  // The memory of a single pass was there before its exchanges, so nothing can have failed since.
  if (passes_ == 1) return {};
  phase_ = Phase::kOutcome;
  flag_ = failures_;
  return {CollectiveKind::kMax, std::span(&flag_, 1), {}};
}

Collective Summaries::next() {
  switch (phase_) {
    case Phase::kStart: return start();
    case Phase::kSummary: return fill_counts();
    case Phase::kCounts: return take_counts();
    case Phase::kAgreeKeys: return fill_counts();
    case Phase::kOutcome: failures_ = flag_; break;
    case Phase::kHandOver: return {};
    case Phase::kDone: break;
  }
  phase_ = Phase::kDone;
  return {};
}

Result<MarkedChunks> Summaries::finish() {
  if (failures_ > 0) return no_memory();
  // In place: memory was agreed on before. Passes give their chunks in turns, so they are mixed.
  std::sort(found_.begin(), found_.end(),
            [](const OrdinalInterval& a, const OrdinalInterval& b) { return a.first < b.first; });
  std::size_t n = 0;
  for (const OrdinalInterval& chunk : found_) {
    if (n > 0 && found_[n - 1].end() == chunk.first)
      ++found_[n - 1].count;
    else
      found_[n++] = chunk;
  }
  found_.resize(n);
  return MarkedChunks::of(std::move(found_));
}

}  // namespace pcio::marking
