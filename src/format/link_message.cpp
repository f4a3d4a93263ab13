// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: link message, decode and encode.

#include "format/link_message.hpp"

#include <bit>

#include "base/checked.hpp"

namespace pcio {

namespace {

std::string to_string(ConstBytes bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

constexpr unsigned kHasCreationOrder = 0x04;
constexpr unsigned kHasType = 0x08;
constexpr unsigned kHasCharset = 0x10;

Status decode_external(LinkMessage& link, ConstBytes value) {
  ByteReader inner(value);
  const unsigned head = inner.u8();
  const std::string_view file = inner.c_string();
  const std::string_view path = inner.c_string();
  PCIO_TRY(inner.check("external link"));
  if (head >> 4 != 0) return PCIO_ERROR(LINK, UNSUPPORTED, "external link of an unknown version");
  link.file = file;
  link.target = path;
  return Status();
}

/// What follows the name.
Status decode_target(LinkMessage& link, ByteReader& reader, const FileSizes& sizes) {
  if (link.type == kLinkHard) {
    link.address = reader.address(sizes.offset_size);
    PCIO_TRY(reader.check("link message"));
    if (link.address == kUndefinedAddress)
      return PCIO_ERROR(LINK, BADVALUE, "hard link has no address");
    return Status();
  }
  const std::size_t size = reader.u16();
  const ConstBytes value = reader.bytes(size);
  PCIO_TRY(reader.check("link message"));
  if (link.type == kLinkSoft) {
    if (value.empty()) return PCIO_ERROR(LINK, BADVALUE, "soft link has no target");
    link.target = value;
    return Status();
  }
  if (link.type == kLinkExternal) return decode_external(link, value);
  link.user_data = value;
  return Status();
}

}  // namespace

Result<LinkMessage> decode_link_message(ByteReader& reader, const FileSizes& sizes) {
  PCIO_TRY(decode_version(reader, 1, 1, "link message"));
  const unsigned flags = reader.u8();
  LinkMessage link;
  if ((flags & kHasType) != 0) link.type = static_cast<std::uint8_t>(reader.u8());
  if ((flags & kHasCreationOrder) != 0)
    link.creation_order = static_cast<std::int64_t>(reader.u64());
  const unsigned charset = (flags & kHasCharset) != 0 ? reader.u8() : 0U;
  const std::uint64_t length = reader.uint(1U << (flags & 3));
  PCIO_TRY(reader.check("link message"));
  if ((flags & 0xE0) != 0 || charset > 1 || (link.type > kLinkSoft && link.type < kLinkExternal))
    return PCIO_ERROR(LINK, BADVALUE, "link message has an unknown type, flag or character set");
  if (length == 0) return PCIO_ERROR(LINK, BADVALUE, "link has an empty name");
  if (length > reader.remaining()) return PCIO_ERROR(LINK, TRUNCATED, "truncated link message");
  link.charset = static_cast<NameCharset>(charset);
  link.name = to_string(reader.bytes(static_cast<std::size_t>(length)));
  PCIO_TRY(decode_target(link, reader, sizes));
  return link;
}

Status encode_link_message(const LinkMessage& link, const FileSizes& sizes, ByteWriter& out) {
  // Widths of 1, 2, 4 or 8 bytes are numbered 0 to 3.
  const unsigned width = std::bit_ceil(bytes_needed(link.name.size()));
  unsigned flags = static_cast<unsigned>(std::countr_zero(width));
  if (link.creation_order) flags |= kHasCreationOrder;
  if (link.type != kLinkHard) flags |= kHasType;
  if (link.charset != NameCharset::kAscii) flags |= kHasCharset;
  FieldWriter fields(out, sizes);
  fields.u8(1);
  fields.u8(flags);
  if (link.type != kLinkHard) fields.u8(link.type);
  if (link.creation_order) fields.u64(static_cast<std::uint64_t>(*link.creation_order));
  if (link.charset != NameCharset::kAscii) fields.u8(static_cast<unsigned>(link.charset));
  fields.uint(link.name.size(), width);
  fields.text(link.name);
  if (link.type == kLinkHard) {
    fields.address(link.address);
  } else if (link.type == kLinkSoft) {
    fields.u16(link.target.size());
    fields.text(link.target.text());
  } else if (link.type == kLinkExternal) {
    fields.u16(link.file.size() + link.target.size() + 3);
    fields.u8(0);  // version and flags
    fields.text(link.file.text());
    fields.u8(0);
    fields.text(link.target.text());
    fields.u8(0);
  } else {
    fields.u16(link.user_data.size());
    fields.bytes(link.user_data.bytes());
  }
  return fields.check("link message");
}

}  // namespace pcio
