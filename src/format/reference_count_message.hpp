// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: object reference count message (0x0016) of version 2 headers.
// Source: HDF5 File Format Specification, IV.A.2.w The Object Reference Count Message.

#pragma once

#include "format/file_sizes.hpp"

namespace pcio {

/// Number of hard links; without this message it is 1. Collective: pure. Errors: VERSION, TRUNCATED.
Result<std::uint32_t> decode_reference_count_message(ByteReader& reader);
Status encode_reference_count_message(std::uint32_t count, ByteWriter& out);

}  // namespace pcio
