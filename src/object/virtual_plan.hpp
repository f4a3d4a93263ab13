// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: which elements of which sources a transfer of a virtual dataset moves.

#pragma once

#include <vector>

#include "object/virtual_sources.hpp"
#include "props/transfer_props.hpp"

namespace pcio {

/// Elements that one source has of those that are wanted, and where they are in memory.
struct VirtualMove {
  SourceKey key;
  Location source;
  Dataspace from, memory;
};

/// What one rank moves, source by source. Threads: one thread.
class VirtualPlan {
 public:
  VirtualPlan(const DatasetState& state, const TransferRequest& request)
      : state_(state), request_(request) {}

  /// Collective: independent. Errors: those of the sources; a write of what no source has.
  Status make(Sources& sources);
  [[nodiscard]] const std::vector<VirtualMove>& moves() const { return moves_; }
  /// One source has all that is wanted.
  [[nodiscard]] bool is_whole() const { return whole_; }
  /// Makes one move of all those with the same key; they ascend by key then. Sources no longer count.
  Status unite();

 private:
  Status plan_points(Sources& sources, const Dataspace& wanted, const std::vector<Part>& parts);
  Result<Dataspace> memory_element(std::uint64_t i);
  Status plan(Sources& sources, const Dataspace& wanted, const Dataspace& to, const Part& part);

  const DatasetState& state_;
  const TransferRequest& request_;
  std::vector<VirtualMove> moves_;
  bool whole_ = false;
  std::vector<std::uint64_t> memory_elements_;
};

}  // namespace pcio
