// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: everything that was done to a file's space, as one number.
//
// Ranks hold the same map of the file exactly where they made the same allocations and releases in
// the same order, so one word in every agreement tells whether they do. What is given back between
// two allocations may come in any order and in any pieces: that leads to the same map.

#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace pcio {

/// Finalizer with full avalanche. Source: S. Vigna, splitmix64, 2015 (constants by D. Stafford).
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ULL;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBULL;
  return x ^ x >> 31;
}

/// What a hash of several words is multiplied by for each.
inline constexpr std::uint64_t kHashStep = 0x9E3779B97F4A7C15ULL;

/// A value type; constant cost a call.
class SpaceHash {
 public:
  void allocated(ByteRange range) noexcept {
    step(range.offset);
    step(range.size);
    ++allocations_;
  }
  /// The hash of a range is a difference of two ends, so it is the sum over its pieces.
  void released(ByteRange range) noexcept {
    released_ += mix_bits(range.end()) - mix_bits(range.offset);
  }
  void taken_back(ByteRange range) noexcept {
    released_ -= mix_bits(range.end()) - mix_bits(range.offset);
  }
  /// Anything else that changes what comes next: which event, and a number that tells it.
  void happened(std::uint64_t event, std::uint64_t what) noexcept {
    step(~event);
    step(~what);
  }

  [[nodiscard]] std::uint64_t value() const noexcept { return mix_bits(chain_ + released_); }
  [[nodiscard]] std::uint64_t allocations() const noexcept { return allocations_; }

 private:
  void step(std::uint64_t word) noexcept {
    chain_ = mix_bits((chain_ + released_) * kHashStep + word);
  }

  std::uint64_t chain_ = 0;
  std::uint64_t released_ = 0;
  std::uint64_t allocations_ = 0;
};

}  // namespace pcio
