// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: modification time messages, old (0x000E) and new (0x0012).
// Source: HDF5 File Format Specification, IV.A.2.o and IV.A.2.s.

#pragma once

#include "format/file_sizes.hpp"

namespace pcio {

/// Seconds since 1970-01-01 UTC. Collective: pure. Errors: VERSION, TRUNCATED.
Result<std::uint32_t> decode_modification_time_message(ByteReader& reader);
Status encode_modification_time_message(std::uint32_t seconds, ByteWriter& out);

/// The old form: 14 digits YYYYMMDDhhmmss, taken as UTC. Read only; never written.
///
/// Errors: TRUNCATED, BADVALUE where a character is no digit or the date is none, before 1970 or
/// beyond 32 bits.
Result<std::uint32_t> decode_old_modification_time_message(ByteReader& reader);

}  // namespace pcio
