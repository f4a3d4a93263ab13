// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: which version of each element is written under which bound.
// Source: observed in files that libhdf5 1.10.8 wrote with each low bound of H5Pset_libver_bounds.

#pragma once

#include <cstdint>

namespace pcio {

/// Lowest library whose features may be used in a file: the low bound of H5Pset_libver_bounds.
enum class FormatVersion : std::uint8_t { kEarliest, kV18, kV110 };

constexpr unsigned superblock_version(FormatVersion v) {
  return v == FormatVersion::kEarliest ? 0 : v == FormatVersion::kV18 ? 2 : 3;
}
/// Object headers; `attr_creation_order`, the flags of the creation list, needs 2 under any bound. An
/// attribute phase change alone does not, and is lost in version 1, as in libhdf5.
constexpr unsigned object_header_version(FormatVersion v, unsigned attr_creation_order) {
  return v == FormatVersion::kEarliest && attr_creation_order == 0 ? 1 : 2;
}
constexpr unsigned layout_message_version(FormatVersion v) {
  return v == FormatVersion::kV110 ? 4 : 3;
}
constexpr unsigned fill_value_message_version(FormatVersion v) {
  return v == FormatVersion::kEarliest ? 2 : 3;
}
/// A null dataspace needs 2 under any bound.
constexpr unsigned dataspace_message_version(FormatVersion v) {
  return v == FormatVersion::kEarliest ? 1 : 2;
}
/// A committed type needs 2, a name in UTF-8 needs 3 under any bound.
constexpr unsigned attribute_message_version(FormatVersion v) {
  return v == FormatVersion::kEarliest ? 1 : 3;
}
constexpr unsigned filter_pipeline_message_version(FormatVersion v) {
  return v == FormatVersion::kEarliest ? 1 : 2;
}
/// Datatypes: the versions of types that exist in version 1 already stay 1 under any bound.
constexpr unsigned datatype_message_version(FormatVersion v) {
  return v == FormatVersion::kEarliest ? 1 : 3;
}
/// Of a copy: nothing that the header of version `source` can hold is lost. As libhdf5 copies headers.
constexpr unsigned copied_header_version(FormatVersion v, unsigned attr_creation_order,
                                         unsigned source) {
  return source > 1 ? source : object_header_version(v, attr_creation_order);
}
/// True where groups are written with link messages rather than with a symbol table.
constexpr bool has_new_style_groups(FormatVersion v) { return v != FormatVersion::kEarliest; }
/// True where the modification time is a message of its own (the v2 header holds it otherwise).
constexpr bool has_modification_time_message(unsigned object_header_version) {
  return object_header_version == 1;
}

}  // namespace pcio
