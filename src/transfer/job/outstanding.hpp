// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/job: what transfers of one call leave for those behind them.
//
// What writes bytes that it was not given (the gaps between pieces that go out in one write, members
// of an element that the memory type lacks) has read them before; what owners write goes on behind the last agreement of an
// exchange. Such a write must be over on all
// ranks before anybody may write these bytes, and must not begin before those of others are over.
// The agreement that ends a call is enough for all calls behind it; between the transfers of one call
// there is one only where they need it.

#pragma once

#include <algorithm>
#include <cstdint>

namespace pcio {

/// What other ranks may still be doing since the last time that all ranks met.
enum class Outstanding : std::uint8_t {
  kNothing,
  kOwnBytes,     ///< writing what they selected
  kForeignBytes  ///< writing what others selected, or bytes that they read, too
};

}  // namespace pcio
