// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree on simulated ranks: what all learn whatever nodes they lie on, who speaks, and what leaders for whom MPI fails
// tell.

#include <mpi.h>

#if defined(OPEN_MPI)

#include "agree/hang_watch.hpp"
#include "sim/sim_coordinators.hpp"

namespace pcio {
namespace {

using namespace test;

/// A number that is another one for each rank and round.
std::uint64_t number_of(int rank, int round) {
  return (static_cast<std::uint64_t>(round) * 64 + static_cast<std::uint64_t>(rank) + 1) *
         0x9E3779B97F4A7C15ULL;
}

/// One agreement in which every rank has numbers of its own.
Status agree_on_numbers(Coordinator& coordinator, int rank, int ranks, int round) {
  LocalFacts facts = facts_of(CallKind::kWrite);
  facts.object = static_cast<std::uint64_t>(round);
  facts.sums[0] = number_of(rank, round) % 1000;
  facts.maxima[1] = facts.same[7] = number_of(rank, round);
  facts.any_flags = std::uint64_t{1} << rank % 64;
  PCIO_ASSIGN(const GlobalFacts all, coordinator.agree(kWriteCall, facts, Status()));
  std::uint64_t sum = 0, least = kNoRank, most = 0;
  for (int r = 0; r < ranks; ++r) {
    sum += number_of(r, round) % 1000;
    least = std::min(least, number_of(r, round));
    most = std::max(most, number_of(r, round));
  }
  EXPECT_EQ(all.sums[0], sum);
  EXPECT_EQ(all.maxima[1], most);
  EXPECT_EQ(all.same[7].min, least);
  EXPECT_EQ(all.any_flags, ranks < 64 ? (std::uint64_t{1} << ranks) - 1 : kNoRank);
  return Status();
}

/// Agreements of several parts: of fewer than a board has room for, of as many, and of more.
Status agree_on_parts(Coordinator& coordinator, int rank, int ranks, int round) {
  for (const std::size_t count : {1, 4, 5, 9, 10, 21}) {
    std::vector<LocalFacts> facts(count, facts_of(CallKind::kWrite));
    for (std::size_t i = 0; i < count; ++i)
      facts[i].maxima[2] = facts[i].sums[1] = number_of(rank, round + static_cast<int>(i)) % 10000;
    std::vector<WireFacts> mine(count), all(count);
    PCIO_TRY(coordinator.agree_on_parts(kWriteCall, facts, {mine, all}, Status()));
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t sum = 0, most = 0;
      for (int r = 0; r < ranks; ++r) {
        const std::uint64_t theirs = number_of(r, round + static_cast<int>(i)) % 10000;
        sum += theirs;
        most = std::max(most, theirs);
      }
      const GlobalFacts learnt = to_global(all[i]);
      EXPECT_EQ(learnt.sums[1], sum) << "part " << i << " of " << count;
      EXPECT_EQ(learnt.maxima[2], most) << "part " << i << " of " << count;
    }
  }
  return Status();
}

struct KeepGreatest {
  void operator()(std::span<std::uint64_t> into,
                  std::span<const std::uint64_t> from) const noexcept {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
  }
};

/// Twice the greatest sum of a node, whose ranks bring one more than their numbers.
std::uint64_t greatest_node(const Machine& machine) {
  std::vector<std::uint64_t> sums(machine.nodes(), 0);
  for (std::uint64_t rank = 0; rank < machine.ranks(); ++rank)
    sums[machine.node_of(rank)] += 2 * (rank + 1);
  return *std::max_element(sums.begin(), sums.end());
}

/// Reductions of words, of few and of more than a board has room for, and of what leaders alone bring.
Status reduce_numbers(Coordinator& coordinator, int rank, int ranks, int round) {
  const auto me = static_cast<std::uint64_t>(rank), all = static_cast<std::uint64_t>(ranks);
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{51}, FactsBoard::kMostWords, FactsBoard::kMostWords + 1}) {
    std::vector<std::uint64_t> most(count, me), least(count, me + 5), sum(count, me),
        merged(count, number_of(rank, round)),
        of_leaders(count, coordinator.leads_machine() ? me : 0);
    PCIO_TRY(coordinator.allreduce_max(most));
    PCIO_TRY(coordinator.barrier());
    PCIO_TRY(coordinator.allreduce_min(least));
    PCIO_TRY(coordinator.allreduce_sum(sum));
    PCIO_TRY(coordinator.allreduce_merge(merged, KeepGreatest{}));
    PCIO_TRY(coordinator.merge_of_leaders(of_leaders, KeepGreatest{}));
    // Of each node the sum of its ranks, twice, and of these the greatest.
    PCIO_TRY(detail::to_status(coordinator.meet_node()));
    std::vector<std::uint64_t> mine(count, me + 1), of_nodes(2 * count, 0);
    PCIO_TRY(coordinator.merge_node_sums(
        mine, of_nodes,
        [](std::span<const std::uint64_t> sums, std::span<std::uint64_t> words) {
          for (std::size_t i = 0; i < words.size(); ++i) words[i] = 2 * sums[i / 2];
        },
        KeepGreatest{}));
    EXPECT_EQ(of_nodes,
              std::vector<std::uint64_t>(2 * count, greatest_node(coordinator.machine())));
    std::uint64_t greatest = 0;
    for (int r = 0; r < ranks; ++r) greatest = std::max(greatest, number_of(r, round));
    const Machine& machine = coordinator.machine();
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(most[i], all - 1);
      EXPECT_EQ(least[i], 5U);
      EXPECT_EQ(sum[i], all * (all - 1) / 2);
      EXPECT_EQ(merged[i], greatest);
      EXPECT_EQ(of_leaders[i], machine.leader_of(machine.nodes() - 1));
    }
  }
  return Status();
}

TEST(AgreeOnRanks, AllRanksLearnTheSameWhateverNodesTheyLieOn) {
  // Of one machine the last ones are so many that their leader speaks for them.
  for (const int ranks : {2, 5, 7, FactsBoard::kMostRanks + 1})
    for (const int nodes : {1, 2, 3, 5})
      for (const bool in_turn : {false, true})
        for (const std::uint64_t seed : {0, 1, 2}) {
          if (nodes > ranks || (ranks > FactsBoard::kMostRanks && (seed > 0 || in_turn))) continue;
          SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(nodes) + " nodes" +
                       (in_turn ? " in turn" : "") + ", order " + std::to_string(seed));
          const auto told =
              with_coordinators(options_of({"", true, nodes, in_turn}, ranks, seed),
                                [&](Coordinator& coordinator, int rank) -> Status {
                                  for (int round = 1; round < 40; ++round) {
                                    PCIO_TRY(agree_on_numbers(coordinator, rank, ranks, round));
                                    if (round % 8 != 1) continue;
                                    PCIO_TRY(reduce_numbers(coordinator, rank, ranks, round));
                                    PCIO_TRY(agree_on_parts(coordinator, rank, ranks, round));
                                  }
                                  return Status();
                                });
          EXPECT_TRUE(all_alike(told));
        }
}

/// Reductions and barriers that each rank takes part in while the file makes so many agreements, one of ten parts, a
/// reduction, a barrier and on nodes one of their sums behind its first fifty agreements.
std::vector<std::uint64_t> reductions_of(const SimOptions& options, int agreements) {
  SimRanks ranks(options);
  std::vector<std::uint64_t> made(static_cast<std::size_t>(options.ranks));
  ranks.must_run([&](int rank) -> Status {
    PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
    PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "f"}));
    PCIO_TRY(agree_often(*coordinator, 50));
    auto count = [&] {
      return ranks.world().count(rank, "MPI_Iallreduce") +
             ranks.world().count(rank, "MPI_Ibarrier");
    };
    const std::uint64_t before = count();
    std::uint64_t word = 0;
    PCIO_TRY(agree_often(*coordinator, agreements));
    const std::vector<LocalFacts> parts(10, facts_of(CallKind::kWrite));
    std::vector<WireFacts> mine(10), all(10);
    PCIO_TRY(coordinator->agree_on_parts(kWriteCall, parts, {mine, all}, Status()));
    PCIO_TRY(coordinator->allreduce_max({&word, 1}));
    PCIO_TRY(coordinator->barrier());
    if (options.nodes > 1)
      PCIO_TRY(coordinator->merge_node_sums(
          {&word, 1}, {&word, 1}, [](auto, auto) {}, KeepGreatest{}));
    made[static_cast<std::size_t>(rank)] = count() - before;
    PCIO_TRY(coordinator->release_shared_memory());
    return coordinator->close();
  });
  return made;
}

TEST(AgreeOnRanks, OnlyLeadersOfNodesSpeakToOtherNodes) {
  using Counts = std::vector<std::uint64_t>;
  // Ten parts are two rounds of leaders.
  EXPECT_EQ(reductions_of(options_of({"", true}, 6, 0), 10), Counts({3, 3, 3, 3, 3, 3}));
  EXPECT_EQ(reductions_of(options_of({"", false}, 3, 0), 10), Counts({13, 13, 13}));
  EXPECT_EQ(reductions_of(options_of({"", true, 2}, 6, 0), 10), Counts({15, 0, 0, 15, 0, 0}));
  EXPECT_EQ(reductions_of(options_of({"", true, 2, true}, 5, 0), 10), Counts({15, 15, 0, 0, 0}));
  EXPECT_EQ(reductions_of(options_of({"", true}, 65, 0), 10), Counts(65, 0));
}

/// What leaders do among themselves: an agreement, a merge, a broadcast.
enum class AmongLeaders : std::uint8_t { kAgree, kMerge, kBroadcast };

Status go_among_leaders(Coordinator& coordinator, AmongLeaders what) {
  std::vector<std::uint64_t> words(std::size_t{16} << 10);
  switch (what) {
    case AmongLeaders::kAgree: return agree_often(coordinator, 1);
    case AmongLeaders::kMerge: return coordinator.merge_of_leaders(words, KeepGreatest{});
    case AmongLeaders::kBroadcast: break;
  }
  return coordinator.broadcast(std::as_writable_bytes(std::span(words)), 0);
}

/// What ranks 0 to 5 of two nodes are told where MPI refuses a leader's next call among leaders.
std::vector<Status> told_without(int leader, AmongLeaders what) {
  SimRanks ranks(options_of({"", true, 2}, 6, 0));
  bool armed = false;
  const char* const call = what == AmongLeaders::kBroadcast ? "MPI_Ibcast" : "MPI_Iallreduce";
  ranks.world().set_fault([&](const SimCall& made) {
    if (!armed || made.rank != leader || made.name != call) return SimFault::kNone;
    armed = false;
    return SimFault::kError;
  });
  std::vector<Status> told(6);
  // The other leader waits: it can't be told.
  static_cast<void>(ranks.world().run([&](int rank) {
    auto lobby = Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio");
    auto coordinator = Coordinator::create(**lobby, {"H5Fopen", "f"});
    EXPECT_TRUE(agree_often(**coordinator, 50).ok());
    EXPECT_TRUE(go_among_leaders(**coordinator, AmongLeaders::kBroadcast).ok());
    if (rank == leader) armed = true;
    told[static_cast<std::size_t>(rank)] = go_among_leaders(**coordinator, what);
  }));
  EXPECT_FALSE(armed) << "nothing was refused";
  return told;
}

TEST(AgreeOnRanks, ALeaderThatMpiGivesUpTellsItsNode) {
  for (const bool by_board : {true, false})
    for (const int leader : {0, 3})
      for (const auto what :
           {AmongLeaders::kAgree, AmongLeaders::kMerge, AmongLeaders::kBroadcast}) {
        if (!by_board && what == AmongLeaders::kAgree) continue;
        SCOPED_TRACE(std::to_string(static_cast<int>(what)) +
                     (by_board ? ", board" : ", messages"));
        if (!by_board) setenv("PCIO_CHECK", "messages", 1);
        const std::vector<Status> told = told_without(leader, what);
        unsetenv("PCIO_CHECK");
        EXPECT_FALSE(told[static_cast<std::size_t>(leader)].ok());
        for (const int rank : {leader + 1, leader + 2}) {
          const std::string text = whole_text(told[static_cast<std::size_t>(rank)]);
          EXPECT_NE(text.find("leads this node"), std::string::npos) << rank << ": " << text;
        }
      }
}

/// What goes over communicators of nodes where there are some.
Status meet_on_nodes(Coordinator& coordinator, bool has_node) {
  PCIO_ASSIGN(const mpi::SharedMemory* memory, coordinator.shared_memory(5000));
  EXPECT_EQ(memory != nullptr, has_node);
  for (int i = 0; i < 2; ++i) {
    PCIO_TRY(agree_often(coordinator, 30));
    PCIO_TRY(go_among_leaders(coordinator, AmongLeaders::kBroadcast));
    PCIO_TRY(go_among_leaders(coordinator, AmongLeaders::kMerge));
    PCIO_ASSIGN(const bool met, coordinator.meet_node());
    EXPECT_EQ(met, has_node);
  }
  return Status();
}

TEST(AgreeOnRanks, CommunicatorsThatMpiRefusesCostNothingElse) {
  // The node's, third of what a file duplicates, and the division by places on nodes; and whoever asks for the first one.
  for (const bool board_first : {true, false})
    for (const int refused : {1, 2})
      for (const int victim : {0, 4}) {
        SCOPED_TRACE(std::to_string(refused) + " refused to " + std::to_string(victim));
        SimRanks ranks(options_of({"", true, 2}, 6, 0));
        int hits = 0;
        ranks.world().set_fault([&](const SimCall& call) {
          const char* const name = refused == 1 ? "MPI_Comm_idup" : "MPI_Comm_split";
          if (call.name != name || call.rank != victim || call.number != (refused == 1 ? 3U : 1U))
            return SimFault::kNone;
          ++hits;
          return SimFault::kError;
        });
        ranks.must_run([&](int) -> Status {
          PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
          PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "f"}));
          if (board_first) PCIO_TRY(agree_often(*coordinator, 50));
          PCIO_TRY(meet_on_nodes(*coordinator, refused == 2));
          PCIO_TRY(coordinator->release_shared_memory());
          return coordinator->close();
        });
        EXPECT_EQ(hits, 1);
        // Nobody asks again.
        const std::uint64_t asked = board_first || refused == 2 ? 1 : 0;
        for (int rank = 0; rank < 6; ++rank)
          EXPECT_EQ(ranks.world().count(rank, "MPI_Comm_split"), asked);
      }
}

TEST(AgreeOnRanks, AFileThatIsClosedGetsNoBoard) {
  for (const int before : {14, 15, 16}) {
    SimRanks ranks(options_of({"", true, 2}, 6, 0));
    ranks.must_run([&](int) -> Status {
      PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
      PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "f"}));
      PCIO_TRY(agree_often(*coordinator, before));
      PCIO_TRY(detail::to_status(
          coordinator->agree({"H5Fclose", "f"}, facts_of(CallKind::kClose), Status())));
      for (int i = 0; i < 3; ++i) PCIO_TRY(coordinator->outcome({"H5Fclose", "f"}, Status()));
      PCIO_TRY(coordinator->release_shared_memory());
      return coordinator->close();
    });
    for (int rank = 0; rank < 6; ++rank)
      EXPECT_EQ(ranks.world().count(rank, "MPI_Comm_split"), before < 16 ? 0U : 1U);
  }
}

TEST(WaitOnRanks, AllWaitsOfOneCollectiveCountForTheHangWatch) {
  SimRanks ranks({1, 0, true});
  testing::internal::CaptureStderr();
  ranks.must_run([&](int) -> Status {
    PCIO_ASSIGN(mpi::Comm comm, mpi::Comm::duplicate(MPI_COMM_WORLD, {}));
    HangWatch watch(comm, 1, {8, false});
    const auto wait_for = [&](int seconds) {
      for (int waited = 1; waited <= seconds; ++waited) watch.tick(waited);
    };
    // For the ranks of its node, then for others: together more than a period.
    watch.enter(1, {"H5Dwrite", "/x"});
    wait_for(6);
    wait_for(5);
    watch.enter(2, {"H5Dread", "/x"});
    wait_for(6);
    return Status();
  });
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("has waited 10 s in H5Dwrite on /x"), std::string::npos) << text;
  EXPECT_EQ(text.find("H5Dread"), std::string::npos) << text;
}

/// Probes of a rank that waits for no message, in so many looks at what it waits for, while there is a message that it
/// does not take; `seconds`: how far the clock goes on with each look at it.
struct Probes {
  std::uint64_t made = 0, found = 0, naps = 0, yields = 0;
};
Probes probes_of(int looks, double seconds, mpi::FirstWait first = mpi::FirstWait::kYield) {
  SimOptions options{2, 0, true};
  options.seconds_of_look = seconds;
  SimRanks ranks(options);
  Probes probes;
  ranks.must_run([&](int rank) -> Status {
    PCIO_ASSIGN(mpi::Comm comm, mpi::Comm::duplicate(MPI_COMM_WORLD, {}));
    std::array<std::byte, 8> letter{};
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 1) PCIO_TRY(comm.start_send(letter, 0, 5, request));
    PCIO_TRY(comm.barrier());
    if (rank == 1) return comm.wait(request, "MPI_Isend");
    auto count = [&](const char* name) { return ranks.world().count(0, name); };
    auto so_far = [&] {
      return Probes{count("MPI_Iprobe"), count("MPI_Iprobe that finds"), count("nanosleep"),
                    count("sched_yield")};
    };
    comm.set_watch({0, {}, first});
    const Probes before = so_far();
    int looked = 0;
    PCIO_TRY(comm.wait_until([&] { return ++looked == looks; }));
    const Probes after = so_far();
    probes = {after.made - before.made, after.found - before.found, after.naps - before.naps,
              after.yields - before.yields};
    PCIO_TRY(comm.start_receive(letter, 1, 5, request));
    return comm.wait(request, "MPI_Irecv");
  });
  return probes;
}

TEST(WaitOnRanks, ARankThatWaitsForNoMessageLetsMpiGoOn) {
  // It gives its processor away for a while.
  const Probes yields = probes_of(1000, 0);
  EXPECT_GE(yields.made, 1000U / 4 - 10);
  EXPECT_EQ(yields.naps, 0U);
  // Then it sleeps each time.
  const Probes naps = probes_of(1000, 0.01);
  EXPECT_GT(naps.naps, 800U);
  EXPECT_GE(naps.made, naps.naps);
  // A probe that finds something may not have moved anything.
  EXPECT_EQ(yields.found + naps.found, 0U);
}

TEST(WaitOnRanks, ARankGivesItsProcessorAwayWhereOthersNeedIt) {
  EXPECT_GT(probes_of(1000, 0).yields, 900U);
  const Probes spins = probes_of(1000, 0, mpi::FirstWait::kSpin);
  EXPECT_EQ(spins.yields + spins.naps, 0U);
  EXPECT_GE(spins.made, 1000U / 4 - 10);
  // Not for ever.
  EXPECT_GT(probes_of(1000, 0.01, mpi::FirstWait::kSpin).naps, 800U);
  // Ranks of one machine, of which there are fewer than processors or more.
  const auto processors = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  for (const int count : {1, processors, processors + 1}) {
    SimRanks ranks({count, 0, true});
    ranks.must_run([&](int) -> Status {
      PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
      EXPECT_EQ(lobby->first_wait(),
                count <= processors ? mpi::FirstWait::kSpin : mpi::FirstWait::kYield);
      PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "f"}));
      EXPECT_EQ(coordinator->comm()->watch().first, lobby->first_wait());
      return coordinator->close();
    });
  }
}

}  // namespace
}  // namespace pcio

#endif
