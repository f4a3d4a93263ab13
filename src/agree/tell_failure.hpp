// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: the cheapest agreement: has any rank failed?

#pragma once

#include <span>

#include "agree/coordinator.hpp"
#include "base/rank_status.hpp"

namespace pcio {

/// This rank's failure; else, where another rank failed, what `of_others` makes of it, a function that
/// returns a Status; else success. Who failed is named by the agreement that ends the call.
/// Collective: over the file, one exchange.
template <class F>
Status tell_failure(Coordinator& coordinator, const RankStatus& mine, F&& of_others) {
  std::uint64_t failed = mine.word();
  PCIO_TRY(coordinator.allreduce_max(std::span(&failed, 1)));
  if (!mine.ok()) return Status(mine.status());
  return failed == 0 ? Status() : of_others();
}

}  // namespace pcio
