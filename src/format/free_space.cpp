// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: free-space manager, decode and encode.

#include "format/free_space.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/checked.hpp"

namespace pcio {

namespace {
constexpr unsigned kFirstRow = 1;
constexpr unsigned kIndirect = 3;
}  // namespace

Result<FreeSpaceHeader> decode_free_space_header(ConstBytes bytes, const FileSizes& sizes) {
  ByteReader reader(bytes);
  if (!reader.expect("FSHD"))
    return PCIO_ERROR(FSPACE, BADVALUE, "wrong signature of a free-space manager");
  PCIO_TRY(decode_version(reader, 0, 0, "free-space manager"));
  FreeSpaceHeader header;
  header.client = static_cast<std::uint8_t>(reader.u8());
  header.total_space = reader.uint(sizes.length_size);
  header.total_sections = reader.uint(sizes.length_size);
  header.serialized_sections = reader.uint(sizes.length_size);
  header.ghost_sections = reader.uint(sizes.length_size);
  header.section_classes = reader.u16();
  header.shrink_percent = reader.u16();
  header.expand_percent = reader.u16();
  header.address_bits = reader.u16();
  header.max_section_size = reader.uint(sizes.length_size);
  header.list_address = reader.address(sizes.offset_size);
  header.list_used = reader.uint(sizes.length_size);
  header.list_allocated = reader.uint(sizes.length_size);
  reader.skip(4);
  PCIO_TRY(reader.check("free-space manager"));
  PCIO_TRY(verify_checksum(bytes.first(reader.position()), "free-space manager"));
  if (header.client > kFreeSpaceOfFile || header.address_bits > 64 ||
      header.list_used > header.list_allocated)
    return PCIO_ERROR(FSPACE, BADVALUE, "free-space manager contradicts itself");
  return header;
}

Status encode_free_space_header(const FreeSpaceHeader& header, const FileSizes& sizes,
                                ByteWriter& out) {
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.text("FSHD");
  fields.u8(0);
  fields.u8(header.client);
  fields.length(header.total_space);
  fields.length(header.total_sections);
  fields.length(header.serialized_sections);
  fields.length(header.ghost_sections);
  fields.u16(header.section_classes);
  fields.u16(header.shrink_percent);
  fields.u16(header.expand_percent);
  fields.u16(header.address_bits);
  fields.length(header.max_section_size);
  fields.address(header.list_address);
  fields.length(header.list_used);
  fields.length(header.list_allocated);
  append_checksum(out, start);
  return fields.check("free-space manager");
}

namespace {

/// The sections behind a list's owner, sizes being `size_width` bytes wide.
Result<std::vector<FreeSection>> decode_sections(ByteReader reader, const FreeSpaceHeader& header,
                                                 unsigned size_width) {
  const unsigned count_width = bytes_needed(header.serialized_sections);
  const unsigned offset_width = (header.address_bits + 7U) / 8;
  std::vector<FreeSection> sections;
  while (reader.ok() && sections.size() < header.serialized_sections) {
    const std::uint64_t count = reader.uint(count_width);
    const std::uint64_t size = reader.uint(size_width);
    if (count == 0 || count > header.serialized_sections - sections.size()) break;
    for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
      FreeSection section;
      section.size = size;
      section.offset = reader.uint(offset_width);
      section.type = static_cast<std::uint8_t>(reader.u8());
      if (section.type > kIndirect)
        return PCIO_ERROR(FSPACE, BADVALUE, "unknown type of a free section");
      // Rows and blocks that were never made: offset of their indirect block, row, column, count.
      if (header.client == kFreeSpaceOfHeap &&
          (section.type == kFirstRow || section.type == kIndirect))
        reader.skip(offset_width + 6);
      sections.push_back(section);
    }
  }
  PCIO_TRY(reader.check("list of free space"));
  if (sections.size() != header.serialized_sections)
    return PCIO_ERROR(FSPACE, BADVALUE, "list of free space has a wrong number of sections");
  return sections;
}

/// Whether the largest size of a section didn't fit into its field: libhdf5 writes such sizes as wide as
/// they are, and what fits of the largest one.
bool is_cut(std::uint64_t max_section_size, const FileSizes& sizes) {
  return sizes.length_size < 8 &&
         max_section_size == (std::uint64_t{1} << (8U * sizes.length_size)) - 1;
}

/// A largest size of 256, 65536, ...: files of early releases of libhdf5 have sizes in a byte less.
bool may_be_narrow(std::uint64_t max_section_size) {
  const unsigned width = bytes_needed(max_section_size);
  return width > 1 && max_section_size == std::uint64_t{1} << (8U * (width - 1));
}

}  // namespace

Result<std::vector<FreeSection>> decode_free_space_list(ConstBytes bytes,
                                                        const FreeSpaceHeader& header,
                                                        FileAddress header_address,
                                                        const FileSizes& sizes) {
  if (header.list_used > bytes.size())
    return PCIO_ERROR(FSPACE, TRUNCATED, "truncated list of free space");
  bytes = bytes.first(static_cast<std::size_t>(header.list_used));
  PCIO_TRY(verify_checksum(bytes, "list of free space"));
  ByteReader reader(bytes.first(bytes.size() - 4));
  if (!reader.expect("FSSE"))
    return PCIO_ERROR(FSPACE, BADVALUE, "wrong signature of a list of free space");
  PCIO_TRY(decode_version(reader, 0, 0, "list of free space"));
  const FileAddress owner = reader.address(sizes.offset_size);
  if (owner != header_address)
    return PCIO_ERROR(FSPACE, BADVALUE, "list of free space belongs to another manager");
  const unsigned size_width = bytes_needed(header.max_section_size);
  Result<std::vector<FreeSection>> sections = decode_sections(reader, header, size_width);
  if (!sections && may_be_narrow(header.max_section_size))
    return decode_sections(reader, header, size_width - 1);
  const unsigned wide = (header.address_bits + 7U) / 8;
  if (!is_cut(header.max_section_size, sizes) || wide <= size_width) return sections;
  // Which it is shows only in the length of the list.
  if (sections && free_space_list_size(*sections, header, sizes) == bytes.size()) return sections;
  Result<std::vector<FreeSection>> of_wide = decode_sections(reader, header, wide);
  return of_wide ? std::move(of_wide) : std::move(sections);
}

namespace {

/// Sections of one size stand together.
std::size_t count_sizes(std::span<const FreeSection> sections) {
  std::set<std::uint64_t> sizes;
  for (const FreeSection& section : sections) sizes.insert(section.size);
  return sizes.size();
}

}  // namespace

std::size_t free_space_list_size(std::span<const FreeSection> sections,
                                 const FreeSpaceHeader& header, const FileSizes& sizes) {
  const std::size_t group = bytes_needed(sections.size()) + bytes_needed(header.max_section_size);
  const std::size_t one = (header.address_bits + 7U) / 8 + 1;
  return 4 + 1 + sizes.offset_size + count_sizes(sections) * group + sections.size() * one + 4;
}

Status encode_free_space_list(std::vector<FreeSection> sections, const FreeSpaceHeader& header,
                              FileAddress header_address, const FileSizes& sizes, ByteWriter& out) {
  std::sort(sections.begin(), sections.end(), [](const FreeSection& a, const FreeSection& b) {
    return std::pair(a.size, a.offset) < std::pair(b.size, b.offset);
  });
  const unsigned count_width = bytes_needed(sections.size());
  const unsigned size_width = bytes_needed(header.max_section_size);
  const unsigned offset_width = (header.address_bits + 7U) / 8;
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.text("FSSE");
  fields.u8(0);
  fields.address(header_address);
  for (std::size_t i = 0; i < sections.size();) {
    std::size_t end = i;
    while (end < sections.size() && sections[end].size == sections[i].size) ++end;
    fields.uint(end - i, count_width);
    fields.uint(sections[i].size, size_width);
    for (; i < end; ++i) {
      if (sections[i].type >= kIndirect)
        return PCIO_ERROR(FSPACE, BADVALUE, "this kind of free section is not of a file");
      fields.uint(sections[i].offset, offset_width);
      fields.u8(sections[i].type);
    }
  }
  append_checksum(out, start);
  return fields.check("list of free space");
}

}  // namespace pcio
