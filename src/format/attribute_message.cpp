// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: attribute message, decode and encode.

#include "format/attribute_message.hpp"

#include <algorithm>
#include <cstring>

#include "base/checked.hpp"

namespace pcio {

namespace {

constexpr unsigned kDatatypeShared = 0x01;
constexpr unsigned kDataspaceShared = 0x02;

/// Takes `size` bytes off `rest`; in version 1 every part is padded to a multiple of 8. False where there are fewer.
bool take(ConstBytes* rest, std::size_t size, unsigned version, ConstBytes* part) {
  if (size > rest->size()) return false;
  *part = rest->first(size);
  // The padding of a last part may be missing where the message was cut to its size.
  const std::size_t padded = version == 1 ? round_up(size, std::size_t{8}) : size;
  *rest = rest->subspan(std::min(padded, rest->size()));
  return true;
}

void put(FieldWriter& fields, ConstBytes part, unsigned version) {
  fields.bytes(part);
  if (version == 1) fields.zeros(round_up(part.size(), std::size_t{8}) - part.size());
}

}  // namespace

bool may_be_named(ConstBytes message, std::string_view name) {
  constexpr std::size_t kSizeAt = 2, kNameAt = 8;
  if (message.size() < kNameAt + 1) return true;
  const std::size_t at = kNameAt + (std::to_integer<unsigned>(message[0]) == 3 ? 1 : 0);
  const std::size_t size = std::to_integer<std::size_t>(message[kSizeAt]) |
                           std::to_integer<std::size_t>(message[kSizeAt + 1]) << 8U;
  if (size > message.size() - at) return true;
  if (size < name.size() || std::memcmp(message.data() + at, name.data(), name.size()) != 0)
    return false;
  // The size counts the NUL, as a rule; behind it there may be more.
  return size == name.size() || message[at + name.size()] == std::byte{0};
}

Result<AttributeView> view_attribute_message(ByteReader& reader) {
  PCIO_ASSIGN(const unsigned version, decode_version(reader, 1, 3, "attribute message"));
  const unsigned flags = reader.u8();  // reserved in version 1
  const std::size_t name_size = reader.u16();
  const std::size_t datatype_size = reader.u16();
  const std::size_t dataspace_size = reader.u16();
  const unsigned charset = version == 3 ? reader.u8() : 0U;
  ConstBytes rest = reader.bytes(reader.remaining()), name;
  AttributeView view;
  view.version = version;
  const bool whole = take(&rest, name_size, version, &name) &&
                     take(&rest, datatype_size, version, &view.datatype) &&
                     take(&rest, dataspace_size, version, &view.dataspace);
  if (!whole) reader.skip(1);  // of which there is none
  PCIO_TRY(reader.check("attribute message"));
  if (charset > 1 || (version > 1 && (flags & 0xFC) != 0))
    return PCIO_ERROR(ATTR, BADVALUE, "attribute message has unknown flags or character set");
  // The size counts the NUL; what follows an early NUL is not part of the name.
  const auto* const text = reinterpret_cast<const char*>(name.data());
  view.name = {text, ::strnlen(text, name.size())};
  if (view.name.empty()) return PCIO_ERROR(ATTR, BADVALUE, "attribute has an empty name");
  view.charset = static_cast<NameCharset>(charset);
  view.datatype_shared = version > 1 && (flags & kDatatypeShared) != 0;
  view.dataspace_shared = version > 1 && (flags & kDataspaceShared) != 0;
  view.data = rest;
  return view;
}

Result<AttributeMessage> decode_attribute_message(ByteReader& reader) {
  PCIO_ASSIGN(const AttributeView view, view_attribute_message(reader));
  AttributeMessage attribute;
  attribute.name = view.name;
  attribute.charset = view.charset;
  attribute.datatype_shared = view.datatype_shared;
  attribute.dataspace_shared = view.dataspace_shared;
  attribute.datatype.assign(view.datatype.begin(), view.datatype.end());
  attribute.dataspace.assign(view.dataspace.begin(), view.dataspace.end());
  attribute.data.assign(view.data.begin(), view.data.end());
  return attribute;
}

unsigned attribute_message_version_for(FormatVersion version, NameCharset charset,
                                       bool parts_shared) {
  if (charset != NameCharset::kAscii) return 3;
  const unsigned number = attribute_message_version(version);
  return number == 1 && parts_shared ? 2 : number;
}

Status encode_attribute_message(const AttributeView& attribute, FormatVersion version,
                                ByteWriter& out) {
  const unsigned number = attribute_message_version_for(
      version, attribute.charset, attribute.datatype_shared || attribute.dataspace_shared);
  constexpr std::size_t kAround = 9 + 3 * 8;  // fields in front, padding
  out.reserve(out.size() + kAround + attribute.name.size() + attribute.datatype.size() +
              attribute.dataspace.size() + attribute.data.size());
  FieldWriter fields(out);
  fields.u8(number);
  fields.u8((attribute.datatype_shared ? kDatatypeShared : 0) |
            (attribute.dataspace_shared ? kDataspaceShared : 0));
  fields.u16(attribute.name.size() + 1);
  fields.u16(attribute.datatype.size());
  fields.u16(attribute.dataspace.size());
  if (number == 3) fields.u8(static_cast<unsigned>(attribute.charset));
  fields.text(attribute.name);
  fields.u8(0);
  if (number == 1) {
    const std::size_t name_size = attribute.name.size() + 1;
    fields.zeros(round_up(name_size, std::size_t{8}) - name_size);
  }
  put(fields, attribute.datatype, number);
  put(fields, attribute.dataspace, number);
  fields.bytes(attribute.data);
  return fields.check("attribute message");
}

}  // namespace pcio
