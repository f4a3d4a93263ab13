// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Scale: exchanges between nodes, owners and places of filtered chunks, opening and committing, on 10^2 to 10^6 ranks.
//
// Agreements: what leaves a node where all ranks take part in a reduction and where leaders do.
// Exchanges: the library's own plan of slices, owners and bundles of letters on simulated machines of 1 to 128 ranks a
// node, beside a letter for each pair that sends one, and the exchange that knows no nodes. Opening and committing: whole files on an MPI
// of the program's own, whose calls are counted. Figures of a rank or a node are the maximum over them. What must
// not grow with the ranks has a limit, or one on the slope of the log-log line.
//
// Prints tables, tab-separated, then one line. Environment: PCIO_LONG=1 for 10^6 ranks; PCIO_RANKS and PCIO_A_NODE for
// exchanges of at most so many ranks, so many a node.

#include <mpi.h>

#if defined(OPEN_MPI)

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "sim/sim_ranks.hpp"
#include "base/checked.hpp"
#include "plan/slice_owners.hpp"
#include "support/sim_communicator.hpp"
#include "transfer/filtered/chunk_placing.hpp"
#include "transfer/transports/file_stretch.hpp"
#include "transfer/transports/forward_plan.hpp"
#include "transfer/transports/letter_box.hpp"
#include "transfer/transports/node_memory.hpp"
#include "transfer/transports/slice_letters.hpp"

namespace pcio::test {
namespace {

constexpr std::uint64_t kRankBytes = std::uint64_t{64} << 10;  ///< that each rank writes
constexpr std::uint64_t kRun = std::uint64_t{4} << 10;  ///< bytes that a rank has in one piece
constexpr double kMostSlope = 0.05;
constexpr std::uint64_t kShortRanks = 10'000;  ///< of the short run, on nodes of 64 only

std::uint64_t spread(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCDULL;
  x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53ULL;
  return x ^ (x >> 33);
}

std::uint64_t columns_of(std::uint64_t ranks) {
  auto columns = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(ranks)));
  while (ranks % columns != 0) --columns;
  return columns;
}

/// Who has which run of the file.
struct Decomposition {
  const char* name;
  std::uint64_t (*rank_of)(std::uint64_t run, std::uint64_t ranks);
};
constexpr std::uint64_t kRunsOfRank = kRankBytes / kRun;
const std::array kDecompositions = {
    Decomposition{"block", [](std::uint64_t run, std::uint64_t) { return run / kRunsOfRank; }},
    Decomposition{"pencil",
                  [](std::uint64_t run, std::uint64_t ranks) {
                    const std::uint64_t columns = columns_of(ranks);
                    return run / columns / kRunsOfRank * columns + run % columns;
                  }},
    Decomposition{"cyclic", [](std::uint64_t run, std::uint64_t ranks) { return run % ranks; }},
    Decomposition{"irregular",
                  [](std::uint64_t run, std::uint64_t ranks) {
                    const std::uint64_t random = spread(run + 1);
                    if (random % 4 == 0) return random / 4 % ranks;
                    return std::min(ranks - 1, run / kRunsOfRank + random / 4 % 3);
                  }},
};

Machine machine_of(std::uint64_t ranks, std::uint64_t per_node) {
  Machine machine;
  machine.reserve(ranks);
  for (std::uint64_t r = 0; r < ranks; ++r)
    machine.leaders()[r] = static_cast<std::uint32_t>(r / per_node * per_node);
  static_cast<void>(machine.settle());
  return machine;
}

/// What one rank has of one slice.
struct RankPart {
  std::uint32_t rank = 0;
  std::uint32_t slice = 0;
  std::uint64_t bytes = 0;
  std::uint32_t sections = 0;
  Section last;
};

/// Sums, over the whole transfer, of what leaves nodes.
struct Traffic {
  std::vector<std::uint32_t> of_rank, of_node;  ///< letters
  std::vector<std::uint64_t> bytes_of_node;
  std::vector<std::uint32_t> direct_of_node;  ///< letters, did nobody send for others
  std::uint64_t payload = 0, stretches = 0;
};

/// Walks through a file as an exchange does.
class Walk {
 public:
  Walk(const Decomposition& how, const Machine& machine)
      : how_(how), machine_(machine), ranks_(machine.ranks()), end_(ranks_ * kRankBytes) {}

  Traffic between_nodes() {
    begin();
    const ExchangeSettings settings;
    layout_ = node_layout(Direction::kWrite, settings, machine_, 8);
    SliceGrid grid;
    grid.unit = settings.unit;
    grid.block = settings.block;
    grid.largest = layout_.slice;
    grid.slices = most_slices(ranks_);
    grid.period = kRankBytes;
    grid.plain_slices = grid.slices / 8;
    SliceOwners owners;
    owners.begin(machine_, grid.slices, {end_, grid.unit});
    std::vector<std::uint64_t> holdings;
    for (FileAddress first = 0; first < end_;) {
      const CutStretch cut = cut_stretch(grid, first, end_);
      collect(first, cut.end, cut.start, cut.slice);
      hold(cut, &holdings);
      const std::uint64_t room = layout_.images / round_up(cut.slice + 8, kImageAlignment);
      const std::uint64_t owned =
          owners.assign(cut, holdings, std::clamp<std::uint64_t>(room, 1, 64));
      first = std::min(cut.end, cut.start + owned * cut.slice);
      send(
          owned, [&](std::uint64_t slice) { return owners.owner_of(slice); }, true);
    }
    return std::move(traffic_);
  }

  /// As on ranks that know no nodes.
  Traffic of_one_level() {
    begin();
    const auto alone = Coordinator::serial();
    StretchWalk walk;
    const ExchangeSettings settings;
    walk.begin(ranks_, settings.block, 3 * (settings.memory / 16));
    for (FileAddress first = 0; first < end_;) {
      static_cast<void>(walk.next(*alone, {first, end_, 1}));
      const FileStretch& stretch = walk.stretch();
      collect(first, stretch.end, stretch.start, stretch.slice);
      first = stretch.end;
      send(
          stretch.owners, [&](std::uint64_t slice) { return stretch.owner_of(slice); }, false);
    }
    return std::move(traffic_);
  }
  [[nodiscard]] const NodeLayout& layout() const { return layout_; }

 private:
  void begin() {
    traffic_ = Traffic();
    traffic_.of_rank.assign(ranks_, 0);
    traffic_.of_node.assign(machine_.nodes(), 0);
    traffic_.direct_of_node.assign(machine_.nodes(), 0);
    traffic_.bytes_of_node.assign(machine_.nodes(), 0);
  }

  /// What ranks have of [first, end), by slice and rank.
  void collect(FileAddress first, FileAddress end, FileAddress start, std::uint64_t slice) {
    ++traffic_.stretches;
    parts_.clear();
    std::vector<RankPart> of_slice;
    std::uint64_t number = 0;
    for (FileAddress at = first; at < end;) {
      const FileAddress slice_end = std::min(end, start + (at - start) / slice * slice + slice);
      const FileAddress run_end = std::min(slice_end, at / kRun * kRun + kRun);
      const std::uint64_t here = (at - start) / slice;
      if (here != number) flush(&of_slice);
      number = here;
      const Section section{static_cast<std::uint32_t>(at - start - here * slice),
                            static_cast<std::uint32_t>(run_end - at), 0, 1};
      of_slice.push_back({static_cast<std::uint32_t>(how_.rank_of(at / kRun, ranks_)),
                          static_cast<std::uint32_t>(here), run_end - at, 1, section});
      at = run_end;
    }
    flush(&of_slice);
  }
  void flush(std::vector<RankPart>* of_slice) {
    std::stable_sort(of_slice->begin(), of_slice->end(),
                     [](const RankPart& a, const RankPart& b) { return a.rank < b.rank; });
    for (const RankPart& part : *of_slice) {
      if (parts_.empty() || parts_.back().rank != part.rank || parts_.back().slice != part.slice) {
        parts_.push_back(part);
        continue;
      }
      RankPart& last = parts_.back();
      last.bytes += part.bytes;
      if (SectionBuilder::fold(last.last, part.last.offset, part.last.length)) continue;
      last.last = part.last;
      ++last.sections;
    }
    of_slice->clear();
  }

  void hold(const CutStretch& cut, std::vector<std::uint64_t>* holdings) const {
    holdings->assign(cut.count() * kHoldingWords, 0);
    for (std::size_t i = 0; i < parts_.size();) {
      const std::uint64_t slice = parts_[i].slice, node = machine_.node_of(parts_[i].rank);
      std::uint64_t bytes = 0;
      for (; i < parts_.size() && parts_[i].slice == slice &&
             machine_.node_of(parts_[i].rank) == node;
           ++i)
        bytes += parts_[i].bytes;
      const SliceHolding mine =
          holding_of(turn_of_slice(cut, machine_.nodes(), slice), node, bytes);
      const std::array<std::uint64_t, kHoldingWords> words{mine.most, mine.second, mine.third,
                                                           mine.total};
      MergeHoldings{}(std::span(*holdings).subspan(slice * kHoldingWords, kHoldingWords), words);
    }
  }

  /// One letter for each pair of a rank and an owner elsewhere; or bundles of them, where those `forward`.
  template <class F>
  void send(std::uint64_t slices, F&& owner_of, bool forward) {
    std::vector<std::vector<OutLetter>> letters(ranks_);
    for (const RankPart& part : parts_) {
      if (part.slice >= slices) continue;
      const std::uint64_t owner = owner_of(part.slice);
      if (machine_.same_node(part.rank, owner)) continue;
      traffic_.payload += part.bytes;
      letters[part.rank].push_back(
          {0, part.bytes, 0, static_cast<std::uint32_t>(owner), 1, part.sections, 0});
    }
    for (auto& of_rank : letters) join_letters(&of_rank);
    for (std::uint64_t node = 0; node < machine_.nodes(); ++node) send_of(node, letters, forward);
  }
  /// Of the slices of one owner one letter, by nodes and owners.
  void join_letters(std::vector<OutLetter>* letters) const {
    std::sort(letters->begin(), letters->end(), [&](const OutLetter& a, const OutLetter& b) {
      return std::pair(machine_.node_of(a.owner), a.owner) <
             std::pair(machine_.node_of(b.owner), b.owner);
    });
    std::size_t kept = 0;
    for (const OutLetter& letter : *letters) {
      if (kept == 0 || (*letters)[kept - 1].owner != letter.owner) {
        (*letters)[kept++] = letter;
        continue;
      }
      OutLetter& last = (*letters)[kept - 1];
      last.payload += letter.payload;
      last.slices += letter.slices;
      last.sections += letter.sections;
    }
    letters->resize(kept);
  }
  /// False where that doesn't pay.
  template <class F>
  bool send_bundles(std::uint64_t node, F&& letters_of) {
    ForwardPlan plan;
    plan.begin(machine_, node, {});
    if (!plan.pays(letters_of)) return false;
    plan.for_bundles(letters_of,
                     [&](const ForwardPlan::Bundle& bundle, std::uint64_t, std::uint64_t) {
                       ++traffic_.of_rank[bundle.from];
                       ++traffic_.of_node[node];
                     });
    return true;
  }
  void send_of(std::uint64_t node, const std::vector<std::vector<OutLetter>>& letters,
               bool forward) {
    const auto letters_of = [&](std::uint64_t index) {
      return std::span<const OutLetter>(letters[machine_.rank_on(node, index)]);
    };
    for (std::uint64_t i = 0; i < machine_.size_of(node); ++i) {
      traffic_.direct_of_node[node] += static_cast<std::uint32_t>(letters_of(i).size());
      for (const OutLetter& letter : letters_of(i))
        traffic_.bytes_of_node[node] += letter.header() + letter.payload;
    }
    if (forward && machine_.largest_size() > 1 && send_bundles(node, letters_of)) return;
    for (std::uint64_t i = 0; i < machine_.size_of(node); ++i) {
      traffic_.of_rank[machine_.rank_on(node, i)] +=
          static_cast<std::uint32_t>(letters_of(i).size());
      traffic_.of_node[node] += static_cast<std::uint32_t>(letters_of(i).size());
    }
  }

  const Decomposition& how_;
  const Machine& machine_;
  std::uint64_t ranks_;
  std::uint64_t end_;
  NodeLayout layout_;
  std::vector<RankPart> parts_;
  Traffic traffic_;
};

template <class T>
std::uint64_t most(const std::vector<T>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

/// Least squares of log(y + 1) over log(x).
double slope(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& points) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [ranks, value] : points) {
    const double x = std::log(static_cast<double>(ranks));
    const double y = std::log(static_cast<double>(value + 1));
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const auto n = static_cast<double>(points.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void print_row(const std::string& name, std::initializer_list<std::uint64_t> columns) {
  std::printf("%s", name.c_str());
  for (const std::uint64_t column : columns)
    std::printf("\t%llu", static_cast<unsigned long long>(column));
  std::printf("\n");
}

class MachineScale {
 public:
  /// `a_node`: 0: all.
  explicit MachineScale(std::uint64_t most_ranks, std::uint64_t a_node)
      : most_ranks_(most_ranks), a_node_(a_node) {}

  int run() {
    if (a_node_ == 0) calls();
    if (a_node_ == 0) agreements();
    exchanges();
    if (a_node_ == 0) placing();
    std::printf("machine_scale: %llu cells, to %llu ranks, %llu failed\n",
                static_cast<unsigned long long>(cells_),
                static_cast<unsigned long long>(most_ranks_),
                static_cast<unsigned long long>(failures_));
    return failures_ == 0 ? 0 : 1;
  }

 private:
  void fail(const std::string& what) {
    ++failures_;
    std::fprintf(stderr, "machine_scale: %s\n", what.c_str());
  }
  /// `value` at most grows by the given power of the ranks.
  void limit(const std::string& what,
             const std::vector<std::pair<std::uint64_t, std::uint64_t>>& points,
             double most_slope) {
    const double found = slope(points);
    if (found > most_slope)
      fail(what + ": grows with the ranks to the power of " + std::to_string(found));
  }

  /// Messages that leave one node in a reduction of `members` by recursive doubling, as MPI has it: the most of a node.
  /// rank_of(member): on the machine.
  template <class RankOf>
  static std::uint64_t messages_of_reduction(const Machine& machine, std::uint64_t members,
                                             RankOf rank_of) {
    std::vector<std::uint32_t> of_node(machine.nodes());
    auto send = [&](std::uint64_t from, std::uint64_t to) {
      const std::uint64_t sender = rank_of(from), receiver = rank_of(to);
      if (!machine.same_node(sender, receiver)) ++of_node[machine.node_of(sender)];
    };
    // Of members beyond a power of two pairs come first, and are told last.
    const std::uint64_t doubling = std::bit_floor(members), more = members - doubling;
    auto member = [&](std::uint64_t i) { return i < more ? 2 * i + 1 : i + more; };
    for (std::uint64_t i = 0; i < more; ++i) {
      send(2 * i, 2 * i + 1);
      send(2 * i + 1, 2 * i);
    }
    for (std::uint64_t step = 1; step < doubling; step *= 2)
      for (std::uint64_t i = 0; i < doubling; ++i) send(member(i), member(i ^ step));
    return most(of_node);
  }

  void agreements() {
    std::printf("agreements\tranks\ta node\tmessages of a node, all ranks\tleaders\n");
    const std::uint64_t up_to = std::max<std::uint64_t>(most_ranks_, 100'000);
    for (const std::uint64_t per_node : {1, 16, 64, 128})
      for (std::uint64_t ranks = 1000; ranks <= up_to; ranks *= 10) {
        const Machine machine = machine_of(ranks, per_node);
        const std::uint64_t flat =
            messages_of_reduction(machine, ranks, [](std::uint64_t i) { return i; });
        const std::uint64_t now = messages_of_reduction(
            machine, machine.nodes(), [&](std::uint64_t i) { return machine.leader_of(i); });
        ++cells_;
        print_row("agreements", {ranks, per_node, flat, now});
        const std::string where =
            std::to_string(ranks) + " ranks, " + std::to_string(per_node) + " a node: ";
        if (now > static_cast<std::uint64_t>(std::bit_width(machine.nodes())) + 1)
          fail(where + "messages of an agreement grow with more than the doublings of nodes");
        if (per_node >= 64 && now * kFewer > flat)
          fail(where + "too many messages of an agreement: " + std::to_string(now) + " beside " +
               std::to_string(flat) + " of one level");
      }
  }

  void exchanges() {
    std::printf(
        "exchange\tranks\ta node\tstretches\tletters of a rank\tof a node\tif none were forwarded\t"
        "of one level\tKiB of a node\tcrosses, 1/1000\tmemory of a rank\n");
    for (const Decomposition& how : kDecompositions)
      for (const std::uint64_t per_node : {1, 16, 64, 128})
        if (a_node_ == 0 || a_node_ == per_node) exchange(how, per_node);
  }

  void exchange(const Decomposition& how, std::uint64_t per_node) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> letters;
    for (std::uint64_t ranks = 100; ranks <= most_ranks_; ranks *= 10) {
      if (ranks < per_node ||
          (most_ranks_ <= kShortRanks && ranks == kShortRanks && per_node != 64))
        continue;
      const Machine machine = machine_of(ranks, per_node);
      Walk walk(how, machine);
      const Traffic now = walk.between_nodes();
      const Traffic flat = walk.of_one_level();
      const std::uint64_t held = walk.layout().segment() + walk.layout().letters +
                                 machine.table_bytes() +
                                 most_slices(ranks) * sizeof(std::uint64_t) * (kHoldingWords + 2) +
                                 LetterBox::bytes_of(ranks, most_slices(ranks));
      letters.emplace_back(ranks, most(now.of_node));
      ++cells_;
      print_row(how.name,
                {ranks, per_node, now.stretches, most(now.of_rank), most(now.of_node),
                 most(now.direct_of_node), most(flat.of_node), most(now.bytes_of_node) / 1024,
                 now.payload * 1000 / (ranks * kRankBytes), held});
      judge(how, machine, now, flat, held);
    }
    const std::string name = std::string(how.name) + ", " + std::to_string(per_node) + " a node: ";
    // Where runs lie anywhere, a node writes to most others: judge() has a limit on that.
    if (letters.size() > 1 && !lies_anywhere(how))
      limit(name + "letters of a node", letters, kLetterSlope);
  }

  /// What a rank holds is bounded, a node sends what it has and a little to say where it belongs, in not many more
  /// letters than without nodes; of blocks little crosses, as nothing has to.
  void judge(const Decomposition& how, const Machine& machine, const Traffic& now,
             const Traffic& flat, std::uint64_t held) {
    const std::uint64_t per_node = machine.largest_size();
    const std::string where = std::string(how.name) + " on " + std::to_string(machine.ranks()) +
                              " ranks, " + std::to_string(per_node) + " a node: ";
    if (held > kMostMemory) fail(where + "a rank holds " + std::to_string(held) + " bytes");
    const std::uint64_t has = per_node * kRankBytes;
    if (most(now.bytes_of_node) > has + has / 2) fail(where + "a node sends more than it has");
    if (most(now.of_node) > std::max<std::uint64_t>(1, most(now.direct_of_node)))
      fail(where + "forwarding makes more letters");
    // A bundle is short of half its length only where it is the last one to its node.
    const std::uint64_t nodes = machine.nodes();
    if (per_node > 1 && most(now.of_node) > now.stretches * (nodes - 1) + has / kHalfBundle)
      fail(where + "letters grow with the ranks, not with the nodes");
    // Of many ranks a node at most a thirty-second; where runs lie anywhere a node has to write to most others.
    if (per_node >= 64 && !lies_anywhere(how) && most(flat.of_node) >= kManyLetters &&
        most(now.of_node) * kFewer > most(flat.of_node))
      fail(where + "too many letters: " + std::to_string(most(now.of_node)) + " beside " +
           std::to_string(most(flat.of_node)) + " of one level");
    if (most(now.of_node) > 2 * most(flat.of_node) + per_node) fail(where + "too many letters");
    const bool few =
        std::string_view(how.name) != "block" || per_node < 64 || machine.ranks() > kBlockRanks;
    if (!few && now.payload * 10 > machine.ranks() * kRankBytes)
      fail(where + "much crosses, and nothing has to");
  }

  static bool lies_anywhere(const Decomposition& how) {
    return std::string_view(how.name) == "irregular";
  }
  static constexpr std::uint64_t kHalfBundle = std::uint64_t{256} << 10;
  static constexpr double kLetterSlope = 0.6;
  static constexpr std::uint64_t kFewer = 32;  ///< letters of one level, to one of two levels
  static constexpr std::uint64_t kManyLetters = 256;  ///< of one level, above which that counts
  static constexpr std::uint64_t kMostMemory = std::uint64_t{24} << 20;
  static constexpr std::uint64_t kBlockRanks = 100'000;

  void placing() {
    std::printf("placing\tranks\tchunks of a batch\tmemory of a rank\n");
    std::vector<std::pair<std::uint64_t, std::uint64_t>> bytes;
    for (std::uint64_t ranks = 100; ranks <= most_ranks_; ranks *= 10) {
      const std::uint64_t chunks = ChunkPlacer::most_chunks_of(ranks);
      bytes.emplace_back(ranks, ChunkPlacer::memory_of(ranks));
      ++cells_;
      print_row("placing", {ranks, chunks, bytes.back().second});
    }
    // Above, each rank has four chunks at least.
    bytes.resize(std::min<std::size_t>(bytes.size(), 3));
    limit("placing: memory of a rank", bytes, kMostSlope);
  }

  /// Whole files of so many ranks: calls of MPI, which may not grow at all.
  void calls() {
    std::printf("calls\tranks\tnodes\tmake, flush and close\topen, flush and close\n");
    std::uint64_t first = 0;
    for (const int ranks : {8, 64, 512}) {
      const auto counted = count_calls(ranks);
      ++cells_;
      print_row("calls", {static_cast<std::uint64_t>(ranks), static_cast<std::uint64_t>(ranks / 4),
                          counted.first, counted.second});
      if (first == 0) first = counted.first + counted.second;
      if (counted.first + counted.second > first)
        fail("calls of MPI grow with the ranks: " + std::to_string(first) + " and " +
             std::to_string(counted.first + counted.second));
    }
  }

  static std::uint64_t collectives(const SimWorld& world, int ranks) {
    std::uint64_t worst = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      std::uint64_t calls = 0;
      for (const char* name :
           {"MPI_Ibarrier", "MPI_Ibcast", "MPI_Iallreduce", "MPI_Iallgather", "MPI_Ialltoall",
            "MPI_Ialltoallv", "MPI_Iexscan", "MPI_Comm_idup", "MPI_Comm_split", "MPI_File_open",
            "MPI_File_close", "MPI_File_set_size", "MPI_File_sync", "MPI_Isend"})
        calls += world.count(rank, name);
      worst = std::max(worst, calls);
    }
    return worst;
  }

  std::pair<std::uint64_t, std::uint64_t> count_calls(int ranks) {
    SimOptions options;
    options.ranks = ranks;
    options.nodes = ranks / 4;
    SimRanks world(options);
    auto play = [&](OpenMode mode) {
      for (const Status& result : world.run([&](int rank) -> Status {
             PCIO_ASSIGN(FilePtr file, world.open(rank, mode));
             PCIO_TRY(flush_session(file));
             return close_session(file);
           }))
        if (!result.ok()) fail(result.message());
      return collectives(world.world(), ranks);
    };
    const std::uint64_t made = play(OpenMode::kTruncate);
    return {made, play(OpenMode::kReadOnly)};
  }

  std::uint64_t most_ranks_;
  std::uint64_t a_node_;
  std::uint64_t cells_ = 0;
  std::uint64_t failures_ = 0;
};

}  // namespace
}  // namespace pcio::test

int main() {
  const auto number = [](const char* name, std::uint64_t otherwise) -> std::uint64_t {
    const char* const text = std::getenv(name);
    return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 10) : otherwise;
  };
  const bool all = number("PCIO_LONG", 0) != 0;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  return pcio::test::MachineScale(number("PCIO_RANKS", all ? 1'000'000 : 10'000),
                                  number("PCIO_A_NODE", 0))
      .run();
}

#else

/// The program's own MPI is like Open MPI's.
int main() { return 0; }

#endif
