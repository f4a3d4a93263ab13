// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pcioexplain: who has what, plans beside a count of all elements, maps, advice.

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "dry_run.hpp"
#include "failure.hpp"
#include "map.hpp"
#include "text.hpp"

namespace pcio_explain {
namespace {

/// Calls f(coordinates) for each element of a slab.
template <class F>
void for_each_element(const Slab& slab, F&& f) {
  if (slab.empty()) return;
  const std::size_t n = slab.start.size();
  Numbers at(n, 0);
  for (;;) {
    Numbers element(n);
    for (std::size_t d = 0; d < n; ++d)
      element[d] = slab.start[d] + at[d] / slab.block[d] * slab.stride[d] + at[d] % slab.block[d];
    f(element);
    std::size_t d = n;
    while (d > 0 && ++at[d - 1] == slab.count[d - 1] * slab.block[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

std::uint64_t ordinal(const Numbers& at, const Numbers& dims) {
  std::uint64_t number = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) number = number * dims[d] + at[d];
  return number;
}

Subject subject_of(const Numbers& dims, const Numbers& chunk, bool filtered = false) {
  Subject subject;
  subject.dims = dims;
  subject.chunk = chunk;
  subject.type = "f8";
  subject.element_bytes = 8;
  if (filtered) subject.filters = {{1, 0, {6}, ""}};
  return subject;
}

struct Planned {
  Plan plan;
  std::vector<ChunkUse> uses;
  Figures figures;
};
Planned plan_of(const Subject& subject, const Deal& deal, const Settings& settings = {}) {
  Planned out;
  out.plan = dry_run(subject, settings, deal);
  out.uses = chunk_uses(out.plan);
  out.figures = figures_of(out.plan, out.uses);
  return out;
}

TEST(Deals, GiveEachElementToOneRank) {
  for (const Numbers& dims : {Numbers{17}, Numbers{7, 10}, Numbers{5, 4, 9}, Numbers{2, 3}})
    for (const Numbers& grid : {Numbers{4, 3, 2}, Numbers{1, 1, 1}, Numbers{3, 5, 4}})
      for (const bool cyclic : {false, true}) {
        const Numbers ranks(grid.begin(), grid.begin() + static_cast<std::ptrdiff_t>(dims.size()));
        const Deal deal = cyclic ? deal_cyclic(dims, ranks) : deal_blocks(dims, ranks);
        std::map<std::uint64_t, int> seen;
        for (const Slab& slab : deal)
          for_each_element(slab, [&](const Numbers& at) { ++seen[ordinal(at, dims)]; });
        std::uint64_t all = 1;
        for (const std::uint64_t dim : dims) all *= dim;
        EXPECT_EQ(seen.size(), all);
        for (const auto& [element, times] : seen) EXPECT_EQ(times, 1) << element;
      }
}

TEST(Deals, TheFirstRanksHaveTheRemainder) {
  const Deal deal = deal_blocks({10}, {4});
  ASSERT_EQ(deal.size(), 4U);
  EXPECT_EQ(deal[1].block[0], 3U);
  EXPECT_EQ(deal[2].block[0], 2U);
  EXPECT_EQ(deal[3].start[0], 8U);
}

TEST(Slabs, AreReadWithCommentsAndBoxes) {
  std::istringstream in("# who has what\n0x0 2x1 4x1 1x6\n\n  1x0 3x6 # a box\nnone\n");
  const Deal deal = read_slabs(in, "list", {8, 6});
  ASSERT_EQ(deal.size(), 3U);
  EXPECT_EQ(deal[0].elements(), 24U);
  EXPECT_EQ(deal[1].block, (Numbers{3, 6}));
  EXPECT_TRUE(deal[2].empty());
}

TEST(Slabs, EveryNumberIsChecked) {
  const std::pair<const char*, const char*> kBad[] = {
      {"0x0 1x1 1x1", "3 words"},
      {"0x0 1x1 1x1 1", "1 dimension"},
      {"0x0 1x1 2x1 2x1", "blocks overlap"},
      {"0x0 0x1 1x1 1x1", "blocks overlap"},
      {"7x0 2x6", "leave the dataset"},
      {"0x0 4x1 3x1 1x1", "leave the dataset"},
      {"0x0 9223372036854775807x1 2x1 1x1", "leave the dataset"},
      {"0x0 18446744073709551616x1 1x1 1x1", "numbers from 0"},
      {"0x 1x1", "numbers from 0"},
      {"-1x0 1x1", "numbers from 0"},
      {"a b", "numbers from 0"},
      {"# nothing", "no line for a rank"}};
  for (const auto& [text, reason] : kBad) {
    std::istringstream in(text);
    try {
      read_slabs(in, "list", {8, 6});
      ADD_FAILURE() << text << " is taken";
    } catch (const Failure& failure) {
      EXPECT_NE(std::string(failure.what()).find(reason), std::string::npos) << failure.what();
      EXPECT_EQ(std::string(failure.what()).rfind("list", 0), 0U) << failure.what();
    }
  }
}

/// Chunks, shared chunks, bytes of each rank and most bytes of each chunk, counted element by element.
TEST(Plans, CountWhatACountOfAllElementsCounts) {
  std::mt19937 random(7);
  int shared_cases = 0, alone_cases = 0;
  for (int i = 0; i < 24; ++i) {
    const std::size_t n = 1 + static_cast<std::size_t>(i) % 3;
    Numbers dims, chunk, grid, chunks;
    for (std::size_t d = 0; d < n; ++d) {
      dims.push_back(4 + random() % 20);
      chunk.push_back(1 + random() % dims.back());
      grid.push_back(1 + random() % 3);
      chunks.push_back((dims.back() - 1) / chunk.back() + 1);
    }
    const Deal deal = i % 2 == 0 ? deal_blocks(dims, grid) : deal_cyclic(dims, grid);
    std::map<std::uint64_t, std::map<std::size_t, std::uint64_t>> bytes;
    for (std::size_t r = 0; r < deal.size(); ++r)
      for_each_element(deal[r], [&](Numbers at) {
        for (std::size_t d = 0; d < n; ++d) at[d] /= chunk[d];
        bytes[ordinal(at, chunks)][r] += 8;
      });
    const Planned planned = plan_of(subject_of(dims, chunk, i % 4 == 3), deal);
    std::uint64_t shared = 0;
    for (const auto& [number, of_ranks] : bytes) {
      const ChunkUse& use = planned.uses[static_cast<std::size_t>(number)];
      EXPECT_EQ(use.ranks, of_ranks.size());
      EXPECT_EQ(use.first, of_ranks.begin()->first);
      EXPECT_EQ(of_ranks.count(use.owner), 1U) << "an owner has a part";
      std::uint64_t most = 0;
      for (const auto& [rank, here] : of_ranks) most = std::max(most, here);
      EXPECT_EQ(use.most, most);
      shared += of_ranks.size() > 1 ? 1 : 0;
    }
    EXPECT_EQ(planned.figures.distinct, bytes.size());
    EXPECT_EQ(planned.figures.shared, shared);
    EXPECT_EQ(planned.figures.collective_chunks.sum, planned.figures.touched.sum);
    std::uint64_t all = 8;
    for (const std::uint64_t dim : dims) all *= dim;
    EXPECT_EQ(planned.figures.selected.sum, all);
    (shared > 0 ? shared_cases : alone_cases) += 1;
  }
  EXPECT_GT(shared_cases, 0);
  EXPECT_GT(alone_cases, 0);
}

TEST(Plans, AreMadeOfManyRanks) {
  const Planned planned = plan_of(subject_of({64, 64}, {4, 4}), deal_blocks({64, 64}, {16, 16}));
  EXPECT_EQ(planned.plan.ranks.size(), 256U);
  EXPECT_EQ(planned.figures.shared, 0U);
  EXPECT_EQ(planned.figures.sent.sum, 0U);
  EXPECT_EQ(planned.figures.written.sum, 64U * 64 * 8);
}

TEST(Plans, NodesCountWhatLeavesThem) {
  const Subject subject = subject_of({64, 64}, {64, 64}, true);
  Settings settings;
  const Deal deal = deal_blocks({64, 64}, {4, 1});
  EXPECT_EQ(plan_of(subject, deal, settings).figures.between_nodes.sum, 0U);
  settings.nodes = 4;
  const Planned planned = plan_of(subject, deal, settings);
  EXPECT_EQ(planned.figures.between_nodes.sum, planned.figures.sent.sum);
  EXPECT_GT(planned.figures.sent.sum, 0U);
}

TEST(Advice, NamesSharedChunksAndAShapeThatHasNone) {
  const Deal deal = deal_blocks({1024, 1024}, {4, 2});
  const Planned planned = plan_of(subject_of({1024, 1024}, {300, 500}, true), deal);
  const Numbers better = better_chunk(planned.plan, planned.figures, deal);
  EXPECT_EQ(better, (Numbers{256, 512}));
  Trial trial{subject_of({1024, 1024}, better, true), {}, "", {}, {}};
  trial.plan = dry_run(trial.subject, {}, deal);
  trial.figures = figures_of(trial.plan, chunk_uses(trial.plan));
  const auto advice = advise(planned.plan, planned.figures, trial);
  ASSERT_FALSE(advice.empty());
  EXPECT_EQ(advice.front().name, "straddle");
  EXPECT_NE(advice.front().remedy.find("256x512"), std::string::npos) << advice.front().remedy;
  EXPECT_NE(advice.front().remedy.find("0 shared"), std::string::npos) << advice.front().remedy;
}

TEST(Advice, OfAGoodPlanThereIsNone) {
  const Deal deal = deal_blocks({1024, 1024}, {2, 2});
  const Planned planned = plan_of(subject_of({1024, 1024}, {256, 512}), deal);
  EXPECT_TRUE(advise(planned.plan, planned.figures, std::nullopt).empty());
}

TEST(Advice, NamesTinyChunksAConversionAndABusyRank) {
  const Deal deal = {{{0, 0}, {960, 64}, {1, 1}, {960, 64}},
                     {{960, 0}, {64, 64}, {1, 1}, {64, 64}}};
  Settings settings;
  settings.memory_type = "f4";
  const Planned planned = plan_of(subject_of({1024, 64}, {4, 64}), deal, settings);
  std::string names;
  for (const Advice& each : advise(planned.plan, planned.figures, std::nullopt))
    names += each.name + " ";
  EXPECT_EQ(names, "chunks conversion busy ");
}

TEST(Comparisons, PutTheCheapestFirst) {
  const Deal deal = deal_blocks({512, 512}, {2, 2});
  const Subject subject = subject_of({512, 512}, {200, 200});
  const auto trials =
      compare(subject, {}, deal, candidate_chunks(subject, deal), [](auto, auto) {});
  ASSERT_GT(trials.size(), 4U);
  for (std::size_t i = 1; i < trials.size(); ++i)
    EXPECT_LE(trials[i - 1].figures.cost, trials[i].figures.cost);
  EXPECT_EQ(trials.front().figures.shared, 0U);
  EXPECT_NE(trials_text(trials).find("as given"), std::string::npos);
}

TEST(Maps, ShowEachChunkOnceAndDrawManyTogether) {
  const Deal deal = deal_blocks({40, 90}, {2, 3});
  const Planned planned = plan_of(subject_of({40, 90}, {3, 4}), deal);
  for (const std::uint64_t most : {100, 5, 1}) {
    const ChunkMap map = chunk_map(planned.plan, planned.uses, most, most, 1);
    std::uint64_t chunks = 0, shared = 0;
    for (const Cell& cell : map.slices.at(0).cells) {
      chunks += cell.chunks;
      shared += cell.shared;
    }
    EXPECT_EQ(chunks, planned.figures.chunks);
    EXPECT_EQ(shared, planned.figures.shared);
    EXPECT_LE(map.rows, most);
    EXPECT_LE(map.columns, most);
  }
}

TEST(Maps, OfOneAndThreeDimensionsHaveLinesAndSlices) {
  const Planned line = plan_of(subject_of({1000}, {10}), deal_blocks({1000}, {4}));
  const ChunkMap lines = chunk_map(line.plan, line.uses, 32, 32, 1);
  EXPECT_TRUE(lines.wrapped);
  EXPECT_EQ(lines.rows, 4U);
  const Planned cube = plan_of(subject_of({8, 8, 8}, {2, 2, 2}), deal_blocks({8, 8, 8}, {2, 2, 2}));
  const ChunkMap slices = chunk_map(cube.plan, cube.uses, 32, 32, 12);
  ASSERT_EQ(slices.slices.size(), 4U);
  EXPECT_EQ(slices.slices[3].leading, Numbers{3});
  EXPECT_EQ(slices.slices[3].cells[0].rank, 4U);
  const std::string blocks = map_blocks(cube.plan, slices, false);
  EXPECT_NE(blocks.find("a a b b"), std::string::npos) << blocks;
  EXPECT_EQ(blocks.find('\x1b'), std::string::npos);
  EXPECT_NE(map_blocks(cube.plan, slices, true).find('\x1b'), std::string::npos);
}

TEST(Maps, NeighboursHaveColoursOfTheirOwn) {
  const Deal deal = deal_blocks({96, 96}, {12, 12});
  const Planned planned = plan_of(subject_of({96, 96}, {8, 8}), deal);
  const ChunkMap map = chunk_map(planned.plan, planned.uses, 64, 64, 1);
  const auto& cells = map.slices[0].cells;
  for (std::size_t i = 0; i + 12 < cells.size(); ++i) {
    EXPECT_NE(map.colours[cells[i].rank], map.colours[cells[i + 12].rank]);
    if (i % 12 != 11) {
      EXPECT_NE(map.colours[cells[i].rank], map.colours[cells[i + 1].rank]);
    }
  }
}

TEST(Maps, ThePictureNeedsNothingElseAndANameCantBreakIt) {
  Planned planned = plan_of(subject_of({64, 64}, {20, 20}, true), deal_blocks({64, 64}, {2, 2}));
  planned.plan.subject.dataset = "/<script>&\"\x1b";
  const ChunkMap map = chunk_map(planned.plan, planned.uses, 64, 64, 1);
  const std::string svg = map_svg(planned.plan, planned.figures, map, "4 ranks");
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find('\x1b'), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  // The only address is the name of SVG itself.
  EXPECT_EQ(svg.find("http", svg.find("http") + 1), std::string::npos);
}

TEST(Json, HasTheFigures) {
  const Planned planned = plan_of(subject_of({64, 64}, {20, 20}), deal_blocks({64, 64}, {2, 2}));
  const auto json = nlohmann::json::parse(
      plan_json(planned.plan, planned.figures, "4 ranks", {{"name", "cause", "remedy"}}, {}));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["figures"]["bytes_selected"]["sum"], 64 * 64 * 8);
  EXPECT_EQ(json["figures"]["chunks_shared"], planned.figures.shared);
  EXPECT_EQ(json["advice"][0]["name"], "name");
}

}  // namespace
}  // namespace pcio_explain
