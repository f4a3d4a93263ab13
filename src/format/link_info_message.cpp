// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: link info message, decode and encode.

#include "format/link_info_message.hpp"

namespace pcio {

namespace {
constexpr unsigned kTrackLinkOrder = 0x01;
constexpr unsigned kIndexLinkOrder = 0x02;
}  // namespace

Result<LinkInfoMessage> decode_link_info_message(ByteReader& reader, const FileSizes& sizes) {
  PCIO_TRY(decode_version(reader, 0, 0, "link info message"));
  const unsigned flags = reader.u8();
  LinkInfoMessage info;
  info.track_order = (flags & kTrackLinkOrder) != 0;
  info.index_order = (flags & kIndexLinkOrder) != 0;
  if (info.track_order) info.max_creation_order = static_cast<std::int64_t>(reader.u64());
  info.heap_address = reader.address(sizes.offset_size);
  info.name_index_address = reader.address(sizes.offset_size);
  if (info.index_order) info.order_index_address = reader.address(sizes.offset_size);
  PCIO_TRY(reader.check("link info message"));
  if ((flags & 0xFC) != 0 || info.max_creation_order < 0)
    return PCIO_ERROR(SYM, BADVALUE, "link info message has bad flags or a negative number");
  return info;
}

Status encode_link_info_message(const LinkInfoMessage& info, const FileSizes& sizes,
                                ByteWriter& out) {
  FieldWriter fields(out, sizes);
  fields.u8(0);
  fields.u8((info.track_order ? kTrackLinkOrder : 0) | (info.index_order ? kIndexLinkOrder : 0));
  if (info.track_order) fields.u64(static_cast<std::uint64_t>(info.max_creation_order));
  fields.address(info.heap_address);
  fields.address(info.name_index_address);
  if (info.index_order) fields.address(info.order_index_address);
  return fields.check("link info message");
}

}  // namespace pcio
