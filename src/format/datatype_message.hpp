// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: the Datatype message (type 0x0003), versions 1 to 4.
// Source: HDF5 File Format Specification, IV.A.2.d "The Datatype Message".

#pragma once

#include "base/bytes.hpp"
#include "base/status.hpp"
#include "type/datatype.hpp"

namespace pcio {

/// Which message versions are written.
///
/// kEarliest: each type in the lowest version that can hold it (arrays need 2, VAX order 3).
/// kV18: version 3 for compound, enum and array types and for vlen types of these; the compact form
/// that goes with a low library bound of 1.8 or later.
enum class DatatypePolicy { kEarliest, kV18 };

/// Types nested deeper than this are refused.
inline constexpr unsigned kMaxDatatypeDepth = 128;

/// Reads one type; the reader is left behind it (messages in version 1 headers may be padded).
///
/// Errors: BADMESG for what no writer makes (size 0, member beyond its compound, overlapping members,
/// truncation, too deep), UNSUPPORTED for versions and classes that are not understood.
[[nodiscard]] Result<Datatype> decode_datatype(ByteReader& reader);

/// Appends the encoding of `type` as it is: use `type.file_form()` for what goes into a file.
///
/// Errors: CANTENCODE for numbers that the fields of the message can't hold.
Status encode_datatype(const Datatype& type, ByteWriter& writer,
                       DatatypePolicy policy = DatatypePolicy::kEarliest);

}  // namespace pcio
