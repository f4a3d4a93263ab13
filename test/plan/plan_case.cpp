// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random transfers.

#include "plan/plan_case.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "space/box_selection.hpp"

namespace pcio::test {

namespace {

constexpr std::uint64_t kSmallDataset =
    4096;  // elements up to which selections are checked one by one

void must(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "a case could not be made: %s\n", status.message().c_str());
  std::abort();
}

/// Builds selections of one rank and keeps the brute force beside them.
class Selector {
 public:
  Selector(Random& random, const Dims& dims, RankCase& rank)
      : random_(random), dims_(dims), rank_(rank) {
    rank.file = *Dataspace::simple(dims);
    volume_ = *dims.volume();
    if (volume_ <= kSmallDataset) rank.expected.assign(volume_, 0);
    nothing();
  }
  void nothing() {
    rank_.file.selection() = Selection::none();
    std::fill(rank_.expected.begin(), rank_.expected.end(), 0);
  }
  void everything() {
    rank_.file.selection() = Selection::all();
    std::fill(rank_.expected.begin(), rank_.expected.end(), 1);
  }
  void add(const RegularSlab& slab) {
    must(rank_.file.selection().select_hyperslab(dims_, SelectOp::kOr, slab));
    if (rank_.expected.empty()) return;
    std::uint64_t element = 0;
    for_each_position(dims_, [&](const Dims& at) {
      if (inside(slab, at)) rank_.expected[element] = 1;
      ++element;
    });
  }
  void add_box(std::uint64_t first_row, std::uint64_t rows) {
    Box box = Box::whole(dims_);
    box.start[0] = first_row;
    box.count[0] = rows;
    if (rows > 0) add(RegularSlab::of_box(box));
  }
  void add_random_slab() {
    RegularSlab slab{Dims(dims_.size()), Dims(dims_.size()), Dims(dims_.size()),
                     Dims(dims_.size())};
    for (unsigned d = 0; d < dims_.size(); ++d) {
      slab.block[d] = random_.between(1, dims_[d]);
      if (random_.chance(70)) slab.block[d] = random_.between(1, slab.block[d]);
      slab.start[d] = random_.between(0, dims_[d] - slab.block[d]);
      slab.stride[d] = random_.between(slab.block[d], dims_[d]);
      const std::uint64_t room = (dims_[d] - slab.start[d] - slab.block[d]) / slab.stride[d] + 1;
      slab.count[d] = random_.between(1, room);
    }
    add(slab);
  }
  void add_strided(std::uint64_t start, std::uint64_t stride) {
    RegularSlab slab{{start}, {stride}, {(dims_[0] - start - 1) / stride + 1}, {1}};
    add(slab);
  }
  void points(const std::vector<std::uint64_t>& coords) {
    const std::uint64_t n = coords.size() / dims_.size();
    must(rank_.file.selection().select_points(dims_, SelectOp::kSet, coords.data(), n));
    std::fill(rank_.expected.begin(), rank_.expected.end(), 0);
    if (rank_.expected.empty()) return;
    for (std::uint64_t i = 0; i < n; ++i) {
      std::uint64_t element = 0;
      for (unsigned d = 0; d < dims_.size(); ++d)
        element = element * dims_[d] + coords[i * dims_.size() + d];
      ++rank_.expected[element];
    }
  }
  void random_points() {
    std::vector<std::uint64_t> coords;
    for (std::uint64_t n = random_.between(1, 12); n > 0; --n)
      for (unsigned d = 0; d < dims_.size(); ++d)
        coords.push_back(random_.between(0, dims_[d] - 1));
    points(coords);
  }
  void any() {
    nothing();
    switch (random_.between(0, 5)) {
      case 0: break;
      case 1: everything(); break;
      case 2: random_points(); break;
      case 3: add_random_slab(); break;
      default:
        for (std::uint64_t n = random_.between(2, 3); n > 0; --n) add_random_slab();
        break;
    }
  }

 private:
  static bool inside(const RegularSlab& slab, const Dims& at) {
    for (unsigned d = 0; d < at.size(); ++d) {
      if (at[d] < slab.start[d]) return false;
      const std::uint64_t from = at[d] - slab.start[d];
      if (slab.count[d] == 1 && from < slab.block[d]) continue;
      if (from / slab.stride[d] >= slab.count[d] || from % slab.stride[d] >= slab.block[d])
        return false;
    }
    return true;
  }

  Random& random_;
  const Dims& dims_;
  RankCase& rank_;
  std::uint64_t volume_ = 0;
};

Pattern pattern_of(std::uint64_t number, Random& random) {
  const std::uint64_t turn = number % 100;
  if (turn == 0) return Pattern::kManyChunks;
  if (turn < 20) return Pattern::kSparse;
  if (turn < 30) return Pattern::kManyIntervals;
  if (turn == 30 && number % 500 < 100) return Pattern::kManyCounters;
  if (turn < 34) return Pattern::kDense;
  return static_cast<Pattern>(random.between(0, 6));
}

std::uint64_t rank_count(Pattern pattern, std::uint64_t number, Random& random) {
  switch (pattern) {
    case Pattern::kManyChunks: return random.between(1, 3);
    case Pattern::kManyIntervals: return random.between(2, random.chance(70) ? 6 : 64);
    case Pattern::kManyCounters: return random.between(65, 70);
    case Pattern::kDense: return random.between(65, 120);
    case Pattern::kSparse: return random.between(65, random.chance(70) ? 200 : 1000);
    default: break;
  }
  constexpr std::uint64_t kMost[] = {1, 4, 16, 64, 255, 1000};
  const std::uint64_t bin = number % 20 == 7 ? 5 : number % 20 == 8 ? 4 : random.between(0, 3);
  return random.between(bin == 0 ? 1 : kMost[bin - 1] + 1, kMost[bin]);
}

/// Dimensions and chunks of the dataset.
void draw_grid(PlanCase& c, Random& random) {
  Dims dims, chunk;
  switch (c.pattern) {
    case Pattern::kManyChunks: dims = {random.between(10'001, 36'000)}; break;
    case Pattern::kSparse: dims = {random.between(100'000, 1'000'000)}; break;
    case Pattern::kManyIntervals: dims = {random.between(1'000, 200'000)}; break;
    case Pattern::kManyCounters: dims = {random.between(1U << 20, 1U << 21)}; break;
    case Pattern::kDense: dims = {random.between(300, 6'000)}; break;
    default:
      for (std::uint64_t d = random.between(1, 4); d > 0; --d)
        dims.push_back(random.between(1, dims.empty() ? 40 : 8));
      for (unsigned d = 0; d < dims.size(); ++d)
        chunk.push_back(random.chance(5)
                            ? dims[d] + random.between(0, 2)
                            : random.between(1, std::max<std::uint64_t>(1, dims[d] / 2)));
      if (random.chance(4)) chunk = dims;
  }
  if (chunk.empty()) chunk = Dims(1, 1);
  c.grid = *ChunkGrid::make(dims, chunk);
}

void select_small(Selector& s, Pattern pattern, std::uint64_t rank, std::uint64_t ranks,
                  std::uint64_t rows) {
  const std::uint64_t first = rows * rank / ranks;
  const std::uint64_t end = rows * (rank + 1) / ranks;
  switch (pattern) {
    case Pattern::kPartition: return s.add_box(first, end - first);
    case Pattern::kHalo: {
      const std::uint64_t low = first > 0 ? first - 1 : 0;
      return s.add_box(low, std::min(rows, end + 1) - low);
    }
    case Pattern::kCyclic:
      for (std::uint64_t row = rank; row < rows; row += ranks) s.add_box(row, 1);
      return;
    case Pattern::kEverybody: return s.everything();
    case Pattern::kOneRank:
      if (rank == ranks / 2) s.everything();
      return;
    case Pattern::kHot:
      s.add_box(0, rank % 4 == 3 ? 0 : 1);
      return s.add_box(first, std::min<std::uint64_t>(1, rows - first));
    default: return s.any();
  }
}

void select_large(Selector& s, PlanCase& c, std::uint64_t rank, Random& random) {
  const std::uint64_t n = c.grid->count();
  switch (c.pattern) {
    case Pattern::kManyChunks:
      if (random.chance(70)) return s.everything();
      return s.add_box(0, random.between(1, n));
    case Pattern::kManyIntervals: {
      // Some with so few that one message is enough, some with so many that counters are cheaper.
      constexpr std::uint64_t kIntervals[] = {8, 100, 1'000, 50'000};
      const std::uint64_t wanted = kIntervals[c.grid->count() % 4];
      const std::uint64_t stride = std::max<std::uint64_t>(2, n / wanted);
      return s.add_strided(random.chance(80) ? 0 : random.between(1, 3),
                           random.chance(80) ? stride : stride + 1);
    }
    case Pattern::kDense: return s.add_box(random.between(0, n / 8), n - n / 4);
    case Pattern::kManyCounters: return s.add_strided(random.between(0, 900), 900);
    default: break;
  }
  // A few hot chunks for many ranks, several of one's own.
  std::vector<std::uint64_t> coords;
  const std::uint64_t own = n % 5 == 0 ? random.between(0, 60) : random.between(0, 8);
  for (std::uint64_t i = 0; i < own; ++i) coords.push_back(random.between(0, n - 1));
  for (std::uint64_t hot = 0; hot < 8; ++hot)
    if (random.chance(hot < 4 ? 70 : 50)) coords.push_back(hot * (n / 9) + hot % 2);
  if (rank % 2 == 1 && n % 3 == 0) coords.clear();
  if (!coords.empty()) s.points(coords);
}

/// What the ranks know; in most cases nothing that forbids collective I/O.
void draw_facts(PlanCase& c, Random& random) {
  const std::uint64_t trouble = random.chance(80) ? 0 : random.between(1, 7);
  const std::uint64_t troubled = random.between(0, c.ranks.size() - 1);
  const bool forced = random.chance(20);
  for (std::uint64_t r = 0; r < c.ranks.size(); ++r) {
    CauseFacts& f = c.ranks[r].facts;
    f.direction = c.hints.link_threshold % 2 == 0 ? Direction::kRead : Direction::kWrite;
    f.collective_opt = c.hints.opt;
    f.storage = c.form;
    f.file_selection = c.ranks[r].file.selection().kind();
    f.file_regular = c.ranks[r].file.selection().is_regular();
    f.converts = random.chance(30);
    f.transforms = random.chance(10);
    f.transport_forced = forced;
    if (random.chance(5)) f.memory_space = SpaceClass::kNull;
    // Some troubles are one rank's, some everybody's.
    if (trouble == 1 && r == troubled) f.requested = TransferMode::kIndependent;
    if (trouble == 2 && r == troubled) f.error_while_checking = true;
    if (trouble == 3) f.mpiposix = true;
    if (trouble == 4) f.derived_types_disabled = true;
    if (trouble == 5) f.filtered = true;
    if (trouble == 6) f.storage = StorageForm::kOther;
  }
  if (trouble == 7) c.form = StorageForm::kContiguous;
  if (trouble == 6) c.form = StorageForm::kOther;
  if (trouble == 7)
    for (RankCase& rank : c.ranks) rank.facts.storage = StorageForm::kContiguous;
}

void draw_hints(PlanCase& c, Random& random) {
  constexpr ChunkOpt kOpts[] = {ChunkOpt::kDefault,        ChunkOpt::kOneIo,
                                ChunkOpt::kMultiIo,        ChunkOpt::kAtOnce,
                                ChunkOpt::kAllIndependent, ChunkOpt::kMultiNoOpt};
  const bool marks = c.pattern >= Pattern::kSparse && random.chance(80);
  c.hints.request = kOpts[marks ? random.between(2, 3) : random.between(0, 5)];
  if (random.chance(5)) c.hints.opt = CollectiveOpt::kIndividualIo;
  constexpr unsigned kRatios[] = {0, 1, 10, 25, 33, 40, 50, 60, 67, 75, 99, 100};
  c.hints.ratio_percent = random.chance(70) ? kRatios[random.between(0, 11)]
                                            : static_cast<unsigned>(random.between(0, 100));
  if (c.pattern == Pattern::kManyCounters)
    c.hints.ratio_percent = static_cast<unsigned>(random.between(1, 2));
  if (c.pattern == Pattern::kSparse && random.chance(70))
    c.hints.ratio_percent = static_cast<unsigned>(random.between(40, 75));
  // Around the average, so that it is met exactly in some cases.
  std::uint64_t sum = 0;
  for (const RankCase& rank : c.ranks) sum += count_touched_chunks(rank.file, c.grid->chunk());
  const std::uint64_t average = sum / c.ranks.size();
  switch (random.between(0, 4)) {
    case 0: c.hints.link_threshold = 0; break;
    case 1: c.hints.link_threshold = average; break;
    case 2: c.hints.link_threshold = average + 1; break;
    case 3: c.hints.link_threshold = ~std::uint64_t{0} / random.between(1, 3); break;
    default: c.hints.link_threshold = random.between(0, 2 * average + 1); break;
  }
}

}  // namespace

const char* pattern_name(Pattern pattern) {
  constexpr const char* kNames[] = {"unrelated", "partition", "halo",          "cyclic",
                                    "everybody", "one-rank",  "hot",           "many-chunks",
                                    "sparse",    "intervals", "many-counters", "dense"};
  return kNames[static_cast<std::size_t>(pattern)];
}

FileAddress PlanCase::address(ChunkOrdinal ordinal) const {
  switch (order) {
    case AddressOrder::kDescending: return 2048 + (grid->count() - ordinal) * 4096;
    // Odd factors permute the numbers below 2^40, so no address comes twice.
    case AddressOrder::kScattered:
      return (ordinal * 0x9E3779B97F4A7C15ULL) & ((std::uint64_t{1} << 40) - 1);
    default: return 2048 + ordinal * 4096;
  }
}

PlanCase make_plan_case(std::uint64_t seed, std::uint64_t number) {
  Random random(seed * 1'000'003 + number);
  PlanCase c;
  c.pattern = pattern_of(number, random);
  c.ranks.resize(rank_count(c.pattern, number, random));
  c.order = static_cast<AddressOrder>(random.between(0, 2));
  draw_grid(c, random);
  const bool large = c.pattern >= Pattern::kManyChunks;
  for (std::uint64_t r = 0; r < c.ranks.size(); ++r) {
    RankCase& rank = c.ranks[r];
    Selector s(random, c.grid->dims(), rank);
    if (large)
      select_large(s, c, r, random);
    else
      select_small(s, c.pattern, r, c.ranks.size(), c.grid->dims()[0]);
    rank.memory = *Dataspace::simple({std::max<std::uint64_t>(1, rank.file.selected())});
    if (rank.file.selected() == 0) rank.memory.selection() = Selection::none();
    must(rank.file.check_selection());
  }
  draw_hints(c, random);
  draw_facts(c, random);
  return c;
}

std::vector<ChunkOrdinal> touched_chunks(const ChunkGrid& grid, const Dataspace& file) {
  std::vector<ChunkOrdinal> list;
  for_each_chunk(file, grid.chunk(), [&](const Dims& at) { list.push_back(grid.ordinal(at)); });
  return list;
}

std::vector<OrdinalInterval> as_intervals(const std::vector<ChunkOrdinal>& ordinals) {
  std::vector<OrdinalInterval> list;
  for (const ChunkOrdinal ordinal : ordinals) append_interval(list, {ordinal, 1});
  return list;
}

}  // namespace pcio::test
