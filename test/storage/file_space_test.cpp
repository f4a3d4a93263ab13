// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: RangeSet and FileSpace against models that know every byte.

#include "storage/space/file_space.hpp"

#include <gtest/gtest.h>
#include <chrono>
#include <functional>
#include <map>
#include <rapidcheck.h>
#include <set>
#include <vector>

namespace pcio {
namespace {

// ---- RangeSet ----------------------------------------------------------------------------------

constexpr std::uint64_t kBytes = 400;

std::vector<ByteRange> ranges_of(const std::vector<bool>& bytes, std::uint64_t page) {
  std::vector<ByteRange> all;
  for (std::uint64_t i = 0; i < bytes.size(); ++i) {
    if (!bytes[i]) continue;
    const bool joins = page == 0 || i % page != 0;
    if (joins && !all.empty() && all.back().end() == i)
      ++all.back().size;
    else
      all.push_back({i, 1});
  }
  return all;
}

void check_ranges(std::uint64_t page, SizeOrder order) {
  RangeSet set(order, page);
  std::vector<bool> bytes(kBytes);
  const int steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    const bool goes_on = !set.empty() && set.back().end() < kBytes && *rc::gen::inRange(0, 3) == 0;
    const auto start = goes_on ? set.back().end() : *rc::gen::inRange<std::uint64_t>(0, kBytes);
    auto size =
        *rc::gen::inRange<std::uint64_t>(0, std::min<std::uint64_t>(60, kBytes - start + 1));
    if (page > 0) size = std::min(size, page - start % page);
    const ByteRange range{start, size};
    const bool add = *rc::gen::inRange(0, 3) > 0;
    if (add)
      set.insert(range);
    else
      set.erase(range);
    for (std::uint64_t b = start; b < range.end(); ++b) bytes[b] = add;
    const auto want = ranges_of(bytes, page);
    RC_ASSERT(set.ranges() == want);
    std::uint64_t total = 0;
    for (const ByteRange& r : want) total += r.size;
    RC_ASSERT(set.bytes() == total);

    const auto asked = *rc::gen::inRange<std::uint64_t>(0, kBytes);
    const ByteRange window{asked, *rc::gen::inRange<std::uint64_t>(1, kBytes - asked + 1)};
    std::vector<bool> in(kBytes), out(kBytes);
    for (const ByteRange& r : set.inside(window))
      for (std::uint64_t b = r.offset; b < r.end(); ++b) in[b] = true;
    for (const ByteRange& r : set.outside(window))
      for (std::uint64_t b = r.offset; b < r.end(); ++b) out[b] = true;
    for (std::uint64_t b = 0; b < kBytes; ++b) {
      const bool inside = b >= window.offset && b < window.end();
      RC_ASSERT(in[b] == (inside && bytes[b]));
      RC_ASSERT(out[b] == (inside && !bytes[b]));
    }
    bool whole = false;
    for (const ByteRange& r : want)
      whole = whole || (r.offset <= window.offset && window.end() <= r.end());
    RC_ASSERT(set.contains(window) == whole);

    if (order == SizeOrder::kNone) continue;
    // Without an alignment exactly the best fit; with one, some place if there is a roomy one.
    const auto need = *rc::gen::inRange<std::uint64_t>(1, 50);
    FileAddress best = kUndefinedAddress;
    std::uint64_t best_size = ~std::uint64_t{0};
    for (const ByteRange& r : want)
      if (r.size >= need && r.size < best_size) best = r.offset, best_size = r.size;
    RC_ASSERT(set.best_fit(need, 1) == best);
    FileAddress lowest = kUndefinedAddress;
    for (const ByteRange& r : want)
      if (r.size >= need && lowest == kUndefinedAddress) lowest = r.offset;
    RC_ASSERT(set.lowest_fit(need, 1) == lowest);
    const auto alignment = *rc::gen::element<std::uint64_t>(2, 8, 33);
    const FileAddress aligned = set.best_fit(need, alignment);
    if (aligned != kUndefinedAddress) {
      RC_ASSERT(aligned % alignment == 0);
      RC_ASSERT(set.contains({aligned, need}));
    } else {
      for (const ByteRange& r : want) RC_ASSERT(r.size < need + alignment - 1);
    }
  }
}

TEST(RangeSet, AgreesWithABitmap) {
  for (const std::uint64_t page : {0U, 64U})
    for (const SizeOrder order : {SizeOrder::kKept, SizeOrder::kNone})
      EXPECT_TRUE(rc::check([&] { check_ranges(page, order); })) << "page " << page;
}

// ---- FileSpace ---------------------------------------------------------------------------------

/// Who owns which byte, from the calls alone.
class Model {
 public:
  explicit Model(const SpaceSettings& settings) : settings_(settings), space_(0, settings) {}

  void allocate() {
    const bool large = *rc::gen::inRange(0, 4) == 0;
    const auto size = *rc::gen::inRange<std::uint64_t>(1, large ? 900 : 120);
    const auto use = *rc::gen::element(SpaceUse::kMetadata, SpaceUse::kRawData,
                                       SpaceUse::kRawDataFresh, SpaceUse::kRawDataFreeAtCommit);
    const FileAddress at = *space_.allocate(size, use);
    RC_ASSERT(at + size <= space_.end_of_allocation());
    if (size >= settings_.alignment_threshold) RC_ASSERT(at % settings_.alignment == 0);
    for (auto [start, length] : live_) RC_ASSERT(at + size <= start || start + length <= at);
    for (const ByteRange& range : waiting_)
      RC_ASSERT(at + size <= range.offset || range.end() <= at);
    bool used = false, written = false;
    for (FileAddress b = at; b < at + size; ++b) {
      used = !ever_used_.insert(b).second || used;
      written = written || journal_.contains(b);
    }
    if (use == SpaceUse::kRawDataFresh && !space_.paged()) RC_ASSERT(!used && !written);
    if (space_.is_fresh(at)) RC_ASSERT(!used && !written);
    if (use == SpaceUse::kRawDataFreeAtCommit)
      for (const ByteRange& range : released_)
        RC_ASSERT(at + size <= range.offset || range.end() <= at);
    RC_ASSERT(space_.is_uncommitted(at));
    if (!reuses()) RC_ASSERT(!used);
    if (space_.paged()) check_page(at, size, use);
    live_[at] = size;
  }

  void release() {
    if (live_.empty()) return;
    auto it = std::next(live_.begin(), *rc::gen::inRange<std::ptrdiff_t>(
                                           0, static_cast<std::ptrdiff_t>(live_.size())));
    if (committed_.contains(it->first)) waiting_.push_back({it->first, it->second});
    committed_.erase(it->first);
    kinds_.erase(it->first);
    space_.release({it->first, it->second});
    released_.push_back({it->first, it->second});
    live_.erase(it);
  }

  /// A commit wrote a journal behind the end.
  void journal() {
    const FileAddress end = space_.end_of_allocation();
    const auto size = *rc::gen::inRange<std::uint64_t>(1, 300);
    for (FileAddress b = end; b < end + size; ++b) journal_.insert(b);
    space_.mark_written(end + size);
  }

  void commit() {
    space_.committed();
    waiting_.clear();
    released_.clear();
    for (auto [start, length] : live_) committed_.insert(start);
  }

  /// What is listed as free is nobody's, and all that was released is listed.
  void check_free() const {
    std::set<FileAddress> listed;
    for (const FreeRange& free : space_.free_ranges()) {
      RC_ASSERT(free.range.end() <= space_.end_of_allocation());
      for (FileAddress b = free.range.offset; b < free.range.end(); ++b)
        RC_ASSERT(listed.insert(b).second);
      for (auto [start, length] : live_)
        RC_ASSERT(free.range.end() <= start || start + length <= free.range.offset);
    }
    if (!reuses()) return RC_ASSERT(listed.empty());
    std::uint64_t live = 0;
    for (auto [start, length] : live_) live += length;
    RC_ASSERT(listed.size() + live == space_.end_of_allocation());
    RC_ASSERT(space_.free_bytes() + space_.reserved_bytes() == listed.size());
  }

  /// The free ranges of a file give the same map when they are read back.
  void check_kept() {
    commit();
    // As a close does, which also cuts what lies behind the end.
    space_.trim_end();
    journal_.clear();
    ever_used_.clear();
    FileSpace again(space_.end_of_allocation(), settings_);
    for (const FreeRange& free : space_.free_ranges()) again.add_free(free);
    RC_ASSERT(again.free_ranges() == space_.free_ranges());
    space_ = again;
    for (FileAddress b = 0; b < space_.end_of_allocation(); ++b) ever_used_.insert(b);
  }

  void finish() {
    commit();
    space_.trim_end();
    FileAddress last = 0;
    for (auto [start, length] : live_) last = std::max(last, start + length);
    if (space_.paged())
      last = (last + settings_.page_size - 1) / settings_.page_size * settings_.page_size;
    RC_ASSERT(space_.end_of_allocation() == last);
  }

 private:
  [[nodiscard]] bool reuses() const { return settings_.strategy <= FileSpaceStrategy::kPaged; }

  void check_page(FileAddress at, std::uint64_t size, SpaceUse use) {
    const std::uint64_t page = settings_.page_size;
    const bool placed = size >= page ? at % page == 0 : at / page == (at + size - 1) / page;
    RC_ASSERT(placed);
    const bool metadata = use == SpaceUse::kMetadata;
    for (auto [start, kind] : kinds_) {
      const bool same_page = start / page <= (at + size - 1) / page &&
                             at / page <= (start + live_.at(start) - 1) / page;
      if (same_page) RC_ASSERT(kind == metadata);
    }
    kinds_[at] = metadata;
  }

  SpaceSettings settings_;
  FileSpace space_;
  std::map<FileAddress, std::uint64_t> live_;  // allocated, by start
  std::map<FileAddress, bool> kinds_;          // true: metadata
  std::vector<ByteRange> waiting_;             // released, not yet committed
  std::set<FileAddress> committed_;            // starts that the last commit covers
  std::vector<ByteRange> released_;            // since the last commit
  std::set<FileAddress> ever_used_;            // bytes that were handed out before
  std::set<FileAddress> journal_;              // bytes that a journal lay in
};

void check_space(const SpaceSettings& settings) {
  Model model(settings);
  const int steps = *rc::gen::inRange(1, 120);
  for (int i = 0; i < steps; ++i) {
    const int what = *rc::gen::inRange(0, 40);
    if (what < 22)
      model.allocate();
    else if (what < 34)
      model.release();
    else if (what < 38)
      model.commit();
    else if (what < 39)
      model.check_free();
    else if (*rc::gen::inRange(0, 2) == 0)
      model.journal();
    else
      model.check_kept();
  }
  model.check_free();
  model.finish();
}

SpaceSettings settings_for(FileSpaceStrategy strategy, std::uint64_t alignment) {
  SpaceSettings settings;
  settings.strategy = strategy;
  settings.alignment = alignment;
  settings.alignment_threshold = alignment;
  settings.metadata_block = 512;
  settings.small_data_block = 256;
  settings.page_size = 512;
  return settings;
}

TEST(FileSpace, NeverHandsOutBytesTwice) {
  EXPECT_TRUE(rc::check([] { check_space({}); }));
  EXPECT_TRUE(rc::check([] { check_space({1, 1, 0}); }));
  for (std::uint64_t alignment : {1U, 64U})
    for (auto strategy : {FileSpaceStrategy::kFreeSpaceAggregators, FileSpaceStrategy::kAggregators,
                          FileSpaceStrategy::kNone, FileSpaceStrategy::kPaged})
      EXPECT_TRUE(rc::check([&] { check_space(settings_for(strategy, alignment)); }))
          << static_cast<int>(strategy) << " aligned at " << alignment;
}

/// Headers of many datasets are read and written in few large pieces, though data are given space in between; what is
/// lost behind the last of them is little of what was given.
TEST(FileSpace, MetadataOfManyObjectsLiesTogether) {
  SpaceSettings settings;
  settings.small_data_block = 2048;
  constexpr std::uint64_t kObjects = 20000, kHeader = 272;
  std::uint64_t pieces = 0;
  FileSpace space(0, settings);
  FileAddress expected = kUndefinedAddress;
  for (std::uint64_t i = 0; i < kObjects; ++i) {
    ASSERT_TRUE(space.allocate(256, SpaceUse::kRawData));
    const auto at = space.allocate(kHeader, SpaceUse::kMetadata);
    ASSERT_TRUE(at);
    if (*at != expected) ++pieces;
    expected = *at + kHeader;
  }
  EXPECT_LT(pieces, 400U);  // with blocks of 2048 bytes 2858
  space.committed();
  const std::uint64_t used = kObjects * (256 + kHeader);
  EXPECT_LT(space.end_of_allocation(), used + kObjects * kHeader / 16);
  // Of few objects no more is lost than a block.
  FileSpace few(0, settings);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(few.allocate(kHeader, SpaceUse::kMetadata));
    ASSERT_TRUE(few.allocate(256, SpaceUse::kRawData));
  }
  EXPECT_LE(few.end_of_allocation(), 20 * (256 + kHeader) + 4096U);
}

/// Pieces of which a large block would take one, and lose its rest.
TEST(FileSpace, LargePiecesOfMetadataWasteNoBlocks) {
  FileSpace space(0, {});
  std::uint64_t used = 0;
  const auto give = [&](std::uint64_t size, SpaceUse use) {
    ASSERT_TRUE(space.allocate(size, use));
    used += size;
  };
  for (int i = 0; i < 8000; ++i) give(272, SpaceUse::kMetadata);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    give(20000 + 37 * i, SpaceUse::kMetadata);
    give(70000, SpaceUse::kRawData);
  }
  EXPECT_LT(space.end_of_allocation(), used + used / 50);
}

/// Where a block finds no room a piece may.
TEST(FileSpace, PiecesFillWhatAddressesThereAre) {
  SpaceSettings settings;
  settings.max_address = 3 << 20;
  FileSpace space(0, settings);
  while (space.allocate(272, SpaceUse::kMetadata))
    static_cast<void>(space.allocate(100, SpaceUse::kRawData));
  EXPECT_GT(space.end_of_allocation() + 272, settings.max_address);
}

TEST(FileSpace, RefusesWhatDoesNotFit) {
  FileSpace space(0, {1, 1, 0, 1000});
  EXPECT_TRUE(space.allocate(1000, SpaceUse::kRawData));
  EXPECT_FALSE(space.allocate(1, SpaceUse::kRawData));
  EXPECT_FALSE(space.allocate(0, SpaceUse::kRawData));
  SpaceSettings paged = settings_for(FileSpaceStrategy::kPaged, 1);
  FileSpace pages(0, paged);
  EXPECT_FALSE(pages.allocate(~std::uint64_t{0} - 3, SpaceUse::kRawData));
}

/// A file that names bytes twice must not make them anybody's twice.
TEST(FileSpace, BytesReleasedTwiceAreHandedOutOnce) {
  FileSpace space;
  const FileAddress a = *space.allocate(5000, SpaceUse::kRawData);
  space.committed();
  space.release({a, 4000});
  space.committed();
  space.release({a, 4000});
  EXPECT_EQ(*space.allocate(4000, SpaceUse::kRawData), a);
  space.release({a + 100, 10});  // uncommitted: at once
  space.committed();
  EXPECT_EQ(*space.allocate(10, SpaceUse::kRawData), a + 100);
  EXPECT_GE(*space.allocate(20, SpaceUse::kRawData), a + 5000);
}

/// Maps that give other answers from here on have other hashes.
TEST(FileSpace, TheHashTellsWhateverChangesAnswers) {
  auto make = [] {
    FileSpace space;
    const FileAddress first = *space.allocate(5000, SpaceUse::kRawData);
    EXPECT_TRUE(space.allocate(5000, SpaceUse::kRawData));
    space.release({first, 3000});
    return space;
  };
  const std::vector<std::function<void(FileSpace&)>> changes = {
      [](FileSpace&) {},
      [](FileSpace& space) { space.mark_written(space.end_of_allocation() + 100); },
      [](FileSpace& space) { space.mark_written(space.end_of_allocation() + 101); },
      [](FileSpace& space) { space.forbid_allocation(); },
      [](FileSpace& space) { space.hold_back(100); },
      [](FileSpace& space) { space.hold_back(200); },
      [](FileSpace& space) { space.committed(); },
      [](FileSpace& space) { space.committed_in_part(); },
      [](FileSpace& space) {
        space.add_free({{3500, 100}, FreeKind::kAny});
      }};
  std::set<std::uint64_t> hashes;
  for (const auto& change : changes) {
    FileSpace space = make();
    change(space);
    hashes.insert(space.hash().value());
  }
  EXPECT_EQ(hashes.size(), changes.size());
  // A map that was frozen and is not any more gives the same answers; its history is another one.
  FileSpace one = make(), other = make();
  one.forbid_allocation();
  other.forbid_allocation();
  one.allow_allocation();
  EXPECT_NE(one.hash().value(), other.hash().value());
  other.allow_allocation();
  EXPECT_EQ(one.hash().value(), other.hash().value());
}

/// Between two allocations ranks may give back in any order and in any pieces.
TEST(FileSpace, TheHashOfReleasesHasNoOrder) {
  FileSpace one, other;
  for (FileSpace* space : {&one, &other}) EXPECT_TRUE(space->allocate(5000, SpaceUse::kRawData));
  one.release({100, 50});
  one.release({4000, 100});
  other.release({4050, 50});
  other.release({120, 30});
  other.release({4000, 50});
  other.release({100, 20});
  EXPECT_EQ(one.hash().value(), other.hash().value());
  EXPECT_EQ(*one.allocate(40, SpaceUse::kRawDataFresh),
            *other.allocate(40, SpaceUse::kRawDataFresh));
}

/// 400,000 free ranges: half as many allocations among them in a moment.
TEST(FileSpace, ScalesWithFreeRanges) {
  FileSpace space;
  constexpr std::uint64_t kRanges = 400000;
  const FileAddress start = *space.allocate(kRanges * 200, SpaceUse::kRawData);
  const auto before = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < kRanges; ++i) space.release({start + i * 200, 100});
  for (std::uint64_t i = 0; i < kRanges / 2; ++i)
    ASSERT_LT(*space.allocate(60 + i % 40, SpaceUse::kRawData), start + kRanges * 200);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  EXPECT_LT(took.count(), 60) << "linear searches would take an hour";
}

}  // namespace
}  // namespace pcio
