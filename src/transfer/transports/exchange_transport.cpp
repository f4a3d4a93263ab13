// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: exchange_pieces: which kind of exchange.

#include "transfer/transports/exchange_transport.hpp"

#include "transfer/transports/exchange_messages.hpp"
#include "transfer/transports/exchange_shared.hpp"

namespace pcio {

Status exchange_pieces(Direction direction, PieceSource& source, ElementMover& mover,
                       const ExchangeTarget& target) {
  const SharedLayout layout =
      shared_layout(target.settings, static_cast<std::uint64_t>(target.coordinator.size()),
                    mover.form().file_size);
  PCIO_ASSIGN(const mpi::SharedMemory* memory, target.coordinator.shared_memory(layout.segment()));
  target.left = Outstanding::kNothing;
  if (memory == nullptr) return exchange_messages(direction, source, mover, target);
  return exchange_shared(direction, source, mover, target, *memory, layout);
}

}  // namespace pcio
