// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: object reference count message, decode and encode.

#include "format/reference_count_message.hpp"

namespace pcio {

Result<std::uint32_t> decode_reference_count_message(ByteReader& reader) {
  PCIO_TRY(decode_version(reader, 0, 0, "reference count message"));
  const std::uint32_t count = reader.u32();
  PCIO_TRY(reader.check("reference count message"));
  return count;
}

Status encode_reference_count_message(std::uint32_t count, ByteWriter& out) {
  out.u8(0);
  out.u32(count);
  return Status();
}

}  // namespace pcio
