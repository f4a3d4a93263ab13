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

/// Calls `take` for segments in ascending order; all touched chunks are in exactly one. `touches` is
/// sorted by first chunk here, and no rank touches a chunk twice in it. Collective: pure; depends
/// only on the touches and the machine.
///
/// A chunk goes to a node that has nearly the most bytes of it, as long as that has less than one and a half of
/// the equal shares of all nodes here, else to another one that touches it; what one node has alone stays there.
/// On the node it goes to one of those with the most bytes.
void sweep_owners(std::vector<RankTouch>& touches, const Machine& machine,
                  const std::function<void(const OwnedSegment&)>& take);

}  // namespace pcio
