// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: modification time messages, decode and encode.

#include "format/modification_time_message.hpp"

namespace pcio {

namespace {

/// Days since 1970-01-01 of a date in the Gregorian calendar; year >= 1970.
std::int64_t days_since_epoch(std::int64_t year, std::int64_t month, std::int64_t day) {
  // Years that begin in March put the leap day at their end, so months have fixed offsets.
  if (month <= 2) --year;
  const std::int64_t from_march = (month + 9) % 12;
  const std::int64_t day_of_year = (153 * from_march + 2) / 5 + day - 1;
  const std::int64_t days = 365 * year + year / 4 - year / 100 + year / 400 + day_of_year;
  return days - 719468;
}

}  // namespace

Result<std::uint32_t> decode_modification_time_message(ByteReader& reader) {
  PCIO_TRY(decode_version(reader, 1, 1, "modification time message"));
  reader.skip(3);
  const std::uint32_t seconds = reader.u32();
  PCIO_TRY(reader.check("modification time message"));
  return seconds;
}

Status encode_modification_time_message(std::uint32_t seconds, ByteWriter& out) {
  out.u8(1);
  out.zeros(3);
  out.u32(seconds);
  return Status();
}

Result<std::uint32_t> decode_old_modification_time_message(ByteReader& reader) {
  const ConstBytes text = reader.bytes(14);
  PCIO_TRY(reader.check("old modification time message"));
  for (std::byte b : text) {
    if (b < std::byte{'0'} || b > std::byte{'9'})
      return PCIO_ERROR(OHDR, BADVALUE, "modification time has a character that is no digit");
  }
  auto number = [&text](std::size_t at, std::size_t digits) {
    std::int64_t value = 0;
    for (std::size_t i = at; i < at + digits; ++i)
      value = 10 * value + (std::to_integer<int>(text[i]) - '0');
    return value;
  };
  const std::int64_t year = number(0, 4), month = number(4, 2), day = number(6, 2);
  const std::int64_t hour = number(8, 2), minute = number(10, 2), second = number(12, 2);
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 ||
      second > 60)
    return PCIO_ERROR(OHDR, BADVALUE, "modification time is not a date");
  const std::int64_t seconds =
      ((days_since_epoch(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
  if (seconds > 0xFFFFFFFFLL)
    return PCIO_ERROR(OHDR, BADVALUE, "modification time is too far in the future");
  return static_cast<std::uint32_t>(seconds);
}

}  // namespace pcio
