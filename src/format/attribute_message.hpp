// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: attribute message (0x000C), versions 1 to 3.
// Source: HDF5 File Format Specification, IV.A.2.m The Attribute Message.

#pragma once

#include "format/file_sizes.hpp"
#include "format/format_version.hpp"
#include "format/link_message.hpp"

namespace pcio {

/// The parts of an attribute without copies: they point into bytes of somebody else.
struct AttributeView {
  unsigned version = 1;  ///< as decoded; encode does not use it
  std::string_view name;
  NameCharset charset = NameCharset::kAscii;
  bool datatype_shared = false;
  bool dataspace_shared = false;
  ConstBytes datatype;
  ConstBytes dataspace;
  ConstBytes data;
};

/// An attribute with its type and space still encoded, so that this file need not know types.
struct AttributeMessage {
  std::string name;
  NameCharset charset = NameCharset::kAscii;
  bool datatype_shared = false;      ///< `datatype` is a shared message, see SharedMessage
  bool dataspace_shared = false;     ///< `dataspace` is a shared message
  std::vector<std::byte> datatype;   ///< encoded datatype message
  std::vector<std::byte> dataspace;  ///< encoded dataspace message
  /// The value. Decoded, it may be longer than the value by padding of the header message.
  std::vector<std::byte> data;
  [[nodiscard]] AttributeView view() const {
    return {1, name, charset, datatype_shared, dataspace_shared, datatype, dataspace, data};
  }
  friend bool operator==(const AttributeMessage&, const AttributeMessage&) = default;
};

/// Behind a value that was read from a header, not behind one that was made here; bytes.
inline constexpr std::size_t kMostValuePadding = 7;

/// As decode_attribute_message. Collective: pure.
Result<AttributeView> view_attribute_message(ByteReader& reader);
/// False where the message is of an attribute with another name: most of a search, without taking messages apart.
/// Where the message is damaged it is true. Collective: pure.
[[nodiscard]] bool may_be_named(ConstBytes message, std::string_view name);
/// The version of a message in a new file of that format; `charset` is the name's.
[[nodiscard]] unsigned attribute_message_version_for(FormatVersion version, NameCharset charset,
                                                     bool parts_shared);
/// Also decodes the objects of a fractal heap of dense attributes.
///
/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for an empty name or bad flags.
Result<AttributeMessage> decode_attribute_message(ByteReader& reader);
/// Writes version 1, 2 or 3: 3 by `version` or for a UTF-8 name, 2 where something is shared.
Status encode_attribute_message(const AttributeView& attribute, FormatVersion version,
                                ByteWriter& out);
inline Status encode_attribute_message(const AttributeMessage& attribute, FormatVersion version,
                                       ByteWriter& out) {
  return encode_attribute_message(attribute.view(), version, out);
}

}  // namespace pcio
