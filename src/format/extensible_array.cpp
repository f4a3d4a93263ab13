// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: extensible array: its header, and where its elements are.

#include "format/extensible_array.hpp"

#include <algorithm>
#include <bit>

#include "base/checked.hpp"

namespace pcio {

Result<ExtensibleArrayHeader> decode_extensible_array_header(ConstBytes bytes,
                                                             const ChunkElementFormat& format,
                                                             const FileSizes& sizes) {
  ByteReader reader(bytes);
  if (!reader.expect("EAHD"))
    return PCIO_ERROR(EARRAY, BADVALUE, "wrong signature of an extensible array");
  PCIO_TRY(decode_version(reader, 0, 0, "extensible array"));
  ExtensibleArrayHeader header;
  header.client = reader.u8();
  header.element_size = reader.u8();
  header.parameters.max_bits = reader.u8();
  header.parameters.index_elements = reader.u8();
  header.parameters.min_elements = reader.u8();
  header.parameters.min_pointers = reader.u8();
  header.parameters.page_bits = reader.u8();
  header.secondary_blocks = reader.uint(sizes.length_size);
  header.secondary_block_bytes = reader.uint(sizes.length_size);
  header.data_blocks = reader.uint(sizes.length_size);
  header.data_block_bytes = reader.uint(sizes.length_size);
  header.max_index_set = reader.uint(sizes.length_size);
  header.elements = reader.uint(sizes.length_size);
  header.index_block_address = reader.address(sizes.offset_size);
  reader.skip(4);
  PCIO_TRY(reader.check("extensible array"));
  PCIO_TRY(verify_checksum(bytes.first(reader.position()), "extensible array"));
  if (header.client != format.client() || header.element_size != format.size())
    return PCIO_ERROR(EARRAY, BADVALUE, "elements of an extensible array do not match its dataset");
  if (!ExtensibleArrayGeometry(header, sizes).valid())
    return PCIO_ERROR(EARRAY, BADVALUE, "parameters of an extensible array are not possible");
  return header;
}

Status encode_extensible_array_header(const ExtensibleArrayHeader& header, const FileSizes& sizes,
                                      ByteWriter& out) {
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.text("EAHD");
  fields.u8(0);
  fields.u8(header.client);
  fields.u8(header.element_size);
  fields.u8(header.parameters.max_bits);
  fields.u8(header.parameters.index_elements);
  fields.u8(header.parameters.min_elements);
  fields.u8(header.parameters.min_pointers);
  fields.u8(header.parameters.page_bits);
  fields.length(header.secondary_blocks);
  fields.length(header.secondary_block_bytes);
  fields.length(header.data_blocks);
  fields.length(header.data_block_bytes);
  fields.length(header.max_index_set);
  fields.length(header.elements);
  fields.address(header.index_block_address);
  append_checksum(out, start);
  return fields.check("extensible array");
}

ExtensibleArrayGeometry::ExtensibleArrayGeometry(const ExtensibleArrayHeader& header,
                                                 const FileSizes& sizes)
    : element_size_(header.element_size),
      index_elements_(header.parameters.index_elements),
      min_elements_(header.parameters.min_elements),
      offset_size_(sizes.offset_size) {
  const ExtensibleArrayParameters& p = header.parameters;
  // Block sizes double, so the smallest ones are powers of two.
  if (!std::has_single_bit(min_elements_) || !std::has_single_bit(p.min_pointers) ||
      p.min_pointers < 2 || p.max_bits > 56 || element_size_ == 0)
    return;
  const auto min_bits = static_cast<unsigned>(std::countr_zero(min_elements_));
  if (p.max_bits <= min_bits || p.page_bits == 0 || p.page_bits > p.max_bits) return;
  page_elements_ = std::uint64_t{1} << p.page_bits;
  secondary_count_ = 1 + p.max_bits - min_bits;
  direct_ = 2 * static_cast<unsigned>(std::countr_zero(p.min_pointers));
  if (direct_ > secondary_count_) return;
  index_data_addresses_ = 2 * (std::size_t{p.min_pointers} - 1);
  offset_width_ = (p.max_bits + 7) / 8;
  valid_ = true;
}

SecondaryBlockShape ExtensibleArrayGeometry::shape(unsigned secondary) const {
  // Numbers and sizes of data blocks double in turn: 1 x m, 1 x 2m, 2 x 2m, 2 x 4m, 4 x 4m, ...
  // so that secondary block n has m * 2^n elements and all before it have m * (2^n - 1).
  SecondaryBlockShape shape;
  shape.data_blocks = std::uint64_t{1} << (secondary / 2);
  shape.block_elements = min_elements_ << ((secondary + 1) / 2);
  shape.first_element = min_elements_ * ((std::uint64_t{1} << secondary) - 1);
  const std::uint64_t pairs = (std::uint64_t{1} << (secondary / 2)) - 1;
  shape.first_data_block = 2 * pairs + (secondary % 2 != 0 ? shape.data_blocks : 0);
  return shape;
}

std::optional<ExtensibleArrayPlace> ExtensibleArrayGeometry::locate(std::uint64_t index) const {
  ExtensibleArrayPlace place;
  if (index < index_elements_) {
    place.in_index_block = true;
    place.element = index;
    return place;
  }
  index -= index_elements_;
  // index / m + 1 lies in [2^n, 2^(n + 1)) for secondary block n.
  place.secondary = static_cast<unsigned>(std::bit_width(index / min_elements_ + 1)) - 1;
  if (place.secondary >= secondary_count_) return std::nullopt;
  const SecondaryBlockShape at = shape(place.secondary);
  place.data_block = (index - at.first_element) / at.block_elements;
  place.element = (index - at.first_element) % at.block_elements;
  return place;
}

std::size_t ExtensibleArrayGeometry::index_block_size() const {
  return 6 + offset_size_ + static_cast<std::size_t>(index_elements_ * element_size_) +
         (index_data_addresses_ + index_secondary_addresses()) * offset_size_ + 4;
}

std::uint64_t ExtensibleArrayGeometry::page_count(unsigned secondary) const {
  const std::uint64_t elements = shape(secondary).block_elements;
  return elements > page_elements_ ? elements / page_elements_ : 0;
}

std::uint64_t ExtensibleArrayGeometry::bitmap_size(unsigned secondary) const {
  // Room for whole bytes per data block, although the bits are packed without gaps.
  return shape(secondary).data_blocks * ((page_count(secondary) + 7) / 8);
}

std::uint64_t ExtensibleArrayGeometry::secondary_block_size(unsigned secondary) const {
  return 6 + offset_size_ + offset_width_ + bitmap_size(secondary) +
         shape(secondary).data_blocks * offset_size_ + 4;
}

std::uint64_t ExtensibleArrayGeometry::data_block_head(unsigned secondary) const {
  return 6 + offset_size_ + offset_width_ + (page_count(secondary) > 0 ? 4 : 0);
}

std::uint64_t ExtensibleArrayGeometry::data_block_size(unsigned secondary) const {
  const std::uint64_t checksums = std::max<std::uint64_t>(page_count(secondary), 1);
  return data_block_head(secondary) + shape(secondary).block_elements * element_size_ +
         4 * checksums;
}

std::uint64_t ExtensibleArrayGeometry::page_offset(unsigned secondary, std::uint64_t page) const {
  return data_block_head(secondary) + page * (page_elements_ * element_size_ + 4);
}

}  // namespace pcio
