// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: filter pipeline message (0x000B), versions 1 and 2.
// Source: HDF5 File Format Specification, IV.A.2.l The Filter Pipeline Message.

#pragma once

#include "format/file_sizes.hpp"
#include "format/format_version.hpp"

namespace pcio {

inline constexpr std::size_t kMaxFilters = 32;

/// One filter as the file describes it.
struct FilterDescription {
  std::uint16_t id = 0;
  std::uint16_t flags = 0;  ///< bit 0: the filter may be skipped where it fails
  std::string name;         ///< may be empty; version 2 does not store it for ids below 256
  std::vector<std::uint32_t> client_data;
  friend bool operator==(const FilterDescription&, const FilterDescription&) = default;
};

/// Filters in the order in which a write applies them.
///
/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for more than 32 filters.
Result<std::vector<FilterDescription>> decode_filter_pipeline_message(ByteReader& reader);
/// Writes version 1 or 2 by `version`. Errors: BADVALUE for more than 32 filters, OVERFLOW.
Status encode_filter_pipeline_message(const std::vector<FilterDescription>& filters,
                                      FormatVersion version, ByteWriter& out);

}  // namespace pcio
