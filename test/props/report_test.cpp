// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Reports added up beside a plain loop, and their JSON read back.

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "props/report_json.hpp"
#include "props/report_totals.hpp"
#include "props/transfer_props.hpp"

namespace pcio {
namespace {

using Json = nlohmann::json;

TransferReport some_report() {
  TransferReport report;
  report.used = report.succeeded = report.verified = true;
  report.direction = Direction::kWrite;
  report.requested = {
      TransferMode::kCollective, CollectiveOpt::kCollectiveIo, ChunkOpt::kAtOnce, 3, 40,
      Transport::kView};
  report.io_mode = ActualIoMode::kChunkMixed;
  report.chunk_opt = ActualChunkOpt::kAtOnce;
  report.transport = Transport::kExchange;
  report.transport_why = "small pieces";
  report.traits.converted = true;
  report.bytes_selected = 800;
  report.chunks_touched = 3;
  report.chunks = {2, 1, 7};
  report.counts.independent_writes = 5;
  report.counts.bytes_written = 1600;
  report.exchange = {100, 900, 1, 2, 3};
  report.nanoseconds = 1500000000;
  report.spent = {{1, 20, 300, 4000, 50000, 600000}, {4096, 1024, 77}};
  report.chunk_modes = {{0, TransferMode::kCollective}, {4, TransferMode::kIndependent}};
  return report;
}

TEST(ReportTotals, OfManyRanksAreSumsExtremaAndWhere) {
  std::mt19937_64 random(4711);
  for (int ranks : {1, 2, 3, 7, 64}) {
    std::vector<RankTotals> all(static_cast<std::size_t>(ranks));
    for (RankTotals& one : all) {
      for (std::uint64_t& value : one.metrics) value = random() % 5;  // many ties
      for (std::uint64_t& value : one.io_modes) value = random() % 3;
      for (std::uint64_t& value : one.transports) value = random() % 3;
      one.causes = static_cast<CauseBits>(random() & 0x7);
    }
    std::vector<ReportTotals> blocks;
    for (int r = 0; r < ranks; ++r)
      blocks.push_back(totals_of(all[static_cast<std::size_t>(r)], r));
    // In any order and in any grouping.
    std::shuffle(blocks.begin(), blocks.end(), random);
    while (blocks.size() > 1) {
      const std::size_t into = random() % (blocks.size() - 1);
      MergeReportTotals{}(blocks[into].words(), blocks.back().words());
      blocks.pop_back();
    }
    const ReportTotals& total = blocks.front();
    for (std::size_t i = 0; i < kMetrics; ++i) {
      MetricTotals wanted{0, ~std::uint64_t{0}, 0, 0, 0};
      bool first = true;
      for (std::size_t r = 0; r < all.size(); ++r) {
        const std::uint64_t value = all[r].metrics[i];
        wanted.sum += value;
        if (value < wanted.min) wanted.min = value, wanted.min_rank = r;
        if (first || value > wanted.max) wanted.max = value, wanted.max_rank = r;
        first = false;
      }
      const MetricTotals& have = total.metrics[i];
      EXPECT_EQ(have.sum, wanted.sum);
      EXPECT_EQ(have.min, wanted.min);
      EXPECT_EQ(have.min_rank, wanted.min_rank);
      EXPECT_EQ(have.max, wanted.max);
      EXPECT_EQ(have.max_rank, wanted.max_rank);
    }
    CauseBits causes = 0;
    std::uint64_t mixed = 0;
    for (const RankTotals& one : all) {
      causes |= one.causes;
      mixed += one.io_modes[3];
    }
    EXPECT_EQ(total.causes, causes);
    EXPECT_EQ(total.io_modes[3], mixed);
  }
}

TEST(RankTotals, AddUpTransfers) {
  RankTotals totals;
  totals.add(some_report());
  TransferReport failed = some_report();
  failed.succeeded = false;
  failed.local_causes = cause::kFilters;
  totals.add(failed);
  TransferReport unproven = some_report();
  unproven.verified = false;
  totals.add(unproven);
  EXPECT_EQ(totals[Metric::kTransfers], 3U);
  EXPECT_EQ(totals[Metric::kFailed], 1U);
  EXPECT_EQ(totals[Metric::kUnverified], 1U);
  EXPECT_EQ(totals[Metric::kBytesWritten], 4800U);
  EXPECT_EQ(totals[Metric::kChunksIndependent], 3U);
  EXPECT_EQ(totals[Metric::kExchangeRounds], 9U);
  EXPECT_EQ(totals[Metric::kAgreementTime], 3U);
  EXPECT_EQ(totals[Metric::kConversionTime], 150000U);
  EXPECT_EQ(totals[Metric::kConverted], 3U);
  EXPECT_EQ(totals.causes, cause::kFilters);
  EXPECT_EQ(totals.transports[static_cast<std::size_t>(Transport::kExchange)], 3U);
}

TEST(ReportJson, SaysWhatTheReportSays) {
  const Json json = Json::parse(report_json(some_report()));
  EXPECT_EQ(json["schema"], kReportSchema);
  EXPECT_EQ(json["kind"], "transfer");
  EXPECT_EQ(json["direction"], "write");
  EXPECT_EQ(json["requested"]["chunk_opt"], "at once");
  EXPECT_EQ(json["requested"]["transport"], "view");
  EXPECT_EQ(json["io_mode"], "chunk mixed");
  EXPECT_EQ(json["chunk_opt"], "collective chunks at once");
  EXPECT_EQ(json["transport"], "exchange");
  EXPECT_EQ(json["transport_why"], "small pieces");
  EXPECT_EQ(json["traits"]["converted"], true);
  EXPECT_EQ(json["causes"]["bits"], 0);
  EXPECT_EQ(json["causes"]["text"], Json::array());
  EXPECT_EQ(json["seconds"], 1.5);
  EXPECT_EQ(json["counts"]["bytes_written"], 1600);
  EXPECT_EQ(json["counts"]["chunks_untouched"], 7);
  EXPECT_EQ(json["counts"]["messages_received"], 2);
  ASSERT_EQ(json["chunk_modes"].size(), 2U);
  EXPECT_EQ(json["chunk_modes"][1]["chunk"], 4);
  EXPECT_EQ(json["chunk_modes"][1]["mode"], "independent");
}

TEST(ReportJson, OfALineSaysHowTheDatasetIsStored) {
  RankTotals mine;
  mine.add(some_report());
  const std::vector<std::uint64_t> extent = {100, 7}, chunk = {10, 7};
  LoggedDataset stored{"chunked", 8, extent, chunk, 560, {"deflate (1)"}};
  std::string text = stored_text(stored);
  ReportOrigin origin{"f.h5", "/d", "H5Dwrite", "now", 1, text};
  const Json line = Json::parse(transfer_line(origin, some_report(), totals_of(mine, 0)));
  const Json wanted = {{"layout", "chunked"}, {"element_bytes", 8}, {"extent", {100, 7}},
                       {"chunk", {10, 7}},    {"chunk_bytes", 560}, {"filters", {"deflate (1)"}}};
  EXPECT_EQ(line["stored"], wanted);
  EXPECT_EQ(line["totals"]["nanoseconds_file"]["sum"], 300);
  EXPECT_EQ(line["totals"]["converted"]["max"], 1);
  EXPECT_EQ(line["totals"]["nanoseconds_fill"]["sum"], 600000);
  EXPECT_EQ(line["totals"]["bytes_stored"]["sum"], 1024);
  EXPECT_EQ(line["totals"]["bytes_filled"]["sum"], 77);
  EXPECT_FALSE(line.contains("chunks"));
  text = stored_text({"contiguous", 4, extent, {}, 0, {}});
  origin.stored = text;
  const Json other = Json::parse(transfer_line(origin, some_report(), totals_of(mine, 0)));
  EXPECT_FALSE(other["stored"].contains("chunk"));
  origin.stored = {};
  EXPECT_FALSE(
      Json::parse(transfer_line(origin, some_report(), totals_of(mine, 0))).contains("stored"));
}

TEST(ReportJson, OfAFreshListIsShort) {
  const Json json = Json::parse(report_json(TransferReport()));
  EXPECT_EQ(json["used"], false);
  EXPECT_FALSE(json.contains("counts"));
}

TEST(ReportJson, LinesAreOneLineWhateverTheNamesAre) {
  TransferReport report = some_report();
  report.global_causes = cause::kSetIndependent | cause::kMpiposix;
  RankTotals mine;
  mine.add(report);
  const ReportTotals totals = totals_of(mine, 0);
  const std::string line = transfer_line(
      {"a\nb\xff.h5", "/gr\"oup\\", "H5Dwrite", "2026-01-01T00:00:00Z", 1, {}}, report, totals);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const Json json = Json::parse(line);
  EXPECT_EQ(json["kind"], "collective");
  EXPECT_EQ(json["dataset"], "/gr\"oup\\");
  EXPECT_EQ(json["file"], "a\nb\xEF\xBF\xBD.h5");
  EXPECT_EQ(json["io_mode"], Json({{"chunk mixed", 1}}));
  EXPECT_EQ(json["transport"], Json({{"exchange", 1}}));
  EXPECT_EQ(json["causes"]["bits"], 0x10001);
  EXPECT_EQ(json["causes"]["text"].size(), 2U);
  EXPECT_EQ(json["totals"]["bytes_written"]["max"], 1600);
  const IndependentRow row{1, 1, {}, totals};
  const Json sums = Json::parse(independent_line({"f", "/d", {}, "t", 1, {}}, row));
  EXPECT_EQ(sums["kind"], "independent");
  EXPECT_EQ(sums["transfers"], 1);
  EXPECT_EQ(sums["direction"], "write");
  EXPECT_EQ(sums["dataset"], "/d");
}

/// Rows are found by their numbers.
TEST(Transports, StandInTheirOrder) {
  for (std::size_t i = 0; i < kTransports; ++i)
    EXPECT_EQ(static_cast<std::size_t>(kTransportTable[i].transport), i);
  EXPECT_EQ(row_of(static_cast<Transport>(100)).transport, Transport::kNone);
}

TEST(TransferNames, GoBothWays) {
  for (int i = 1; i <= 4; ++i) {
    const auto transport = static_cast<Transport>(i);
    EXPECT_EQ(transport_named(transport_name(transport)), transport);
  }
  EXPECT_STREQ(transport_name(static_cast<Transport>(5)), "unknown");
  EXPECT_STREQ(transport_name(static_cast<Transport>(-1)), "unknown");
  EXPECT_EQ(askable_transports(), "direct, view, exchange");
  EXPECT_EQ(transport_named("none"), Transport::kNone);
  EXPECT_EQ(transport_named("telepathy"), Transport::kNone);
  EXPECT_STREQ(requested_chunk_opt_name(ChunkOpt::kMultiNoOpt), "multi I/O without optimization");
  EXPECT_EQ(cause_text(0), "collective");
  EXPECT_TRUE(cause_names(0).empty());
}

TEST(TransferProps, OwnPropertiesCountInEquality) {
  TransferProps a;
  TransferProps b;
  EXPECT_EQ(a, b);
  b.forced_transport = Transport::kDirect;
  EXPECT_FALSE(a == b);
  b = a;
  b.exchange_memory = kLeastExchangeMemory;
  EXPECT_FALSE(a == b);
  b = a;
  b.keep_chunk_modes = true;
  EXPECT_FALSE(a == b);
  b = a;
  b.report = some_report();  // a result, not a property
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace pcio
