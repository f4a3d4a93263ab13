// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: names of object header messages for error texts.

#include "format/message_types.hpp"

#include <array>

namespace pcio {

std::string message_name(unsigned type) {
  static constexpr std::array<const char*, kMessageCacheImage + 1> kNames = {
      "nil",
      "dataspace",
      "link info",
      "datatype",
      "old fill value",
      "fill value",
      "link",
      "external files",
      "layout",
      "bogus",
      "group info",
      "filter pipeline",
      "attribute",
      "comment",
      "old modification time",
      "shared table",
      "continuation",
      "symbol table",
      "modification time",
      "B-tree K",
      "driver info",
      "attribute info",
      "reference count",
      "file space info",
      "cache image"};
  if (type < kNames.size()) return std::string(kNames[type]) + " message";
  return "message of type " + std::to_string(type);
}

}  // namespace pcio
