// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: the agreement behind the giving of space.
//
// Space is given by the same arithmetic on all ranks. Where one of them ran out of memory in it, its
// map of the file is another one than theirs, and the file can only be closed.

#pragma once

#include "agree/coordinator.hpp"

namespace pcio {

/// `given`: whether this rank gave the space; `filled`: that, and whether it wrote its part of the fill.
/// Collective: over the file; one exchange, one more on failure. Errors: of any rank.
inline Status agree_on_space(Coordinator& coordinator, const CallName& name, const Status& given,
                             const Status& filled) {
  Status all = coordinator.outcome(name, filled);
  if (all.ok() || !coordinator.health().ok()) return all;
  // What all ranks lack alike, as room in the file, leaves them alike.
  std::uint64_t lacks_has[2] = {given.ok() ? 0U : 1U, given.ok() ? 1U : 0U};
  PCIO_TRY(coordinator.allreduce_max(lacks_has));
  if (lacks_has[0] != 0 && lacks_has[1] != 0)
    coordinator.poison(PCIO_ERROR(RESOURCE, NOSPACE,
                                  "a rank could not give space to a dataset, and others could"));
  return all;
}

}  // namespace pcio
