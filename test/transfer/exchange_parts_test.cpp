// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: the parts of an exchange against brute force: maps of bytes, sections, the queue.

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "transfer/pieces/byte_map.hpp"
#include "transfer/transports/exchange_queue.hpp"
#include "transfer/transports/sections.hpp"

namespace pcio {
namespace {

constexpr std::uint64_t kSize = 700;

TEST(ByteMap, FindsWhatWasMarked) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    ByteMap map;
    map.reset(kSize);
    std::vector<bool> model(kSize, false);
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t at = random() % kSize;
      const std::uint64_t n = random() % std::min<std::uint64_t>(kSize - at, 150);
      map.mark(at, n);
      std::fill_n(model.begin() + static_cast<std::ptrdiff_t>(at), n, true);
    }
    for (std::uint64_t at = 0; at <= kSize; ++at) {
      auto find = [&](bool marked) {
        std::uint64_t i = at;
        while (i < kSize && model[i] != marked) ++i;
        return std::min(i, kSize);
      };
      ASSERT_EQ(map.next_marked(at), find(true)) << at;
      ASSERT_EQ(map.next_clear(at), find(false)) << at;
    }
  }
}

TEST(ByteMap, ForgetsAtReset) {
  ByteMap map;
  map.reset(100);
  map.mark(0, 100);
  EXPECT_EQ(map.next_clear(0), 100U);
  map.reset(64);
  EXPECT_EQ(map.next_marked(0), 64U);
}

/// Ranks of a node mark in one map: one of them resets it.
TEST(ByteMap, IsMarkedByAllWhoShareIt) {
  std::vector<std::uint64_t> words(ByteMap::words_of(kSize), ~std::uint64_t{0});
  ByteMap owner, other;
  owner.reset_at(words.data(), kSize);
  EXPECT_EQ(owner.next_marked(0), kSize);
  other.share(words.data(), kSize);
  other.mark(60, 70);
  owner.mark(130, 1);
  EXPECT_EQ(owner.next_marked(0), 60U);
  EXPECT_EQ(owner.next_clear(60), 131U);
  EXPECT_EQ(other.next_clear(60), 131U);
  // One's own again.
  other.reset(kSize);
  other.mark(0, 8);
  EXPECT_EQ(owner.next_marked(0), 60U);
}

/// Every byte of the sections, in their order.
std::vector<std::uint64_t> bytes_of(const std::vector<Section>& sections) {
  std::vector<std::uint64_t> bytes;
  for (const Section& s : sections)
    for (std::uint32_t i = 0; i < s.count; ++i)
      for (std::uint32_t k = 0; k < s.length; ++k)
        bytes.push_back(s.offset + std::uint64_t{s.stride} * i + k);
  return bytes;
}

TEST(SectionBuilder, KeepsEveryByteInOrder) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 500; ++round) {
    SectionBuilder builder;
    std::vector<std::uint64_t> model;
    std::uint32_t at = 0;
    for (int i = 0; i < 40; ++i) {
      const auto length = static_cast<std::uint32_t>(1 + random() % 3);
      builder.add(at, length);
      for (std::uint32_t k = 0; k < length; ++k) model.push_back(at + k);
      // Adjacent, equal steps, other steps, and now and then the same range again.
      at += random() % 8 == 0 ? 0 : length + static_cast<std::uint32_t>(random() % 3);
    }
    ASSERT_EQ(bytes_of(builder.sections()), model);
    for (const Section& s : builder.sections()) ASSERT_GE(s.end(), s.offset + s.length);
  }
}

TEST(SectionBuilder, FoldsARegularPatternIntoOne) {
  SectionBuilder builder;
  for (std::uint32_t i = 0; i < 1000; ++i) builder.add(64 * 4 * i, 64);
  EXPECT_EQ(builder.sections().size(), 1U);
  EXPECT_EQ(builder.sections().front().end(), 64U * 4 * 999 + 64);
}

class Pieces final : public PieceSource {
 public:
  explicit Pieces(std::vector<FilePiece> pieces) : pieces_(std::move(pieces)) {}
  Status next(std::vector<FilePiece>& out, std::size_t limit) override {
    for (; limit > 0 && at_ < pieces_.size(); --limit) out.push_back(pieces_[at_++]);
    return Status();
  }

 private:
  std::vector<FilePiece> pieces_;
  std::size_t at_ = 0;
};

/// Pieces of 1 to 9 elements with gaps, or repeated ones.
std::vector<FilePiece> random_pieces(std::mt19937_64& random, std::uint64_t size, bool repeats) {
  std::vector<FilePiece> pieces;
  FileAddress at = random() % 1000;
  std::uint64_t memory = 0;
  const std::size_t n = random() % 4000;
  while (pieces.size() < n) {
    const std::uint64_t count = repeats ? 1 : 1 + random() % 9;
    pieces.push_back({at, memory, count});
    memory += count;
    if (repeats && random() % 4 != 0) continue;
    at += count * size + random() % 3 * size * (random() % 50 == 0 ? 1000 : 1);
  }
  return pieces;
}

std::uint64_t cost_of(const StretchCut& cut, std::uint64_t size, PayloadCost payload) {
  std::uint64_t cost = 0;
  for (const QueuePart& part : cut.parts) {
    SectionBuilder builder;
    for (const FilePiece& piece : cut.pieces(part)) {
      builder.add(static_cast<std::uint32_t>(piece.address),
                  static_cast<std::uint32_t>(piece.count * size));
      if (payload == PayloadCost::kCounts) cost += piece.count * size;
    }
    cost += builder.sections().size() * sizeof(Section);
  }
  return cost;
}

/// Walks a queue through its stretches as one of three ranks would: nothing is lost, nothing comes
/// twice, every part lies in its slice, and no stretch costs more than the budget allows.
void walk(std::mt19937_64& random, bool repeats, PayloadCost payload) {
  const std::uint64_t size = 1 + random() % 24;
  const std::vector<FilePiece> pieces = random_pieces(random, size, repeats);
  Pieces source(pieces);
  ExchangeQueue queue(source, size);
  const std::uint64_t budget = 200 + random() % 3000;
  queue.limit(1, budget, payload);
  std::vector<FilePiece> got;
  FileStretch stretch;
  stretch.ranks = 3;
  for (int rounds = 0;; ++rounds) {
    ASSERT_LT(rounds, 200000) << "the walk does not move on";
    ASSERT_TRUE(queue.refill().ok());
    if (queue.first() == std::numeric_limits<std::uint64_t>::max()) break;
    stretch.start = queue.first() - queue.first() % 64;
    stretch.slice = 64 * (1 + random() % 8);
    // Another rank may want a smaller stretch.
    stretch.end = std::min(queue.safe_end(), stretch.start + 3 * stretch.slice);
    if (random() % 4 == 0) stretch.end = std::min(stretch.end, queue.first() + 1 + random() % 100);
    stretch.owners = ceil_div(stretch.end - stretch.start, stretch.slice);
    ASSERT_GT(stretch.end, queue.first());
    StretchCut cut;
    ASSERT_TRUE(queue.take_stretch(stretch, &cut).ok());
    ASSERT_FALSE(cut.all.empty());
    for (const QueuePart& part : cut.parts)
      for (const FilePiece& piece : cut.pieces(part)) {
        ASSERT_LT(part.slice, stretch.owners);
        for (std::uint64_t i = 0; i < piece.count; ++i) {
          const FileAddress at = piece.address + i * size;
          ASSERT_GE(at, stretch.start_of(part.slice));
          ASSERT_LT(at, std::min(stretch.end, stretch.start_of(part.slice + 1)));
          got.push_back({at, piece.memory_element + i, 1});
        }
      }
    ASSERT_LE(cost_of(cut, size, payload),
              budget + stretch.owners * kCutSlack + size + sizeof(Section));
  }
  std::vector<FilePiece> all;
  for (const FilePiece& piece : pieces)
    for (std::uint64_t i = 0; i < piece.count; ++i)
      all.push_back({piece.address + i * size, piece.memory_element + i, 1});
  ASSERT_EQ(got.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(got[i].address, all[i].address);
    ASSERT_EQ(got[i].memory_element, all[i].memory_element);
  }
}

TEST(ExchangeQueue, EveryElementGoesThroughOneStretch) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 150; ++i) {
    walk(random, false, PayloadCost::kCounts);
    walk(random, false, PayloadCost::kFree);
  }
}

TEST(ExchangeQueue, RepeatedElementsAreLeftForStretchesOfTheirOwn) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 60; ++i) {
    walk(random, true, PayloadCost::kCounts);
    walk(random, true, PayloadCost::kFree);
  }
}

}  // namespace
}  // namespace pcio
