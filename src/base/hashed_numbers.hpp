// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: the numbers of things that lie elsewhere, found by a hash of what is looked for.
//
// It holds no pointers and no copies of what it finds, eight bytes for a thing and as much again for
// room: a copy goes with a copy of the things.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace pcio {

class HashedNumbers {
 public:
  [[nodiscard]] static std::size_t hash(std::string_view bytes) {
    return std::hash<std::string_view>()(bytes);
  }

  /// Adds a number that is not there, under what is not there either. Memory may run out: then nothing
  /// has changed.
  void add(std::size_t hash, std::uint32_t number) {
    if (slots_.size() < 2 * (used_ + 1)) grow();
    place(slots_, {static_cast<std::uint32_t>(hash), number});
    ++used_;
  }

  /// The number under this hash of which same(number) is true.
  template <class Same>
  [[nodiscard]] std::optional<std::uint32_t> find(std::size_t hash, Same same) const {
    if (slots_.empty()) return std::nullopt;
    const auto part = static_cast<std::uint32_t>(hash);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = part & mask; slots_[at].number != kFree; at = (at + 1) & mask)
      if (slots_[at].hash == part && same(slots_[at].number)) return slots_[at].number;
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = kFree;
  };

  static void place(std::vector<Slot>& slots, Slot slot) {
    const std::size_t mask = slots.size() - 1;
    std::size_t at = slot.hash & mask;
    while (slots[at].number != kFree) at = (at + 1) & mask;
    slots[at] = slot;
  }

  void grow() {
    constexpr std::size_t kLeast = 32;
    std::vector<Slot> larger(slots_.empty() ? kLeast : 2 * slots_.size());
    for (const Slot& slot : slots_)
      if (slot.number != kFree) place(larger, slot);
    slots_ = std::move(larger);
  }

  std::vector<Slot> slots_;  // their count is a power of two, at least half of them free
  std::size_t used_ = 0;
};

}  // namespace pcio
