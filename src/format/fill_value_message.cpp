// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: fill value messages, decode and encode.

#include "format/fill_value_message.hpp"

namespace pcio {

namespace {

constexpr unsigned kUndefinedBit = 0x10;
constexpr unsigned kDefinedBit = 0x20;

Status set_times(FillValueMessage& fill, unsigned allocation, unsigned time) {
  // 0 is "default" in memory; old files hold it, where it means late.
  if (allocation == 0) allocation = static_cast<unsigned>(AllocTime::kLate);
  if (allocation > 3 || time > 2)
    return PCIO_ERROR(DATASET, BADVALUE, "fill value message has an unknown time");
  fill.allocation = static_cast<AllocTime>(allocation);
  fill.time = static_cast<FillTime>(time);
  return Status();
}

Status read_value(FillValueMessage& fill, ByteReader& reader) {
  const std::uint32_t size = reader.u32();
  // Version 1 and 2 may say "no value" by a negative size.
  if (size == 0 || size == 0xFFFFFFFFU) return reader.check("fill value message");
  const ConstBytes value = reader.bytes(size);
  PCIO_TRY(reader.check("fill value message"));
  fill.state = FillState::kUserDefined;
  fill.value.assign(value.begin(), value.end());
  return Status();
}

}  // namespace

Result<FillValueMessage> decode_fill_value_message(ByteReader& reader) {
  PCIO_ASSIGN(const unsigned version, decode_version(reader, 1, 3, "fill value message"));
  FillValueMessage fill;
  if (version < 3) {
    const unsigned allocation = reader.u8();
    const unsigned time = reader.u8();
    const unsigned defined = reader.u8();
    PCIO_TRY(reader.check("fill value message"));
    PCIO_TRY(set_times(fill, allocation, time));
    if (defined == 0) fill.state = FillState::kUndefined;
    // Version 1 always has the size, but a value counts only where it is said to be defined.
    if (defined != 0) PCIO_TRY(read_value(fill, reader));
    return fill;
  }
  const unsigned flags = reader.u8();
  PCIO_TRY(reader.check("fill value message"));
  PCIO_TRY(set_times(fill, flags & 3, flags >> 2 & 3));
  if ((flags & 0xC0) != 0 || (flags & kUndefinedBit && flags & kDefinedBit))
    return PCIO_ERROR(DATASET, BADVALUE, "fill value message has contradictory flags");
  if ((flags & kUndefinedBit) != 0) fill.state = FillState::kUndefined;
  if ((flags & kDefinedBit) != 0) PCIO_TRY(read_value(fill, reader));
  return fill;
}

Status encode_fill_value_message(const FillValueMessage& fill, FormatVersion version,
                                 ByteWriter& out) {
  if (fill.allocation == AllocTime::kDefault)
    return PCIO_ERROR(DATASET, BADVALUE, "a file can't hold the default allocation time");
  const unsigned number = fill_value_message_version(version);
  const bool user_defined = fill.state == FillState::kUserDefined;
  const auto allocation = static_cast<unsigned>(fill.allocation);
  const auto time = static_cast<unsigned>(fill.time);
  FieldWriter fields(out);
  fields.u8(number);
  if (number == 2) {
    fields.u8(allocation);
    fields.u8(time);
    fields.u8(fill.state == FillState::kUndefined ? 0 : 1);
    if (fill.state != FillState::kUndefined) fields.u32(user_defined ? fill.value.size() : 0);
  } else {
    unsigned flags = allocation | time << 2;
    if (user_defined) flags |= kDefinedBit;
    if (fill.state == FillState::kUndefined) flags |= kUndefinedBit;
    fields.u8(flags);
    if (user_defined) fields.u32(fill.value.size());
  }
  if (user_defined) fields.bytes(fill.value);
  return fields.check("fill value message");
}

Result<std::vector<std::byte>> decode_old_fill_value_message(ByteReader& reader) {
  const std::uint32_t size = reader.u32();
  const ConstBytes value = reader.bytes(size);
  PCIO_TRY(reader.check("old fill value message"));
  return std::vector<std::byte>(value.begin(), value.end());
}

Status encode_old_fill_value_message(ConstBytes value, ByteWriter& out) {
  FieldWriter fields(out);
  fields.u32(value.size());
  fields.bytes(value);
  return fields.check("old fill value message");
}

}  // namespace pcio
