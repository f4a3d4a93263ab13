// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: the agreement behind what all ranks change alike in memory: the file's space, metadata.
//
// It is the same arithmetic everywhere. Where one rank ran out of memory in it, it holds something
// else than the others, and the file can only be closed.

#pragma once

#include "agree/coordinator.hpp"

namespace pcio {

/// What an agreement behind the change says, `all`, made an end of: `changed` tells whether this rank made the
/// change. Collective: over the file where the agreement failed, one exchange; else local.
inline Status settle_alike(Coordinator& coordinator, Status all, const Status& changed) {
  if (all.ok() || !coordinator.health().ok()) return all;
  // What all ranks lack alike, as room in the file, leaves them alike.
  std::uint64_t lacks_has[2] = {changed.ok() ? 0U : 1U, changed.ok() ? 1U : 0U};
  PCIO_TRY(coordinator.allreduce_max(lacks_has));
  if (lacks_has[0] != 0 && lacks_has[1] != 0) {
    Status why = all;
    why.push(PCIO_FRAME(RESOURCE, INCONSISTENTSTATE,
                        "a rank could not change what it holds of the file as the others did"));
    coordinator.poison(why);
  }
  return all;
}

/// The outcome of a step. `changed`: whether this rank made the change; `done`: that, and whatever
/// else it did with it, as its part of the fill.
/// Collective: over the file; one exchange, one more on failure. Errors: of any rank.
inline Status outcome_alike(Coordinator& coordinator, const CallName& name, const Status& changed,
                            const Status& done) {
  return settle_alike(coordinator, coordinator.outcome(name, done), changed);
}
/// Where the change is all there was to do.
inline Status outcome_alike(Coordinator& coordinator, const CallName& name, const Status& changed) {
  return outcome_alike(coordinator, name, changed, changed);
}

}  // namespace pcio
