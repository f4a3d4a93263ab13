// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: images, their marks, and which are whose in a round.

#include "transfer/filtered/owner_images.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// A slot begins with words that are no part of the map; the first tells whether marks are wanted.
constexpr std::uint64_t kFlagWords = 8;
constexpr std::uint64_t kLine = 64;
constexpr std::uint64_t kMostSlots = 1024;
constexpr std::uint64_t kLeastMessage = std::uint64_t{16} << 10;
constexpr std::uint64_t kLargestMessage = std::uint64_t{64} << 20;

std::uint64_t round_up(std::uint64_t n, std::uint64_t to) { return ceil_div(n, to) * to; }

}  // namespace

std::uint64_t ImageShape::map_words() const {
  return round_up(ceil_div(chunk_bytes / element_size, std::uint64_t{64}), kFlagWords);
}

std::uint64_t ImageShape::slot_bytes() const {
  return (kFlagWords + map_words()) * sizeof(std::uint64_t) + round_up(chunk_bytes, kLine);
}

/// Three eighths of the memory are for images. They count on each rank that touches them, so the
/// ranks share it; but for one slot in each round, without which there is no going on.
ImageShape image_shape(std::uint64_t chunk_bytes, std::uint64_t element_size, std::uint64_t memory,
                       std::uint64_t ranks) {
  ImageShape shape{chunk_bytes, element_size, 1, 0};
  const std::uint64_t share = memory / 8 * 3 / std::max<std::uint64_t>(1, ranks);
  shape.slots = std::clamp<std::uint64_t>(share / (2 * shape.slot_bytes()), 1, kMostSlots);
  shape.message = std::clamp(memory / 16, kLeastMessage, kLargestMessage);
  return shape;
}

void ImageSlot::begin_marks() {
  words()[0] = 1;
  std::memset(words() + kFlagWords, 0, shape_.map_words() * sizeof(std::uint64_t));
}

void ImageSlot::begin_without_marks() { words()[0] = 0; }

bool ImageSlot::wants_marks() const { return words()[0] != 0; }

void ImageSlot::mark(std::uint64_t first_element, std::uint64_t elements) {
  std::uint64_t* map = words() + kFlagWords;
  while (elements > 0) {
    const std::uint64_t bit = first_element % 64;
    const std::uint64_t n = std::min(elements, 64 - bit);
    const std::uint64_t ones = n == 64 ? ~std::uint64_t{0} : ((std::uint64_t{1} << n) - 1) << bit;
    // Neighbouring elements may be another rank's.
    std::atomic_ref<std::uint64_t>(map[first_element / 64])
        .fetch_or(ones, std::memory_order_relaxed);
    first_element += n;
    elements -= n;
  }
}

Bytes ImageSlot::image() const {
  return {start_ + (kFlagWords + shape_.map_words()) * sizeof(std::uint64_t),
          static_cast<std::size_t>(shape_.chunk_bytes)};
}

RoundParts::RoundParts(const OwnerPlan& plan, std::uint64_t slots, std::uint64_t mpi_rank,
                       std::uint64_t ranks)
    : shares_(plan.shares), slots_(slots) {
  for (std::size_t i = 0; i < shares_.size(); ++i)
    if (!shares_[i].sole) order_.push_back(i);
  auto turn = [&](std::size_t i) { return (shares_[i].owner + ranks - mpi_rank) % ranks; };
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    if (shares_[a].owner != shares_[b].owner) return turn(a) < turn(b);
    return shares_[a].number < shares_[b].number;
  });
  for (std::size_t i = 0; i < order_.size(); ++i)
    if (i == 0 || shares_[order_[i]].owner != shares_[order_[i - 1]].owner) groups_.push_back(i);
  groups_.push_back(order_.size());
}

void RoundParts::list(std::uint64_t round, std::vector<ImagePart>& parts) const {
  parts.clear();
  const std::uint64_t first = round * slots_;
  const std::uint64_t end = first + slots_;
  for (std::size_t group = 0; group + 1 < groups_.size(); ++group) {
    const auto last = order_.begin() + static_cast<std::ptrdiff_t>(groups_[group + 1]);
    // The shares of an owner ascend by number: those of the round follow each other.
    auto it = std::partition_point(
        order_.begin() + static_cast<std::ptrdiff_t>(groups_[group]), last,
        [&](std::size_t i) { return shares_[i].number + shares_[i].count <= first; });
    for (; it != last && shares_[*it].number < end; ++it) {
      const ChunkShare& share = shares_[*it];
      const std::uint64_t from = std::max(first, share.number);
      const std::uint64_t to = std::min(end, share.number + share.count);
      for (std::uint64_t number = from; number < to; ++number)
        parts.push_back({share.first + (number - share.number), share.owner, number - first});
    }
  }
}

}  // namespace pcio
