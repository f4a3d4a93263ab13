// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: coordinators of simulated ranks, and how these lie on machines.

#pragma once

#include <array>
#include <functional>
#include <vector>

#include "agree/coordinator.hpp"
#include "sim/sim_ranks.hpp"

namespace pcio::test {

inline const CallName kWriteCall{"H5Dwrite", "/a"};

inline LocalFacts facts_of(CallKind kind) {
  LocalFacts facts;
  facts.call_kind = kind;
  return facts;
}

/// body(coordinator, rank) on three ranks, each of which gives everything back at its end.
inline std::vector<Status> with_coordinators(const SimOptions& options,
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
struct RankLayout {
  const char* name;
  bool one_machine;
  int nodes = 0;
  bool in_turn = false;
};
inline constexpr std::array kLayouts = {
    RankLayout{"one machine", true}, RankLayout{"several machines", false},
    RankLayout{"two nodes", true, 2}, RankLayout{"two nodes in turn", true, 2, true}};

inline SimOptions options_of(const RankLayout& layout, int ranks, std::uint64_t seed) {
  SimOptions options{ranks, seed, layout.one_machine};
  options.nodes = layout.nodes;
  options.in_turn = layout.in_turn;
  return options;
}

inline Status agree_often(Coordinator& coordinator, int times) {
  for (int i = 0; i < times; ++i)
    PCIO_TRY(
        detail::to_status(coordinator.agree(kWriteCall, facts_of(CallKind::kWrite), Status())));
  return Status();
}

}  // namespace pcio::test
