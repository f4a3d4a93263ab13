// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree on simulated ranks: what each rank is told when one fails, is elsewhere or has diverged.

#include <mpi.h>

#if defined(OPEN_MPI)

#include "sim/sim_coordinators.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr int kRanks = 3;

/// On one machine and on several, before a board is made and after.
template <class F>
void in_every_setting(F&& check) {
  for (const RankLayout& layout : kLayouts)
    for (const int before : {0, 40})
      for (const std::uint64_t seed : {0, 1, 2}) {
        SCOPED_TRACE(layout.name + std::string(", ") + std::to_string(before) +
                     " agreements before, order " + std::to_string(seed));
        check(options_of(layout, kRanks, seed), before);
      }
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
