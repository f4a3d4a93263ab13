// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: the ways of marking chunks, each a resumable step with the exact result.
//
// | way      | when                                   | exchanges                             |
// |----------|----------------------------------------|---------------------------------------|
// | known    | percent 0, or no chunk can pass        | none                                  |
// | counters | few chunks in the dataset, or most of  | one sum; or a maximum and one sum for |
// |          | them touched by most ranks             | each block of the touched range       |
// | intervals| few ranks                              | a gather; more gathers of bounded     |
// |          |                                        | size for many intervals               |
// | summaries| many ranks                             | two reductions; bounded passes where  |
// |          |                                        | ranks touch very many chunks          |
//
// Memory is taken before the first exchange that needs it. A rank without goes on, with the buffer
// inside the object or a last resort, and its failure flag.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "plan/chunk_strategy.hpp"
#include "plan/collective_steps.hpp"
#include "plan/marked_chunks.hpp"
#include "plan/marking_memory.hpp"

namespace pcio {

namespace marking {

/// Counters of a summary that need no heap.
inline constexpr std::size_t kInlineCounters = 32;
inline constexpr std::size_t kInlineWords = summary::words(kInlineCounters);
/// Counters of one summary on the heap: 512 KiB.
inline constexpr std::uint64_t kMostCounters = std::uint64_t{32} * 1024;
/// Words of a block of packed counters on the heap: 4 MiB, a million chunks of any number of ranks.
inline constexpr std::uint64_t kBlockWords = std::uint64_t{512} * 1024;
/// Ranks up to which intervals are gathered.
inline constexpr std::uint64_t kFewRanks = 64;
/// Intervals in a rank's first message, and bytes of all later messages of a gather together.
inline constexpr std::uint64_t kFirstIntervals = 16;
inline constexpr std::uint64_t kGatherBytes = std::uint64_t{1024} * 1024;

/// What every way is given; equal on all ranks but for `touched` and `mpi_rank`.
struct Task {
  std::span<const OrdinalInterval> touched;
  std::uint64_t mpi_rank = 0;
  std::uint64_t ranks = 1;
  std::uint64_t limit = 1;  ///< collective where more ranks touch it
  std::uint64_t sum_chunks = 0;
  std::uint64_t dataset_chunks = 0;
};

/// Chunks [first, end).
struct OrdinalRange {
  ChunkOrdinal first = 0;
  ChunkOrdinal end = 0;
};

/// Small counters in one word, wide enough for the number of ranks so that sums don't run over.
struct CounterShape {
  explicit CounterShape(std::uint64_t ranks)
      : bits(ranks < 256     ? 8
             : ranks < 65536 ? 16
                             : 32),
        per_word(64 / bits) {}
  unsigned bits;
  unsigned per_word;
};

/// Nothing to exchange.
class Known {
 public:
  explicit Known(MarkedChunks marks) : marks_(std::move(marks)) {}
  Collective next() { return {}; }
  Result<MarkedChunks> finish() { return std::move(marks_); }

 private:
  MarkedChunks marks_;
};

/// Counts in packed counters, block after block.
class Counters {
 public:
  /// Over the whole grid, in one block without heap where that is enough.
  explicit Counters(const Task& task) : Counters(task, {0, task.dataset_chunks}) {}
  /// Over a range that all ranks know.
  Counters(const Task& task, OrdinalRange range);
  Collective next();
  Result<MarkedChunks> finish();

 private:
  enum class Phase : std::uint8_t { kStart, kRange, kBlock, kOutcome, kDone };
  Collective first();
  Collective fill_block();
  /// Chunks of a block; its first word is the failure flag.
  [[nodiscard]] std::uint64_t capacity() const {
    return (block_.size() - 1) * std::uint64_t{shape_.per_word};
  }
  void take_block();

  Task task_;
  CounterShape shape_;
  OrdinalRange range_;
  Phase phase_ = Phase::kStart;
  std::uint64_t failures_ = 0;
  ChunkOrdinal block_start_ = 0;
  bool one_block_ = false;
  std::size_t interval_ = 0;  // first one of task_.touched that reaches into the block
  std::array<std::uint64_t, kInlineWords> inline_{};
  std::vector<std::uint64_t> heap_;
  std::span<std::uint64_t> block_;
  std::vector<OrdinalInterval> found_;
};

/// Gathers the intervals of few ranks.
class Intervals {
 public:
  explicit Intervals(const Task& task) : task_(task) {}
  Collective next();
  Result<MarkedChunks> finish();
  /// After kDone: true where counters are cheaper; then nothing was found yet.
  [[nodiscard]] bool prefers_counters() const { return phase_ == Phase::kHandOver; }
  [[nodiscard]] OrdinalRange range() const { return range_; }

 private:
  enum class Phase : std::uint8_t { kStart, kReady, kGather, kOutcome, kHandOver, kDone };
  void reserve(std::uint64_t intervals_per_message);
  Collective start_stream();
  Collective fill_message();
  Collective take_messages();
  void sweep(ChunkOrdinal frontier);
  [[nodiscard]] std::span<const std::uint64_t> message(std::uint64_t rank) const;

  Task task_;
  Phase phase_ = Phase::kStart;
  std::uint64_t failures_ = 0;
  std::uint64_t flag_ = 0;
  std::uint64_t per_message_ = kFirstIntervals;
  bool streams_ = false;
  OrdinalRange range_;
  std::size_t interval_ = 0;  // first one that is not wholly behind done_
  ChunkOrdinal done_ = 0;     // everything below is counted
  std::vector<std::uint64_t> heap_;
  LastResort reserve_;
  std::span<std::uint64_t> mine_;
  std::span<std::uint64_t> all_;
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint64_t> ends_;
  std::vector<OrdinalInterval> found_;
};

/// Finds candidates by summaries, then counts them.
class Summaries {
 public:
  explicit Summaries(const Task& task);
  Collective next();
  Result<MarkedChunks> finish();
  /// Counters that find every chunk above the limit: more than sum / (limit + 1) can't pass it.
  [[nodiscard]] static std::uint64_t counters_needed(const Task& task);
  /// After kDone: true where the passes did not become small enough (never seen).
  [[nodiscard]] bool prefers_counters() const { return phase_ == Phase::kHandOver; }

 private:
  enum class Phase : std::uint8_t {
    kStart,
    kSummary,
    kCounts,
    kAgreeKeys,
    kOutcome,
    kHandOver,
    kDone
  };
  Collective start();
  Collective fill_summary();
  Collective fill_counts();
  Collective take_counts();
  Collective restart();
  Collective end_pass();
  [[nodiscard]] bool in_pass(ChunkOrdinal ordinal) const;
  [[nodiscard]] bool touches(ChunkOrdinal ordinal) const;
  [[nodiscard]] std::uint64_t hash_of_keys() const;

  Task task_;
  Phase phase_ = Phase::kStart;
  std::uint64_t failures_ = 0;
  std::uint64_t flag_ = 0;
  std::uint64_t passes_ = 1;
  std::uint64_t pass_ = 0;
  unsigned restarts_ = 0;
  std::array<std::uint64_t, kInlineWords> inline_summary_{};
  std::array<std::uint64_t, counts::kHeader + kInlineCounters> inline_counts_{};
  std::vector<std::uint64_t> heap_;
  LastResort reserve_;
  std::span<std::uint64_t> keys_;    // the summary
  std::span<std::uint64_t> counts_;  // of its keys
  std::uint64_t counters_ = 0;
  std::vector<OrdinalInterval> found_;  // one chunk each
};

}  // namespace marking

}  // namespace pcio
