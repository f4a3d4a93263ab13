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

/// In the order of the words. The collective option may differ: it is a cause of its own.
constexpr std::string_view kProperties[] = {
    "the chunk option (H5Pset_dxpl_mpio_chunk_opt)",
    "the link threshold (H5Pset_dxpl_mpio_chunk_opt_num)",
    "the ratio (H5Pset_dxpl_mpio_chunk_opt_ratio)",
    "the transport (pcio_set_dxpl_transport)",
    "the exchange memory (pcio_set_dxpl_exchange_memory)",
};

}  // namespace

std::array<std::uint64_t, 8> words_of_list(const TransferJob& job) {
  const TransferProps& props = job.props();
  std::array<std::uint64_t, 8> words{};
  words[0] = static_cast<std::uint64_t>(props.chunk_opt);
  words[1] = props.chunk_opt_num;
  words[2] = props.chunk_opt_ratio;
  words[3] = static_cast<std::uint64_t>(job.forced_transport());
  words[4] = props.exchange_memory;
  words[kSelectionWord] = job.selection_key();
  return words;
}

Status check_list_is_same(Coordinator& coordinator, const std::array<std::uint64_t, 8>& mine,
                          const GlobalFacts& agreed) {
  for (std::size_t i = 0; i < std::size(kProperties); ++i) {
    if (agreed.same[i].equal()) continue;
    // All ranks see that it differs, so all look for the lowest rank that is not as rank 0.
    std::uint64_t first = mine[i];
    PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(&first, 1)), 0));
    std::uint64_t other[2] = {mine[i] == first ? kNoRank
                                               : static_cast<std::uint64_t>(coordinator.rank())};
    PCIO_TRY(coordinator.allreduce_min(std::span(other, 1)));
    other[1] = mine[i];
    PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(&other[1], 1)),
                                   static_cast<int>(other[0])));
    return PCIO_ERROR(PLIST, BADVALUE,
                      std::string("argument dxpl_id: ") + std::string(kProperties[i]) + " is " +
                          std::to_string(first) + " on rank 0 and " + std::to_string(other[1]) +
                          " on rank " + std::to_string(other[0]));
  }
  return Status();
}

}  // namespace pcio
