// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pcioreport: logs are read, whatever is in them; for each mistake the first advice names it; pages are safe.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "advice.hpp"
#include "html.hpp"
#include "run_log.hpp"
#include "text.hpp"
#include "words.hpp"

namespace pcio_report {
namespace {

using Json = nlohmann::json;
constexpr std::uint64_t kMs = 1000000, kMiB = 1 << 20;

Json metric(std::uint64_t each, std::uint64_t ranks = 4) {
  return {{"sum", each * ranks}, {"min", each}, {"min_rank", 0}, {"max", each}, {"max_rank", 0}};
}

/// A healthy transfer of 4 MiB on 4 ranks, 5 ms long.
Json healthy() {
  return {{"schema", 2},
          {"kind", "collective"},
          {"time", "2026-01-31T12:00:01.500Z"},
          {"file", "a.h5"},
          {"dataset", "/field"},
          {"function", "H5Dwrite"},
          {"ranks", 4},
          {"stored",
           {{"layout", "chunked"},
            {"element_bytes", 8},
            {"extent", {1024, 512}},
            {"chunk", {256, 512}},
            {"chunk_bytes", kMiB},
            {"filters", Json::array()}}},
          {"direction", "write"},
          {"succeeded", true},
          {"causes", {{"bits", 0}, {"text", Json::array()}}},
          {"transport", {{"direct", 4}}},
          {"transport_why", "few runs"},
          {"chunks", {{"distinct", 4}, {"shared", 0}}},
          {"totals",
           {{"nanoseconds", metric(5 * kMs)},
            {"nanoseconds_file", metric(4 * kMs)},
            {"bytes_selected", metric(kMiB)},
            {"bytes_written", metric(kMiB)},
            {"bytes_read", metric(0)},
            {"chunks_touched", metric(1)},
            {"independent_writes", metric(1)}}}};
}

Run run_of(const std::vector<Json>& lines) {
  std::stringstream log;
  for (const Json& line : lines) log << line.dump() << '\n';
  return read_log(log);
}

std::string first_of(const std::vector<Json>& lines) {
  const auto advice = advise(run_of(lines));
  return advice.empty() ? "none" : mistake_name(advice.front().mistake);
}

TEST(Advice, OfAHealthyRunThereIsNone) {
  EXPECT_EQ(first_of({healthy(), healthy(), healthy()}), "none");
}

TEST(Advice, NamesIndependentTransfers) {
  Json line = healthy();
  line["kind"] = "independent";
  line["transfers"] = 400;
  line["failed"] = 0;
  line["local_causes"] = {{"bits", 1}, {"text", {"independent I/O was asked for"}}};
  line["totals"]["nanoseconds"] = metric(900 * kMs);
  line["totals"]["independent_writes"] = metric(100000);
  const auto advice = advise(run_of({line}));
  ASSERT_FALSE(advice.empty());
  EXPECT_STREQ(mistake_name(advice[0].mistake), "independent");
  EXPECT_GT(advice[0].gain, 0.85);
  EXPECT_LE(advice[0].gain, 0.9);
}

TEST(Advice, NamesTransfersThatCouldNotBeCollective) {
  Json line = healthy();
  line["causes"]["text"] = {"MPI derived types switched off"};
  line["totals"]["nanoseconds"] = metric(500 * kMs);
  EXPECT_EQ(first_of({line}), "not-collective");
}

TEST(Advice, NamesTinyChunks) {
  Json line = healthy();
  line["stored"]["chunk"] = {4, 4};
  line["stored"]["chunk_bytes"] = 128;
  line["totals"]["nanoseconds"] = metric(400 * kMs);
  line["totals"]["chunks_touched"] = metric(8192);
  EXPECT_EQ(first_of({line, line}), "chunks");
}

TEST(Advice, NamesAConversion) {
  Json line = healthy();
  line["totals"]["converted"] = metric(1);
  line["totals"]["nanoseconds"] = metric(25 * kMs);
  line["totals"]["nanoseconds_conversion"] = metric(20 * kMs);
  const auto advice = advise(run_of({line, line}));
  ASSERT_FALSE(advice.empty());
  EXPECT_STREQ(mistake_name(advice[0].mistake), "conversion");
  // Twice 1 MiB of a rank have to be fetched from memory, converted or not.
  EXPECT_NEAR(advice[0].gain, 0.040 - 2.0 * kMiB / 2.5e9, 1e-6);
}

Json closing() {
  return {{"schema", 2},
          {"kind", "file"},
          {"time", "2026-01-31T12:00:02.000Z"},
          {"file", "a.h5"},
          {"ranks", 4},
          {"nanoseconds_open", 900 * kMs},
          {"metadata", Json::object()}};
}

Json calls(std::uint64_t number, std::uint64_t time, std::uint64_t fill) {
  return {{"calls", number},
          {"nanoseconds", {{"sum", 4 * time}, {"max", time}}},
          {"nanoseconds_fill", {{"sum", 4 * fill}, {"max", fill}}},
          {"bytes_filled", {{"sum", 4 * kMiB}, {"max", kMiB}}}};
}

TEST(Advice, NamesFillValues) {
  Json file = closing();
  file["metadata"]["create"] = calls(1, 90 * kMs, 80 * kMs);
  const auto advice = advise(run_of({healthy(), file}));
  ASSERT_FALSE(advice.empty());
  EXPECT_STREQ(mistake_name(advice[0].mistake), "fill");
  EXPECT_NEAR(advice[0].gain, 0.080, 1e-6);
}

TEST(Advice, NamesChunksThatRanksShare) {
  Json line = healthy();
  line["chunks"]["shared"] = 4;
  line["totals"]["nanoseconds"] = metric(30 * kMs);
  line["totals"]["nanoseconds_exchange"] = metric(20 * kMs);
  line["totals"]["bytes_sent"] = metric(kMiB / 2);
  const auto advice = advise(run_of({line}));
  ASSERT_FALSE(advice.empty());
  EXPECT_STREQ(mistake_name(advice[0].mistake), "straddle");
  EXPECT_NEAR(advice[0].gain, 0.020, 1e-6);
}

TEST(Advice, OfChunksWithFiltersExpectsTheWayBetweenRanksOnly) {
  Json line = healthy();
  line["stored"]["filters"] = {"fletcher32 (3)"};
  line["chunks"]["shared"] = 4;
  line["totals"]["nanoseconds"] = metric(30 * kMs);
  line["totals"]["nanoseconds_exchange"] = metric(20 * kMs);
  line["totals"]["bytes_sent"] = metric(kMiB / 2);
  EXPECT_EQ(first_of({line}), "none");  // within a machine it is next to nothing
  line["totals"]["bytes_between_nodes"] = metric(kMiB / 2);
  const auto advice = advise(run_of({line}));
  ASSERT_FALSE(advice.empty());
  EXPECT_STREQ(mistake_name(advice[0].mistake), "straddle");
  EXPECT_NEAR(advice[0].gain, kMiB / 2 / 2.5e9 + kMiB / 2 / 5e8, 1e-6);
}

Json late(std::uint64_t rank) {
  Json line = healthy();
  line["totals"]["nanoseconds"] = metric(65 * kMs);
  line["totals"]["nanoseconds_agreement"] = {
      {"sum", 180 * kMs}, {"min", 0}, {"min_rank", rank}, {"max", 60 * kMs}, {"max_rank", 0}};
  return line;
}

TEST(Advice, NamesTheRankThatOthersWaitFor) {
  const auto advice = advise(run_of(std::vector<Json>(10, late(2))));
  ASSERT_FALSE(advice.empty());
  EXPECT_STREQ(mistake_name(advice[0].mistake), "busy");
  EXPECT_NEAR(advice[0].gain, 0.45, 1e-6);
  EXPECT_NE(advice[0].title.find("rank 2"), std::string::npos);
}

TEST(Advice, ChanceIsNoBusyRank) {
  std::vector<Json> lines;
  for (std::uint64_t i = 0; i < 40; ++i) lines.push_back(late(i % 4));
  for (const Advice& each : advise(run_of(lines))) EXPECT_NE(each.mistake, Mistake::kBusyRank);
}

TEST(Advice, NamesTheRankThatHasAllOfTheData) {
  Json line = healthy();
  line["totals"]["bytes_selected"] = {
      {"sum", 4 * kMiB}, {"min", 0}, {"min_rank", 0}, {"max", 4 * kMiB}, {"max_rank", 3}};
  line["totals"]["nanoseconds"] = metric(100 * kMs);
  EXPECT_EQ(first_of({line}), "busy");
}

Json small() {
  Json line = healthy();
  line["totals"]["bytes_selected"] = line["totals"]["bytes_written"] = metric(2048);
  return line;
}

TEST(Advice, NamesACallForEachRow) { EXPECT_EQ(first_of(std::vector<Json>(100, small())), "rows"); }

TEST(Advice, NamesSmallAppends) {
  std::vector<Json> lines(100, small());
  lines.push_back(closing());
  lines.back()["metadata"]["extend"] = calls(100, 30 * kMs, 0);
  EXPECT_EQ(first_of(lines), "appends");
}

TEST(Advice, NamesFiltersThatSaveNothing) {
  Json line = healthy();
  line["stored"]["filters"] = {"deflate (1)"};
  line["totals"]["nanoseconds_filters"] = metric(3 * kMs);
  line["totals"]["bytes_raw"] = line["totals"]["bytes_stored"] = metric(kMiB);
  EXPECT_EQ(first_of({line}), "filters");
  line["stored"]["filters"] = {"fletcher32 (3)"};
  EXPECT_EQ(first_of({line}), "none");
}

TEST(Advice, IsOrderedByWhatItSaves) {
  Json line = late(1);
  line["totals"]["converted"] = metric(1);
  line["totals"]["nanoseconds_conversion"] = metric(3 * kMs);
  const auto advice = advise(run_of(std::vector<Json>(10, line)));
  ASSERT_EQ(advice.size(), 2U);
  EXPECT_GE(advice[0].gain, advice[1].gain);
}

TEST(RunLog, LinesThatCantBeReadAreCountedAndLeftOut) {
  std::stringstream log;
  log << healthy().dump() << "\n{\"kind\":\n\n[1,2]\nnull\n" << std::string(100000, '[') << '\n';
  Json wrong = healthy();
  wrong["totals"]["nanoseconds"]["max"] = -5;
  log << wrong.dump() << '\n';
  wrong = healthy();
  wrong["ranks"] = "many";
  log << wrong.dump() << '\n';
  wrong = healthy();
  wrong["stored"]["chunk"] = std::vector<int>(1000, 1);
  log << wrong.dump() << "\n{\"kind\":\"file\",\"file\":7}\n\xff\xfe\n" << healthy().dump();
  const auto run = read_log(log);
  EXPECT_EQ(run.lines, 11U);
  EXPECT_EQ(run.malformed, 9U);
  ASSERT_EQ(run.datasets.size(), 1U);
  EXPECT_EQ(run.datasets[0].collective, 2U);
}

TEST(RunLog, LinesOfEarlierReleasesLackSome) {
  Json line = healthy();
  line["schema"] = 1;
  line["time"] = "2026-01-31T12:00:01Z";
  line.erase("chunks");
  line.erase("stored");
  const auto run = run_of({line});
  EXPECT_EQ(run.malformed, 0U);
  EXPECT_EQ(run.datasets.at(0).written, 4 * kMiB);
  EXPECT_EQ(stored_text(run.datasets[0].stored), "not known");
}

TEST(RunLog, ExtremeNumbersMakeAPage) {
  Json line = healthy();
  line["ranks"] = 18446744073709551615U;
  for (auto& [name, each] : line["totals"].items())
    for (auto& [what, value] : each.items()) value = 18446744073709551615U;
  line["chunks"]["shared"] = 18446744073709551615U;
  line["time"] = "9999-99-99T99:99:99Z";
  const auto run = run_of({line, line});
  EXPECT_FALSE(html_page(run, advise(run), "x").empty());
  EXPECT_FALSE(run_text(run, advise(run), 80).empty());
}

TEST(Page, TextOfALogIsNeverMarkup) {
  const std::string evil = "<script>alert('\"&')</script>\x1b[31m\n";
  Json line = healthy();
  line["dataset"] = line["file"] = line["function"] = line["transport_why"] = evil;
  line["stored"]["layout"] = evil;
  line["stored"]["filters"] = {evil};
  line["causes"]["text"] = {evil};
  line["transport"] = {{evil, 4}};
  line["totals"]["nanoseconds"] = metric(500 * kMs);
  Json file = closing();
  file["file"] = evil;
  file["metadata"][evil] = calls(10, 90 * kMs, 80 * kMs);
  const auto run = run_of({line, file});
  ASSERT_EQ(run.malformed, 0U);
  const auto advice = advise(run);
  ASSERT_GE(advice.size(), 2U);
  const std::string page = html_page(run, advice, evil);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("alert('"), std::string::npos);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_EQ(page.find("http://"), std::string::npos);
  EXPECT_EQ(page.find("https://"), std::string::npos);
  EXPECT_EQ(run_text(run, advice, 80).find('\x1b'), std::string::npos);
}

TEST(Words, AreShort) {
  EXPECT_EQ(bytes_text(1), "1 bytes");
  EXPECT_EQ(bytes_text(3250586), "3.1 MiB");
  EXPECT_EQ(seconds_text(1.236), "1.24 s");
  EXPECT_EQ(seconds_text(0.0312), "31 ms");
  EXPECT_EQ(percent_text(37, 100), "37 %");
  EXPECT_EQ(percent_text(0.4, 100), "0.4 %");
  EXPECT_EQ(counted(1, "transfer"), "1 transfer");
  EXPECT_EQ(printable("a\x1b[3\xc2\x9b"), "a?[3?");
}

}  // namespace
}  // namespace pcio_report
