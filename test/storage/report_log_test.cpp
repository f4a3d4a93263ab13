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
  log.add_independent(write_of(1));
  log.log_collective(write_of(20), {"H5Dwrite", "/y"});
  log.add_independent(write_of(2));
  log.log_independent();
  log.log_independent();  // nothing new: no line
  const auto lines = lines_of(path.str());
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0]["dataset"], "/x");
  EXPECT_EQ(lines[1]["totals"]["bytes_written"]["sum"], 20);
  EXPECT_EQ(lines[2]["kind"], "independent");
  EXPECT_EQ(lines[2]["transfers"], 2);
  EXPECT_EQ(lines[2]["totals"]["bytes_written"]["sum"], 3);
  EXPECT_EQ(lines[2]["file"], "a.h5");
}

TEST(ReportLog, IsOffWithoutAPath) {
  unsetenv("PCIO_REPORT");
  ReportLog log(Coordinator::serial(), "a.h5");
  EXPECT_FALSE(log.is_on());
  log.log_collective(write_of(1), {"H5Dwrite", "/x"});
  log.log_independent();
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
