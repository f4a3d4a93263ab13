// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: numbers, flags and names of object header messages.
// Source: HDF5 File Format Specification, IV.A.1 "Header Message Flags" and IV.A.2.

#pragma once

#include <cstdint>
#include <string>

namespace pcio {

/// Header message types (HeaderMessage::type).
enum MessageType : std::uint16_t {
  kMessageNil = 0x0000,
  kMessageDataspace = 0x0001,
  kMessageLinkInfo = 0x0002,
  kMessageDatatype = 0x0003,
  kMessageFillValueOld = 0x0004,
  kMessageFillValue = 0x0005,
  kMessageLink = 0x0006,
  kMessageExternalFiles = 0x0007,
  kMessageLayout = 0x0008,
  kMessageBogus = 0x0009,
  kMessageGroupInfo = 0x000A,
  kMessageFilterPipeline = 0x000B,
  kMessageAttribute = 0x000C,
  kMessageComment = 0x000D,
  kMessageModificationTimeOld = 0x000E,
  kMessageSharedTable = 0x000F,
  kMessageContinuation = 0x0010,
  kMessageSymbolTable = 0x0011,
  kMessageModificationTime = 0x0012,
  kMessageBtreeK = 0x0013,
  kMessageDriverInfo = 0x0014,
  kMessageAttributeInfo = 0x0015,
  kMessageReferenceCount = 0x0016,
  kMessageFileSpaceInfo = 0x0017,
  kMessageCacheImage = 0x0018,
};

/// Bits of HeaderMessage::flags.
enum MessageFlag : std::uint8_t {
  kMessageConstant = 0x01,
  kMessageShared = 0x02,
  kMessageNotShareable = 0x04,
  kMessageFailOnWriteIfUnknown = 0x08,
  kMessageMarkIfUnknown = 0x10,
  kMessageWasUnknown = 0x20,
  kMessageShareable = 0x40,
  kMessageFailIfUnknown = 0x80,
};

/// True for the types listed above, except the test-only "bogus" one.
constexpr bool is_known_message(unsigned type) {
  return type <= kMessageCacheImage && type != kMessageBogus;
}

/// The types of which a message may lie elsewhere, for several objects.
constexpr bool can_be_shared(unsigned type) {
  return type == kMessageDataspace || type == kMessageDatatype || type == kMessageFillValueOld ||
         type == kMessageFillValue || type == kMessageFilterPipeline || type == kMessageAttribute ||
         !is_known_message(type);
}

/// Name for error texts, such as "layout message"; "message of type 42" where unknown.
std::string message_name(unsigned type);

}  // namespace pcio
