// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: the steps of one transfer, the same list on every rank.
//
// The list is the collective signature of the transfer: ranks with equal lists can't wait for each
// other in different steps. A rank without chunks, or one that failed, makes the same collective
// steps with nothing in them. Collective steps come before independent ones, with a barrier
// between: a collective write with gaps may touch bytes in the gaps, so nobody writes there at the
// same time.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "plan/chunk_strategy.hpp"
#include "plan/marked_chunks.hpp"

namespace pcio {

enum class StepKind : std::uint8_t { kCollective, kBarrier, kIndependent };

/// Which of this rank's chunks a step moves.
enum class StepChunks : std::uint8_t {
  kNone,      ///< a barrier
  kAll,       ///< all; without chunks, the whole selection
  kMarked,    ///< the marked ones
  kUnmarked,  ///< the others
  kFirst,     ///< the first `limit` in address order
  kRest,      ///< those behind them
};

/// kOneOperation: all chunks of the step in one operation. kPerChunk: one after another; in a
/// collective step all ranks take part in `rounds` operations, kMarked and kAll in order of chunk
/// numbers.
enum class StepForm : std::uint8_t { kOneOperation, kPerChunk };

struct Step {
  StepKind kind = StepKind::kCollective;
  StepChunks chunks = StepChunks::kAll;
  StepForm form = StepForm::kOneOperation;
  std::uint64_t limit = 0;   ///< kFirst and kRest: number of chunks
  std::uint64_t rounds = 0;  ///< collective operations of every rank; 0 for independent steps
  friend bool operator==(const Step&, const Step&) = default;
};

/// At most kMost steps, kept in place: the list is made when the ranks have agreed to go on, and then no
/// rank may run out of memory for it.
class StepList {
 public:
  static constexpr std::size_t kMost = 3;
  StepList() = default;
  StepList(std::initializer_list<Step> steps) {
    for (const Step& step : steps) push_back(step);
  }
  void push_back(const Step& step) { steps_[size_++] = step; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Step* begin() const { return steps_.data(); }
  [[nodiscard]] const Step* end() const { return steps_.data() + size_; }
  const Step& operator[](std::size_t at) const { return steps_[at]; }
  friend bool operator==(const StepList&, const StepList&) = default;

 private:
  std::array<Step, kMost> steps_{};
  std::size_t size_ = 0;
};

struct Schedule {
  StepList steps;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// Makes the list from facts that all ranks share. Steps that have nothing to do on any rank are
/// left out. Collective: pure. `marked` is looked at where needs_marks(strategy).
[[nodiscard]] Schedule make_schedule(Strategy strategy, const MarkedChunks& marked,
                                     const ChunkCensus& census);

/// True where the chunk belongs to the step. `position`: of the chunk among this rank's chunks in
/// address order.
/// Collective: pure.
[[nodiscard]] bool in_step(const Step& step, const MarkedChunks& marked, ChunkOrdinal ordinal,
                           std::uint64_t position);

}  // namespace pcio
