// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: marking by the intervals of few ranks, in messages of bounded size.

#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "plan/marking_memory.hpp"
#include "plan/marking_methods.hpp"

namespace pcio::marking {

namespace {

/// Words of a message: header, then pairs (first, end).
enum Word : std::size_t {
  kRemaining,  ///< intervals that this rank has not told, with those in the message
  kFailures,
  kFirst,  ///< first of all chunks that are left
  kEnd,    ///< behind the last one
  kTold,   ///< intervals in the message
  kReach,  ///< every chunk below it has been told
  kTellingHeader
};

constexpr std::uint64_t kAllTold = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::span<const std::uint64_t> Intervals::message(std::uint64_t rank) const {
  return all_.subspan(rank * mine_.size(), mine_.size());
}

/// Memory for a round of messages.
void Intervals::reserve(std::uint64_t intervals_per_message) {
  per_message_ = intervals_per_message;
  const std::size_t words = kTellingHeader + 2 * per_message_;
  const bool enough = has_memory([&] {
    starts_.reserve(per_message_ * task_.ranks);
    ends_.reserve(per_message_ * task_.ranks);
    found_.reserve(found_.size() + per_message_ * task_.ranks);
    heap_.clear();
    heap_.resize(words * (task_.ranks + 1));
  });
  if (!enough) failures_ = 1;
  // Only the small first round is made by ranks without memory.
  static_assert((kTellingHeader + 2 * kFirstIntervals) * (kFewRanks + 1) <= kLastResortWords);
  if (!enough && streams_) return;
  const std::span<std::uint64_t> both =
      enough ? std::span(heap_) : reserve_.words(words * (task_.ranks + 1));
  mine_ = both.first(words);
  all_ = both.subspan(words);
}

/// More than one message is needed: larger ones, and the exchange tells whether all have memory.
Collective Intervals::start_stream() {
  streams_ = true;
  reserve(std::max(kFirstIntervals, kGatherBytes / (16 * task_.ranks)));
  flag_ = failures_;
  phase_ = Phase::kReady;
  return {CollectiveKind::kMax, std::span(&flag_, 1), {}};
}

Collective Intervals::fill_message() {
  const auto& touched = task_.touched;
  while (interval_ < touched.size() && touched[interval_].end() <= done_) ++interval_;
  const std::uint64_t left = touched.size() - interval_;
  const std::uint64_t told = std::min(left, per_message_);
  std::fill(mine_.begin(), mine_.end(), 0);
  mine_[kRemaining] = left;
  mine_[kFailures] = failures_;
  mine_[kFirst] = left == 0 ? kAllTold : std::max(touched[interval_].first, done_);
  mine_[kEnd] = left == 0 ? 0 : touched.back().end();
  mine_[kTold] = told;
  for (std::uint64_t i = 0; i < told; ++i) {
    const OrdinalInterval& interval = touched[interval_ + i];
    mine_[kTellingHeader + 2 * i] = std::max(interval.first, done_);
    mine_[kTellingHeader + 2 * i + 1] = interval.end();
  }
  mine_[kReach] = told == left ? kAllTold : touched[interval_ + told - 1].end();
  phase_ = Phase::kGather;
  return {CollectiveKind::kGather, mine_, all_};
}

/// Counts what all ranks have told completely: the chunks from done_ to `frontier`.
void Intervals::sweep(ChunkOrdinal frontier) {
  starts_.clear();
  ends_.clear();
  for (std::uint64_t r = 0; r < task_.ranks; ++r) {
    const auto words = message(r);
    for (std::uint64_t i = 0; i < words[kTold]; ++i) {
      const std::uint64_t first = words[kTellingHeader + 2 * i];
      if (first >= frontier) break;
      starts_.push_back(first);
      ends_.push_back(std::min(words[kTellingHeader + 2 * i + 1], frontier));
    }
  }
  std::sort(starts_.begin(), starts_.end());
  std::sort(ends_.begin(), ends_.end());
  // `started - ended` ranks touch the chunks from one position to the next.
  std::size_t started = 0, ended = 0;
  ChunkOrdinal at = done_;
  while (ended < ends_.size()) {
    const ChunkOrdinal next =
        started < starts_.size() ? std::min(starts_[started], ends_[ended]) : ends_[ended];
    if (started - ended > task_.limit) append_interval(found_, {at, next - at});
    at = next;
    while (started < starts_.size() && starts_[started] == at) ++started;
    while (ended < ends_.size() && ends_[ended] == at) ++ended;
  }
  done_ = frontier;
}

Collective Intervals::take_messages() {
  std::uint64_t remaining = 0;
  ChunkOrdinal frontier = kAllTold;
  range_ = {kAllTold, 0};
  for (std::uint64_t r = 0; r < task_.ranks; ++r) {
    const auto words = message(r);
    failures_ = std::max(failures_, words[kFailures]);
    remaining += words[kRemaining];
    frontier = std::min(frontier, words[kReach]);
    range_ = {std::min(range_.first, words[kFirst]), std::max(range_.end, words[kEnd])};
  }
  phase_ = Phase::kDone;
  if (failures_ > 0) return {};
  const std::uint64_t counter_words = ceil_div(range_.end - std::min(range_.first, range_.end),
                                               std::uint64_t{CounterShape(task_.ranks).per_word});
  if (frontier != kAllTold && !streams_ && counter_words < 2 * remaining) {
    phase_ = Phase::kHandOver;
    return {};
  }
  if (!has_memory([&] { sweep(frontier); })) failures_ = 1;
  if (frontier != kAllTold && streams_) return fill_message();
  if (frontier != kAllTold) return start_stream();
  // In the first round all memory was there beforehand.
  if (!streams_) return {};
  phase_ = Phase::kOutcome;
  flag_ = failures_;
  return {CollectiveKind::kMax, std::span(&flag_, 1), {}};
}

Collective Intervals::next() {
  switch (phase_) {
    case Phase::kStart: reserve(kFirstIntervals); return fill_message();
    case Phase::kReady:
      failures_ = flag_;
      if (failures_ == 0) return fill_message();
      break;
    case Phase::kGather: return take_messages();
    case Phase::kOutcome: failures_ = flag_; break;
    case Phase::kHandOver: return {};
    case Phase::kDone: break;
  }
  phase_ = Phase::kDone;
  return {};
}

Result<MarkedChunks> Intervals::finish() {
  if (failures_ > 0) return no_memory();
  return MarkedChunks::of(std::move(found_));
}

}  // namespace pcio::marking
