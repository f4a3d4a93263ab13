// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: what moves so that a file ends lower, against a map of every byte; and files that
// are rewritten, committed and closed, which are cut anywhere in it.

#include "storage/space/lower_end.hpp"

#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <rapidcheck.h>

#include "support/file_session.hpp"
#include "support/trace_driver.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr std::uint64_t kUnit = 1000;

/// A space of some thousand bytes, half of them released; which of the rest can move is chosen.
struct Layout {
  FileSpace space;
  std::map<FileAddress, std::uint64_t> fixed;
  std::vector<MovableBytes> movable;
};

Layout random_layout(std::uint64_t alignment) {
  SpaceSettings settings;
  settings.alignment = alignment;
  settings.metadata_block = 0;
  Layout made{FileSpace(0, settings), {}, {}};
  std::vector<ByteRange> all;
  const int pieces = *rc::gen::inRange(2, 60);
  for (int i = 0; i < pieces; ++i) {
    const auto size = *rc::gen::inRange<std::uint64_t>(1, 9 * kUnit);
    all.push_back({*made.space.allocate(size, SpaceUse::kRawData), size});
  }
  made.space.committed();
  const int fixed = *rc::gen::inRange(0, 20);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int fate = *rc::gen::inRange(0, 100);
    if (fate < 50)
      made.space.release(all[i]);
    else if (fate < 50 + fixed)
      made.fixed[all[i].offset] = all[i].size;
    else
      made.movable.push_back({all[i], 0, fate % 9 == 0 ? std::nullopt : std::optional(i)});
  }
  made.space.committed();
  made.space.trim_end();
  return made;
}

void check_plan(std::uint64_t alignment) {
  Layout made = random_layout(alignment);
  const FileAddress before = made.space.end_of_allocation();
  const LowerEnd plan = plan_lower_end(made.space, made.movable);
  RC_ASSERT(plan.end <= before);
  if (plan.moves.empty())
    RC_ASSERT(plan.end == before);
  else
    RC_ASSERT(before - plan.end >= kLeastGain && before - plan.end >= before / kLeastGainPart);
  // Places were free, lie before the new end, and apart; what moved lay behind it.
  RangeSet taken(SizeOrder::kNone);
  std::uint64_t moved = 0;
  for (std::size_t i = 0; i < plan.moves.size(); ++i) {
    const PlannedMove& move = plan.moves[i];
    const ByteRange to{move.to, move.what.range.size};
    if (i > 0) RC_ASSERT(plan.moves[i - 1].what.range.offset < move.what.range.offset);
    RC_ASSERT(move.what.range.offset >= plan.end);
    RC_ASSERT(to.end() <= plan.end);
    RC_ASSERT(to.offset % alignment == 0);
    RC_ASSERT(made.space.reusable().contains(to));
    RC_ASSERT(taken.inside(to).empty());
    taken.insert(to);
    moved += to.size;
  }
  RC_ASSERT(moved <= made.space.reusable_bytes());
  // Everything else lies before the new end.
  for (auto [start, size] : made.fixed) RC_ASSERT(start + size <= plan.end);
  for (const MovableBytes& one : made.movable) {
    bool moves = false;
    for (const PlannedMove& move : plan.moves)
      moves = moves || move.what.range.offset == one.range.offset;
    if (!moves) RC_ASSERT(one.range.end() <= plan.end);
  }
}

TEST(LowerEnd, MovesIntoHolesBelowTheNewEnd) {
  EXPECT_TRUE(rc::check([] { check_plan(1); }));
  EXPECT_TRUE(rc::check([] { check_plan(64); }));
}

TEST(LowerEnd, AHoleOfTheSameSizeTakesAllInOrder) {
  SpaceSettings settings;
  settings.metadata_block = 0;
  FileSpace space(0, settings);
  std::vector<MovableBytes> movable;
  const FileAddress hole = *space.allocate(50 * kUnit, SpaceUse::kRawData);
  for (std::size_t i = 0; i < 50; ++i)
    movable.push_back({{*space.allocate(kUnit, SpaceUse::kRawData), kUnit}, 0, i});
  space.committed();
  space.release({hole, 50 * kUnit});
  space.committed();
  const LowerEnd plan = plan_lower_end(space, movable);
  EXPECT_EQ(plan.end, 50 * kUnit);
  ASSERT_EQ(plan.moves.size(), 50U);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(plan.moves[i].to, hole + i * kUnit);
}

// ---- whole files -------------------------------------------------------------------------------

constexpr std::uint64_t kElements = 20000;

/// Chunks of different sizes, and different again in each generation.
std::vector<std::int32_t> generation(int which) {
  std::mt19937 random(static_cast<unsigned>(which));
  std::vector<std::int32_t> all(kElements);
  for (std::size_t i = 0; i < kElements; ++i)
    all[i] = static_cast<std::int32_t>(random() %
                                       (16U << 4 * ((i / 500 + static_cast<unsigned>(which)) % 4)));
  return all;
}

DatasetSpec packed_spec() {
  DatasetSpec spec{.dims = {kElements}, .chunk = {500}};
  FilterSpec deflate;
  deflate.id = 1;
  deflate.values = {1};
  spec.filters = {deflate};
  return spec;
}

struct Rewritten {
  std::shared_ptr<Trace> trace = std::make_shared<Trace>();
  Disk disk = make_disk();
  OpenWith with;
  FilePtr file;
  std::uint64_t once = 0;

  /// Writes `times` generations, each committed, and closes. The close alone is traced.
  void run(int times) {
    file = must(open_session(trace_settings(disk, trace), OpenMode::kTruncate, with));
    must(detail::to_status(add_dataset(file, "/packed", packed_spec())));
    for (int i = 0; i < times; ++i) {
      must(write_all(must(find(file, "/packed")), generation(i)));
      must(flush_session(file));
      if (i == 0) once = disk->size();
    }
    trace->ops.clear();
    trace->start = *disk;
    must(close_session(file));
  }
};

TEST(LowerEnd, RewrittenFilesEndAsOnceWritten) {
  for (const LibraryVersion format : {LibraryVersion::kEarliest, LibraryVersion::kV110})
    for (int times = 1; times <= 6; ++times) {
      Rewritten life;
      life.with.access.low_bound = format;
      life.run(times);
      EXPECT_LE(life.disk->size(), life.once * 12 / 10) << times << " generations";
      const FilePtr file = must(open_session(life.disk, OpenMode::kReadOnly, life.with));
      EXPECT_EQ(must(read_all(must(find(file, "/packed")))), generation(times - 1));
      must(close_session(file));
    }
}

/// A smaller extent that cuts through all chunks writes them anew behind those of the last commit.
TEST(LowerEnd, ChunksThatWereCutGoBack) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  DatasetSpec spec = packed_spec();
  spec.dims = {kElements / 10, 10};
  spec.max = {kElements / 10, kUnlimited};
  spec.chunk = {50, 10};
  must(detail::to_status(add_dataset(file, "/packed", spec)));
  must(write_all(must(find(file, "/packed")), generation(0)));
  must(flush_session(file));
  const std::size_t once = disk->size();
  ASSERT_GT(once, 8 * kLeastGain / 3);
  must(set_extent(must(find(file, "/packed")), {kElements / 10, 9}));
  must(close_session(file));
  EXPECT_LE(disk->size(), once * 12 / 10);
  file = must(open_session(disk, OpenMode::kReadOnly));
  std::vector<std::int32_t> want;
  const std::vector<std::int32_t> all = generation(0);
  for (std::size_t i = 0; i < kElements; ++i)
    if (i % 10 < 9) want.push_back(all[i]);
  EXPECT_EQ(must(read_all(must(find(file, "/packed")))), want);
  must(close_session(file));
}

/// What keeps its free space in the file, or has pages, is left as it is.
TEST(LowerEnd, PagedAndKeptFilesStay) {
  for (const auto strategy :
       {FileSpaceStrategy::kPaged, FileSpaceStrategy::kFreeSpaceAggregators}) {
    Rewritten life;
    life.with.create.strategy = strategy;
    life.with.create.persist_free_space = true;
    life.run(4);
    const FilePtr file = must(open_session(life.disk, OpenMode::kReadWrite, life.with));
    EXPECT_EQ(must(read_all(must(find(file, "/packed")))), generation(3));
    must(close_session(file));
  }
}

TEST(LowerEnd, ACloseThatIsCutAnywhereLosesNothing) {
  int states = 0, grown = 0, moving = 0;
  // How holes and chunks lie differs from life to life.
  for (int life_number = 0; life_number < 10; ++life_number) {
    const int times = 2 + life_number / 2;
    Rewritten life;
    life.with.access.low_bound =
        life_number % 2 == 0 ? LibraryVersion::kEarliest : LibraryVersion::kV110;
    life.run(times);
    if (life.trace->ops.size() > 8) ++moving;
    std::mt19937 random(5);
    DiskImage image = life.trace->start;
    auto check = [&](const DiskImage& cut, const TraceOp& op) {
      ++states;
      for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite}) {
        auto file = open_session(make_disk(cut), mode, life.with);
        ASSERT_TRUE(file) << kTraceStepNames[static_cast<int>(op.step)];
        EXPECT_EQ(must(read_all(must(find(*file, "/packed")))), generation(times - 1))
            << kTraceStepNames[static_cast<int>(op.step)];
        must(close_session(*file));
      }
    };
    for (const TraceOp& op : life.trace->ops) {
      check(image, op);
      if (op.bytes.size() > 1 && op.step != TraceStep::kAlone) {
        DiskImage cut = image;
        apply(op, 1 + random() % (op.bytes.size() - 1), &cut);
        check(cut, op);
      }
      apply(op, whole(op), &image);
      if (image.size() > life.trace->start.size()) ++grown;
    }
    EXPECT_EQ(image, *life.disk);
  }
  EXPECT_GT(states, 30);
  EXPECT_GT(moving, 4) << "nothing was moved";
  std::printf("lower end: %d states, %d of them longer than before the close\n", states, grown);
}

/// A disk that fails in a call of the close, at each of them: the file is closed with its chunks
/// where they are, or it can be closed later.
TEST(LowerEnd, WhatCannotBeCopiedStays) {
  int closed = 0, refused = 0;
  for (const bool reading : {false, true})
    for (unsigned nth = 1; nth < 25; ++nth) {
      const Disk disk = make_disk();
      auto plan = std::make_shared<FaultPlan>();
      const FilePtr file =
          must(open_session(fault_settings(disk_settings(disk), plan), OpenMode::kTruncate));
      must(detail::to_status(add_dataset(file, "/packed", packed_spec())));
      for (int i = 0; i < 4; ++i) {
        must(write_all(must(find(file, "/packed")), generation(i)));
        must(flush_session(file));
      }
      (reading ? plan->fail_read : plan->fail_write) = (reading ? plan->reads : plan->writes) + nth;
      const std::uint64_t counted = reading ? plan->reads : plan->writes;
      const Status status = close_session(file);
      const bool fired = (reading ? plan->reads : plan->writes) >= counted + nth;
      *plan = FaultPlan();
      if (!status.ok()) must(close_session(file));
      if (fired) ++(status.ok() ? closed : refused);
      const FilePtr again = must(open_session(disk, OpenMode::kReadOnly));
      EXPECT_EQ(must(read_all(must(find(again, "/packed")))), generation(3)) << nth;
      must(close_session(again));
    }
  EXPECT_GT(closed, 0) << "no copy has failed";
  EXPECT_GT(refused, 0) << "no commit has failed";
}

}  // namespace
}  // namespace pcio
