// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: attribute info message, decode and encode.

#include "format/attribute_info_message.hpp"

namespace pcio {

namespace {
constexpr unsigned kTrackAttributeOrder = 0x01;
constexpr unsigned kIndexAttributeOrder = 0x02;
}  // namespace

Result<AttributeInfoMessage> decode_attribute_info_message(ByteReader& reader,
                                                           const FileSizes& sizes) {
  PCIO_TRY(decode_version(reader, 0, 0, "attribute info message"));
  const unsigned flags = reader.u8();
  AttributeInfoMessage info;
  info.track_order = (flags & kTrackAttributeOrder) != 0;
  info.index_order = (flags & kIndexAttributeOrder) != 0;
  if (info.track_order) info.max_creation_order = reader.u16();
  info.heap_address = reader.address(sizes.offset_size);
  info.name_index_address = reader.address(sizes.offset_size);
  if (info.index_order) info.order_index_address = reader.address(sizes.offset_size);
  PCIO_TRY(reader.check("attribute info message"));
  if ((flags & 0xFC) != 0) return PCIO_ERROR(ATTR, BADVALUE, "attribute info has bad flags");
  return info;
}

Status encode_attribute_info_message(const AttributeInfoMessage& info, const FileSizes& sizes,
                                     ByteWriter& out) {
  FieldWriter fields(out, sizes);
  fields.u8(0);
  fields.u8((info.track_order ? kTrackAttributeOrder : 0) |
            (info.index_order ? kIndexAttributeOrder : 0));
  if (info.track_order) fields.u16(info.max_creation_order);
  fields.address(info.heap_address);
  fields.address(info.name_index_address);
  if (info.index_order) fields.address(info.order_index_address);
  return fields.check("attribute info message");
}

}  // namespace pcio
