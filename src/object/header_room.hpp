// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: how many messages an object header can hold.

#pragma once

#include <cstddef>

#include "storage/objects/phase_change.hpp"

namespace pcio {

/// False where one message more is more than the header can count. Collective: pure.
inline bool has_room_for_message(const StoredObject& object) {
  if (object.header.version > 1) return true;
  std::size_t count = object.message_count();
  // Links that are messages of the header get there in the next commit.
  if (object.links && object.links_dirty() && object.find(kMessageSymbolTable) == nullptr) {
    for (const HeaderMessage& message : object.header.messages)
      if (message.type == kMessageLink) --count;
    if (!object.links->dense) count += object.links->links.size();
  }
  return count < kMostMessages1;
}

}  // namespace pcio
