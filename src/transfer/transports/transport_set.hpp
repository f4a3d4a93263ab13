// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: the transports of one transfer: the class of each row of props/transports.

#pragma once

#include <array>
#include <tuple>

#include "transfer/transports/broadcast_transport.hpp"
#include "transfer/transports/direct_transport.hpp"
#include "transfer/transports/exchange_transport.hpp"
#include "transfer/transports/view_transport.hpp"

namespace pcio {

/// One of each, kept in place. Threads: one thread.
template <class... Methods>
class TransportsOf {
 public:
  explicit TransportsOf(const TransportWork& work) : methods_(given<Methods>(work)...) {
    // Nothing moves directly.
    by_number_.fill(&std::get<DirectTransport>(methods_));
    ((by_number_[static_cast<std::size_t>(Methods::kTransport)] = &std::get<Methods>(methods_)),
     ...);
  }
  TransportsOf(const TransportsOf&) = delete;
  TransportsOf& operator=(const TransportsOf&) = delete;

  TransportMethod& operator[](Transport transport) {
    return *by_number_[static_cast<std::size_t>(transport)];
  }

 private:
  template <class Method>
  static const TransportWork& given(const TransportWork& work) {
    return work;
  }
  std::tuple<Methods...> methods_;
  std::array<TransportMethod*, kTransports> by_number_{};
};

using TransportSet =
    TransportsOf<DirectTransport, ViewTransport, ExchangeTransport, BroadcastTransport>;

}  // namespace pcio
