// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The report log over MPI: totals, extrema and their ranks; only rank 0's environment counts.

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "par_test.hpp"
#include "storage/file/report_log.hpp"

namespace pcio {
namespace {

using test::ParallelTest;

std::shared_ptr<Coordinator> make(ParallelTest& t) {
  Result<std::shared_ptr<Lobby>> lobby = Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio");
  t.check(lobby ? Status() : lobby.error(), "duplicate");
  auto made = Coordinator::create(**lobby, {"H5Fcreate", "x.h5"});
  t.check(made ? Status() : made.error(), "create a coordinator");
  return *made;
}

/// Each rank writes rank + 1 hundreds of bytes; the last one fails.
TransferReport report_of(const ParallelTest& t) {
  TransferReport report;
  report.used = report.verified = true;
  report.succeeded = t.rank() + 1 < t.size();
  report.direction = Direction::kWrite;
  report.counts.bytes_written = 100 * (static_cast<std::uint64_t>(t.rank()) + 1);
  report.local_causes = 1U << t.rank();
  report.global_causes = (1U << t.size()) - 1;
  report.io_mode = t.rank() == 0 ? ActualIoMode::kChunkMixed : ActualIoMode::kChunkCollective;
  report.transport = Transport::kExchange;
  return report;
}

void check_collective(ParallelTest& t, const nlohmann::json& line) {
  const auto n = static_cast<std::uint64_t>(t.size());
  const auto& bytes = line["totals"]["bytes_written"];
  t.check(line["ranks"] == n && line["dataset"] == "/data", "whose line it is");
  t.check(line["succeeded"] == false, "one rank's failure is the transfer's");
  t.check(bytes["sum"] == 50 * n * (n + 1) && bytes["min"] == 100 && bytes["max"] == 100 * n,
          "sum, minimum, maximum");
  t.check(bytes["min_rank"] == 0 && bytes["max_rank"] == n - 1, "where they are");
  t.check(line["local_causes"]["bits"] == (1U << n) - 1, "causes of all ranks");
  t.check(line["io_mode"]["chunk mixed"] == 1, "ranks by mode");
  t.check(line["transport"]["exchange"] == n, "ranks by transport");
}

void check_closing(ParallelTest& t, const std::vector<nlohmann::json>& lines) {
  const auto n = static_cast<std::uint64_t>(t.size());
  t.check(lines[3]["transfers"] == 1 && lines[3]["failed"] == 1, "independent transfers");
  t.check(lines[3]["dataset"] == "/alone" && lines[3]["transferring"] == 1, "whose they are");
  t.check(lines[4]["kind"] == "dataset" && lines[4]["independent"] == 1, "a dataset's line");
  t.check(lines[5]["collective"] == 3 && lines[5]["failed"] == 3, "the other's");
  t.check(lines[5]["sums"]["bytes_written"] == 150 * n * (n + 1), "bytes of its transfers");
  t.check(lines[6]["kind"] == "file" && lines[6]["metadata"].empty(), "the file's");
}

void lines_have_totals(ParallelTest& t) {
  const std::string path = t.shared_path("report.jsonl");
  // What the other ranks' environment says does not count.
  setenv("PCIO_REPORT", t.rank() == 0 ? path.c_str() : "/nonexistent/elsewhere", 1);
  auto coordinator = make(t);
  unsetenv("PCIO_REPORT");
  ReportLog log(coordinator, "file.h5");
  t.check(log.is_on(), "the log is on on every rank");
  for (int i = 0; i < 3; ++i) log.log_collective(report_of(t), {"H5Dwrite", "/data"});
  // Only the last rank makes independent transfers.
  if (t.rank() == t.size() - 1) log.add_independent(report_of(t), {"H5Dwrite", "/alone"}, 96);
  log.log_closing();
  if (t.rank() == 0) {
    std::vector<nlohmann::json> lines;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
    t.check(lines.size() == 7,
            "three collective transfers, one line of independent ones, two datasets, a file");
    for (std::size_t i = 0; i < lines.size() && i < 3; ++i) check_collective(t, lines[i]);
    if (lines.size() == 7) check_closing(t, lines);
  }
  t.check(coordinator->close(), "close");
  t.remove_shared(path);
}

void off_is_off(ParallelTest& t) {
  if (t.rank() != 0) setenv("PCIO_REPORT", "/nonexistent/elsewhere", 1);
  auto coordinator = make(t);
  unsetenv("PCIO_REPORT");
  ReportLog log(coordinator, "file.h5");
  t.check(!log.is_on(), "the log is off on every rank");
  log.log_collective(report_of(t), {"H5Dwrite", "/data"});
  t.check(coordinator->close(), "close");
}

}  // namespace
}  // namespace pcio

int main(int argc, char** argv) {
  pcio::test::ParallelTest t(argc, argv);
  pcio::lines_have_totals(t);
  pcio::off_is_off(t);
  return t.finish();
}
