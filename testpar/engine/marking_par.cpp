// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Marking of chunks over MPI beside the same code on simulated ranks: equal marks, and MPI is asked
// for the same number of collectives and bytes that the simulation counts. PMPI does the counting.

#include <deque>
#include <functional>
#include <new>
#include <vector>

#include "mpi/comm.hpp"
#include "par_test.hpp"
#include "plan/chunk_marking.hpp"
#include "support/counted_memory.hpp"
#include "support/sim_communicator.hpp"

namespace {

std::uint64_t calls = 0;
std::uint64_t bytes_given = 0;

void count_call(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  ++calls;
  bytes_given += static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

}  // namespace

extern "C" {
int MPI_Iallreduce(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  count_call(count, type);
  return PMPI_Iallreduce(mine, all, count, type, op, comm, request);
}
int MPI_Iallgather(const void* mine, int count, MPI_Datatype type, void* all, int all_count,
                   MPI_Datatype all_type, MPI_Comm comm, MPI_Request* request) {
  count_call(count, type);
  return PMPI_Iallgather(mine, count, type, all, all_count, all_type, comm, request);
}
int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  count_call(count, type);
  return PMPI_Ibcast(data, count, type, root, comm, request);
}
}

namespace pcio {
namespace {

using test::ParallelTest;
using List = std::vector<OrdinalInterval>;

struct Case {
  const char* name;
  std::uint64_t dataset_chunks;
  unsigned percent;
  std::function<List(std::uint64_t rank)> touched;
};

List strided(std::uint64_t first, std::uint64_t stride, std::uint64_t count) {
  List list;
  for (std::uint64_t i = 0; i < count; ++i) append_interval(list, {first + i * stride, 1});
  return list;
}

std::vector<Case> cases() {
  return {
      {"nobody touches anything", 1000, 60, [](std::uint64_t) { return List{}; }},
      {"everybody touches everything", 100, 60,
       [](std::uint64_t) {
         return List{{0, 100}};
       }},
      {"all are collective", 100, 0,
       [](std::uint64_t r) {
         return List{{r, 1}};
       }},
      {"the RFC's three chunks", 3, 40,
       [](std::uint64_t r) {
         return r % 3 == 0 ? List{{0, 1}} : r % 3 == 1 ? List{{0, 2}} : List{{2, 1}};
       }},
      {"few intervals of many chunks", 1'000'000, 50,
       [](std::uint64_t r) {
         return List{{r * 10, 500'000}, {700'000, 7 + r}};
       }},
      {"a stream of intervals", 10'000'000, 50,
       [](std::uint64_t r) { return r == 1 ? List{} : strided(r % 2, 1000, 5000 + r); }},
      {"counters for every other chunk", 300'000, 33,
       [](std::uint64_t r) { return strided(r % 2, 2, 140'000); }},
  };
}

struct Problem {
  std::vector<List> touched;
  ChunkCensus census;
};

Problem problem_of(const Case& c, std::uint64_t ranks) {
  Problem p;
  p.census = {ranks, 0, ~std::uint64_t{0}, 0, 0, c.dataset_chunks};
  for (std::uint64_t r = 0; r < ranks; ++r) {
    p.touched.push_back(c.touched(r));
    std::uint64_t n = 0;
    for (const OrdinalInterval& i : p.touched.back()) n += i.count;
    p.census.sum_chunks += n;
    p.census.min_chunks = std::min(p.census.min_chunks, n);
    p.census.max_chunks = std::max(p.census.max_chunks, n);
    p.census.ranks_with_data += n > 0 ? 1 : 0;
  }
  return p;
}

/// The same case on simulated ranks.
test::SimCounters simulate(const Case& c, const Problem& p, ParallelTest& t, MarkedChunks& marks) {
  std::deque<ChunkMarking> marking;
  for (std::uint64_t r = 0; r < p.census.ranks; ++r)
    marking.emplace_back(p.touched[r], c.percent, p.census, r);
  test::SimCommunicator sim(p.census.ranks);
  t.check(sim.run([&](std::uint64_t r) { return marking[r].next(); }).empty(), c.name);
  marks = *marking[0].finish();
  return sim.counters()[static_cast<std::size_t>(t.rank())];
}

void equals_the_simulation(ParallelTest& t, mpi::Comm& comm) {
  for (const Case& c : cases()) {
    const Problem p = problem_of(c, static_cast<std::uint64_t>(comm.size()));
    calls = bytes_given = 0;
    const Result<MarkedChunks> marks =
        mark_chunks(comm, p.touched[static_cast<std::size_t>(comm.rank())], c.percent, p.census);
    const std::uint64_t mpi_calls = calls, mpi_bytes = bytes_given;
    MarkedChunks wanted;
    const test::SimCounters counters = simulate(c, p, t, wanted);
    t.check(marks.has_value(), std::string(c.name) + ": marked");
    t.check(marks && *marks == wanted, std::string(c.name) + ": the marks of the simulation");
    t.check(mpi_calls == counters.calls && mpi_bytes == counters.payload_bytes,
            std::string(c.name) + ": MPI has " + std::to_string(mpi_calls) + " calls with " +
                std::to_string(mpi_bytes) + " bytes, the simulation " +
                std::to_string(counters.calls) + " with " + std::to_string(counters.payload_bytes));
  }
}

/// Summaries serve more than 64 ranks only; here they are run on their own.
void summaries_over_mpi(ParallelTest& t, mpi::Comm& comm) {
  const auto ranks = static_cast<std::uint64_t>(comm.size());
  for (const std::uint64_t own : {8U, 1000U}) {
    const auto rank = static_cast<std::uint64_t>(comm.rank());
    List touched{{3, 2}};
    append_interval(touched, {100 + rank * own, own});
    const std::uint64_t limit = std::max<std::uint64_t>(1, ranks / 2);
    marking::Summaries steps({touched, rank, ranks, limit, ranks * (own + 2), 1'000'000});
    t.check(run_collectives(comm, steps), "summaries");
    const Result<MarkedChunks> marks = steps.finish();
    const MarkedChunks wanted = ranks > limit ? MarkedChunks::of({{3, 2}}) : MarkedChunks();
    t.check(marks && *marks == wanted, "summaries find the shared chunks");
  }
}

/// Each rank in turn runs out of memory, at each of its allocations.
void fails_together(ParallelTest& t, mpi::Comm& comm) {
  for (const Case& c : cases()) {
    const Problem p = problem_of(c, static_cast<std::uint64_t>(comm.size()));
    for (int victim = 0; victim < comm.size(); ++victim)
      for (std::uint64_t nth = 0; nth < 4; ++nth) {
        test::memory::begin(1);
        test::memory::attribute_to(0);
        if (comm.rank() == victim) test::memory::fail_from(0, nth);
        std::uint64_t outcome[2] = {0, 0};
        try {
          const Result<MarkedChunks> marks = mark_chunks(
              comm, p.touched[static_cast<std::size_t>(comm.rank())], c.percent, p.census);
          test::memory::end();
          outcome[marks.has_value() ? 0 : 1] = 1;
        } catch (const std::bad_alloc&) {
          // Not even the failure's text could be made; the exchanges are behind us.
          test::memory::end();
          outcome[1] = 1;
        }
        t.check(comm.allreduce_max(outcome), "compare outcomes");
        t.check(outcome[0] + outcome[1] == 1, std::string(c.name) + ": all ranks fail or none");
      }
  }
}

}  // namespace
}  // namespace pcio

int main(int argc, char** argv) {
  pcio::test::ParallelTest t(argc, argv);
  {
    auto comm = pcio::mpi::Comm::duplicate(MPI_COMM_WORLD, {});
    pcio::equals_the_simulation(t, *comm);
    pcio::summaries_over_mpi(t, *comm);
    pcio::fails_together(t, *comm);
  }
  return t.finish();
}
