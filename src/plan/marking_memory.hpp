// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: running out of memory as a value, for steps that must go on with the others.

#pragma once

#include <new>

#include "base/status.hpp"
#include "plan/marked_chunks.hpp"

namespace pcio::marking {

/// False where `allocate` ran out of memory.
template <class F>
[[nodiscard]] bool has_memory(F&& allocate) {
  try {
    allocate();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

/// The failure that all ranks report together.
[[nodiscard]] inline Result<MarkedChunks> no_memory() {
  return PCIO_ERROR(RESOURCE, NOSPACE, "a rank ran out of memory while chunks were being marked");
}

}  // namespace pcio::marking
