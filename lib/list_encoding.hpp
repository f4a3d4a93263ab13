// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: property lists as bytes, those of libhdf5 1.10.8 (observed): version, number of the class, then
// each property that can be encoded as its name with NUL and its value, and an empty name. What a program
// added is left out.

#pragma once

#include "base/bytes.hpp"
#include "lib/value_handles.hpp"

namespace pcio {

Status encode_list(const PropertyListObject& list, ByteWriter& out);
/// A list of one of the library's classes. The reader is left behind it.
Result<std::shared_ptr<PropertyListObject>> decode_list(ByteReader& reader);

/// Longer values are taken for damage: nobody says where an encoded list really ends.
inline constexpr std::uint64_t kLongestValue = std::uint64_t{1} << 20;  // bytes

/// A number as how many bytes it takes (at least 1), then those.
void put_size(std::uint64_t value, ByteWriter& out);
std::uint64_t get_size(ByteReader& reader);

/// Properties with a form of their own, by name. Errors: values that can't be encoded; damaged bytes.
Status encode_special(const PropertyList& list, std::string_view name, ByteWriter& out);
Status decode_special(PropertyList& list, std::string_view name, ByteReader& reader);

}  // namespace pcio
