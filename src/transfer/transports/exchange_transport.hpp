// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: two-phase transfers of the library's own.
//
// The ranks walk through the file together, stretch by stretch. A stretch is cut into slices, each
// owned by one rank, who gathers what all ranks have for it and makes few large explicit-offset
// calls. An element belongs to the slice in which its first byte lies, so every byte has one owner.
// A stretch begins at the first byte that any rank still has to move and ends where some rank's
// buffer would overflow: holes cost nothing, and memory is bounded whatever the ranks ask for.
// Ranks of one machine share the images of the slices; others send messages.
//
// Source: Thakur, Gropp and Lusk, "Data Sieving and Collective I/O in ROMIO", 1999, for the two
// phases; stretches that follow the requests are ours.

#pragma once

#include "agree/coordinator.hpp"
#include "props/transfer_report.hpp"
#include "storage/bytes/piece_store.hpp"
#include "transfer/pieces/convert_buffer.hpp"
#include "transfer/pieces/piece_source.hpp"
#include "transfer/job/outstanding.hpp"

namespace pcio {

struct ExchangeSettings {
  /// All buffers, lists and maps together. Bytes, per rank; shared ones count on each.
  std::uint64_t memory = std::uint64_t{16} << 20;
  /// Slices begin at multiples of it: a page or a stripe. Bytes.
  std::uint64_t block = 4096;
};

/// Between whom and what.
struct ExchangeTarget {
  PieceStore& store;  ///< the file
  Coordinator& coordinator;
  ExchangeSettings settings;
  ExchangeCounts& counts;  ///< added to
  Outstanding& left;       ///< of a write: what other ranks may still be doing; equal on all ranks
};

/// Moves the pieces of all ranks. `source`: this rank's, possibly none.
///
/// Collective: over the file; one or two small exchanges per stretch, and messages of bounded size
///   between ranks of different machines. A rank on which something fails takes part to the end with
///   what it can, and returns its failure; the caller agrees on the outcome. Only a failure of MPI
///   itself ends it early.
/// On failure some pieces may have been moved.
Status exchange_pieces(Direction direction, PieceSource& source, ElementMover& mover,
                       const ExchangeTarget& target);

}  // namespace pcio
