// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: NodeLayout.

#include "transfer/transports/node_memory.hpp"

#include <algorithm>

#include "transfer/transports/exchange_queue.hpp"
#include "transfer/transports/slice_letters.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kSlicesPerRank = 8;
constexpr std::uint64_t kFewestSlices = 128;
constexpr std::uint64_t kMostSlices = 4096;

}  // namespace

std::uint64_t most_slices(std::uint64_t ranks) {
  return std::clamp(ranks * kSlicesPerRank, kFewestSlices, kMostSlices);
}

/// In sixteenths of the memory. Writes: four for what is sent, four for what is received, three for
/// images; where these have two sets three for each of the four. Reads: half of that for letters each way and for answers each
/// way. The rest is for maps and lists.
NodeLayout node_layout(Direction direction, const ExchangeSettings& settings,
                       const Machine& machine, std::uint64_t element_size) {
  const bool writes = direction == Direction::kWrite;
  const std::uint64_t unit = std::clamp(settings.memory / 16, kLeastUnit, kLargestUnit);
  const std::uint64_t block = std::max<std::uint64_t>({1, settings.block, settings.unit});
  const std::uint64_t slices = most_slices(machine.ranks());
  NodeLayout layout;
  layout.slice = ceil_div((writes ? 3 : 2) * unit, block) * block;
  layout.images = round_up(layout.slice + element_size, kImageAlignment);
  layout.sets = settings.overlaps ? 2 : 1;
  const std::uint64_t letters = !writes ? 2 : settings.overlaps ? 3 : 4;
  layout.budget = std::max<std::uint64_t>(letters * unit, element_size + sizeof(Section));
  const std::uint64_t slack = slices * (letter_heads(1) + kLetterAlignment + kCutSlack);
  layout.letters = round_up(layout.budget + slack + element_size, kImageAlignment);
  // A word more for each map than its bits take.
  layout.maps =
      round_up(layout.images / 8 + kSlotsOfOwner * 2 * sizeof(std::uint64_t), kImageAlignment);
  layout.places = round_up(machine.largest_size() * sizeof(NearLetter), kImageAlignment);
  layout.far = std::min(machine.ranks(), slices);
  layout.outbox = round_up(kOutboxWords * sizeof(std::uint64_t) + layout.far * sizeof(OutLetter),
                           kImageAlignment);
  if (!writes) layout.replies = layout.letters;
  return layout;
}

}  // namespace pcio
