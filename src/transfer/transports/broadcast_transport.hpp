// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: rank 0 reads what all want.

#pragma once

#include <span>

#include "transfer/transports/transport_method.hpp"

namespace pcio {

/// As TransportMethod; for reads of the same elements on all ranks. One exchange. Memory: the job's
/// broadcast_buffer().
class BroadcastTransport final : public TransportMethod {
 public:
  static constexpr Transport kTransport = Transport::kBroadcast;
  using TransportMethod::TransportMethod;

  Status move(PieceSource& source) override;

 private:
  void count_crossing(std::uint64_t bytes);
  Status read_packed(std::span<const FilePiece> pieces, Bytes packed);
};

}  // namespace pcio
