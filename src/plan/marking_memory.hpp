// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: running out of memory as a value, for steps that must go on with the others.

#pragma once

#include <cstdint>
#include <new>
#include <span>
#include <utility>

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

/// As many as any exchange of a rank without memory takes.
inline constexpr std::size_t kLastResortWords = std::size_t{112} * 1024;

/// Words that are always there: what a rank exchanges when it has no memory for more, together with
/// a flag that says so. Beside the flag all content is worthless, so it does not matter who else of the
/// same thread uses them; another thread, whose ranks are those of another file, has others. Threads: one
/// thread; under the library's lock.
class LastResort {
 public:
  /// Threads that have words at once; more wait until one has done.
  static constexpr std::size_t kThreads = 8;

  LastResort() = default;
  LastResort(LastResort&& other) noexcept : place_(std::exchange(other.place_, nullptr)) {}
  LastResort& operator=(LastResort&& other) noexcept {
    std::swap(place_, other.place_);
    return *this;
  }
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;
  ~LastResort();
  /// The first ones, until this object goes. At most kLastResortWords.
  [[nodiscard]] std::span<std::uint64_t> words(std::size_t count);

 private:
  struct Place;
  static Place* place_for_this_thread();
  Place* place_ = nullptr;
};

/// The failure that all ranks report together.
[[nodiscard]] inline Result<MarkedChunks> no_memory() {
  return PCIO_ERROR(RESOURCE, NOSPACE, "a rank ran out of memory while chunks were being marked");
}

}  // namespace pcio::marking
