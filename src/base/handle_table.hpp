// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: ids of the C API: type, generation, slot.
//
// id = 0 | type (7 bits) | generation (24 bits) | slot (32 bits). A stale id has an old generation, a
// foreign one an unknown type or slot: both are errors, never crashes. 0 is never an id.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.hpp"

namespace pcio {

using HandleId = std::int64_t;
inline constexpr HandleId kInvalidHandle = -1;

/// What lives behind an id. Destroyed when the last reference (id or internal) goes.
class HandleObject {
 public:
  HandleObject() = default;
  HandleObject(const HandleObject&) = delete;
  HandleObject& operator=(const HandleObject&) = delete;
  virtual ~HandleObject() = default;
};

/// Table of ids. Threads: under the library's lock (library_lock.hpp).
class HandleTable {
 public:
  static constexpr unsigned kMaxTypes = 127;

  /// Registers `object` under a new id of `type` with reference count 1.
  Result<HandleId> add(unsigned type, std::shared_ptr<HandleObject> object);
  /// The object behind `id`. Errors: BADATOM for stale, closed or foreign ids.
  [[nodiscard]] Result<std::shared_ptr<HandleObject>> find(HandleId id) const;
  /// The object behind `id` if that is a live id of `type`, else nullptr.
  [[nodiscard]] std::shared_ptr<HandleObject> find(HandleId id, unsigned type) const;
  /// Type bits of a live id, or 0.
  [[nodiscard]] unsigned type_of(HandleId id) const;
  Result<int> increment(HandleId id);
  /// Reference count after decrementing. At 0 the id is removed and its object is moved to `*last`
  /// so that the caller decides how to close it; on failure of that close the caller may `restore`.
  Result<int> decrement(HandleId id, std::shared_ptr<HandleObject>* last);
  [[nodiscard]] Result<int> references(HandleId id) const;
  /// Another object takes the place of the one behind a live id.
  void replace(HandleId id, std::shared_ptr<HandleObject> object);
  /// Puts an object back under the id that `decrement` removed last (a close that failed).
  void restore(HandleId id, std::shared_ptr<HandleObject> object);
  /// Number of live ids of `type`.
  [[nodiscard]] std::size_t count(unsigned type) const;
  /// Live ids of `type`, oldest first. Costs as much as there are of this type.
  [[nodiscard]] std::vector<HandleId> ids(unsigned type) const;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Slot {
    std::shared_ptr<HandleObject> object;
    std::uint32_t generation = 0;
    std::uint8_t type = 0;
    int references = 0;
    std::uint32_t before = kNone;  ///< neighbours among the live slots of the type
    std::uint32_t behind = kNone;
  };
  struct Live {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::size_t count = 0;
  };
  [[nodiscard]] const Slot* live(HandleId id) const;
  Slot* live(HandleId id) {
    return const_cast<Slot*>(static_cast<const HandleTable*>(this)->live(id));
  }

  void enter(std::uint32_t slot);
  void leave(std::uint32_t slot);

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  Live live_[kMaxTypes];
};

}  // namespace pcio
