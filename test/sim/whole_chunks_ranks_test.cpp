// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer on a simulated rank: chunks that a rank has as they are to be go through filters from and to
// where the program has them. What is copied on the way takes memory, which is counted.

#include <mpi.h>

#if defined(OPEN_MPI)

#include "sim/sim_ranks.hpp"
#include "support/counted_memory.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr std::uint64_t kChunks = 2, kElements = std::uint64_t{256} << 10;
constexpr std::uint64_t kChunkBytes = kElements * sizeof(std::int32_t);
constexpr int kFletcher32Number = 3;

/// The simulated file takes a chunk for what it moves, lists of places 1.3 chunks. An image would be one more, and the
/// memory of a batch as many as there are.
constexpr double kMostWritten = 2.8;
/// Beside that of the file there is the chunk as it lies there; no image.
constexpr double kMostRead = 2.5;

/// Elements of memory from one row of the dataset to the next.
struct Memory {
  std::uint64_t row;
  /// Of what operator new gave for one transfer, in chunks.
  double written = 0, read = 0;
};

std::int32_t value_at(std::uint64_t i, int round) {
  return static_cast<std::int32_t>(i * 2654435761U >> 3) + round;
}

TransferRequest request_of(const Memory& memory, const Dataspace& extent) {
  TransferRequest request;
  request.memory_type = int32();
  request.file_space = extent;
  request.memory_space = must(Dataspace::simple({kChunks, memory.row}));
  must(request.memory_space.selection().select_hyperslab(
      request.memory_space.extent().dims(), SelectOp::kSet,
      {{0, 0}, {1, 1}, {1, 1}, {kChunks, kElements}}));
  request.props.mode = TransferMode::kCollective;
  return request;
}

/// What f() takes at a time, in chunks.
template <class F>
double peak_of(F&& f) {
  memory::begin(1);
  memory::attribute_to(0);
  f();
  memory::attribute_to(memory::kNobody);
  const auto peak = static_cast<double>(memory::peak(0));
  memory::end();
  return peak / static_cast<double>(kChunkBytes);
}

double move(const Location& data, Direction direction, TransferRequest& request,
            std::vector<std::int32_t>& elements) {
  request.direction = direction;
  request.buffer = reinterpret_cast<std::byte*>(elements.data());
  TransferReport report;
  return peak_of([&] {
    must(transfer_dataset(data.file->store(), data.object, request, &report, {"H5Dwrite", "/data"},
                          Status()));
  });
}

Status measure(SimRanks& ranks, int rank, Memory* memory) {
  PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
  DatasetSpec spec;
  spec.dims = {kChunks, kElements};
  spec.chunk = {1, kElements};
  spec.filters = {{kFletcher32Number, 0, {}, "fletcher32"}};
  PCIO_ASSIGN(Location data, add_dataset(file, "data", spec));
  PCIO_ASSIGN(DatasetState * state, file->store().datasets().state(data.object));
  TransferRequest request = request_of(*memory, state->extent);
  std::vector<std::int32_t> elements(kChunks * memory->row);
  const auto check = [&](int round) {
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < kChunks * kElements; ++i)
      if (elements[i / kElements * memory->row + i % kElements] != value_at(i, round)) ++wrong;
    EXPECT_EQ(wrong, 0U) << "round " << round;
  };
  // From the third time on chunks come where older ones were: the file, which is memory here, doesn't grow.
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t i = 0; i < kChunks * kElements; ++i)
      elements[i / kElements * memory->row + i % kElements] = value_at(i, round);
    memory->written = move(data, Direction::kWrite, request, elements);
    PCIO_TRY(flush_session(file));
    std::fill(elements.begin(), elements.end(), 0);
    memory->read = move(data, Direction::kRead, request, elements);
    check(round);
  }
  data = Location();
  return close_session(file);
}

TEST(WholeChunks, AreEncodedAndDecodedWhereTheProgramHasThem) {
  Memory memory{kElements};
  SimRanks ranks({1, 0, true});
  ranks.must_run([&](int rank) { return measure(ranks, rank, &memory); });
  EXPECT_LT(memory.written, kMostWritten);
  EXPECT_LT(memory.read, kMostRead);
}

/// Rows of memory are longer than those of the dataset: as many pieces, each one of which is a chunk.
TEST(WholeChunks, MayLieApart) {
  Memory memory{kElements + 5};
  SimRanks ranks({1, 0, true});
  ranks.must_run([&](int rank) { return measure(ranks, rank, &memory); });
  EXPECT_LT(memory.written, kMostWritten);
  EXPECT_LT(memory.read, kMostRead);
}

/// A plan of a write of more than a batch holds, of which the chunks themselves would be 16 and more.
TEST(WholeChunks, OfADryRunTakeNoMemory) {
  constexpr std::uint64_t kPlanned = 64;
  constexpr double kMostPlanned = 3;
  double planned = 0;
  SimRanks ranks({1, 0, true});
  ranks.must_run([&](int rank) -> Status {
    PCIO_ASSIGN(FilePtr file, ranks.open(rank, OpenMode::kTruncate));
    DatasetSpec spec;
    spec.dims = {kPlanned, kElements};
    spec.chunk = {1, kElements};
    spec.filters = {{kFletcher32Number, 0, {}, "fletcher32"}};
    PCIO_ASSIGN(Location data, add_dataset(file, "data", spec));
    PCIO_ASSIGN(DatasetState * state, file->store().datasets().state(data.object));
    TransferRequest request;
    std::byte nothing{};  // a dry run doesn't look into it
    request.direction = Direction::kWrite;
    request.memory_type = int32();
    request.file_space = request.memory_space = state->extent;
    request.buffer = &nothing;
    request.props.mode = TransferMode::kCollective;
    TransferReport report;
    planned = peak_of([&] {
      must(explain_dataset(data.file->store(), data.object, request, &report,
                           {"pcio_explain", "/data"}, Status()));
    });
    EXPECT_EQ(report.counts.bytes_written, kPlanned * kChunkBytes);
    data = Location();
    return close_session(file);
  });
  EXPECT_LT(planned, kMostPlanned);
}

}  // namespace
}  // namespace pcio

#endif
