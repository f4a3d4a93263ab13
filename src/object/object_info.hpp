// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: what can be asked of any object.

#pragma once

#include <cstdint>

#include "object/traverse.hpp"

namespace pcio {

/// Facts behind H5Oget_info; times in seconds since 1970 (0 where not stored), sizes in bytes.
struct ObjectInfo {
  unsigned long file_number = 0;
  FileAddress address = kUndefinedAddress;
  ObjectKind kind = ObjectKind::kUnknown;
  std::uint32_t references = 0;
  std::int64_t access_time = 0;
  std::int64_t modification_time = 0;
  std::int64_t change_time = 0;
  std::int64_t birth_time = 0;
  std::uint64_t attributes = 0;
  unsigned header_version = 0;
  unsigned header_messages = 0;
  unsigned header_chunks = 0;
  unsigned header_flags = 0;
  std::uint64_t header_total = 0;
  std::uint64_t header_meta = 0;  ///< prefixes of chunks and messages
  std::uint64_t header_messages_bytes = 0;
  std::uint64_t header_free = 0;
  std::uint64_t messages_present = 0;  ///< bit per message type
  std::uint64_t messages_shared = 0;
};

/// What the header says of how the object was made. Collective: pure.
ObjectCreateProps object_create_props(const StoredObject& object);

/// Collective: independent.
Result<ObjectInfo> object_info(const Location& object);

}  // namespace pcio
