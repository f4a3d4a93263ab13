// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: the ways in which bytes of a collective transfer move, and what there is to know of each
// without running it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace pcio {

/// How the bytes moved; numbers as pcio_transport_t.
enum class Transport : std::int8_t {
  kNone = 0,
  kDirect = 1,
  kView = 2,
  kExchange = 3,
  kBroadcast = 4,  // one rank read, the others got it from that rank
};

/// When the bytes of a collective step move: as soon as a rank comes to it, or when the ranks have met in it.
enum class MovesWhen : std::uint8_t { kAtOnce, kMet };

/// One transport. Flags are false where nothing else is said.
struct TransportRow {
  Transport transport = Transport::kNone;
  const char* name = "none";
  MovesWhen moves = MovesWhen::kAtOnce;
  bool can_be_asked_for = false;  ///< by a transfer list and by PCIO_TRANSPORT
  bool chunk_by_chunk = false;    ///< a step of many chunks is an operation for each
  bool needs_proof = false;       ///< its success is MPI's word: PCIO_VERIFY=full reads all again
};

/// By number.
inline constexpr TransportRow kTransportTable[] = {
    {},
    {.transport = Transport::kDirect, .name = "direct", .can_be_asked_for = true},
    {.transport = Transport::kView,
     .name = "view",
     .moves = MovesWhen::kMet,
     .can_be_asked_for = true,
     .chunk_by_chunk = true,
     .needs_proof = true},
    {.transport = Transport::kExchange,
     .name = "exchange",
     .moves = MovesWhen::kMet,
     .can_be_asked_for = true},
    {.transport = Transport::kBroadcast, .name = "broadcast", .moves = MovesWhen::kMet},
};
inline constexpr std::size_t kTransports = std::size(kTransportTable);

/// The row of a transport, that of kNone for a number that is none.
[[nodiscard]] constexpr const TransportRow& row_of(Transport transport) {
  const auto number = static_cast<std::size_t>(transport);
  return kTransportTable[number < kTransports ? number : 0];
}

}  // namespace pcio
