// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Agreements over the board in shared memory, and over one of each node: random facts and delays beside a model, files
// and communicators side by side, messages on their way, many files one after another.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "agree/coordinator.hpp"
#include "par_test.hpp"

namespace pcio {
namespace {

using test::ParallelTest;
using Shared = std::shared_ptr<Coordinator>;

/// More than a file makes before it has a board.
constexpr int kEnough = 20;
constexpr CallName kName{"H5Dwrite", "/x"};
/// Of rounds and files: where the ranks are taken for those of several nodes.
int one_of = 1;

Shared make(ParallelTest& t, MPI_Comm over = MPI_COMM_WORLD) {
  Result<std::shared_ptr<Lobby>> lobby = Lobby::create(over, "H5Pset_fapl_mpio");
  t.check(lobby ? Status() : lobby.error(), "duplicate");
  auto made = Coordinator::create(**lobby, {"H5Fcreate", "x.h5"});
  t.check(made ? Status() : made.error(), "create a coordinator");
  return *made;
}

Shared make_with_board(ParallelTest& t) {
  Shared c = make(t);
  for (int i = 0; i < kEnough; ++i) t.check(c->outcome(kName, Status()), "before the board");
  return c;
}

/// A number that every rank can compute for every other (splitmix64).
std::uint64_t number_of(std::uint64_t rank, std::uint64_t round) {
  std::uint64_t x = (round * 1024 + rank + 1) * 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

LocalFacts facts_of(std::uint64_t rank, std::uint64_t round) {
  LocalFacts facts;
  facts.call_kind = CallKind::kWrite;
  facts.object = round;
  const std::uint64_t x = number_of(rank, round);
  facts.chunks = x % 1000;
  facts.bytes = 1 + x % 77777;
  facts.any_flags = x & 0xFF;
  facts.sums[3] = x >> 32;
  facts.maxima[3] = x;
  facts.same[7] = x;
  return facts;
}

void compare(ParallelTest& t, const GlobalFacts& all, std::uint64_t round, std::uint64_t ranks) {
  std::uint64_t chunks = 0, bytes = 0, flags = 0, sum = 0, most = 0, least = kNoRank;
  for (std::uint64_t r = 0; r < ranks; ++r) {
    const LocalFacts facts = facts_of(r, round);
    chunks += facts.chunks;
    bytes += facts.bytes;
    flags |= facts.any_flags;
    sum += facts.sums[3];
    most = std::max(most, facts.maxima[3]);
    least = std::min(least, facts.same[7]);
  }
  t.check(all.sum_chunks == chunks && all.sum_bytes == bytes && all.any_flags == flags &&
              all.sums[3] == sum && all.maxima[3] == most && all.same[7].min == least &&
              all.same[7].max == most && all.ranks_with_data == ranks,
          "round " + std::to_string(round) + " has the facts of other rounds");
}

void rounds_beside_a_model(ParallelTest& t) {
  Shared c = make(t);
  const auto n = static_cast<std::uint64_t>(t.size());
  const auto me = static_cast<std::uint64_t>(t.rank());
  constexpr std::uint64_t kRounds = 200;
  for (std::uint64_t round = 1; round <= kRounds / static_cast<unsigned>(one_of); ++round) {
    const std::uint64_t chance = number_of(me, round + 100000);
    // Ranks come late, each now and then; some so late that others sleep.
    if (chance % 16 == 0) usleep(static_cast<useconds_t>(chance >> 8) % 3000);
    Result<GlobalFacts> all = c->agree(kName, facts_of(me, round), Status());
    t.check(all ? Status() : all.error(), "agree");
    if (!all) return;
    compare(t, *all, round, n);
    if (round % 7 == 0) {
      std::uint64_t word = me + 1;
      t.check(c->allreduce_sum(std::span(&word, 1)), "a reduction in between");
      t.check(word == n * (n + 1) / 2, "the sum in between");
    }
    if (round % 11 == 0) {
      const Status mine = round % n == me ? PCIO_ERROR(ARGS, BADVALUE, "on purpose") : Status();
      Status seen = c->outcome(kName, mine);
      t.check_says(seen, "on purpose", "a failure is everybody's");
      t.check(c->health(), "and nothing is lost by it");
    }
  }
  t.check(c->close(), "close");
}

void files_side_by_side(ParallelTest& t) {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, t.rank() % 2, t.rank(), &half);
  Shared first = make(t), second = make(t), own = make(t, half);
  for (int i = 0; i < 2 * kEnough; ++i) {
    t.check(first->outcome({"H5Dwrite", "/first"}, Status()), "first");
    // The halves go at their own pace.
    for (int k = 0; k <= t.rank() % 2; ++k) t.check(own->outcome(kName, Status()), "half");
    if (i % 3 == 0) t.check(second->outcome({"H5Dwrite", "/second"}, Status()), "second");
  }
  t.check(second->close(), "close the second");
  t.check(first->outcome(kName, Status()), "the first lives on");
  t.check(own->close(), "close the half's");
  t.check(first->close(), "close the first");
  MPI_Comm_free(&half);
}

/// The receiver comes to the agreement when it has all; the sender waits there meanwhile.
void messages_on_their_way(ParallelTest& t) {
  if (t.size() == 1) return;
  Shared c = make_with_board(t);
  const int last = t.size() - 1;
  std::vector<std::byte> data(std::size_t{8} << 20, static_cast<std::byte>(t.rank() + 1));
  for (int repeat = 0; repeat < 5; ++repeat) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (t.rank() == 0) t.check(c->comm()->start_send(data, last, 3, request), "send");
    if (t.rank() == last) {
      t.check(c->comm()->start_receive(data, 0, 3, request), "receive");
      t.check(c->wait_all(std::span(&request, 1), "a message"), "wait");
      t.check(data.front() == std::byte{1} && data.back() == std::byte{1}, "the message");
    }
    t.check(c->outcome(kName, Status()), "agree with a message on its way");
    t.check(c->wait_all(std::span(&request, 1), "a message"), "wait behind the agreement");
  }
  t.check(c->close(), "close");
}

/// Nothing that boards take is used up, also where ranks lost step.
void many_files(ParallelTest& t) {
  constexpr int kFiles = 40;
  for (int i = 0; i < kFiles / one_of; ++i) {
    Shared c = make_with_board(t);
    if (i % 8 == 7 && t.size() > 1) {
      Status seen = c->outcome({t.rank() == 0 ? "H5Dread" : "H5Dwrite", "/x"}, Status());
      t.check(seen, "names alone are not compared");
      LocalFacts facts;
      facts.call_kind = t.rank() == 0 ? CallKind::kRead : CallKind::kWrite;
      t.check(!c->agree(kName, facts, Status()), "different calls");
      t.check(!c->health().ok(), "out of step");
    }
    t.check(c->close(), "close file " + std::to_string(i));
  }
}

void parts_and_agreements(ParallelTest& t) {
  Shared c = make_with_board(t);
  const auto n = static_cast<std::uint64_t>(t.size());
  const auto me = static_cast<std::uint64_t>(t.rank());
  for (std::uint64_t round = 1; round < 30; round += 3) {
    std::array<LocalFacts, 2> facts{facts_of(me, round), facts_of(me, round + 1)};
    std::array<WireFacts, 2> mine{}, all{};
    t.check(c->agree_on_parts(kName, facts, {mine, all}, Status()), "parts");
    compare(t, to_global(all[0]), round, n);
    compare(t, to_global(all[1]), round + 1, n);
    Result<GlobalFacts> one = c->agree(kName, facts_of(me, round + 2), Status());
    t.check(one.has_value(), "agree between parts");
    if (one) compare(t, *one, round + 2, n);
  }
  // Segments for exchanges come and go beside the board.
  for (std::uint64_t bytes : {std::uint64_t{4096}, std::uint64_t{1} << 20}) {
    auto memory = c->shared_memory(bytes);
    t.check(memory.has_value(), "segments");
    t.check(c->outcome(kName, Status()), "agree beside segments");
  }
  t.check(c->release_shared_memory(), "release");
  for (int i = 0; i < kEnough; ++i) t.check(c->outcome(kName, Status()), "without the board");
  t.check(c->close(), "close");
}

/// Every rank sees what the others put into theirs; sizes around a page.
void segments_that_all_see(ParallelTest& t) {
  if (!make(t)->one_machine()) return;
  for (const std::uint64_t bytes : {1, 64, 1000, 4095, 4096, 4097, 1 << 20}) {
    Shared c = make_with_board(t);
    auto memory = c->shared_memory(bytes);
    t.check(memory && *memory != nullptr, "segments");
    if (!memory || *memory == nullptr) return;
    for (int r = 0; r < t.size(); ++r)
      t.check(reinterpret_cast<std::uintptr_t>((*memory)->segment(r)) % 64 == 0, "aligned");
    std::byte* const mine = (*memory)->segment(t.rank());
    t.check(std::all_of(mine, mine + bytes, [](std::byte b) { return b == std::byte{0}; }),
            "zeros at first");
    std::fill(mine, mine + bytes, static_cast<std::byte>(t.rank() + 1));
    mpi::SharedMemory::fence();
    t.check(c->outcome(kName, Status()), "agree");
    mpi::SharedMemory::fence();
    for (int r = 0; r < t.size(); ++r)
      t.check((*memory)->segment(r)[0] == static_cast<std::byte>(r + 1) &&
                  (*memory)->segment(r)[bytes - 1] == static_cast<std::byte>(r + 1),
              "all see the same bytes");
    t.check(c->close(), "close");
  }
}

/// A soft limit of this process, for as long as it lives.
class Limited {
 public:
  Limited(int what, rlim_t most) : what_(what) {
    getrlimit(static_cast<__rlimit_resource>(what_), &before_);
    const rlimit now{most, before_.rlim_max};
    setrlimit(static_cast<__rlimit_resource>(what_), &now);
  }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;
  ~Limited() { setrlimit(static_cast<__rlimit_resource>(what_), &before_); }

 private:
  int what_;
  rlimit before_{};
};

/// Where one rank can't have the memory none has it, and all go on without.
void memory_that_one_rank_lacks(ParallelTest& t) {
  struct Lack {
    int rank;
    int what;
    rlim_t most;
  };
  for (const Lack& lack : {Lack{0, RLIMIT_FSIZE, 100}, Lack{0, RLIMIT_NOFILE, 3},
                           Lack{t.size() - 1, RLIMIT_NOFILE, 3}}) {
    Shared c = make(t);
    t.check(c->outcome(kName, Status()), "agree first");
    {
      const Limited limited(lack.what, t.rank() == lack.rank ? lack.most : RLIM_INFINITY);
      auto memory = c->shared_memory(1000);
      t.check(memory.has_value(), "nobody fails");
      t.check(memory && *memory == nullptr, "no memory on any rank");
      for (int i = 0; i < kEnough; ++i) t.check(c->outcome(kName, Status()), "agreements");
    }
    auto again = c->shared_memory(1000);
    t.check(again && *again == nullptr, "nor later");
    t.check(c->close(), "close");
  }
}

}  // namespace
}  // namespace pcio

int main(int argc, char** argv) {
  pcio::test::ParallelTest t(argc, argv);
  for (auto* run : {pcio::segments_that_all_see, pcio::memory_that_one_rank_lacks,
                    pcio::rounds_beside_a_model, pcio::files_side_by_side,
                    pcio::messages_on_their_way, pcio::parts_and_agreements, pcio::many_files}) {
    run(t);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  // Nodes of one rank, of equally many and of different numbers.
  pcio::one_of = 4;
  setenv("PCIO_CHECK", "nodes:3", 1);
  pcio::rounds_beside_a_model(t);
  setenv("PCIO_CHECK", "nodes:2", 1);
  for (auto* run : {pcio::memory_that_one_rank_lacks, pcio::rounds_beside_a_model,
                    pcio::files_side_by_side, pcio::messages_on_their_way, pcio::many_files}) {
    run(t);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return t.finish();
}
