// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The report log of one rank: lines appended, nothing where it is off, a warning where it can't be.

#include "storage/file/report_log.hpp"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/temp_path.hpp"

namespace pcio {
namespace {

/// Sets PCIO_REPORT for one scope.
class ReportTo {
 public:
  explicit ReportTo(const std::string& path) { setenv("PCIO_REPORT", path.c_str(), 1); }
  ReportTo(const ReportTo&) = delete;
  ReportTo& operator=(const ReportTo&) = delete;
  ~ReportTo() { unsetenv("PCIO_REPORT"); }
};

std::vector<nlohmann::json> lines_of(const std::string& path) {
  std::vector<nlohmann::json> lines;
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

TEST(ReportLog, AppendsALineForEachCollectiveTransferAndOneForTheOthers) {
  const test::TempPath path("report.jsonl");
  const ReportTo report_to(path.str());
  ReportLog log(Coordinator::serial(), "a.h5");
  EXPECT_TRUE(log.is_on());
  log.log_collective(write_of(10), {"H5Dwrite", "/x"});
  log.add_independent(write_of(1), {"H5Dwrite", "/x"}, 96);
  log.log_collective(write_of(20), {"H5Dwrite", "/y"});
  log.add_independent(write_of(2), {"H5Dwrite", "/x"}, 96);
  log.log_closing();
  const auto lines = lines_of(path.str());
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
  const test::TempPath path("report.jsonl");
  const ReportTo report_to(path.str());
  ReportLog log(Coordinator::serial(), "a.h5");
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
  const MetadataKept close(log, counters, MetadataKind::kClose);
  log.log_closing();
  counters.bytes_written += 100;  // behind the line
  const auto lines = lines_of(path.str());
  ASSERT_EQ(lines.size(), 1U);
  const auto& calls = lines[0]["metadata"];
  EXPECT_EQ(calls["create"]["calls"], 1);
  EXPECT_EQ(calls["create"]["bytes_written"]["sum"], 10);
  EXPECT_EQ(calls["create"]["bytes_filled"]["max"], 5);
  EXPECT_FALSE(calls.contains("flush"));
  EXPECT_EQ(calls["close"]["calls"], 1);
}

TEST(ReportLog, WhatIsKeptMayOutliveIt) {
  const test::TempPath path("report.jsonl");
  const ReportTo report_to(path.str());
  IoCounters counters;
  auto log = std::make_unique<ReportLog>(Coordinator::serial(), "a.h5");
  MetadataKept close(*log, counters, MetadataKind::kClose);
  log.reset();
  close.finish();
  EXPECT_TRUE(lines_of(path.str()).empty());
}

TEST(ReportLog, IsOffWithoutAPath) {
  unsetenv("PCIO_REPORT");
  ReportLog log(Coordinator::serial(), "a.h5");
  EXPECT_FALSE(log.is_on());
  log.log_collective(write_of(1), {"H5Dwrite", "/x"});
  log.log_closing();
}

TEST(ReportLog, WarnsOnceWhereItCantWrite) {
  const ReportTo report_to("/nonexistent/folder/report.jsonl");
  ReportLog log(Coordinator::serial(), "a.h5");
  testing::internal::CaptureStderr();
  log.log_collective(write_of(1), {"H5Dwrite", "/x"});
  log.log_collective(write_of(1), {"H5Dwrite", "/x"});
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("/nonexistent/folder/report.jsonl"), std::string::npos);
  EXPECT_EQ(said.find("warning"), said.rfind("warning"));
}

TEST(ReportLog, IsSilentOnceTheRanksLostStep) {
  const test::TempPath path("report.jsonl");
  const ReportTo report_to(path.str());
  const auto coordinator = Coordinator::serial();
  ReportLog log(coordinator, "a.h5");
  coordinator->poison(PCIO_ERROR(FILE, MPI, "broken"));
  log.log_collective(write_of(1), {"H5Dwrite", "/x"});
  EXPECT_TRUE(lines_of(path.str()).empty());
}

}  // namespace
}  // namespace pcio
