// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: an exchange among ranks of several nodes: pieces go straight into the images of
// owners on the same node, and in letters to those of other nodes.

#pragma once

#include "mpi/shared_memory.hpp"
#include "plan/slice_grid.hpp"
#include "transfer/transports/exchange_transport.hpp"

namespace pcio {

/// What a rank shares with those of its node. Bytes; equal on all ranks.
struct NodeLayout {
  std::uint64_t slice = 0;    ///< largest slice
  std::uint64_t images = 0;   ///< room for the slices of one owner
  std::uint64_t letters = 0;  ///< room for what a rank tells owners in one stretch
  std::uint64_t budget = 0;   ///< of letters and elements of one stretch
  std::uint64_t places = 0;   ///< where its letters to owners of its own node begin
  [[nodiscard]] std::uint64_t segment() const { return images + letters + places; }
};

/// Collective: pure.
NodeLayout node_layout(Direction direction, const ExchangeSettings& settings,
                       const Machine& machine, std::uint64_t element_size);

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
