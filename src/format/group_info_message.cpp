// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: group info message, decode and encode.

#include "format/group_info_message.hpp"

namespace pcio {

namespace {
constexpr unsigned kHasPhaseChange = 0x01;
constexpr unsigned kHasEstimate = 0x02;
}  // namespace

Result<GroupInfoMessage> decode_group_info_message(ByteReader& reader) {
  PCIO_TRY(decode_version(reader, 0, 0, "group info message"));
  const unsigned flags = reader.u8();
  GroupInfoMessage info;
  if ((flags & kHasPhaseChange) != 0) {
    info.phase_change.emplace();
    info.phase_change->max_compact = reader.u16();
    info.phase_change->min_dense = reader.u16();
  }
  if ((flags & kHasEstimate) != 0) {
    info.estimate.emplace();
    info.estimate->entries = reader.u16();
    info.estimate->name_length = reader.u16();
  }
  PCIO_TRY(reader.check("group info message"));
  if ((flags & 0xFC) != 0) return PCIO_ERROR(SYM, BADVALUE, "group info message has bad flags");
  return info;
}

Status encode_group_info_message(const GroupInfoMessage& info, ByteWriter& out) {
  FieldWriter fields(out);
  fields.u8(0);
  fields.u8((info.phase_change ? kHasPhaseChange : 0) | (info.estimate ? kHasEstimate : 0));
  if (info.phase_change) {
    fields.u16(info.phase_change->max_compact);
    fields.u16(info.phase_change->min_dense);
  }
  if (info.estimate) {
    fields.u16(info.estimate->entries);
    fields.u16(info.estimate->name_length);
  }
  return fields.check("group info message");
}

}  // namespace pcio
