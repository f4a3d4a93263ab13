// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: an exchange among ranks of several nodes: pieces go straight into the images of
// owners on the same node, and in letters to those of other nodes.

#pragma once

#include "mpi/shared_memory.hpp"
#include "transfer/transports/exchange_transport.hpp"
#include "transfer/transports/node_memory.hpp"

namespace pcio {

/// What this rank knows of the data before any rank has spoken.
struct NodeJob {
  std::uint64_t bytes = 0;         ///< that it moves
  std::uint64_t chunk_bytes = 0;   ///< 0: the data are not in chunks
  std::uint64_t chunk_origin = 0;  ///< address of a chunk, if it knows one
};

/// As ExchangeTransport::move. `memory`: of this rank's node; nullptr where some node has none. Collective:
/// over the file; four small exchanges and one of sizes for each stretch.
Status exchange_nodes(Direction direction, PieceSource& source, ElementMover& mover,
                      const ExchangeTarget& target, const mpi::SharedMemory* memory,
                      const NodeJob& job);

}  // namespace pcio
