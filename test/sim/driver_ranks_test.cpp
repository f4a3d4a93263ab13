// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver on simulated ranks: opens, syncs, reads and writes of MPI that fail on one rank.

#include <mpi.h>

#if defined(OPEN_MPI)

#include "driver/open_driver.hpp"
#include "sim/sim_ranks.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr int kRanks = 3;

/// One call of one rank fails, the first of its name after arm().
class OneFault {
 public:
  OneFault(SimRanks& ranks, std::string call, SimFault fault, int victim)
      : call_(std::move(call)), fault_(fault), victim_(victim) {
    ranks.world().set_fault([this](const SimCall& call) {
      if (!armed_ || call.rank != victim_ || call.name != call_) return SimFault::kNone;
      armed_ = false;
      hit_ = true;
      return fault_;
    });
  }
  void arm() { armed_ = !hit_; }
  [[nodiscard]] bool hit() const { return hit_; }

 private:
  std::string call_;
  SimFault fault_;
  int victim_;
  bool armed_ = false, hit_ = false;
};

Result<OpenedFile> open_file(SimRanks& ranks, int rank, OpenMode mode) {
  PCIO_ASSIGN(const MpioSettings settings, MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL));
  OpenRequest request;
  request.path = ranks.path(rank);
  request.mode = mode;
  return open_driver(settings, request);
}

Status close_file(OpenedFile& file) {
  PCIO_TRY(file.driver->close());
  return file.coordinator->close();
}

TEST(DriverOnRanks, AnOpenThatFailsOnOneRankFailsOnAllAndLeavesNothing) {
  for (const char* call : {"MPI_File_open", "ftruncate"})
    for (int victim = 0; victim < kRanks; ++victim) {
      // Rank 0 cuts it for all.
      if (std::string_view(call) == "ftruncate" && victim != 0) continue;
      SCOPED_TRACE(std::string(call) + " of rank " + std::to_string(victim));
      SimRanks ranks({kRanks, 0, true});
      ranks.bytes().resize(100);  // there is something to be cut
      OneFault fault(ranks, call, SimFault::kError, victim);
      fault.arm();
      const bool open_fails = std::string_view(call) == "MPI_File_open";
      if (open_fails) ranks.expect_left("2 files");
      const auto opened = ranks.run([&](int rank) -> Status {
        PCIO_ASSIGN(OpenedFile file, open_file(ranks, rank, OpenMode::kTruncate));
        return close_file(file);
      });
      EXPECT_TRUE(fault.hit());
      EXPECT_FALSE(all_alike(opened));
      // The next one finds nothing in its way.
      ranks.expect_left("");
      ranks.must_run([&](int rank) -> Status {
        PCIO_ASSIGN(OpenedFile file, open_file(ranks, rank, OpenMode::kTruncate));
        return close_file(file);
      });
    }
}

TEST(DriverOnRanks, ASyncACutOrACloseThatFailsOnOneRankFailsOnAll) {
  struct Case {
    const char* call;
    std::function<Status(FileDriver&)> run;
  };
  const std::vector<Case> cases = {
      {"MPI_File_sync", [](FileDriver& driver) { return driver.sync(); }},
      {"fsync",
       [](FileDriver& driver) {
         driver.set_by_one({true, true});
         return driver.flush();
       }},
      {"MPI_File_sync",
       [](FileDriver& driver) {
         driver.set_by_one({});
         return driver.flush();
       }},
      {"MPI_File_set_size",
       [](FileDriver& driver) {
         driver.set_by_one({});
         return driver.truncate(64);
       }},
      {"ftruncate", [](FileDriver& driver) { return driver.truncate(64); }},
      {"MPI_File_close", [](FileDriver& driver) { return driver.close(); }}};
  for (const Case& one : cases)
    for (int victim = 0; victim < kRanks; ++victim) {
      if (one.call[0] == 'f' && victim != 0) continue;  // one does it for all
      SCOPED_TRACE(std::string(one.call) + " of rank " + std::to_string(victim));
      SimRanks ranks({kRanks, 0, true});
      OneFault fault(ranks, one.call, SimFault::kError, victim);
      std::vector<Status> done(kRanks);
      ranks.run([&](int rank) -> Status {
        PCIO_ASSIGN(OpenedFile file, open_file(ranks, rank, OpenMode::kTruncate));
        fault.arm();
        done[static_cast<std::size_t>(rank)] = one.run(*file.driver);
        if (std::string_view(one.call) != "MPI_File_close") PCIO_TRY(file.driver->close());
        return file.coordinator->close();
      });
      EXPECT_TRUE(fault.hit());
      EXPECT_FALSE(all_alike(done));
    }
}

/// A rank that syncs for its machine has a descriptor, too.
TEST(DriverOnRanks, RankZeroAloneSetsTheSizeForSeveralMachines) {
  for (int victim = 0; victim < kRanks; ++victim) {
    SimRanks ranks({kRanks, 0, false});
    OneFault fault(ranks, "ftruncate", SimFault::kError, victim);
    std::vector<Status> done(kRanks);
    ranks.run([&](int rank) -> Status {
      PCIO_ASSIGN(OpenedFile file, open_file(ranks, rank, OpenMode::kTruncate));
      file.driver->set_by_one({true, true});
      PCIO_TRY(file.driver->flush());
      fault.arm();
      done[static_cast<std::size_t>(rank)] = file.driver->truncate(64);
      return close_file(file);
    });
    EXPECT_EQ(fault.hit(), victim == 0);
    EXPECT_EQ(all_alike(done), victim != 0);
  }
}

/// The second sync of sync-barrier-sync is for MPI libraries that aren't known on all ranks, and for sizes that each sets.
TEST(DriverOnRanks, SyncOnceWhereAllRanksKnowThatItIsEnough) {
  for (const ByOneRank agreed : {ByOneRank{true, false, true}, ByOneRank{true, false, false},
                                 ByOneRank{false, false, true}}) {
    SimRanks ranks({kRanks, 0, false});
    ranks.must_run([&](int rank) -> Status {
      PCIO_ASSIGN(OpenedFile file, open_file(ranks, rank, OpenMode::kTruncate));
      file.driver->set_by_one(agreed);
      const std::uint64_t before = ranks.world().count(rank, "MPI_File_sync");
      PCIO_TRY(file.driver->sync());
      // Where each rank has a cache of its own it syncs what it has written by itself: nothing here.
      const std::uint64_t syncs = !agreed.known ? 2 : agreed.sizes ? 1 : 0;
      EXPECT_EQ(ranks.world().count(rank, "MPI_File_sync") - before, syncs);
      return close_file(file);
    });
  }
}

/// Where machines have caches of their own each rank sets the size by itself: none waits for one that has another in mind.
TEST(DriverOnRanks, NobodyWaitsForRanksWithOtherSizes) {
  SimRanks ranks({kRanks, 0, true});
  ranks.must_run([&](int rank) -> Status {
    PCIO_ASSIGN(OpenedFile file, open_file(ranks, rank, OpenMode::kTruncate));
    file.driver->set_by_one({false, false, true});
    const std::uint64_t before = ranks.world().count(rank, "MPI_File_set_size");
    PCIO_TRY(file.driver->truncate_here(100 + static_cast<std::uint64_t>(rank)));
    EXPECT_EQ(ranks.world().count(rank, "MPI_File_set_size"), before);
    return close_file(file);
  });
}

TEST(DriverOnRanks, ShortWritesGoOnWhereTheyEndedAndReadsStopAtTheEnd) {
  for (int victim = 0; victim < kRanks; ++victim) {
    SimRanks ranks({kRanks, 0, true});
    OneFault fault(ranks, "MPI_File_write_at", SimFault::kShort, victim);
    ranks.must_run([&](int rank) -> Status {
      PCIO_ASSIGN(OpenedFile file, open_file(ranks, rank, OpenMode::kTruncate));
      const std::vector<std::byte> mine(100, static_cast<std::byte>(rank + 1));
      fault.arm();
      PCIO_TRY(file.driver->write(static_cast<std::uint64_t>(rank) * 100, mine));
      PCIO_TRY(file.driver->flush());
      std::vector<std::byte> all(400);
      PCIO_ASSIGN(const std::uint64_t got, file.driver->read_some(0, all));
      EXPECT_EQ(got, 300U);
      for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(all[i], static_cast<std::byte>(i / 100 + 1));
      EXPECT_FALSE(file.driver->read(0, all).ok()) << "a short read is an error";
      PCIO_TRY(file.coordinator->barrier());
      return close_file(file);
    });
    EXPECT_TRUE(fault.hit());
  }
}

TEST(DriverOnRanks, WritesAndReadsThatFailAreErrorsOfThatRankAlone) {
  for (const char* call : {"MPI_File_write_at", "MPI_File_read_at"})
    for (int victim = 0; victim < kRanks; ++victim) {
      SimRanks ranks({kRanks, 0, true});
      OneFault fault(ranks, call, SimFault::kError, victim);
      ranks.must_run([&](int rank) -> Status {
        PCIO_ASSIGN(OpenedFile file, open_file(ranks, rank, OpenMode::kTruncate));
        std::vector<std::byte> data(50);
        PCIO_TRY(file.driver->write(static_cast<std::uint64_t>(rank) * 50, data));
        if (rank == victim) fault.arm();
        const bool writes = std::string_view(call) == "MPI_File_write_at";
        const Status done = writes ? file.driver->write(0, data) : file.driver->read(0, data);
        EXPECT_EQ(done.ok(), rank != victim);
        return close_file(file);
      });
      EXPECT_TRUE(fault.hit());
    }
}

TEST(DriverOnRanks, RanksThatNameDifferentFilesOrModesAreTold) {
  SimRanks ranks({kRanks, 0, true});
  const auto opened = ranks.run([&](int rank) -> Status {
    PCIO_ASSIGN(
        OpenedFile file,
        open_file(ranks, rank, rank == 1 ? OpenMode::kCreateExclusive : OpenMode::kTruncate));
    return close_file(file);
  });
  EXPECT_FALSE(all_alike(opened));
  EXPECT_NE(opened[0].message().find("H5F_ACC_EXCL"), std::string::npos) << opened[0].message();
}

}  // namespace
}  // namespace pcio

#endif
