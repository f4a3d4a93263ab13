// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: elements that are contiguous in the file and in memory.

#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace pcio {

/// `count` elements: at `address` in the file form, at element `memory_element` of the buffer.
struct FilePiece {
  FileAddress address = 0;
  std::uint64_t memory_element = 0;
  std::uint64_t count = 0;
};

/// Whether the bytes really move. A dry run makes the same plan and the same exchanges between the
/// ranks, and counts the calls that it does not make.
enum class Effort : std::uint8_t { kPerform, kDryRun };

}  // namespace pcio
