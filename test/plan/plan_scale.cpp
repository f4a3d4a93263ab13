// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Scale: marking chunks on 10^2 to 10^5 simulated ranks, datasets of 10^6 chunks and more.
//
// For each pattern and number of ranks: the marks are those of exact counting; bytes per rank do
// not grow with the ranks (slope of the log-log line at most 0.05); rounds stay below 2 ceil(log2
// P) + 6. Every figure is the maximum over the ranks. Bytes are what a rank hands to its collective
// calls, and memory what it holds at most.
//
// Prints a table, tab-separated (test/plan/scaling.py draws doc/scaling.svg of it), then one line.
// Environment: PCIO_LONG=1 for 10^5 ranks.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

#include "plan/chunk_marking.hpp"
#include "support/counted_memory.hpp"
#include "support/sim_communicator.hpp"

namespace pcio::test {
namespace {

using Intervals = std::vector<OrdinalInterval>;

constexpr unsigned kPercent = 60;
constexpr double kMostSlope = 0.05;

std::uint64_t spread(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCDULL;
  x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53ULL;
  return x ^ (x >> 33);
}

/// Sorted, joined, each chunk once.
Intervals normal(std::vector<ChunkOrdinal> chunks) {
  std::sort(chunks.begin(), chunks.end());
  chunks.erase(std::unique(chunks.begin(), chunks.end()), chunks.end());
  Intervals list;
  for (const ChunkOrdinal chunk : chunks) append_interval(list, {chunk, 1});
  return list;
}

Intervals random_chunks(std::uint64_t rank, std::uint64_t chunks) {
  std::vector<ChunkOrdinal> list;
  for (std::uint64_t i = 0; i < 8; ++i) list.push_back(spread(rank * 8 + i + 1) % chunks);
  return normal(list);
}

constexpr std::uint64_t kMillion = 1'000'000;

Intervals block(std::uint64_t r, std::uint64_t p, std::uint64_t n, std::uint64_t halo) {
  const std::uint64_t first = n * r / p, end = n * (r + 1) / p;
  const std::uint64_t low = first > halo ? first - halo : 0;
  return {{low, std::min(n, end + halo) - low}};
}

/// Blocks of a grid of 1000 x 1000 chunks.
Intervals pencil(std::uint64_t r, std::uint64_t p) {
  std::uint64_t rows = 1;
  while (rows * rows * 2 <= p) rows *= 2;
  while (p % rows != 0) --rows;
  const std::uint64_t columns = p / rows;
  const std::uint64_t row = r / columns, column = r % columns;
  const std::uint64_t left = 1000 * column / columns;
  const std::uint64_t right = (1000 * (column + 1) + columns - 1) / columns;
  Intervals list;
  for (std::uint64_t y = 1000 * row / rows; y < (1000 * (row + 1) + rows - 1) / rows; ++y)
    append_interval(list, {y * 1000 + left, right - left});
  return list;
}

struct ScalePattern {
  const char* name;
  std::uint64_t (*chunks)(std::uint64_t ranks);
  Intervals (*touched)(std::uint64_t rank, std::uint64_t ranks);
};

const std::array kPatterns = {
    ScalePattern{"own 8, 1 shared with the neighbour", [](std::uint64_t p) { return 7 * p + 1; },
                 [](std::uint64_t r, std::uint64_t) {
                   return Intervals{{7 * r, 8}};
                 }},
    ScalePattern{"1 chunk of all ranks, 7 own", [](std::uint64_t p) { return 7 * p + 1; },
                 [](std::uint64_t r, std::uint64_t) {
                   return r == 0 ? Intervals{{0, 8}} : Intervals{{0, 1}, {7 * r + 1, 7}};
                 }},
    ScalePattern{"8 random of 4 per rank", [](std::uint64_t p) { return 4 * p; },
                 [](std::uint64_t r, std::uint64_t p) { return random_chunks(r, 4 * p); }},
    ScalePattern{"4 of 70 %, 4 of 50 %, 8 own", [](std::uint64_t p) { return 8 * p + 8; },
                 [](std::uint64_t r, std::uint64_t) {
                   std::vector<ChunkOrdinal> list;
                   for (std::uint64_t i = 0; i < 8; ++i) {
                     list.push_back(8 + 8 * r + i);
                     if (spread(r * 8 + i) % 100 < (i < 4 ? 70U : 50U)) list.push_back(i);
                   }
                   return normal(list);
                 }},
    ScalePattern{"half of the ranks empty", [](std::uint64_t p) { return 8 * p; },
                 [](std::uint64_t r, std::uint64_t) {
                   return r % 2 == 0 ? Intervals{{8 * r, 8}} : Intervals{};
                 }},
    ScalePattern{"one rank owns all", [](std::uint64_t) { return kMillion; },
                 [](std::uint64_t r, std::uint64_t) {
                   return r == 0 ? Intervals{{0, kMillion}} : Intervals{};
                 }},
    ScalePattern{"8 random of 10^9", [](std::uint64_t) { return 1000 * kMillion; },
                 [](std::uint64_t r, std::uint64_t) { return random_chunks(r, 1000 * kMillion); }},
    ScalePattern{"blocks of 10^6", [](std::uint64_t) { return kMillion; },
                 [](std::uint64_t r, std::uint64_t p) { return block(r, p, kMillion, 0); }},
    ScalePattern{"blocks of 10^6, halo of 8", [](std::uint64_t) { return kMillion; },
                 [](std::uint64_t r, std::uint64_t p) { return block(r, p, kMillion, 8); }},
    ScalePattern{"pencils of 1000 x 1000", [](std::uint64_t) { return kMillion; },
                 [](std::uint64_t r, std::uint64_t p) { return pencil(r, p); }},
    ScalePattern{"cyclic by 4 of 10^6", [](std::uint64_t) { return kMillion; },
                 [](std::uint64_t r, std::uint64_t p) {
                   Intervals list;
                   for (std::uint64_t c = 4 * r; c < kMillion; c += 4 * p)
                     append_interval(list, {c, 4});
                   return list;
                 }},
    ScalePattern{"a row of 100 chunks of 10^6", [](std::uint64_t) { return kMillion; },
                 [](std::uint64_t r, std::uint64_t p) {
                   return Intervals{{10'000 * r / p * 100, 100}};
                 }},
};

/// The truth, by sorting where intervals begin and end.
MarkedChunks counted(const std::vector<Intervals>& touched, std::uint64_t limit) {
  std::vector<std::pair<ChunkOrdinal, int>> events;
  for (const Intervals& list : touched)
    for (const OrdinalInterval& i : list) {
      events.emplace_back(i.first, 1);
      events.emplace_back(i.end(), -1);
    }
  std::sort(events.begin(), events.end());
  Intervals marked;
  std::int64_t depth = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    depth += events[i].second;
    if (i + 1 < events.size() && depth > static_cast<std::int64_t>(limit))
      append_interval(marked, {events[i].first, events[i + 1].first - events[i].first});
  }
  return MarkedChunks::of(marked);
}

struct Row {
  std::uint64_t ranks = 0;
  SimCounters worst;
  std::uint64_t memory = 0;  // bytes
};

class Scale {
 public:
  int run(std::uint64_t most_ranks) {
    std::printf(
        "pattern\tranks\tchunks\tmost chunks of a rank\tmarked\tcalls\trounds\trounds allowed\t"
        "bytes given\tmemory\tbytes sent\ttable of ranks x chunks\n");
    for (const ScalePattern& pattern : kPatterns) {
      std::vector<Row> rows;
      for (std::uint64_t ranks = 100; ranks <= most_ranks; ranks *= 10)
        rows.push_back(measure(pattern, ranks));
      check_growth(pattern, rows);
    }
    std::printf("plan_scale: %zu patterns, 100 to %llu ranks, %llu cells, %llu failed\n",
                kPatterns.size(), static_cast<unsigned long long>(most_ranks),
                static_cast<unsigned long long>(cells_),
                static_cast<unsigned long long>(failures_));
    return failures_ == 0 ? 0 : 1;
  }

 private:
  void fail(const ScalePattern& pattern, std::uint64_t ranks, const std::string& what) {
    ++failures_;
    std::fprintf(stderr, "%s, %llu ranks: %s\n", pattern.name,
                 static_cast<unsigned long long>(ranks), what.c_str());
  }

  Row measure(const ScalePattern& pattern, std::uint64_t ranks) {
    std::vector<Intervals> touched;
    ChunkCensus census{ranks, 0, ~std::uint64_t{0}, 0, 0, pattern.chunks(ranks)};
    for (std::uint64_t r = 0; r < ranks; ++r) {
      touched.push_back(pattern.touched(r, ranks));
      std::uint64_t n = 0;
      for (const OrdinalInterval& i : touched.back()) n += i.count;
      census.sum_chunks += n;
      census.min_chunks = std::min(census.min_chunks, n);
      census.max_chunks = std::max(census.max_chunks, n);
      census.ranks_with_data += n > 0 ? 1 : 0;
    }
    std::deque<ChunkMarking> marking;
    for (std::uint64_t r = 0; r < ranks; ++r) marking.emplace_back(touched[r], kPercent, census, r);
    SimCommunicator sim(ranks);
    memory::begin(ranks);
    const std::string wrong = sim.run([&marking](std::uint64_t r) {
      memory::attribute_to(r);
      const Collective e = marking[r].next();
      memory::attribute_to(memory::kNobody);
      return e;
    });
    Row row{ranks, sim.worst(), 0};
    for (std::uint64_t r = 0; r < ranks; ++r)
      row.memory = std::max(row.memory, sizeof(ChunkMarking) + memory::peak(r));
    memory::end();
    if (!wrong.empty()) fail(pattern, ranks, wrong);
    const MarkedChunks truth = counted(touched, collective_limit(ranks, kPercent));
    for (ChunkMarking& m : marking) {
      const Result<MarkedChunks> marks = m.finish();
      if (!marks || !(*marks == truth)) {
        fail(pattern, ranks, "the marks are not those of exact counting");
        break;
      }
    }
    report(pattern, row, census, truth.size(0));
    return row;
  }

  void report(const ScalePattern& pattern, const Row& row, const ChunkCensus& census,
              std::uint64_t marked) {
    const auto allowed = 2 * static_cast<std::uint64_t>(std::bit_width(row.ranks - 1)) + 6;
    if (row.worst.rounds > allowed) fail(pattern, row.ranks, "too many rounds");
    ++cells_;
    const std::uint64_t columns[] = {row.ranks,
                                     census.dataset_chunks,
                                     census.max_chunks,
                                     marked,
                                     row.worst.calls,
                                     row.worst.rounds,
                                     allowed,
                                     row.worst.payload_bytes,
                                     row.memory,
                                     row.worst.bytes_out,
                                     row.ranks * census.dataset_chunks};
    std::printf("%s", pattern.name);
    for (const std::uint64_t column : columns)
      std::printf("\t%llu", static_cast<unsigned long long>(column));
    std::printf("\n");
  }

  /// Least squares of log(bytes) over log(ranks).
  static double slope(const std::vector<Row>& rows, std::uint64_t (*bytes)(const Row&)) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const Row& row : rows) {
      const double x = std::log(static_cast<double>(row.ranks));
      const double y = std::log(static_cast<double>(bytes(row) + 1));
      sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    const auto n = static_cast<double>(rows.size());
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
  }

  void check_growth(const ScalePattern& pattern, const std::vector<Row>& rows) {
    const double given = slope(rows, [](const Row& r) { return r.worst.payload_bytes; });
    const double memory = slope(rows, [](const Row& r) { return r.memory; });
    if (given > kMostSlope || memory > kMostSlope)
      fail(pattern, rows.back().ranks,
           "bytes grow with the ranks: slopes " + std::to_string(given) + " and " +
               std::to_string(memory));
  }

  std::uint64_t cells_ = 0;
  std::uint64_t failures_ = 0;
};

}  // namespace
}  // namespace pcio::test

int main() {
  const char* const wanted = std::getenv("PCIO_LONG");
  const bool all = wanted != nullptr && *wanted != '\0';
  return pcio::test::Scale().run(all ? 100'000 : 10'000);
}
