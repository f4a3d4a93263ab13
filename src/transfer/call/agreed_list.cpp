// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: the words of a transfer list, and who has another one.

#include "transfer/call/agreed_list.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pcio {

namespace {

/// The collective option may differ: it is a cause of its own.
constexpr HintsOf<std::string_view> kProperties = {
    "the chunk option (H5Pset_dxpl_mpio_chunk_opt)",
    "the link threshold (H5Pset_dxpl_mpio_chunk_opt_num)",
    "the ratio (H5Pset_dxpl_mpio_chunk_opt_ratio)",
    "the transport (pcio_set_dxpl_transport)",
    "the exchange memory (pcio_set_dxpl_exchange_memory)",
};

}  // namespace

TransferHints hints_of(const TransferJob& job) {
  const TransferProps& props = job.props();
  TransferHints hints;
  hints.chunk_opt = static_cast<std::uint64_t>(props.chunk_opt);
  hints.link_threshold = props.chunk_opt_num;
  hints.ratio = props.chunk_opt_ratio;
  hints.transport = static_cast<std::uint64_t>(job.forced_transport());
  hints.exchange_memory = props.exchange_memory;
  return hints;
}

Status check_list_is_same(Coordinator& coordinator, const TransferHints& hints,
                          const AgreedHints& agreed) {
  const auto mine = hints.all();
  for (std::size_t i = 0; i < TransferHints::kCount; ++i) {
    if (agreed.all()[i]->equal()) continue;
    // All ranks see that it differs, so all look for the lowest rank that is not as rank 0.
    std::uint64_t first = *mine[i];
    PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(&first, 1)), 0));
    std::uint64_t other[2] = {*mine[i] == first ? kNoRank
                                                : static_cast<std::uint64_t>(coordinator.rank())};
    PCIO_TRY(coordinator.allreduce_min(std::span(other, 1)));
    other[1] = *mine[i];
    PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(&other[1], 1)),
                                   static_cast<int>(other[0])));
    return PCIO_ERROR(PLIST, BADVALUE,
                      std::string("argument dxpl_id: ") + std::string(*kProperties.all()[i]) +
                          " is " + std::to_string(first) + " on rank 0 and " +
                          std::to_string(other[1]) + " on rank " + std::to_string(other[0]));
  }
  return Status();
}

}  // namespace pcio
