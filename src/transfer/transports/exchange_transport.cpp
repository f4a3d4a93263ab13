// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: ExchangeTransport: which kind of exchange.

#include "transfer/transports/exchange_transport.hpp"

#include "transfer/transports/exchange_messages.hpp"
#include "transfer/transports/exchange_shared.hpp"

namespace pcio {

Status ExchangeTransport::move(PieceSource& source) {
  const ExchangeTarget target{work_.target,  work_.job.effort(),
                              coordinator(), {work_.job.props().exchange_memory},
                              work_.counts,  left_};
  const SharedLayout layout =
      shared_layout(target.settings, static_cast<std::uint64_t>(coordinator().size()),
                    work_.mover.form().file_size);
  PCIO_ASSIGN(const mpi::SharedMemory* memory, coordinator().shared_memory(layout.segment()));
  left_ = Outstanding::kNothing;
  if (memory == nullptr) return exchange_messages(direction(), source, work_.mover, target);
  return exchange_shared(direction(), source, work_.mover, target, *memory, layout);
}

}  // namespace pcio
