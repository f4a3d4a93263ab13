// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: filter pipeline message, decode and encode.

#include "format/filter_pipeline_message.hpp"

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Ids below this one are HDF5's own; version 2 does not store their names.
constexpr unsigned kFirstNamedFilter = 256;

bool has_name_field(unsigned version, unsigned id) {
  return version == 1 || id >= kFirstNamedFilter;
}

Result<FilterDescription> decode_filter(ByteReader& reader, unsigned version) {
  FilterDescription filter;
  filter.id = reader.u16();
  const std::size_t name_length = has_name_field(version, filter.id) ? reader.u16() : 0;
  filter.flags = reader.u16();
  const std::size_t count = reader.u16();
  const ConstBytes name = reader.bytes(name_length);
  PCIO_TRY(reader.check("filter pipeline message"));
  if (count > reader.remaining() / 4)
    return PCIO_ERROR(PLINE, TRUNCATED, "truncated filter pipeline message");
  // The field may be padded with NULs, and need not end with one.
  for (std::byte b : name) {
    if (b == std::byte{0}) break;
    filter.name.push_back(static_cast<char>(b));
  }
  filter.client_data.reserve(count);
  for (std::size_t i = 0; i < count; ++i) filter.client_data.push_back(reader.u32());
  if (version == 1 && count % 2 != 0) reader.skip(4);
  PCIO_TRY(reader.check("filter pipeline message"));
  return filter;
}

}  // namespace

Result<std::vector<FilterDescription>> decode_filter_pipeline_message(ByteReader& reader) {
  PCIO_ASSIGN(const unsigned version, decode_version(reader, 1, 2, "filter pipeline message"));
  const std::size_t count = reader.u8();
  if (version == 1) reader.skip(6);
  PCIO_TRY(reader.check("filter pipeline message"));
  if (count > kMaxFilters) return PCIO_ERROR(PLINE, BADVALUE, "more than 32 filters");
  std::vector<FilterDescription> filters;
  for (std::size_t i = 0; i < count; ++i) {
    PCIO_ASSIGN(FilterDescription filter, decode_filter(reader, version));
    filters.push_back(std::move(filter));
  }
  return filters;
}

Status encode_filter_pipeline_message(const std::vector<FilterDescription>& filters,
                                      FormatVersion version, ByteWriter& out) {
  if (filters.size() > kMaxFilters) return PCIO_ERROR(PLINE, BADVALUE, "more than 32 filters");
  const unsigned number = filter_pipeline_message_version(version);
  FieldWriter fields(out);
  fields.u8(number);
  fields.u8(filters.size());
  if (number == 1) fields.zeros(6);
  for (const FilterDescription& filter : filters) {
    // The name is stored with its NUL, in version 1 padded to a multiple of 8.
    std::size_t name_length = filter.name.empty() ? 0 : filter.name.size() + 1;
    if (number == 1) name_length = round_up(name_length, std::size_t{8});
    const bool named = has_name_field(number, filter.id);
    fields.u16(filter.id);
    if (named) fields.u16(name_length);
    fields.u16(filter.flags);
    fields.u16(filter.client_data.size());
    if (named && name_length > 0) {
      fields.text(filter.name);
      fields.zeros(name_length - filter.name.size());
    }
    for (std::uint32_t value : filter.client_data) fields.u32(value);
    if (number == 1 && filter.client_data.size() % 2 != 0) fields.zeros(4);
  }
  return fields.check("filter pipeline message");
}

}  // namespace pcio
