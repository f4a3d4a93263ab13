// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: merging of summaries and of blocks of counts.

#include "plan/word_merge.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <new>

namespace pcio {

namespace {

/// Counters up to which merging needs no heap.
constexpr std::size_t kStackCounters = 32;

/// Both summaries' pairs, ascending by key, equal keys added; returns how many.
std::size_t combine(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                    std::span<std::uint64_t> out) {
  std::size_t i = summary::kHeader, j = summary::kHeader, n = 0;
  const std::size_t i_end = i + 2 * a[summary::kEntries];
  const std::size_t j_end = j + 2 * b[summary::kEntries];
  while (i < i_end || j < j_end) {
    const bool from_a = j == j_end || (i < i_end && a[i] <= b[j]);
    const bool from_b = i == i_end || (j < j_end && b[j] <= a[i]);
    out[2 * n] = from_a ? a[i] : b[j];
    out[2 * n + 1] = (from_a ? a[i + 1] : 0) + (from_b ? b[j + 1] : 0);
    i += from_a ? 2 : 0;
    j += from_b ? 2 : 0;
    ++n;
  }
  return n;
}

/// The (capacity + 1)-th largest count: taking it from every counter leaves at most `capacity`.
std::uint64_t surplus(std::span<const std::uint64_t> pairs, std::size_t n, std::size_t capacity,
                      std::span<std::uint64_t> scratch) {
  if (n <= capacity) return 0;
  for (std::size_t k = 0; k < n; ++k) scratch[k] = pairs[2 * k + 1];
  const auto first = scratch.begin();
  const auto nth = first + static_cast<std::ptrdiff_t>(capacity);
  std::nth_element(first, nth, first + static_cast<std::ptrdiff_t>(n), std::greater<>());
  return *nth;
}

/// `scratch`: 6 words per counter.
void merge_in(std::span<std::uint64_t> into, std::span<const std::uint64_t> from,
              std::span<std::uint64_t> scratch) {
  const std::size_t capacity = summary::capacity(into.size());
  const std::span<std::uint64_t> pairs = scratch.first(4 * capacity);
  const std::size_t n = combine(into, from, pairs);
  const std::uint64_t less = surplus(pairs, n, capacity, scratch.subspan(4 * capacity));
  std::size_t kept = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (pairs[2 * k + 1] <= less) continue;
    into[summary::kHeader + 2 * kept] = pairs[2 * k];
    into[summary::kHeader + 2 * kept + 1] = pairs[2 * k + 1] - less;
    ++kept;
  }
  into[summary::kEntries] = kept;
  into[summary::kError] += from[summary::kError] + less;
}

}  // namespace

void count_in_summary(std::span<std::uint64_t> words, std::uint64_t key) {
  std::uint64_t& n = words[summary::kEntries];
  if (n == summary::capacity(words.size())) {
    // All counters are 1, the keys being different: taking one from each, and from the new key,
    // leaves nothing.
    n = 0;
    ++words[summary::kError];
    return;
  }
  words[summary::kHeader + 2 * n] = key;
  words[summary::kHeader + 2 * n + 1] = 1;
  ++n;
}

void MergeSummaries::operator()(std::span<std::uint64_t> into,
                                std::span<const std::uint64_t> from) const noexcept {
  into[summary::kFailures] += from[summary::kFailures];
  const std::size_t capacity = summary::capacity(into.size());
  if (capacity <= kStackCounters) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): scratch.
    std::array<std::uint64_t, 6 * kStackCounters> scratch;
    merge_in(into, from, scratch);
    return;
  }
  // Called from inside MPI: nothing may be thrown.
  const std::unique_ptr<std::uint64_t[]> scratch(new (std::nothrow) std::uint64_t[6 * capacity]);
  if (scratch)
    merge_in(into, from, {scratch.get(), 6 * capacity});
  else
    ++into[summary::kFailures];
}

void MergeCounts::operator()(std::span<std::uint64_t> into,
                             std::span<const std::uint64_t> from) const noexcept {
  into[counts::kKeys] = std::max(into[counts::kKeys], from[counts::kKeys]);
  into[counts::kNotKeys] = std::max(into[counts::kNotKeys], from[counts::kNotKeys]);
  for (std::size_t i = counts::kFailures; i < into.size(); ++i) into[i] += from[i];
}

}  // namespace pcio
