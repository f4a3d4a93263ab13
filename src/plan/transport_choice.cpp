// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: the choice between view, exchange, direct and broadcast.

#include "plan/transport_choice.hpp"

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

}  // namespace

Result<ChosenTransport> choose_transport(const TransportFacts& facts) {
  if (facts.forced != Transport::kNone) return forced_transport(facts);
  if (facts.sum_bytes == 0) return ChosenTransport{Transport::kDirect, "no bytes to move"};
  if (facts.ranks <= 1) return ChosenTransport{Transport::kDirect, "one rank"};
  if (facts.direction == Direction::kRead && facts.equal_requests &&
      facts.max_bytes <= kBroadcastBytes)
    return ChosenTransport{Transport::kBroadcast, "all ranks read the same few bytes"};
  // Runs of no known number count as long ones: there is nothing to gain by joining them.
  const std::uint64_t direct_run =
      facts.direction == Direction::kRead ? kDirectReadRunBytes : kDirectWriteRunBytes;
  if (facts.sum_runs == 0 || facts.sum_bytes / facts.sum_runs >= direct_run)
    return ChosenTransport{Transport::kDirect, "long contiguous runs"};
  if (facts.one_machine && facts.max_runs <= kFewRuns)
    return ChosenTransport{Transport::kDirect, "few runs on one machine"};
  return ChosenTransport{Transport::kExchange, "short contiguous runs"};
}

}  // namespace pcio
