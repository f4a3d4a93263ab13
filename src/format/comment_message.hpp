// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: object comment message (0x000D).
// Source: HDF5 File Format Specification, IV.A.2.n The Object Comment Message.

#pragma once

#include "format/file_sizes.hpp"

namespace pcio {

/// The comment's text without its NUL. Collective: pure. Errors: TRUNCATED without a NUL.
Result<std::string> decode_comment_message(ByteReader& reader);
Status encode_comment_message(std::string_view comment, ByteWriter& out);

}  // namespace pcio
