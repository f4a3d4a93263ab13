// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: how many messages an object header can hold.

#pragma once

#include <cstddef>

#include "storage/objects/stored_object.hpp"

namespace pcio {

/// Version 1 headers count their messages in 16 bits; some are left for continuations and fillers.
inline constexpr std::size_t kMostMessages1 = 65535 - 64;

/// False where one message more is more than the header can count. Collective: pure.
inline bool has_room_for_message(const StoredObject& object) {
  if (object.header.version > 1) return true;
  std::size_t count = object.message_count();
  // Links that are messages of the header get there in the next commit.
  if (object.links && object.links_dirty() && object.find(kMessageSymbolTable) == nullptr) {
    for (const HeaderMessage& message : object.header.messages)
      if (message.type == kMessageLink) --count;
    count += object.links->links.size();
  }
  return count < kMostMessages1;
}

}  // namespace pcio
