// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: each rank's own runs by explicit offsets.

#pragma once

#include "transfer/transports/execute.hpp"
#include "transfer/transports/transport_method.hpp"

namespace pcio {

/// As TransportMethod; no rank waits for another.
class DirectTransport final : public TransportMethod {
 public:
  static constexpr Transport kTransport = Transport::kDirect;
  using TransportMethod::TransportMethod;

  Status move(PieceSource& source) override {
    return execute_direct(direction(), source, work_.mover, work_.target, kStagingBytes);
  }
};

}  // namespace pcio
