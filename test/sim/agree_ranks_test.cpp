// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree on simulated ranks: what each rank is told when one fails, is elsewhere or has diverged.

#include <mpi.h>

#if defined(OPEN_MPI)

#include "agree/coordinator.hpp"
#include "sim/sim_ranks.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr int kRanks = 3;
const CallName kWriteCall{"H5Dwrite", "/a"};

LocalFacts facts_of(CallKind kind) {
  LocalFacts facts;
  facts.call_kind = kind;
  return facts;
}

/// body(coordinator, rank) on three ranks, each of which gives everything back at its end.
std::vector<Status> with_coordinators(const SimOptions& options,
                                      const std::function<Status(Coordinator&, int)>& body) {
  SimRanks ranks(options);
  std::vector<Status> results(static_cast<std::size_t>(options.ranks));
  ranks.must_run([&](int rank) -> Status {
    PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
    PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "f"}));
    results[static_cast<std::size_t>(rank)] = body(*coordinator, rank);
    coordinator->release_handles();
    if (coordinator->health().ok()) PCIO_TRY(coordinator->release_shared_memory());
    return coordinator->close();
  });
  return results;
}

/// How ranks lie on machines.
struct Layout {
  const char* name;
  bool one_machine;
  int nodes = 0;
  bool in_turn = false;
};
constexpr std::array kLayouts = {Layout{"one machine", true}, Layout{"several machines", false},
                                 Layout{"two nodes", true, 2},
                                 Layout{"two nodes in turn", true, 2, true}};

SimOptions options_of(const Layout& layout, int ranks, std::uint64_t seed) {
  SimOptions options{ranks, seed, layout.one_machine};
  options.nodes = layout.nodes;
  options.in_turn = layout.in_turn;
  return options;
}

/// On one machine and on several, before a board is made and after.
template <class F>
void in_every_setting(F&& check) {
  for (const Layout& layout : kLayouts)
    for (const int before : {0, 40})
      for (const std::uint64_t seed : {0, 1, 2}) {
        SCOPED_TRACE(layout.name + std::string(", ") + std::to_string(before) +
                     " agreements before, order " + std::to_string(seed));
        check(options_of(layout, kRanks, seed), before);
      }
}

Status agree_often(Coordinator& coordinator, int times) {
  for (int i = 0; i < times; ++i)
    PCIO_TRY(
        detail::to_status(coordinator.agree(kWriteCall, facts_of(CallKind::kWrite), Status())));
  return Status();
}

TEST(AgreeOnRanks, EachRankIsToldWhoFailedAndWhy) {
  in_every_setting([](const SimOptions& options, int before) {
    for (int victim = 0; victim < kRanks; ++victim) {
      const auto told =
          with_coordinators(options, [&](Coordinator& coordinator, int rank) -> Status {
            PCIO_TRY(agree_often(coordinator, before));
            const Status mine =
                rank == victim ? PCIO_ERROR(ARGS, BADVALUE, "injected: bad buffer") : Status();
            Status failed =
                detail::to_status(coordinator.agree(kWriteCall, facts_of(CallKind::kWrite), mine));
            EXPECT_TRUE(coordinator.health().ok()) << "a failure of a rank poisons nothing";
            EXPECT_TRUE(agree_often(coordinator, 2).ok());
            return failed;
          });
      EXPECT_FALSE(all_alike(told));
      for (int rank = 0; rank < kRanks; ++rank) {
        const std::string text = whole_text(told[static_cast<std::size_t>(rank)]);
        EXPECT_NE(text.find("injected: bad buffer"), std::string::npos) << text;
        EXPECT_NE(text.find(rank == victim ? "this process" : "rank " + std::to_string(victim)),
                  std::string::npos)
            << text;
      }
    }
  });
}

TEST(AgreeOnRanks, OutcomesAreThoseOfTheRankThatFailed) {
  in_every_setting([](const SimOptions& options, int before) {
    const auto told = with_coordinators(options, [&](Coordinator& coordinator, int rank) -> Status {
      PCIO_TRY(agree_often(coordinator, before));
      return coordinator.outcome(
          kWriteCall, rank == 2 ? PCIO_ERROR(IO, WRITEERROR, "injected: disk") : Status());
    });
    EXPECT_FALSE(all_alike(told));
    EXPECT_NE(told[0].message().find("injected: disk"), std::string::npos) << told[0].message();
  });
}

TEST(AgreeOnRanks, RanksInDifferentCallsArePoisonedTogether) {
  in_every_setting([](const SimOptions& options, int before) {
    const auto told = with_coordinators(options, [&](Coordinator& coordinator, int rank) -> Status {
      PCIO_TRY(agree_often(coordinator, before));
      const bool closes = rank == 1;
      Status differ = detail::to_status(
          coordinator.agree(closes ? CallName{"H5Fclose", "f"} : kWriteCall,
                            facts_of(closes ? CallKind::kClose : CallKind::kWrite), Status()));
      EXPECT_FALSE(coordinator.health().ok());
      // Poisoned: nobody communicates any more, so a rank may call alone.
      if (rank == 0) {
        EXPECT_FALSE(agree_often(coordinator, 1).ok());
      }
      return differ;
    });
    EXPECT_FALSE(all_alike(told));
    for (const Status& one : told) {
      EXPECT_NE(one.message().find("H5Fclose"), std::string::npos) << one.message();
      EXPECT_NE(one.message().find("H5Dwrite"), std::string::npos) << one.message();
    }
  });
}

TEST(AgreeOnRanks, MetadataCallsThatDifferAreNamed) {
  in_every_setting([](const SimOptions& options, int before) {
    const auto told = with_coordinators(options, [&](Coordinator& coordinator, int rank) -> Status {
      PCIO_TRY(agree_often(coordinator, before));
      const std::byte argument{static_cast<unsigned char>(rank == 2 ? 1 : 0)};
      const CallName create{"H5Gcreate2", rank == 2 ? "/other" : "/group"};
      PCIO_TRY(coordinator.begin_metadata_call(create, ConstBytes(&argument, 1)));
      PCIO_TRY(coordinator.end_metadata_call(create, Status()));
      return agree_often(coordinator, 1);
    });
    EXPECT_FALSE(all_alike(told));
    for (const Status& one : told)
      EXPECT_NE(one.message().find("H5Gcreate2"), std::string::npos) << one.message();
  });
}

TEST(AgreeOnRanks, AMetadataCallThatFailedOnSomeRanksIsTheNextFailureOfAll) {
  in_every_setting([](const SimOptions& options, int before) {
    const auto told = with_coordinators(options, [&](Coordinator& coordinator, int rank) -> Status {
      PCIO_TRY(agree_often(coordinator, before));
      const CallName create{"H5Gcreate2", "/group"};
      PCIO_TRY(coordinator.begin_metadata_call(create, ConstBytes()));
      const Status done = coordinator.end_metadata_call(
          create, rank == 1 ? PCIO_ERROR(RESOURCE, NOSPACE, "injected: no memory") : Status());
      EXPECT_EQ(done.ok(), rank != 1);
      return agree_often(coordinator, 1);
    });
    EXPECT_FALSE(all_alike(told));
    for (const Status& one : told)
      EXPECT_NE(one.message().find("injected: no memory"), std::string::npos) << one.message();
  });
}

TEST(AgreeOnRanks, SpaceThatDiffersIsFoundInTheNextAgreement) {
  in_every_setting([](const SimOptions& options, int before) {
    SpaceHash hashes[kRanks];
    for (int rank = 0; rank < kRanks; ++rank) hashes[rank].allocated({rank == 2 ? 200U : 100U, 10});
    const auto told = with_coordinators(options, [&](Coordinator& coordinator, int rank) -> Status {
      PCIO_TRY(agree_often(coordinator, before));
      coordinator.watch_space(&hashes[rank]);
      return agree_often(coordinator, 1);
    });
    EXPECT_FALSE(all_alike(told));
  });
}

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
  facts.any_flags = std::uint64_t{1} << rank;
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
  EXPECT_EQ(all.any_flags, (std::uint64_t{1} << ranks) - 1);
  return Status();
}

struct KeepGreatest {
  void operator()(std::span<std::uint64_t> into,
                  std::span<const std::uint64_t> from) const noexcept {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
  }
};

/// Reductions of words, of few and of more than a board has room for, and of what leaders alone bring.
Status reduce_numbers(Coordinator& coordinator, int rank, int ranks, int round) {
  const auto me = static_cast<std::uint64_t>(rank), all = static_cast<std::uint64_t>(ranks);
  for (const std::size_t count : {1, 51, 52}) {
    std::vector<std::uint64_t> most(count, me), least(count, me + 5), sum(count, me),
        merged(count, number_of(rank, round)),
        of_leaders(count, coordinator.leads_machine() ? me : 0);
    PCIO_TRY(coordinator.allreduce_max(most));
    PCIO_TRY(coordinator.barrier());
    PCIO_TRY(coordinator.allreduce_min(least));
    PCIO_TRY(coordinator.allreduce_sum(sum));
    PCIO_TRY(coordinator.allreduce_merge(merged, KeepGreatest{}));
    PCIO_TRY(coordinator.merge_of_leaders(of_leaders, KeepGreatest{}));
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
  for (const int ranks : {2, 5, 7})
    for (const int nodes : {2, 3, 5})
      for (const bool in_turn : {false, true})
        for (const std::uint64_t seed : {0, 1, 2}) {
          if (nodes > ranks) continue;
          SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(nodes) + " nodes" +
                       (in_turn ? " in turn" : "") + ", order " + std::to_string(seed));
          const auto told =
              with_coordinators(options_of({"", true, nodes, in_turn}, ranks, seed),
                                [&](Coordinator& coordinator, int rank) -> Status {
                                  for (int round = 1; round < 40; ++round) {
                                    PCIO_TRY(agree_on_numbers(coordinator, rank, ranks, round));
                                    if (round % 8 == 1)
                                      PCIO_TRY(reduce_numbers(coordinator, rank, ranks, round));
                                  }
                                  return Status();
                                });
          EXPECT_TRUE(all_alike(told));
        }
}

/// Reductions and barriers that each rank takes part in while the file makes so many agreements, a reduction and a barrier
/// behind its first fifty agreements.
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
    PCIO_TRY(coordinator->allreduce_max({&word, 1}));
    PCIO_TRY(coordinator->barrier());
    made[static_cast<std::size_t>(rank)] = count() - before;
    PCIO_TRY(coordinator->release_shared_memory());
    return coordinator->close();
  });
  return made;
}

TEST(AgreeOnRanks, OnlyLeadersOfNodesSpeakToOtherNodes) {
  using Counts = std::vector<std::uint64_t>;
  EXPECT_EQ(reductions_of(options_of({"", true}, 6, 0), 10), Counts({2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(reductions_of(options_of({"", false}, 3, 0), 10), Counts({12, 12, 12}));
  EXPECT_EQ(reductions_of(options_of({"", true, 2}, 6, 0), 10), Counts({12, 0, 0, 12, 0, 0}));
  EXPECT_EQ(reductions_of(options_of({"", true, 2, true}, 5, 0), 10), Counts({12, 12, 0, 0, 0}));
}

TEST(AgreeOnRanks, ALeaderThatMpiGivesUpTellsItsNode) {
  // The reduction among leaders, behind those with which the file and the board are made.
  for (const int leader : {0, 3}) {
    SimRanks ranks(options_of({"", true, 2}, 6, 0));
    bool armed = false;
    ranks.world().set_fault([&](const SimCall& call) {
      return armed && call.rank == leader && call.name == "MPI_Iallreduce" ? SimFault::kError
                                                                           : SimFault::kNone;
    });
    std::vector<Status> told(6);
    static_cast<void>(ranks.world().run([&](int rank) {
      auto lobby = Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio");
      auto coordinator = Coordinator::create(**lobby, {"H5Fopen", "f"});
      static_cast<void>(agree_often(**coordinator, 50));
      armed = true;
      told[static_cast<std::size_t>(rank)] = agree_often(**coordinator, 1);
    }));
    EXPECT_FALSE(told[static_cast<std::size_t>(leader)].ok());
    for (const int rank : {leader + 1, leader + 2}) {
      const std::string text = whole_text(told[static_cast<std::size_t>(rank)]);
      EXPECT_NE(text.find("leads this node"), std::string::npos) << rank << ": " << text;
    }
  }
}

TEST(AgreeOnRanks, CommunicatorsThatMpiRefusesCostTheBoardAlone) {
  // The division by nodes, and that by places on them; one that exchanges have made stays.
  for (const int refused : {1, 2})
    for (const int victim : {0, 4}) {
      SimRanks ranks(options_of({"", true, 2}, 6, 0));
      std::vector<int> splits(6, 0), hits(6, 0);
      ranks.world().set_fault([&](const SimCall& call) {
        if (call.name != "MPI_Comm_split") return SimFault::kNone;
        const auto rank = static_cast<std::size_t>(call.rank);
        if (++splits[rank] != refused || call.rank != victim) return SimFault::kNone;
        ++hits[rank];
        return SimFault::kError;
      });
      ranks.must_run([&](int) -> Status {
        PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
        PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "f"}));
        PCIO_TRY(agree_often(*coordinator, 50));
        PCIO_TRY(coordinator->release_shared_memory());
        return coordinator->close();
      });
      EXPECT_EQ(hits[static_cast<std::size_t>(victim)], 1) << refused;
    }
}

TEST(AgreeOnRanks, ARankThatSkipsAnAgreementIsAHang) {
  // What this support is for: without a clock, and with who waits where.
  SimWorld world({kRanks, 0, true});
  const std::string kept = world.run([](int rank) {
    auto lobby = Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio");
    if (rank != 1) static_cast<void>(Coordinator::create(**lobby, {"H5Fopen", "f"}));
  });
  EXPECT_NE(kept.find("hang: rank 0 in MPI_Iallreduce, rank 1 ended"), std::string::npos) << kept;
}

TEST(AgreeOnRanks, RanksInDifferentCollectivesAreNamed) {
  SimWorld world({2, 0, true});
  const std::string kept = world.run([](int rank) {
    auto comm = mpi::Comm::duplicate(MPI_COMM_WORLD, {});
    std::uint64_t word = 0;
    static_cast<void>(rank == 0 ? comm->barrier() : comm->allreduce_sum({&word, 1}));
  });
  EXPECT_NE(kept.find("different collectives: MPI_Ibarrier and MPI_Iallreduce"), std::string::npos)
      << kept;
}

}  // namespace
}  // namespace pcio

#endif
