// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: object comment message, decode and encode.

#include "format/comment_message.hpp"

namespace pcio {

Result<std::string> decode_comment_message(ByteReader& reader) {
  const std::string_view text = reader.c_string();
  PCIO_TRY(reader.check("comment message"));
  return std::string(text);
}

Status encode_comment_message(std::string_view comment, ByteWriter& out) {
  if (comment.find('\0') != std::string_view::npos)
    return PCIO_ERROR(OHDR, BADVALUE, "comment contains a NUL");
  out.text(comment);
  out.u8(0);
  return Status();
}

}  // namespace pcio
