// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: an exchange among ranks that share memory: pieces go straight between the
// application's buffer and the image of a slice, wherever its owner is.

#pragma once

#include "mpi/shared_memory.hpp"
#include "transfer/transports/exchange_transport.hpp"

namespace pcio {

/// How the segment of each rank is used. Bytes.
struct SharedLayout {
  std::uint64_t slice = 0;    ///< largest slice
  std::uint64_t image = 0;    ///< room for a slice and an element that reaches beyond it
  std::uint64_t letters = 0;  ///< room for what a rank tells the owners in one stretch
  /// Two images and two sets of letters, for stretches follow each other without waiting.
  [[nodiscard]] std::uint64_t segment() const { return 2 * (image + letters); }
};

/// Collective: pure; equal on all ranks.
SharedLayout shared_layout(const ExchangeSettings& settings, std::uint64_t ranks,
                           std::uint64_t element_size);

/// As ExchangeTransport::move. Collective: over the file; one small exchange per stretch, and two at the end
/// of a read.
Status exchange_shared(Direction direction, PieceSource& source, ElementMover& mover,
                       const ExchangeTarget& target, const mpi::SharedMemory& memory,
                       const SharedLayout& layout);

}  // namespace pcio
