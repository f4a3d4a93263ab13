// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file on simulated ranks: the report log: lines appended, nothing where it is off, a warning where it
// can't be, and no failure for want of memory.

#include <mpi.h>

#if defined(OPEN_MPI)

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "sim/sim_ranks.hpp"
#include "storage/file/report_log.hpp"
#include "support/counted_memory.hpp"
#include "support/temp_path.hpp"

namespace pcio {
namespace {

using namespace test;

/// Sets PCIO_REPORT for one scope.
class ReportTo {
 public:
  explicit ReportTo(const std::string& path) { setenv("PCIO_REPORT", path.c_str(), 1); }
  ReportTo(const ReportTo&) = delete;
  ReportTo& operator=(const ReportTo&) = delete;
  ~ReportTo() { unsetenv("PCIO_REPORT"); }
};

using Lines = std::vector<nlohmann::json>;
Lines lines_of(const std::string& path) {
  Lines lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

TransferReport write_of(std::uint64_t bytes) {
  TransferReport report;
  report.used = report.succeeded = report.verified = true;
  report.direction = Direction::kWrite;
  report.counts.bytes_written = bytes;
  return report;
}

/// body(coordinator) on one rank of a file that the ranks share.
void with_coordinator(const std::function<void(const std::shared_ptr<Coordinator>&)>& body) {
  SimRanks ranks(SimOptions{1, 0, true});
  ranks.must_run([&](int) -> Status {
    PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
    PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "a.h5"}));
    body(coordinator);
    if (coordinator->health().ok()) PCIO_TRY(coordinator->release_shared_memory());
    return coordinator->close();
  });
}
/// What body(log) has appended.
Lines logged(const std::function<void(ReportLog&)>& body) {
  const TempPath path("report.jsonl");
  const ReportTo report_to(path.str());
  with_coordinator([&](const auto& coordinator) {
    ReportLog log(coordinator, "a.h5");
    EXPECT_TRUE(log.is_on());
    body(log);
  });
  return lines_of(path.str());
}

TEST(ReportLog, AppendsALineForEachCollectiveTransferAndOneForTheOthers) {
  const Lines lines = logged([](ReportLog& log) {
    log.log_collective(write_of(10), {"H5Dwrite", "/x"});
    log.add_independent(write_of(1), {"H5Dwrite", "/x"}, 96);
    log.log_collective(write_of(20), {"H5Dwrite", "/y"});
    log.add_independent(write_of(2), {"H5Dwrite", "/x"}, 96);
    log.log_closing();
  });
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0]["dataset"], "/x");
  EXPECT_EQ(lines[1]["totals"]["bytes_written"]["sum"], 20);
  EXPECT_EQ(lines[2]["kind"], "independent");
  EXPECT_EQ(lines[2]["transfers"], 2);
  EXPECT_EQ(lines[2]["totals"]["bytes_written"]["sum"], 3);
  EXPECT_EQ(lines[2]["file"], "a.h5");
  EXPECT_EQ(lines[2]["dataset"], "/x");
  EXPECT_EQ(lines[3]["kind"], "dataset");
  EXPECT_EQ(lines[3]["collective"], 1);
  EXPECT_EQ(lines[3]["independent"], 2);
  EXPECT_EQ(lines[3]["sums"]["bytes_written"], 13);
  EXPECT_EQ(lines[4]["dataset"], "/y");
  EXPECT_EQ(lines[5]["kind"], "file");
}

TEST(ReportLog, KeepsWhatMetadataCallsSpend) {
  const Lines lines = logged([](ReportLog& log) {
    IoCounters counters;
    {
      const MetadataKept create(log, counters, MetadataKind::kCreate);
      const MetadataKept within(log, counters, MetadataKind::kFlush);
      counters.bytes_written += 7;
      count_amount(Amount::kFilled, 5);
    }
    {
      const MetadataKept more(log, counters, MetadataKind::kCreate, MetadataKept::Call::kGoesOn);
      counters.bytes_written += 3;
    }
    const MetadataKept close(log, counters, MetadataKind::kClose, MetadataKept::Call::kGoesOn);
    log.log_closing();
    counters.bytes_written += 100;  // behind the line
  });
  ASSERT_EQ(lines.size(), 1U);
  const auto& calls = lines[0]["metadata"];
  EXPECT_EQ(calls["create"]["calls"], 1);
  EXPECT_EQ(calls["create"]["bytes_written"]["sum"], 10);
  EXPECT_EQ(calls["create"]["bytes_filled"]["max"], 5);
  EXPECT_FALSE(calls.contains("flush"));
  EXPECT_EQ(calls["close"]["calls"], 1);
}

TEST(ReportLog, ACloseThatWasRefusedIsOneCallAndAllItsTime) {
  const Lines lines = logged([](ReportLog& log) {
    IoCounters counters;
    for (int i = 0; i < 3; ++i) {
      const MetadataKept refused(log, counters, MetadataKind::kClose, MetadataKept::Call::kGoesOn);
      counters.bytes_written += 4;
    }
    const MetadataKept close(log, counters, MetadataKind::kClose, MetadataKept::Call::kGoesOn);
    counters.bytes_written += 4;
    log.log_closing();
  });
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0]["metadata"]["close"]["calls"], 1);
  EXPECT_EQ(lines[0]["metadata"]["close"]["bytes_written"]["sum"], 16);
}

TEST(ReportLog, WhatIsKeptMayOutliveIt) {
  const TempPath path("report.jsonl");
  const ReportTo report_to(path.str());
  with_coordinator([](const auto& coordinator) {
    IoCounters counters;
    auto log = std::make_unique<ReportLog>(coordinator, "a.h5");
    MetadataKept close(*log, counters, MetadataKind::kClose);
    log.reset();
    close.finish();
  });
  EXPECT_TRUE(lines_of(path.str()).empty());
}

TEST(ReportLog, IsOffWithoutAPath) {
  unsetenv("PCIO_REPORT");
  with_coordinator([](const auto& coordinator) {
    ReportLog log(coordinator, "a.h5");
    EXPECT_FALSE(log.is_on());
    log.log_collective(write_of(1), {"H5Dwrite", "/x"});
    log.log_closing();
  });
}

TEST(ReportLog, IsOffForFilesOfSerialDrivers) {
  const TempPath path("report.jsonl");
  const ReportTo report_to(path.str());
  ReportLog log(Coordinator::serial(), "a.h5");
  EXPECT_FALSE(log.is_on());
  log.log_collective(write_of(1), {"H5Dwrite", "/x"});
  log.add_independent(write_of(1), {"H5Dwrite", "/x"}, 96);
  log.log_closing();
  EXPECT_NE(::access(path.str().c_str(), F_OK), 0);
}

TEST(ReportLog, IsSilentOnceTheRanksLostStep) {
  const TempPath path("report.jsonl");
  const ReportTo report_to(path.str());
  SimRanks ranks(SimOptions{1, 0, true});
  ranks.must_run([&](int) -> Status {
    PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
    PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "a.h5"}));
    ReportLog log(coordinator, "a.h5");
    coordinator->poison(PCIO_ERROR(FILE, MPI, "broken"));
    log.log_collective(write_of(1), {"H5Dwrite", "/x"});
    coordinator->release_handles();
    return coordinator->close();
  });
  EXPECT_TRUE(lines_of(path.str()).empty());
}

/// In a process of its own, each of which warns once: two transfers into such a log. It ends with status 0.
[[noreturn]] void log_to(const std::string& path) {
  alarm(20);
  const ReportTo report_to(path);
  with_coordinator([](const auto& coordinator) {
    ReportLog log(coordinator, "a.h5");
    log.log_collective(write_of(1), {"H5Dwrite", "/x"});
    log.log_collective(write_of(1), {"H5Dwrite", "/x"});
    log.log_closing();
  });
  std::_Exit(testing::Test::HasFailure() ? 1 : 0);
}
/// AddressSanitizer says once that it doesn't know the stacks of simulated ranks well.
const std::string kSanitizer = "(==[0-9]+==WARNING: ASan [^\n]*\n)?";
/// All that it says.
auto one_warning(const std::string& why) {
  return testing::MatchesRegex(
      kSanitizer + "libpcio: warning: PCIO_REPORT: can't append to \"[^\"]*\": " + why + "\n");
}

TEST(ReportLogDeathTest, WarnsOnceWhereItCantWrite) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(log_to("/nonexistent/folder/report.jsonl"), testing::ExitedWithCode(0),
              one_warning("No such file or directory"));
}

TEST(ReportLogDeathTest, NeitherWaitsForAReaderOfAPipeNorEndsWithIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const TempPath path("report.fifo");
  ASSERT_EQ(::mkfifo(path.str().c_str(), 0600), 0);
  EXPECT_EXIT(log_to(path.str()), testing::ExitedWithCode(0),
              one_warning("it is neither a file nor a terminal"));
  const int reader = ::open(path.str().c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_EXIT(log_to(path.str()), testing::ExitedWithCode(0),
              one_warning("it is neither a file nor a terminal"));
  ::close(reader);
}

TEST(ReportLogDeathTest, ADeviceIsWrittenTo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(log_to("/dev/null"), testing::ExitedWithCode(0), testing::MatchesRegex(kSanitizer));
}

/// Every allocation of act(log) fails in turn, behind some lines; returns how many there were. No call of MPI may be in
/// it: this one asks for memory.
std::uint64_t run_short(const std::function<void(ReportLog&)>& act) {
  std::uint64_t fails = 0;
  for (bool failed = true; failed; ++fails) {
    SCOPED_TRACE("allocation " + std::to_string(fails));
    const Lines lines = logged([&](ReportLog& log) {
      log.log_collective(write_of(1), {"H5Dwrite", "/before"});
      memory::begin(1);
      memory::fail_once(0, fails);
      memory::attribute_to(0);
      EXPECT_NO_THROW(act(log));
      memory::attribute_to(memory::kNobody);
      failed = memory::has_failed();
      memory::end();
      log.log_closing();
    });
    // Each line is whole, and those before and behind are there.
    EXPECT_GE(lines.size(), 2U);
    if (!lines.empty()) {
      EXPECT_EQ(lines.front()["kind"], "collective");
      EXPECT_EQ(lines.back()["kind"], "file");
    }
  }
  return fails - 1;
}

/// What a program asks for in text is an error then, and no end of it.
TEST(ReportJson, ThrowsNoMoreThanWantOfMemory) {
  TransferReport report = write_of(1);
  report.chunk_modes = {{0, TransferMode::kCollective}, {4, TransferMode::kIndependent}};
  std::uint64_t fails = 0;
  for (bool failed = true; failed; ++fails) {
    memory::begin(1);
    memory::fail_once(0, fails);
    memory::attribute_to(0);
    bool thrown = false;
    try {
      const std::string text = report_json(report);
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    memory::attribute_to(memory::kNobody);
    failed = memory::has_failed();
    memory::end();
    EXPECT_EQ(thrown, failed);
  }
  EXPECT_GT(fails, 5U);
}

TEST(ReportLog, AnIndependentTransferDoesNotFailForWantOfMemory) {
  const std::string path = "/a path that is longer than what a string keeps without memory";
  const std::vector<std::uint64_t> extent = {10, 20};
  const LoggedDataset stored{"chunked", 8, extent, extent, 1600, {"deflate (1)"}};
  std::uint64_t asked = run_short([&](ReportLog& log) {
    EXPECT_TRUE(log.wants_stored({"H5Dwrite", path}, Direction::kWrite));
  });
  EXPECT_EQ(asked, 0U);
  asked = run_short([&](ReportLog& log) {
    log.add_independent(write_of(1), {"H5Dwrite", path}, 96, &stored);
  });
  EXPECT_GT(asked, 2U);
}

TEST(ReportLog, AskedForWhatItHasItNeedsNoMore) {
  const std::vector<std::uint64_t> extent = {10};
  const Lines lines = logged([&](ReportLog& log) {
    const CallName call{"H5Dwrite", "/x"};
    EXPECT_TRUE(log.wants_stored(call, Direction::kWrite));
    const LoggedDataset stored{"contiguous", 8, extent, {}, 0, {}};
    log.add_independent(write_of(1), call, 96, &stored);
    EXPECT_FALSE(log.wants_stored(call, Direction::kWrite));
    EXPECT_TRUE(log.wants_stored(call, Direction::kRead));
    EXPECT_TRUE(log.wants_stored({"H5Dwrite", "/xy"}, Direction::kWrite));
    log.log_closing();
  });
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0]["stored"]["extent"], nlohmann::json({10}));
}

}  // namespace
}  // namespace pcio

#endif
