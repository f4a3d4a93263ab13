// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: an exchange by messages.

#pragma once

#include "transfer/transports/exchange_transport.hpp"

namespace pcio {

/// As ExchangeTransport::move. Collective: over the file; per stretch two small exchanges, a message to each
/// owner, and for reads an answer.
Status exchange_messages(Direction direction, PieceSource& source, ElementMover& mover,
                         const ExchangeTarget& target);

}  // namespace pcio
