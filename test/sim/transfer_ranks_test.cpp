// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer on simulated ranks: every transport and every way through filters moves all bytes, and
// whatever fails on one rank is a failure on all of them, wherever it happens.

#include <mpi.h>

#if defined(OPEN_MPI)

#include <array>
#include <map>
#include <set>

#include "sim/sim_ranks.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr std::uint64_t kRows = 12, kBlocks = 16, kColumns = 3 * kBlocks;
constexpr int kDeflateNumber = 1;

/// One way of writing a dataset.
struct Way {
  const char* name;
  Transport transport = Transport::kNone;  ///< kNone: as the library chooses
  Dims chunk{};                            ///< empty: contiguous
  bool filtered = false;
  bool one_machine = true;
  TransferMode mode = TransferMode::kCollective;
  ChunkOpt chunk_opt = ChunkOpt::kDefault;
  std::uint64_t rows = kRows;
  int nodes = 0;  ///< that share memory; 0: as one_machine says
  /// So many that of each node several have letters for the other one.
  [[nodiscard]] int ranks() const { return nodes > 1 ? 3 * nodes : 3; }
};

SimOptions options_of(const Way& way, int ranks, std::uint64_t seed = 0) {
  SimOptions options{ranks, seed, way.one_machine};
  options.nodes = way.nodes;
  return options;
}

const std::vector<Way> kWays = {
    {"direct", Transport::kDirect},
    {"exchange in shared memory", Transport::kExchange},
    {"exchange by messages", Transport::kExchange, {}, false, false},
    {"view", Transport::kView},
    {"chosen", Transport::kNone},
    {"chunks, direct", Transport::kDirect, {5, 7}},
    {"chunks, exchange in shared memory", Transport::kExchange, {5, 7}},
    {"chunks, exchange by messages", Transport::kExchange, {5, 7}, false, false},
    {"chunks, view", Transport::kView, {5, 7}},
    {"chunks, one by one",
     Transport::kExchange,
     {5, 7},
     false,
     true,
     TransferMode::kCollective,
     ChunkOpt::kMultiIo},
    {"chunks, independent", Transport::kNone, {5, 7}, false, true, TransferMode::kIndependent},
    {"exchange between nodes",
     Transport::kExchange,
     {},
     false,
     true,
     TransferMode::kCollective,
     ChunkOpt::kDefault,
     kRows,
     2},
    {"chunks, exchange between nodes",
     Transport::kExchange,
     {5, 7},
     false,
     true,
     TransferMode::kCollective,
     ChunkOpt::kDefault,
     kRows,
     2},
    {"filtered, between nodes",
     Transport::kNone,
     {5, 7},
     true,
     true,
     TransferMode::kCollective,
     ChunkOpt::kDefault,
     kRows,
     2},
    {"filtered, shared memory", Transport::kNone, {5, 7}, true},
    {"filtered, messages", Transport::kNone, {5, 7}, true, false},
};

/// A rank's elements: every so many blocks one of three columns. The last rank has none where there are several.
struct Share {
  std::vector<std::int32_t> data;
  TransferRequest request;
};

std::int32_t value_at(std::uint64_t row, std::uint64_t column) {
  return static_cast<std::int32_t>(1000 * row + column + 7);
}

Share share_of(int rank, int ranks, const Way& way, const Dataspace& extent) {
  const auto writers = static_cast<std::uint64_t>(std::max(1, ranks - 1));
  const auto me = static_cast<std::uint64_t>(rank);
  Share share;
  TransferRequest& request = share.request;
  request.memory_type = int32();
  request.file_space = extent;
  std::uint64_t mine = 0;
  if (me < writers) {
    mine = (kBlocks - me + writers - 1) / writers;
    must(request.file_space.selection().select_hyperslab(
        extent.dims(), SelectOp::kSet, {{0, 3 * me}, {1, 3 * writers}, {1, mine}, {way.rows, 3}}));
  } else {
    request.file_space.selection() = Selection::none();
  }
  for (std::uint64_t row = 0; row < way.rows; ++row)
    for (std::uint64_t block = me; me < writers && block < kBlocks; block += writers)
      for (std::uint64_t i = 0; i < 3; ++i) share.data.push_back(value_at(row, 3 * block + i));
  request.memory_space = must(Dataspace::simple({std::max<std::uint64_t>(share.data.size(), 1)}));
  if (share.data.empty()) request.memory_space.selection() = Selection::none();
  request.props.mode = way.mode;
  request.props.forced_transport = way.transport;
  request.props.chunk_opt = way.chunk_opt;
  if (way.rows != kRows) request.props.exchange_memory = 1 << 20;
  return share;
}

Result<Location> make_data(const FilePtr& file, const Way& way) {
  DatasetSpec spec;
  spec.dims = {way.rows, kColumns};
  spec.chunk = way.chunk;
  if (way.filtered) spec.filters = {{kDeflateNumber, 0, {6}, "deflate"}};
  return add_dataset(file, "data", spec);
}

Status move(const Location& data, Direction direction, Share& share, const Status& checked,
            Transport* used = nullptr) {
  share.request.direction = direction;
  share.request.buffer = reinterpret_cast<std::byte*>(share.data.data());
  TransferReport report;
  Status moved =
      transfer_dataset(data.file->store(), data.object, share.request, &report,
                       {direction == Direction::kWrite ? "H5Dwrite" : "H5Dread", "/data"}, checked);
  if (used != nullptr) *used = report.transport;
  return moved;
}

/// What is in the file, as a reader without MPI sees it.
void check_file(const std::vector<std::byte>& bytes) {
  OpenWith setup;
  setup.path = "copy.h5";
  const FilePtr file = must(open_session(make_disk(bytes), OpenMode::kReadOnly, setup));
  const auto data = must(read_all(must(find(file, "/data"))));
  std::uint64_t wrong = 0;
  for (std::uint64_t row = 0; row < kRows; ++row)
    for (std::uint64_t column = 0; column < kColumns; ++column)
      if (data[static_cast<std::size_t>(row * kColumns + column)] != value_at(row, column)) ++wrong;
  EXPECT_EQ(wrong, 0U) << "elements of " << data.size() << " that are not what was written";
  must(close_session(file));
}

Status write_and_read(SimRanks& ranks, int rank, const Way& way, std::set<Transport>* used) {
  PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
  PCIO_ASSIGN(Location data, make_data(file, way));
  PCIO_ASSIGN(DatasetState * state, file->store().datasets().state(data.object));
  Share share = share_of(rank, ranks.size(), way, state->extent);
  const std::vector<std::int32_t> written = share.data;
  // Behind so many agreements nodes have boards.
  for (int i = 0; i < 20 && way.nodes > 1 && ranks.size() % 2 == 0; ++i)
    PCIO_TRY(file->coordinator().outcome({"pcio_agree", "/"}, Status()));
  Transport transport = Transport::kNone;
  PCIO_TRY(move(data, Direction::kWrite, share, Status(), &transport));
  used->insert(transport);
  // Independent writes are in the file for all after it.
  PCIO_TRY(flush_session(file));
  std::fill(share.data.begin(), share.data.end(), 0);
  PCIO_TRY(move(data, Direction::kRead, share, Status()));
  EXPECT_EQ(share.data, written) << "what rank " << rank << " reads";
  // All ranks want all: the way of a broadcast.
  std::vector<std::int32_t> all(kRows * kColumns);
  TransferProps together;
  together.mode = TransferMode::kCollective;
  PCIO_TRY(move_elements(data, Direction::kRead, nullptr, all.data(), together));
  for (std::uint64_t i = 0; i < all.size(); ++i)
    if (all[i] != value_at(i / kColumns, i % kColumns)) {
      ADD_FAILURE() << "element " << i << " of all, read by rank " << rank;
      break;
    }
  data = Location();
  return close_session(file);
}

TEST(TransferOnRanks, EveryWayMovesEveryElement) {
  for (const Way& way : kWays)
    for (int n = 1; n <= std::max(4, way.ranks()); ++n)
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        SCOPED_TRACE(std::string(way.name) + ", " + std::to_string(n) + " ranks, order " +
                     std::to_string(seed));
        SimRanks ranks(options_of(way, n, seed));
        std::set<Transport> used;
        ranks.must_run([&](int rank) { return write_and_read(ranks, rank, way, &used); });
        EXPECT_EQ(used.size(), 1U);
        // Two ranks, of which one has data, share no chunk.
        if (way.transport != Transport::kNone &&
            n > (way.chunk_opt == ChunkOpt::kMultiIo ? 2 : 1)) {
          EXPECT_EQ(used, std::set<Transport>{way.transport});
        }
        check_file(ranks.bytes());
        if (HasFailure()) return;
      }
}

/// What one rank is made to fail at.
struct Blow {
  std::string call;
  SimFault fault;
};

/// How a run with one fault in the transfer ended.
struct Struck {
  bool hit = false;
  bool succeeded = false;
};

enum class Since : std::uint8_t { kOpening, kTransfer };

/// Writes (or reads) on few ranks; `victim`'s call number `number` since then fails. The file is closed by
/// all, whatever happened.
Struck strike(const Way& way, Direction direction, const Blow& blow, int victim,
              std::uint64_t number, Since since = Since::kTransfer) {
  const int size = way.ranks();
  SimRanks ranks(options_of(way, size));
  Struck out;
  std::vector<bool> armed(static_cast<std::size_t>(size), since == Since::kOpening);
  std::uint64_t seen = 0;
  ranks.world().set_fault([&](const SimCall& call) {
    if (call.rank != victim || !armed[static_cast<std::size_t>(victim)] || call.name != blow.call ||
        ++seen != number)
      return SimFault::kNone;
    out.hit = true;
    return blow.fault;
  });
  std::vector<Status> moved(static_cast<std::size_t>(size));
  ranks.run([&](int rank) -> Status {
    PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
    PCIO_ASSIGN(Location data, make_data(file, way));
    PCIO_ASSIGN(DatasetState * state, file->store().datasets().state(data.object));
    Share share = share_of(rank, size, way, state->extent);
    if (direction == Direction::kRead) PCIO_TRY(move(data, Direction::kWrite, share, Status()));
    armed[static_cast<std::size_t>(rank)] = true;
    Status& mine = moved[static_cast<std::size_t>(rank)];
    mine = move(data, direction, share, Status());
    armed[static_cast<std::size_t>(rank)] = false;
    // A failure is told in the call's own agreements: afterwards all are still in step.
    EXPECT_TRUE(file->coordinator().health().ok())
        << "rank " << rank << ": " << whole_text(file->coordinator().health());
    data = Location();
    return close_session(file);
  });
  out.succeeded = all_alike(moved);
  // What the ranks say of it names the rank that has it, or is its own failure.
  for (int rank = 0; rank < size && !out.succeeded; ++rank)
    EXPECT_NE(moved[static_cast<std::size_t>(rank)].message(), "");
  if (out.succeeded) check_file(ranks.bytes());
  return out;
}

/// Every call of a kind in every way, one after the other: a fault that was hit is a failure of all.
void strike_everywhere(Direction direction, const std::vector<Blow>& blows) {
  std::map<std::string, int> hits;
  for (const Way& way : kWays) {
    if (way.mode == TransferMode::kIndependent) continue;
    for (const Blow& blow : blows)
      for (int victim = 0; victim < way.ranks(); ++victim)
        for (std::uint64_t number = 1; number < 40; ++number) {
          SCOPED_TRACE(std::string(way.name) + ", " + blow.call + " number " +
                       std::to_string(number) + " of rank " + std::to_string(victim));
          const Struck struck = strike(way, direction, blow, victim, number);
          if (!struck.hit) break;
          ++hits[blow.call];
          // A short write is tried again and succeeds, so bytes must be right; all else is lost.
          if (blow.fault == SimFault::kError) {
            EXPECT_FALSE(struck.succeeded) << "swallowed";
          }
          if (testing::Test::HasFailure()) return;
        }
  }
  for (const auto& [call, count] : hits) std::printf("%s: %d hit\n", call.c_str(), count);
  for (const Blow& blow : blows) EXPECT_GT(hits[blow.call], 0) << blow.call << " was never hit";
}

TEST(TransferOnRanks, AWriteThatFailsOnOneRankFailsOnAll) {
  strike_everywhere(Direction::kWrite, {{"MPI_File_write_at", SimFault::kError},
                                        {"MPI_File_write_at_all", SimFault::kError}});
}
TEST(TransferOnRanks, AReadThatFailsOnOneRankFailsOnAll) {
  strike_everywhere(Direction::kRead, {{"MPI_File_read_at", SimFault::kError}});
}
TEST(TransferOnRanks, AShortWriteIsWrittenToItsEndOrFailsOnAll) {
  strike_everywhere(Direction::kWrite, {{"MPI_File_write_at", SimFault::kShort},
                                        {"MPI_File_write_at_all", SimFault::kShort}});
}

/// A message that MPI does not start: whoever waits for it is told by the hang watch, as there is no other way to
/// tell. The rank that failed leaves the call when MPI has none of its buffers any more.
struct Unstarted {
  bool hit = false;
  bool leaves = false;
  int left = 0;  ///< messages when it leaves
};
Unstarted leave_unstarted(const Way& way, Direction direction, const std::string& kind, int victim,
                          std::uint64_t number) {
  SimRanks ranks({3, 1, false});
  Unstarted out;
  bool armed = false;
  std::uint64_t seen = 0;
  ranks.world().set_fault([&](const SimCall& call) {
    if (call.rank != victim || !armed) return SimFault::kNone;
    const bool message = call.name == "MPI_Isend" || call.name == "MPI_Irecv";
    if (out.hit && !message && !out.leaves && call.name.starts_with("MPI_I")) {
      out.leaves = true;
      out.left = ranks.world().letters(victim);
    }
    if (out.hit || call.name != kind || ++seen != number) return SimFault::kNone;
    out.hit = true;
    return SimFault::kError;
  });
  static_cast<void>(ranks.world().run([&](int rank) {
    static_cast<void>(without_throwing([&]() -> Status {
      PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
      PCIO_ASSIGN(Location data, make_data(file, way));
      PCIO_ASSIGN(DatasetState * state, file->store().datasets().state(data.object));
      Share share = share_of(rank, 3, way, state->extent);
      if (direction == Direction::kRead) PCIO_TRY(move(data, Direction::kWrite, share, Status()));
      if (rank == victim) armed = true;
      const Status moved = move(data, direction, share, Status());
      EXPECT_FALSE(moved.ok() && rank == victim && out.hit) << "swallowed";
      data = Location();
      return close_session(file);
    }));
  }));
  return out;
}

TEST(TransferOnRanks, AMessageThatIsNotStartedLeavesNoBufferToMpi) {
  std::map<std::string, int> hits;
  for (Way way : kWays) {
    if (way.one_machine || way.filtered || way.chunk.size() > 0) continue;
    way.rows = 2600;  // so that there are several owners
    for (const Direction direction : {Direction::kWrite, Direction::kRead})
      for (const char* const kind : {"MPI_Irecv", "MPI_Isend"})
        for (const int victim : {0, 2})
          for (std::uint64_t number = 1; number < 7; ++number) {
            SCOPED_TRACE(std::string(way.name) + ", " + kind + " number " + std::to_string(number) +
                         " of rank " + std::to_string(victim) +
                         (direction == Direction::kRead ? ", read" : ", write"));
            const Unstarted found = leave_unstarted(way, direction, kind, victim, number);
            if (!found.hit) break;
            ++hits[kind];
            EXPECT_EQ(found.left, 0);
            // Nobody answers a letter that has not gone.
            if (direction == Direction::kWrite || kind == std::string_view("MPI_Irecv")) {
              EXPECT_TRUE(found.leaves) << "it waits for what nobody sends";
            }
          }
  }
  EXPECT_GT(hits["MPI_Irecv"], 8);
  EXPECT_GT(hits["MPI_Isend"], 8);
}

TEST(TransferOnRanks, SharedMemoryThatOneRankLacksIsReplacedByMessages) {
  int hits = 0;
  for (const Way& way : kWays)
    for (int victim = 0; victim < 3; ++victim) {
      SCOPED_TRACE(std::string(way.name) + ", rank " + std::to_string(victim));
      const Blow blow{"mmap", SimFault::kError};
      if ((way.transport != Transport::kExchange && !way.filtered) || !way.one_machine) continue;
      const Struck struck = strike(way, Direction::kWrite, blow, victim, 1);
      EXPECT_TRUE(struck.succeeded);
      hits += struck.hit ? 1 : 0;
    }
  EXPECT_EQ(hits, 21);
}

TEST(TransferOnRanks, CommunicatorsThatMpiRefusesAreReplacedByMessages) {
  int hits = 0;
  for (const Way& way : kWays)
    for (const int victim : {0, 4}) {
      SCOPED_TRACE(std::string(way.name) + ", rank " + std::to_string(victim));
      if (way.nodes < 2) continue;
      // The third that is duplicated, of the node's ranks.
      const Blow blow{"MPI_Comm_idup", SimFault::kError};
      const Struck struck = strike(way, Direction::kWrite, blow, victim, 3, Since::kOpening);
      EXPECT_TRUE(struck.succeeded);
      hits += struck.hit ? 1 : 0;
    }
  EXPECT_EQ(hits, 6);
}

TEST(TransferOnRanks, ABadArgumentOfOneRankIsAFailureOfAll) {
  for (const Way& way : kWays) {
    if (way.mode == TransferMode::kIndependent) continue;
    for (const Direction direction : {Direction::kWrite, Direction::kRead})
      for (int victim = 0; victim < 3; ++victim) {
        SCOPED_TRACE(std::string(way.name) + ", rank " + std::to_string(victim));
        SimRanks ranks(options_of(way, 3));
        std::vector<Status> moved(3), again(3);
        ranks.must_run([&](int rank) -> Status {
          PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
          PCIO_ASSIGN(Location data, make_data(file, way));
          PCIO_ASSIGN(DatasetState * state, file->store().datasets().state(data.object));
          Share share = share_of(rank, 3, way, state->extent);
          const Status bad = PCIO_ERROR(ARGS, BADVALUE, "injected: argument");
          moved[static_cast<std::size_t>(rank)] =
              move(data, direction, share, rank == victim ? bad : Status());
          // Nothing has happened: the same call can be made again.
          again[static_cast<std::size_t>(rank)] = move(data, Direction::kWrite, share, Status());
          data = Location();
          return close_session(file);
        });
        EXPECT_FALSE(all_alike(moved));
        for (int rank = 0; rank < 3; ++rank) {
          const std::string text = moved[static_cast<std::size_t>(rank)].message();
          EXPECT_NE(text.find("injected: argument"), std::string::npos) << text;
          if (rank != victim) {
            EXPECT_NE(text.find("rank " + std::to_string(victim)), std::string::npos) << text;
          }
        }
        EXPECT_TRUE(all_alike(again)) << again[0].message();
        check_file(ranks.bytes());
        if (HasFailure()) return;
      }
  }
}

TEST(TransferOnRanks, ARankInAnotherCallIsToldAndNobodyHangs) {
  for (const Way& way : kWays) {
    if (way.mode == TransferMode::kIndependent) continue;
    SCOPED_TRACE(way.name);
    SimRanks ranks(options_of(way, 3));
    std::vector<Status> moved(3);
    ranks.run([&](int rank) -> Status {
      PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
      PCIO_ASSIGN(Location data, make_data(file, way));
      PCIO_ASSIGN(DatasetState * state, file->store().datasets().state(data.object));
      Share share = share_of(rank, 3, way, state->extent);
      moved[static_cast<std::size_t>(rank)] =
          move(data, rank == 1 ? Direction::kRead : Direction::kWrite, share, Status());
      // The end of an API call, in which ranks give back what takes all of them.
      file->coordinator().release_handles();
      data = Location();
      return close_session(file);
    });
    EXPECT_FALSE(all_alike(moved));
    EXPECT_NE(moved[0].message().find("H5Dread"), std::string::npos) << moved[0].message();
  }
}

}  // namespace
}  // namespace pcio

#endif
