// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: the parameters of the n-bit filter.

#pragma once

#include <vector>

#include "base/status.hpp"
#include "type/datatype.hpp"

namespace pcio {

/// What is stored with a new dataset of `type` with `elements` elements a chunk.
/// Errors: a number of another byte order than little- or big-endian.
Result<std::vector<unsigned>> nbit_parameters(const Datatype& type, std::uint64_t elements);

}  // namespace pcio
