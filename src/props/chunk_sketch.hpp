// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: how many chunks a collective transfer touches, and how many of them several ranks.
//
// Few words, merged in the reduction that a line of the log makes anyway. Exact up to kSlots chunks in the
// dataset; of more one in `stride` is looked at, each in a stretch of its own, and counted that many times.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "base/types.hpp"

namespace pcio {

/// Counts per chunk to 2, which means 2 or more. Threads: one thread.
class ChunkSketch {
 public:
  static constexpr std::uint64_t kSlots = 4096;
  static constexpr std::size_t kWords = kSlots / 64;

  /// Nothing is known.
  ChunkSketch() = default;
  /// `chunks`: of the dataset; equal on all ranks.
  explicit ChunkSketch(std::uint64_t chunks)
      : stride_(std::max<std::uint64_t>(1, (chunks + kSlots - 1) / kSlots)) {}

  /// Once for each chunk of this rank's.
  void touch(ChunkOrdinal chunk) noexcept {
    const std::uint64_t slot = chunk / stride_;
    if (slot >= kSlots || chunk % stride_ != looked_at(slot)) return;
    const std::uint64_t bit = std::uint64_t{1} << slot % 64;
    any_[slot / 64] |= bit;
  }
  /// Ranks' sketches of one transfer; commutative and associative. Where a rank knows nothing nobody does.
  void merge(const ChunkSketch& other) noexcept {
    if (other.stride_ != stride_) *this = ChunkSketch();
    if (stride_ == 0) return;
    for (std::size_t i = 0; i < kWords; ++i) {
      shared_[i] |= other.shared_[i] | (any_[i] & other.any_[i]);
      any_[i] |= other.any_[i];
    }
  }

  [[nodiscard]] bool is_known() const { return stride_ != 0; }
  /// One chunk in so many was looked at; 1: all.
  [[nodiscard]] std::uint64_t stride() const { return stride_; }
  [[nodiscard]] std::uint64_t distinct() const { return stride_ * count(any_); }
  [[nodiscard]] std::uint64_t shared() const { return stride_ * count(shared_); }

 private:
  using Bits = std::array<std::uint64_t, kWords>;
  static std::uint64_t count(const Bits& bits) {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : bits) sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
  }
  /// Which chunk of a stretch; not the same in each, as grids have periods.
  [[nodiscard]] std::uint64_t looked_at(std::uint64_t slot) const {
    return (slot * 0x9e3779b97f4a7c15U >> 32U) % stride_;
  }

  std::uint64_t stride_ = 0;
  Bits any_{};
  Bits shared_{};
};

}  // namespace pcio
