// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer on simulated ranks of several nodes: letters of a node's ranks go together, what they read comes once,
// and a bundle that can't be made is a failure of all.

#include <mpi.h>

#if defined(OPEN_MPI)

#include <array>

#include "sim/sim_ranks.hpp"
#include "transfer/call/multi_transfer.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr int kDeflateNumber = 1;

std::int32_t value_at(std::uint64_t row, std::uint64_t column) {
  return static_cast<std::int32_t>(1000 * row + column + 7);
}

constexpr int kManyRanks = 36, kManyNodes = 6;
constexpr std::uint64_t kManyRows = 1500,
                        kRun = 30;  // 36 letters of 5 KB each way between two nodes
enum class Chunks : std::uint8_t { kNone, kFiltered };
/// Of each rank: counts of its write and its read, and whether it has come to the read.
struct Many {
  std::array<std::array<ExchangeCounts, 2>, kManyRanks> counts;
  std::array<bool, kManyRanks> reads{};
};

/// Writes and reads a run of each row, other ones on each rank.
Status move_runs(const Location& data, int rank, Chunks chunks, Many* many) {
  const auto me = static_cast<std::uint64_t>(rank);
  PCIO_ASSIGN(DatasetState * state, data.file->store().datasets().state(data.object));
  TransferRequest request;
  request.memory_type = int32();
  request.file_space = state->extent;
  PCIO_TRY(request.file_space.selection().select_hyperslab(
      state->extent.dims(), SelectOp::kSet, {{0, me * kRun}, {1, 1}, {1, 1}, {kManyRows, kRun}}));
  PCIO_ASSIGN(request.memory_space, Dataspace::simple({kManyRows * kRun}));
  request.props.mode = TransferMode::kCollective;
  if (chunks == Chunks::kNone) request.props.forced_transport = Transport::kExchange;
  request.props.exchange_memory = 1 << 20;
  std::vector<std::int32_t> values(kManyRows * kRun);
  auto value = [&](std::size_t i) { return static_cast<std::int32_t>(50'000 * rank + i); };
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(i);
  request.buffer = reinterpret_cast<std::byte*>(values.data());
  for (const Direction direction : {Direction::kWrite, Direction::kRead}) {
    request.direction = direction;
    many->reads[me] = direction == Direction::kRead;
    TransferReport report;
    PCIO_TRY(transfer_dataset(data.file->store(), data.object, request, &report,
                              {"H5Dwrite", "/data"}, Status()));
    if (chunks == Chunks::kNone) {
      EXPECT_EQ(report.transport, Transport::kExchange);
    }
    many->counts[me][direction == Direction::kWrite ? 0 : 1] = report.exchange;
    if (direction == Direction::kWrite) std::fill(values.begin(), values.end(), -1);
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) wrong += values[i] == value(i) ? 0 : 1;
  EXPECT_EQ(wrong, 0U) << "on rank " << rank;
  return Status();
}

/// All need what all have: chunks are of all ranks. The file is closed, whatever happens.
Status move_many(SimRanks& ranks, int rank, Chunks chunks, Many* many) {
  PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
  DatasetSpec spec;
  spec.dims = {kManyRows, kManyRanks * kRun};
  if (chunks == Chunks::kFiltered) {
    spec.chunk = {kManyRows / 30, kManyRanks * kRun};
    spec.filters = {{kDeflateNumber, 0, {1}, "deflate"}};
  }
  PCIO_ASSIGN(Location data, add_dataset(file, "data", spec));
  Status moved = move_runs(data, rank, chunks, many);
  data = Location();
  Status closed = close_session(file);
  return moved.ok() ? std::move(closed) : std::move(moved);
}

/// Letters of each node, counted beside what they are one by one.
void check_many(const Many& many) {
  for (const std::size_t way : {0, 1}) {
    std::uint64_t most = 0, rounds = 0, sent = 0, received = 0, senders = 0;
    for (std::size_t node = 0; node < kManyNodes; ++node) {
      std::uint64_t of_node = 0;
      for (std::size_t i = 0; i < kManyRanks / kManyNodes; ++i) {
        const ExchangeCounts& one = many.counts[node * (kManyRanks / kManyNodes) + i][way];
        of_node += one.messages_between_nodes;
        rounds = one.rounds;
        sent += one.messages_sent;
        received += one.messages_received;
        senders += one.messages_between_nodes > 0 ? 1 : 0;
      }
      most = std::max(most, of_node);
    }
    SCOPED_TRACE(std::string(way == 0 ? "write" : "read") + ": " + std::to_string(most) +
                 " letters of a node in " + std::to_string(rounds) + " rounds");
    // One by one they are 150 of a node and round and more, and as many answers.
    EXPECT_LE(most, rounds * (kManyNodes - 1) * 6 * (way + 1));
    EXPECT_GT(most, kManyNodes - 1);
    EXPECT_EQ(sent, received);
    EXPECT_GT(senders, kManyNodes) << "one rank of a node sends all";
    std::printf("%s: %llu letters of a node, %llu rounds, %llu senders\n",
                way == 0 ? "write" : "read", static_cast<unsigned long long>(most),
                static_cast<unsigned long long>(rounds), static_cast<unsigned long long>(senders));
  }
}

SimOptions many_ranks() {
  SimOptions options{kManyRanks, 0, true};
  options.nodes = kManyNodes;
  return options;
}

/// Ranks that are too many for an all-to-all of sizes, in bundles that are long enough to be several. Of so many nodes
/// owners of chunks with filters answer those of other nodes.
TEST(TransferBetweenNodes, LettersOfANodeGoTogether) {
  for (const Chunks chunks : {Chunks::kNone, Chunks::kFiltered}) {
    SCOPED_TRACE(chunks == Chunks::kNone ? "exchange" : "filtered");
    SimRanks ranks(many_ranks());
    Many many;
    ranks.must_run([&](int rank) { return move_many(ranks, rank, chunks, &many); });
    check_many(many);
  }
}

/// Reads of columns that several ranks of a node want: of each rank its own run and `halo` more on either side.
Status read_halos(SimRanks& ranks, int rank, std::uint64_t halo, Transport transport,
                  ExchangeCounts* counts, std::uint64_t* broadcasts) {
  constexpr std::uint64_t kFewRows = 200, kWidth = kManyRanks * kRun;
  PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
  DatasetSpec spec;
  spec.dims = {kFewRows, kWidth};
  PCIO_ASSIGN(Location data, add_dataset(file, "data", spec));
  TransferRequest request;
  request.memory_type = int32();
  PCIO_ASSIGN(request.file_space, Dataspace::simple(spec.dims));
  request.props.mode = TransferMode::kCollective;
  request.props.forced_transport = Transport::kExchange;
  const auto me = static_cast<std::uint64_t>(rank);
  const auto move_columns = [&](std::uint64_t first, std::uint64_t end, Direction direction,
                                std::vector<std::int32_t>* values) -> Status {
    PCIO_TRY(request.file_space.selection().select_hyperslab(
        spec.dims, SelectOp::kSet, {{0, first}, {1, 1}, {1, 1}, {kFewRows, end - first}}));
    PCIO_ASSIGN(request.memory_space, Dataspace::simple({values->size()}));
    request.direction = direction;
    request.buffer = reinterpret_cast<std::byte*>(values->data());
    TransferReport report;
    Status moved = transfer_dataset(data.file->store(), data.object, request, &report,
                                    {"H5Dread", "/data"}, Status());
    *counts = report.exchange;
    return moved;
  };
  std::vector<std::int32_t> own;
  for (std::uint64_t i = 0; i < kFewRows * kRun; ++i)
    own.push_back(value_at(i / kRun, me * kRun + i % kRun));
  PCIO_TRY(move_columns(me * kRun, (me + 1) * kRun, Direction::kWrite, &own));
  request.props.forced_transport = transport;
  const std::uint64_t first = me * kRun - std::min(me * kRun, halo),
                      end = std::min(kWidth, (me + 1) * kRun + halo);
  std::vector<std::int32_t> found(kFewRows * (end - first), -1);
  const std::uint64_t before = ranks.world().count(rank, "MPI_Ibcast");
  PCIO_TRY(move_columns(first, end, Direction::kRead, &found));
  *broadcasts = ranks.world().count(rank, "MPI_Ibcast") - before;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    wrong += found[i] == value_at(i / (end - first), first + i % (end - first)) ? 0 : 1;
  EXPECT_EQ(wrong, 0U) << "on rank " << rank;
  data = Location();
  return close_session(file);
}

/// What several ranks of a node read crosses to it once, and goes from rank to rank there.
TEST(TransferBetweenNodes, WhatANodeReadsComesOnce) {
  constexpr std::uint64_t kColumn = 200 * sizeof(std::int32_t), kOfNode = kManyRanks / kManyNodes;
  for (const std::uint64_t halo : {std::uint64_t{7}, 2 * kRun, kManyRanks * kRun}) {
    SCOPED_TRACE(std::to_string(halo) + " columns more on either side");
    SimRanks ranks(many_ranks());
    std::array<ExchangeCounts, kManyRanks> counts;
    std::array<std::uint64_t, kManyRanks> broadcasts{};
    ranks.must_run([&](int rank) {
      return read_halos(ranks, rank, halo, Transport::kExchange,
                        &counts[static_cast<std::size_t>(rank)],
                        &broadcasts[static_cast<std::size_t>(rank)]);
    });
    std::uint64_t crossed = 0, wanted = 0;
    for (const ExchangeCounts& one : counts) crossed += one.bytes_between_nodes;
    for (std::uint64_t node = 0; node < kManyNodes; ++node) {
      const std::uint64_t from = node * kOfNode * kRun, to = from + kOfNode * kRun;
      wanted += (std::min(kManyRanks * kRun, to + halo) - (from - std::min(from, halo))) * kColumn;
    }
    // And a little to ask for it.
    EXPECT_LE(crossed, wanted + wanted / 20);
    EXPECT_GT(crossed, 0U);
  }
}

/// The same few bytes for all: read by one rank, and sent down a tree of nodes before one of each node's ranks.
TEST(TransferBetweenNodes, WhatAllReadGoesFromNodeToNode) {
  SimRanks ranks(many_ranks());
  std::array<ExchangeCounts, kManyRanks> counts;
  std::array<std::uint64_t, kManyRanks> broadcasts{};
  ranks.must_run([&](int rank) {
    return read_halos(ranks, rank, kManyRanks * kRun, Transport::kBroadcast,
                      &counts[static_cast<std::size_t>(rank)],
                      &broadcasts[static_cast<std::size_t>(rank)]);
  });
  std::uint64_t crossed = 0;
  for (std::size_t rank = 0; rank < kManyRanks; ++rank) {
    // Only who leads a node has to do with other nodes. On each a word goes before, whether it has been good.
    EXPECT_EQ(broadcasts[rank], rank % (kManyRanks / kManyNodes) == 0 ? 3U : 2U);
    crossed += counts[rank].bytes_between_nodes;
  }
  EXPECT_EQ(crossed, (kManyNodes - 1) * 200 * kManyRanks * kRun * sizeof(std::int32_t));
}

/// Who sends for others can't make the type of a bundle, or of its answers: the transfer fails on all ranks, and
/// nobody waits for it.
TEST(TransferBetweenNodes, ABundleThatCannotBeMadeIsAFailureOfAll) {
  int hits = 0;
  for (const Chunks chunks : {Chunks::kNone, Chunks::kFiltered})
    for (const bool read : {false, true}) {
      SCOPED_TRACE(std::string(chunks == Chunks::kNone ? "exchange" : "filtered") +
                   (read ? ", read" : ", write"));
      SimRanks ranks(many_ranks());
      Many many;
      int seen = 0;
      bool hit = false;
      ranks.world().set_fault([&](const SimCall& call) {
        if (call.rank % 7 != 3 || many.reads[static_cast<std::size_t>(call.rank)] != read ||
            call.name != std::string_view("MPI_Type_create_hindexed") || ++seen != 2)
          return SimFault::kNone;
        hit = true;
        return SimFault::kError;
      });
      const std::vector<Status> moved =
          ranks.run([&](int rank) { return move_many(ranks, rank, chunks, &many); });
      EXPECT_EQ(all_alike(moved), !hit);
      hits += hit ? 1 : 0;
    }
  EXPECT_EQ(hits, 4);
}

constexpr std::uint64_t kShared = std::uint64_t{1} << 19, kBlock = 64;
const std::vector<std::string> kLists = {"/filtered", "/plain"};

/// Elements of both datasets in one call, every fourth block of each.
Status move_lists(const FilePtr& file, Direction direction, std::uint64_t rank,
                  std::vector<std::vector<std::int32_t>>* values) {
  std::vector<MultiPart> parts(kLists.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    PCIO_ASSIGN(Location at, find(file, kLists[i]));
    PCIO_ASSIGN(DatasetState * state, file->store().datasets().state(at.object));
    TransferRequest& request = parts[i].request;
    std::vector<std::int32_t>& mine = (*values)[i];
    request.direction = direction;
    request.memory_type = int32();
    request.file_space = state->extent;
    PCIO_TRY(request.file_space.selection().select_hyperslab(
        state->extent.dims(), SelectOp::kSet,
        {{kBlock * rank}, {4 * kBlock}, {mine.size() / kBlock}, {kBlock}}));
    PCIO_ASSIGN(request.memory_space, Dataspace::simple({mine.size()}));
    request.buffer = reinterpret_cast<std::byte*>(mine.data());
    request.props.mode = TransferMode::kCollective;
    request.props.forced_transport = Transport::kExchange;
    request.props.exchange_memory = std::uint64_t{1} << 20;
    parts[i].object = at.object;
    parts[i].path = kLists[i];
  }
  TransferReport report;
  return transfer_datasets(file->store(), parts, &report, {"H5Dread_multi", kLists[0]}, Status());
}

/// A rank still takes pieces out of the chunks that another one has decoded, who goes on to the next dataset.
TEST(TransferBetweenNodes, WhatOthersStillReadStaysUntilAllCome) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    SimOptions options{4, seed, true};
    options.nodes = 2;
    SimRanks ranks(options);
    ranks.must_run([&](int rank) -> Status {
      PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
      const FilterPipeline deflate{FilterSpec{1, 0, {1}, "deflate"}};
      PCIO_TRY(detail::to_status(add_dataset(
          file, "filtered", {.dims = {kShared}, .chunk = {kShared / 2}, .filters = deflate})));
      PCIO_TRY(detail::to_status(add_dataset(file, "plain", {.dims = {16 * kBlock}})));
      std::vector<std::vector<std::int32_t>> wanted(2);
      wanted[0].assign(kShared / 4, rank + 1);
      wanted[1].assign(4 * kBlock, rank + 10);
      PCIO_TRY(move_lists(file, Direction::kWrite, static_cast<std::uint64_t>(rank), &wanted));
      PCIO_TRY(flush_session(file));
      auto values = wanted;
      for (auto& one : values) std::fill(one.begin(), one.end(), 0);
      PCIO_TRY(move_lists(file, Direction::kRead, static_cast<std::uint64_t>(rank), &values));
      EXPECT_TRUE(values == wanted) << "what rank " << rank << " reads";
      return close_session(file);
    });
  }
}

}  // namespace
}  // namespace pcio

#endif
