// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: the choice between view, exchange, direct and broadcast.

#include "plan/transport_choice.hpp"

#include <algorithm>
#include <string>

namespace pcio {

namespace {

Result<ChosenTransport> forced_transport(const TransportFacts& facts) {
  switch (facts.forced) {
    case Transport::kView:
      if (!facts.view_possible)
        return PCIO_ERROR(PLIST, UNSUPPORTED,
                          "the view transport was forced, but it is not possible: either configure "
                          "found that complex derived datatypes or special collective I/O do not "
                          "work, or the file's driver has no collective I/O");
      // MPI-IO may read what lies between a rank's pieces and write it back: there it may be old. And each rank has opened
      // the file by itself: ranks that open it together may wait for ever.
      if (facts.caches_apart)
        return ChosenTransport{Transport::kExchange, "machines with caches of their own"};
      return ChosenTransport{Transport::kView, "forced"};
    case Transport::kBroadcast:
      if (facts.direction == Direction::kWrite || !facts.equal_requests ||
          facts.max_bytes > kBroadcastBytes)
        return PCIO_ERROR(PLIST, UNSUPPORTED,
                          "the broadcast transport was forced, but it only serves reading the same "
                          "elements on all ranks, at most " +
                              std::to_string(kBroadcastBytes) + " bytes");
      if (facts.ranks <= 1) return ChosenTransport{Transport::kDirect, "one rank"};
      return ChosenTransport{Transport::kBroadcast, "forced"};
    case Transport::kExchange:
    case Transport::kDirect:
    case Transport::kNone: break;
  }
  return ChosenTransport{facts.forced, "forced"};
}

ChosenTransport suited_transport(const TransportFacts& facts) {
  if (facts.sum_bytes == 0) return {Transport::kDirect, "no bytes to move"};
  if (facts.ranks <= 1) return {Transport::kDirect, "one rank"};
  if (facts.direction == Direction::kRead && facts.equal_requests &&
      facts.max_bytes <= kBroadcastBytes)
    return {Transport::kBroadcast, "all ranks read the same few bytes"};
  // Runs of no known number count as long ones: there is nothing to gain by joining them.
  const bool writes = facts.direction == Direction::kWrite;
  const std::uint64_t read_run = facts.caches_apart ? kDirectReadRunApart : kDirectReadRunBytes;
  const std::uint64_t direct_run = writes ? kDirectWriteRunBytes : read_run;
  // Nodes that write parts of one stripe wait for its lock; owners of whole stripes don't.
  const bool shares_stripes = writes && !facts.one_machine && facts.sum_runs > 0 &&
                              facts.sum_bytes / facts.sum_runs < facts.lock_unit;
  if (shares_stripes && facts.sum_bytes / facts.sum_runs >= direct_run)
    return {Transport::kExchange, "runs shorter than a stripe"};
  if (facts.sum_runs == 0 || facts.sum_bytes / facts.sum_runs >= direct_run)
    return {Transport::kDirect, "long contiguous runs"};
  if (facts.one_machine && facts.max_runs <= kFewRuns)
    return {Transport::kDirect, "few runs on one machine"};
  return {Transport::kExchange, "short contiguous runs"};
}

}  // namespace

Result<ChosenTransport> choose_transport(const TransportFacts& facts) {
  // Whatever was asked for: such chunks go as a whole, and nobody but an owner has them.
  if (facts.filtered && facts.sum_bytes == 0)
    return ChosenTransport{Transport::kDirect, "no bytes to move"};
  if (facts.filtered && facts.collective)
    return ChosenTransport{Transport::kExchange, "chunks with filters have owners"};
  if (!facts.collective)
    return ChosenTransport{Transport::kDirect, facts.causes == cause::kCollective
                                                   ? "independent I/O was asked for"
                                                   : "a cause forbids collective I/O"};
  ChosenTransport chosen = suited_transport(facts);
  // What is not possible is refused, also where it would not be taken.
  if (facts.forced != Transport::kNone) {
    PCIO_ASSIGN(chosen, forced_transport(facts));
  }
  // A rank waits for the others' accesses, so nobody may wait for it.
  if (facts.atomic) return ChosenTransport{Transport::kDirect, "atomic mode"};
  if (facts.element_bytes > kLargestShared)
    return ChosenTransport{Transport::kDirect, "large elements"};
  return chosen;
}

ChosenTransport transport_of_steps(const ChosenTransport& chosen, const Schedule& schedule) {
  const bool collective =
      std::any_of(schedule.steps.begin(), schedule.steps.end(),
                  [](const Step& step) { return step.kind == StepKind::kCollective; });
  if (collective || chosen.transport == Transport::kDirect) return chosen;
  return {Transport::kDirect, "no chunk is collective"};
}

}  // namespace pcio
