// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: blocks of words that ranks merge pairwise.
//
// A summary (Misra-Gries) finds what is touched by many ranks without a table of everything: a
// block of at most `capacity` counters, whose merge keeps size and error. Source: Misra, Gries,
// "Finding repeated elements" (1982); Agarwal et al., "Mergeable summaries" (2013), section 3.

#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"

namespace pcio {

/// Words of a summary: header, then pairs (key, count), ascending by key.
namespace summary {
inline constexpr std::size_t kEntries = 0;   ///< how many pairs are used
inline constexpr std::size_t kError = 1;     ///< a true count exceeds its counter by at most this
inline constexpr std::size_t kFailures = 2;  ///< ranks (or merges) that ran out of memory
inline constexpr std::size_t kHeader = 3;
[[nodiscard]] constexpr std::size_t words(std::size_t capacity) { return kHeader + 2 * capacity; }
[[nodiscard]] constexpr std::size_t capacity(std::size_t words) { return (words - kHeader) / 2; }
}  // namespace summary

/// Words of a block of counts: header, then sums.
namespace counts {
inline constexpr std::size_t kKeys = 0;      ///< maximum over ranks of a hash of the counted keys
inline constexpr std::size_t kNotKeys = 1;   ///< maximum over ranks of its complement
inline constexpr std::size_t kFailures = 2;  ///< added up
inline constexpr std::size_t kHeader = 3;
}  // namespace counts

/// Counts one touch of `key` in a summary of `capacity` counters, keys ascending from call to call.
/// Collective: pure.
void count_in_summary(std::span<std::uint64_t> words, std::uint64_t key);

/// Merges the summary `from` into `into`, of equal length. Commutative; the result depends on the
/// order of merging, its error bound does not.
/// Memory: on the stack for small summaries; where the heap is exhausted a failure is counted.
struct MergeSummaries {
  void operator()(std::span<std::uint64_t> into,
                  std::span<const std::uint64_t> from) const noexcept;
};

/// Merges blocks of counts; commutative and associative.
struct MergeCounts {
  void operator()(std::span<std::uint64_t> into,
                  std::span<const std::uint64_t> from) const noexcept;
};

}  // namespace pcio
