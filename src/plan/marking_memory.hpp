// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: running out of memory as a value, for steps that must go on with the others.

#pragma once

#include <array>
#include <cstdint>
#include <new>
#include <span>

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

/// Words that are always there: what a rank exchanges when it has no memory for more, together with
/// a flag that says so. All content is worthless, so it does not matter who else uses them.
inline constexpr std::size_t kLastResortWords = std::size_t{112} * 1024;
[[nodiscard]] inline std::span<std::uint64_t> last_resort(std::size_t words) {
  static std::array<std::uint64_t, kLastResortWords> reserve;  // touched only when used
  return std::span(reserve).first(words);
}

/// The failure that all ranks report together.
[[nodiscard]] inline Result<MarkedChunks> no_memory() {
  return PCIO_ERROR(RESOURCE, NOSPACE, "a rank ran out of memory while chunks were being marked");
}

}  // namespace pcio::marking
