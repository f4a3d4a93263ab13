// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: owners for chunks of which all touches are known.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "plan/chunk_owners.hpp"

namespace pcio {

struct RankTouch {
  std::uint64_t mpi_rank = 0;
  ChunkTouch touch;
};

/// Calls `take` for segments in ascending order; all touched chunks are in exactly one. `touches` is
/// sorted by first chunk here, and no rank touches a chunk twice in it. Collective: pure; depends
/// only on the touches.
void sweep_owners(std::vector<RankTouch>& touches,
                  const std::function<void(const OwnedSegment&)>& take);

}  // namespace pcio
