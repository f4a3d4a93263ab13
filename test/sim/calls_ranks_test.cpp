// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer on simulated ranks: calls beside one dataset's transfer: several datasets in a call, chunks as
// they lie in the file, datasets that allocate late. All bytes come, and what fails on one rank fails on all.

#include <mpi.h>

#if defined(OPEN_MPI)

#include <map>

#include "driver/mpio_driver.hpp"
#include "sim/sim_ranks.hpp"
#include "transfer/call/direct_chunk.hpp"
#include "transfer/call/multi_transfer.hpp"

namespace pcio {
namespace {

using namespace test;
using Ints = std::vector<std::int32_t>;

constexpr std::uint64_t kPart = 30;  ///< elements of a rank
constexpr std::uint64_t kChunk = 10;
constexpr std::int32_t kFill = 7;
const FilterPipeline kDeflate{FilterSpec{1, 0, {6}, "deflate"}};

/// One kind of call: what it needs, the call of one rank, and what is in the file when it has succeeded.
struct Subject {
  const char* name;
  std::function<Status(const FilePtr&, std::uint64_t ranks)> make;
  std::function<Status(const FilePtr&, std::uint64_t rank, std::uint64_t ranks)> act;
  std::function<void(const FilePtr& reader, std::uint64_t ranks)> check;
};

std::int32_t value_at(std::size_t dataset, std::uint64_t element) {
  return static_cast<std::int32_t>(1000 * (dataset + 1) + element);
}

TransferProps together() {
  TransferProps props;
  props.mode = TransferMode::kCollective;
  return props;
}

// ---- several datasets ----

const std::vector<std::string> kSeveral = {"/plain", "/chunked", "/filtered"};

Status make_several(const FilePtr& file, std::uint64_t ranks) {
  const Dims dims{kPart * ranks};
  PCIO_TRY(detail::to_status(add_dataset(file, kSeveral[0], {.dims = dims})));
  PCIO_TRY(detail::to_status(add_dataset(file, kSeveral[1], {.dims = dims, .chunk = {7}})));
  return detail::to_status(
      add_dataset(file, kSeveral[2], {.dims = dims, .chunk = {12}, .filters = kDeflate}));
}

/// The last of several ranks has nothing of the second dataset.
bool has_part(std::size_t dataset, std::uint64_t rank, std::uint64_t ranks) {
  return dataset != 1 || ranks == 1 || rank + 1 != ranks;
}

Status move_several(const FilePtr& file, Direction direction, std::uint64_t rank,
                    std::vector<Ints>* values) {
  std::vector<MultiPart> parts(kSeveral.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    PCIO_ASSIGN(Location at, find(file, kSeveral[i]));
    PCIO_ASSIGN(DatasetState * state, file->store().datasets().state(at.object));
    TransferRequest& request = parts[i].request;
    Ints& mine = (*values)[i];
    request.direction = direction;
    request.memory_type = int32();
    request.file_space = state->extent;
    if (mine.empty())
      request.file_space.selection() = Selection::none();
    else
      PCIO_TRY(request.file_space.select_box({{kPart * rank}, {mine.size()}}));
    PCIO_ASSIGN(request.memory_space, Dataspace::simple({std::max<std::uint64_t>(1, mine.size())}));
    if (mine.empty()) request.memory_space.selection() = Selection::none();
    request.buffer = reinterpret_cast<std::byte*>(mine.data());
    request.props = together();
    parts[i].object = at.object;
    parts[i].path = kSeveral[i];
  }
  TransferReport report;
  return transfer_datasets(
      file->store(), parts, &report,
      {direction == Direction::kWrite ? "H5Dwrite_multi" : "H5Dread_multi", kSeveral[0]}, Status());
}

std::vector<Ints> parts_of(std::uint64_t rank, std::uint64_t ranks) {
  std::vector<Ints> parts(kSeveral.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::uint64_t n = 0; n < kPart && has_part(i, rank, ranks); ++n)
      parts[i].push_back(value_at(i, kPart * rank + n));
  return parts;
}

Status write_several(const FilePtr& file, std::uint64_t rank, std::uint64_t ranks) {
  std::vector<Ints> values = parts_of(rank, ranks);
  return move_several(file, Direction::kWrite, rank, &values);
}

Status read_several(const FilePtr& file, std::uint64_t rank, std::uint64_t ranks) {
  const std::vector<Ints> wanted = parts_of(rank, ranks);
  std::vector<Ints> values = wanted;
  for (Ints& one : values) std::fill(one.begin(), one.end(), 0);
  PCIO_TRY(move_several(file, Direction::kRead, rank, &values));
  EXPECT_EQ(values, wanted) << "what rank " << rank << " reads";
  return Status();
}

void check_several(const FilePtr& reader, std::uint64_t ranks) {
  for (std::size_t i = 0; i < kSeveral.size(); ++i) {
    Ints wanted;
    for (std::uint64_t r = 0; r < ranks; ++r)
      for (std::uint64_t n = 0; n < kPart; ++n)
        wanted.push_back(has_part(i, r, ranks) ? value_at(i, kPart * r + n) : 0);
    EXPECT_EQ(must(read_all(must(find(reader, kSeveral[i])))), wanted) << kSeveral[i];
  }
}

// ---- chunks as they lie in the file ----

Status make_chunked(const FilePtr& file, std::uint64_t ranks, const FilterPipeline& filters) {
  return detail::to_status(add_dataset(
      file, "/d", {.dims = {2 * kChunk * ranks}, .chunk = {kChunk}, .filters = filters}));
}

/// Each rank's first chunk, a second one by all but the last; a filter that was not applied.
Status write_chunks(const FilePtr& file, std::uint64_t rank, std::uint64_t ranks,
                    std::uint32_t mask) {
  PCIO_ASSIGN(Location at, find(file, "/d"));
  for (std::uint64_t n = 0; n < 2; ++n) {
    const std::uint64_t first = (2 * rank + n) * kChunk;
    Ints values;
    for (std::uint64_t i = 0; i < kChunk; ++i) values.push_back(value_at(0, first + i));
    DirectChunk chunk{{first}, mask, std::as_bytes(std::span(values))};
    if (n == 1 && rank + 1 == ranks) chunk = {{0}, 0, {}};
    PCIO_TRY(write_direct_chunk(file->store(), at.object, chunk, TransferMode::kCollective,
                                {"H5Dwrite_chunk", "/d"}, Status()));
  }
  return Status();
}

void check_chunks(const FilePtr& reader, std::uint64_t ranks) {
  Ints wanted;
  for (std::uint64_t i = 0; i < 2 * kChunk * ranks; ++i)
    wanted.push_back(i < (2 * ranks - 1) * kChunk ? value_at(0, i) : 0);
  EXPECT_EQ(must(read_all(must(find(reader, "/d")))), wanted);
}

// ---- late allocation ----

Status make_late(const FilePtr& file, std::uint64_t ranks) {
  const DatasetSpec spec{.dims = {4 * kChunk * ranks}, .chunk = {kChunk}, .fill = kFill};
  PCIO_ASSIGN(LinkPlace where, place(file, "/d"));
  DatasetRequest request;
  request.type = int32();
  request.late_allocation = true;
  PCIO_ASSIGN(request.space, Dataspace::simple(spec.dims));
  request.create = create_props(spec);
  NewSpace unfilled;
  PCIO_ASSIGN(Location made, make_dataset(file, request, &unfilled));
  PCIO_TRY(finish_fill(*file, made.object, unfilled, {"H5Dcreate2", "/d"}));
  return add_hard_link(where, made, {});
}

/// Each rank writes half of a chunk that its neighbour writes the other half of, and in a second call a
/// chunk of its own far behind; the others have no space.
Status write_late(const FilePtr& file, std::uint64_t rank, std::uint64_t ranks) {
  PCIO_ASSIGN(Location at, find(file, "/d"));
  for (const std::uint64_t first : {rank * kChunk / 2, (2 * ranks + 2 * rank) * kChunk}) {
    Ints values;
    for (std::uint64_t i = 0; i < kChunk / 2; ++i) values.push_back(value_at(0, first + i));
    const Box box{{first}, {kChunk / 2}};
    PCIO_TRY(move_elements(at, Direction::kWrite, &box, values.data(), together()));
  }
  return Status();
}

void check_late(const FilePtr& reader, std::uint64_t ranks) {
  Ints wanted(4 * kChunk * ranks, kFill);
  for (std::uint64_t r = 0; r < ranks; ++r)
    for (const std::uint64_t first : {r * kChunk / 2, (2 * ranks + 2 * r) * kChunk})
      for (std::uint64_t i = 0; i < kChunk / 2; ++i) wanted[first + i] = value_at(0, first + i);
  EXPECT_EQ(must(read_all(must(find(reader, "/d")))), wanted);
}

const std::vector<Subject> kWrites = {
    {"several datasets", make_several, write_several, check_several},
    {"chunks without filters",
     [](const FilePtr& file, std::uint64_t ranks) { return make_chunked(file, ranks, {}); },
     [](const FilePtr& file, std::uint64_t rank, std::uint64_t ranks) {
       return write_chunks(file, rank, ranks, 0);
     },
     check_chunks},
    {"chunks with filters",
     [](const FilePtr& file, std::uint64_t ranks) { return make_chunked(file, ranks, kDeflate); },
     [](const FilePtr& file, std::uint64_t rank, std::uint64_t ranks) {
       return write_chunks(file, rank, ranks, 1);
     },
     check_chunks},
    {"late allocation", make_late, write_late, check_late},
};

const Subject kReadSeveral{"several datasets, read",
                           [](const FilePtr& file, std::uint64_t ranks) -> Status {
                             PCIO_TRY(make_several(file, ranks));
                             const auto rank =
                                 static_cast<std::uint64_t>(file->coordinator().rank());
                             return write_several(file, rank, ranks);
                           },
                           read_several, check_several};

void check_file(const Subject& subject, const std::vector<std::byte>& bytes, int ranks) {
  OpenWith setup;
  setup.path = "copy.h5";
  const FilePtr file = must(open_session(make_disk(bytes), OpenMode::kReadOnly, setup));
  subject.check(file, static_cast<std::uint64_t>(ranks));
  must(close_session(file));
}

TEST(CallsOnRanks, MoveEveryElement) {
  std::vector<Subject> subjects = kWrites;
  subjects.push_back(kReadSeveral);
  for (const Subject& subject : subjects)
    for (int n = 1; n <= 4; ++n)
      for (std::uint64_t seed = 0; seed < 3; ++seed)
        for (const bool one_machine : {true, false}) {
          SCOPED_TRACE(std::string(subject.name) + ", " + std::to_string(n) + " ranks, order " +
                       std::to_string(seed) + (one_machine ? "" : ", several machines"));
          SimRanks ranks({n, seed, one_machine});
          ranks.must_run([&](int rank) -> Status {
            PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
            const auto all = static_cast<std::uint64_t>(n);
            PCIO_TRY(subject.make(file, all));
            PCIO_TRY(subject.act(file, static_cast<std::uint64_t>(rank), all));
            return close_session(file);
          });
          check_file(subject, ranks.bytes(), n);
          if (HasFailure()) return;
        }
}

/// One call of MPI fails, or is short, on one rank of three. Whether it was made at all.
bool strike(const Subject& subject, const std::string& call, SimFault fault, int victim,
            std::uint64_t number) {
  SimRanks ranks({3, 1, victim != 1});
  bool armed = false, hit = false;
  std::uint64_t seen = 0;
  ranks.world().set_fault([&](const SimCall& made) {
    if (!armed || made.rank != victim || made.name != call || ++seen != number)
      return SimFault::kNone;
    hit = true;
    return fault;
  });
  std::vector<Status> done(3);
  ranks.run([&](int rank) -> Status {
    PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
    PCIO_TRY(subject.make(file, 3));
    if (rank == victim) armed = true;
    Status& mine = done[static_cast<std::size_t>(rank)];
    mine = subject.act(file, static_cast<std::uint64_t>(rank), 3);
    if (rank == victim) armed = false;
    EXPECT_TRUE(file->coordinator().health().ok())
        << "rank " << rank << ": " << whole_text(file->coordinator().health());
    // The same again, as nothing is wrong any more.
    EXPECT_TRUE(subject.act(file, static_cast<std::uint64_t>(rank), 3).ok());
    return close_session(file);
  });
  const bool succeeded = all_alike(done);
  if (hit && fault == SimFault::kError) {
    EXPECT_FALSE(succeeded) << "swallowed";
  }
  check_file(subject, ranks.bytes(), 3);
  return hit;
}

void strike_everywhere(const std::vector<Subject>& subjects, const std::string& call,
                       SimFault fault) {
  for (const Subject& subject : subjects) {
    int hits = 0;
    for (int victim = 0; victim < 3; ++victim)
      for (std::uint64_t number = 1; number < 30; ++number) {
        SCOPED_TRACE(std::string(subject.name) + ", " + call + " number " + std::to_string(number) +
                     " of rank " + std::to_string(victim));
        if (!strike(subject, call, fault, victim, number)) break;
        ++hits;
        if (testing::Test::HasFailure()) return;
      }
    EXPECT_GT(hits, 0) << call << " was never hit in " << subject.name;
  }
}

TEST(CallsOnRanks, AWriteThatFailsOnOneRankFailsOnAllAndCanBeMadeAgain) {
  strike_everywhere(kWrites, "MPI_File_write_at", SimFault::kError);
}
TEST(CallsOnRanks, AShortWriteIsWrittenToItsEndOrFailsOnAll) {
  strike_everywhere(kWrites, "MPI_File_write_at", SimFault::kShort);
}
TEST(CallsOnRanks, AReadThatFailsOnOneRankFailsOnAll) {
  strike_everywhere({kReadSeveral}, "MPI_File_read_at", SimFault::kError);
}

/// What a file is on several machines whose caches are apart.
constexpr ByOneRank kCachesApart{false, false, true};

/// Where each rank sets the size by itself a late one would cut the journal off.
TEST(CallsOnRanks, NobodySetsTheSizeWhenTheJournalIsThere) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    SimRanks ranks({3, seed, false});
    std::uint64_t sets = 0, cuts = 0, commits = 0;
    ranks.world().set_fault([&](const SimCall& call) {
      if (commits > 0 && call.name == "ftruncate") {
        ++sets;
        if (call.bytes < ranks.bytes().size()) ++cuts;
      }
      return SimFault::kNone;
    });
    ranks.must_run([&](int rank) -> Status {
      PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
      file->store().driver().set_by_one(kCachesApart);
      for (int i = 0; i < 3; ++i) {
        // What the commit before has is overwritten, and the file grows.
        for (int n = 0; n < 4; ++n)
          PCIO_TRY(detail::to_status(
              add_group(file, "/g" + std::to_string(i) + "." + std::to_string(n))));
        ++commits;
        const Status done = flush_session(file);
        --commits;
        PCIO_TRY(Status(done));
      }
      return close_session(file);
    });
    EXPECT_GT(sets, 0U);
    EXPECT_EQ(cuts, 0U);
  }
}

/// To look anew takes one sync; what was written was synced when its lock was given back.
TEST(CallsOnRanks, AnAtomicReadSyncsOnce) {
  SimRanks ranks({2, 0, false});
  ranks.must_run([&](int rank) -> Status {
    PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
    auto& driver = dynamic_cast<MpioDriver&>(file->store().driver());
    driver.set_by_one(kCachesApart);
    PCIO_ASSIGN(Location at, add_dataset(file, "/d", {.dims = {kPart}}));
    PCIO_TRY(driver.set_atomicity(true));
    if (rank == 0) {
      const auto syncs = [&] { return ranks.world().count(rank, "fsync"); };
      const Box box{{0}, {kPart}};
      for (int i = 0; i < 3; ++i) {
        Ints values(kPart, i), found(kPart);
        std::uint64_t before = syncs();
        PCIO_TRY(move_elements(at, Direction::kWrite, &box, values.data()));
        // At first there is what making the file wrote.
        if (i > 0) {
          EXPECT_EQ(syncs() - before, 2U);
        }
        before = syncs();
        for (int n = 1; n < 4; ++n) {
          PCIO_TRY(move_elements(at, Direction::kRead, &box, found.data()));
          EXPECT_EQ(found, values);
        }
        EXPECT_EQ(syncs() - before, 3U);
      }
    }
    return close_session(file);
  });
}

}  // namespace
}  // namespace pcio

#endif
