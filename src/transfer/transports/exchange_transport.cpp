// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: ExchangeTransport: which kind of exchange.

#include "transfer/transports/exchange_transport.hpp"

#include <algorithm>

#include "driver/file_stripes.hpp"
#include "transfer/transports/exchange_messages.hpp"
#include "transfer/transports/exchange_nodes.hpp"
#include "transfer/transports/exchange_shared.hpp"

namespace pcio {

Status ExchangeTransport::move(PieceSource& source) {
  ExchangeSettings settings{work_.job.props().exchange_memory};
  const FileContext& context = store().context();
  settings.unit = std::max(settings.unit, fitting_lock_unit(context.lock_unit, settings.memory));
  settings.writers = context.writers;
  settings.overlaps = direction() == Direction::kWrite && store().driver().writes_beside();
  const ExchangeTarget target{work_.target, work_.job.effort(), coordinator(),
                              settings,     work_.counts,       left_};
  left_ = Outstanding::kNothing;
  return coordinator().one_machine() ? move_on_one(source, target) : move_between(source, target);
}

Status ExchangeTransport::move_on_one(PieceSource& source, const ExchangeTarget& target) {
  const SharedLayout layout =
      shared_layout(target.settings, static_cast<std::uint64_t>(coordinator().size()),
                    work_.mover.form().file_size);
  PCIO_ASSIGN(const mpi::SharedMemory* memory, coordinator().shared_memory(layout.segment()));
  if (memory == nullptr) return exchange_messages(direction(), source, work_.mover, target);
  return exchange_shared(direction(), source, work_.mover, target, *memory, layout);
}

Status ExchangeTransport::move_between(PieceSource& source, const ExchangeTarget& target) {
  const NodeLayout layout = node_layout(direction(), target.settings, coordinator().machine(),
                                        work_.mover.form().file_size);
  // Without a communicator of each node owners are chosen as if all nodes had the same.
  PCIO_TRY(detail::to_status(coordinator().meet_node()));
  PCIO_ASSIGN(const mpi::SharedMemory* memory, coordinator().shared_memory(layout.segment()));
  NodeJob job{work_.job.bytes(), 0, kUndefinedAddress};
  const DatasetState* const state = work_.job.state();
  if (state != nullptr && state->chunked() && state->index) {
    job.chunk_bytes = state->index->chunk_bytes();
    const auto& chunks = state->index->plain_chunks();
    if (!chunks.empty()) job.chunk_origin = chunks.begin()->second.address;
  }
  return exchange_nodes(direction(), source, work_.mover, target, memory, job);
}

}  // namespace pcio
