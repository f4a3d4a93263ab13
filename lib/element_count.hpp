// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: numbers of elements as the C calls return them.

#pragma once

#include <limits>

#include "base/status.hpp"
#include "lib/public_api.hpp"

namespace pcio {

/// Errors: DATASPACE OVERFLOW where there are 2^63 elements or more.
inline Result<hssize_t> element_count(std::uint64_t n) {
  if (n > static_cast<std::uint64_t>(std::numeric_limits<hssize_t>::max()))
    return PCIO_ERROR(DATASPACE, OVERFLOW, "2^63 elements or more, which this call can't return");
  return static_cast<hssize_t>(n);
}

}  // namespace pcio
