// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/gate: commits of plain blocks, without objects: a disk that fails at any write, and what
// the commit writer and the end of the file know afterwards.

#include <gtest/gtest.h>
#include <map>

#include "storage/gate/commit_writer.hpp"
#include "support/disk_driver.hpp"
#include "support/fault_driver.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr std::uint64_t kBlock = 64;

DirtyBlock block_of(FileAddress address, int value) {
  return {{address, kBlock}, [value](ByteWriter& out) {
            out.bytes(std::vector<std::byte>(kBlock, static_cast<std::byte>(value)));
            return Status();
          }};
}

/// The gate of a serial file on a disk in memory. Places: 96 bytes of superblock, then blocks.
struct Gate {
  Disk disk = std::make_shared<DiskImage>();
  std::shared_ptr<FaultPlan> plan = std::make_shared<FaultPlan>();
  FileContext file{{}, FormatVersion::kEarliest};
  FileEnd end{file};
  std::unique_ptr<FileSync> sync;
  std::unique_ptr<CommitWriter> writer;
  FileAddress old_block = 0;

  Gate() {
    file.driver = std::make_unique<FaultDriver>(std::make_unique<DiskDriver>(disk, "gate"), plan);
    file.coordinator = Coordinator::serial();
    file.writable = true;
    file.bytes = std::make_unique<FileBytes>(*file.driver, file.space, 0);
    sync = std::make_unique<FileSync>(*file.driver, FileAccessProps());
    writer = std::make_unique<CommitWriter>(file, end, *sync);
    EXPECT_TRUE(file.space.allocate(96, SpaceUse::kRawData));
    old_block = *file.space.allocate(kBlock, SpaceUse::kRawData);
    file.superblock.root_header = old_block;
    EXPECT_TRUE(commit({{old_block, 1}}).status.ok());
  }
  CommitOutcome commit(const std::map<FileAddress, int>& values) {
    BlockSet blocks;
    for (const auto& [address, value] : values) blocks.push_back(block_of(address, value));
    Superblock next = file.superblock;
    next.end_of_file = end.allocated();
    next.root.header_address = next.root_header;
    ByteWriter out;
    EXPECT_TRUE(encode_superblock(next, out).ok());
    CommitOutcome written = writer->write({"H5Fflush", ""}, blocks, {}, std::move(out).take());
    if (!written.in_file) return written;
    end.extend_to(end.allocated());
    file.superblock = next;
    file.space.committed();
    return written;
  }
  [[nodiscard]] int at(FileAddress address) const {
    return address < disk->size() ? static_cast<int>((*disk)[address]) : -1;
  }
  [[nodiscard]] std::uint64_t end_told() {
    auto head = find_head(*file.driver);
    EXPECT_TRUE(head && head->state == CommitState::kCommitted);
    return head ? head->superblock.end_of_file : 0;
  }
};

/// Before the commit point a failure leaves nothing to do but to try again; behind it the commit is in the file.
TEST(Gate, AFailedWriteLeavesOneOfTwoCommits) {
  int before_point = 0, behind_point = 0;
  std::uint64_t fail = 1;
  for (;; ++fail) {
    Gate gate;
    const std::uint64_t old_end = gate.end_told();
    const FileAddress added = *gate.file.space.allocate(kBlock, SpaceUse::kRawData);
    const std::map<FileAddress, int> values{{gate.old_block, 2}, {added, 3}};
    *gate.plan = FaultPlan();
    gate.plan->fail_from_write = fail;
    const CommitOutcome first = gate.commit(values);
    *gate.plan = FaultPlan();
    if (first.status.ok()) break;
    ++(first.in_file ? behind_point : before_point);
    EXPECT_EQ(first.in_file, gate.writer->is_in_window());
    // A window must be completed before anybody gets space.
    EXPECT_TRUE(!first.in_file || gate.file.space.allocation_forbidden());
    ASSERT_TRUE(gate.writer->recover({"H5Fflush", ""}).ok()) << "write " << fail;
    EXPECT_FALSE(gate.file.space.allocation_forbidden());
    EXPECT_EQ(gate.end_told(), first.in_file ? gate.end.allocated() : old_end);
    EXPECT_EQ(gate.at(gate.old_block), first.in_file ? 2 : 1) << "write " << fail;
    if (!first.in_file) {
      ASSERT_TRUE(gate.commit(values).status.ok()) << "write " << fail;
    }
    EXPECT_EQ(gate.at(gate.old_block), 2);
    EXPECT_EQ(gate.at(added), 3);
    EXPECT_EQ(gate.end_told(), gate.end.allocated());
  }
  EXPECT_GE(before_point, 2);  // new block, journal, window
  EXPECT_GE(behind_point, 2);  // in place, superblock
}

TEST(Gate, ASyncThatFailedIsToldUntilItIsAgreedAway) {
  Gate gate;
  gate.plan->fail_flush = true;
  EXPECT_FALSE(gate.sync->sync_all().ok());
  gate.plan->fail_flush = false;
  EXPECT_TRUE(gate.sync->sync_all().ok());
  EXPECT_TRUE(gate.sync->failed());
  EXPECT_FALSE(gate.sync->lost().ok());
  gate.sync->set_failed(false);
  EXPECT_TRUE(gate.sync->lost().ok());
}

TEST(FileEnd, WhoLostTrackOfTheSizeSetsItAgain) {
  Gate gate;
  const std::uint64_t size = gate.end.size();
  EXPECT_EQ(size, gate.disk->size());
  gate.disk->resize(size + 100);
  EXPECT_TRUE(gate.end.reach_here(size).ok());
  EXPECT_EQ(gate.disk->size(), size + 100) << "nothing was lost: the file is long enough";
  gate.end.lose_track();
  EXPECT_TRUE(gate.end.reach_here(size).ok());
  EXPECT_EQ(gate.disk->size(), size);
  // Space that nobody wrote counts: the file is cut to it, and made as long as it.
  EXPECT_TRUE(gate.file.space.allocate(1000, SpaceUse::kRawData));
  EXPECT_TRUE(gate.end.extend_to_allocated().ok());
  EXPECT_EQ(gate.disk->size(), gate.end.allocated());
  gate.end.extend_to(gate.end.allocated() + 50);
  gate.disk->resize(gate.disk->size() + 50);
  EXPECT_TRUE(gate.end.cut_to_allocated({"H5Fclose", ""}).ok());
  EXPECT_EQ(gate.disk->size(), gate.end.allocated());
}

}  // namespace
}  // namespace pcio
