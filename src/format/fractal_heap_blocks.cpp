// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: blocks and ids of a fractal heap, decode and encode.

#include <algorithm>

#include "base/checked.hpp"
#include "base/checksum.hpp"
#include "format/fractal_heap.hpp"

namespace pcio {

namespace {

/// Signature, version, owner and offset of a block.
Status check_head(ByteReader& reader, const char* signature, const FractalHeapContext& context,
                  const FractalHeapGeometry& geometry, std::uint64_t block_offset) {
  if (!geometry.valid())
    return PCIO_ERROR(HEAP, BADVALUE, "parameters of a fractal heap are not possible");
  if (!reader.expect(signature))
    return PCIO_ERROR(HEAP, BADVALUE, "wrong signature of a fractal heap's block");
  PCIO_TRY(decode_version(reader, 0, 0, "fractal heap block"));
  const FileAddress owner = reader.address(context.sizes.offset_size);
  const std::uint64_t offset = reader.uint(geometry.offset_width());
  PCIO_TRY(reader.check("fractal heap block"));
  if (owner != context.header_address)
    return PCIO_ERROR(HEAP, BADVALUE, "block belongs to another fractal heap");
  if (offset != block_offset)
    return PCIO_ERROR(HEAP, BADVALUE, "block of a fractal heap is at the wrong place in it");
  return Status();
}

/// Checksum of a direct block, taken with zeros in its own field, which follows the head's fields.
std::uint32_t direct_checksum(ConstBytes bytes, std::size_t head) {
  std::vector<std::byte> copy(bytes.begin(), bytes.end());
  std::fill_n(copy.begin() + static_cast<std::ptrdiff_t>(head) - 4, 4, std::byte{0});
  return lookup3(copy);
}

constexpr unsigned kVersionMask = 0xC0;

}  // namespace

Status check_fractal_direct_block(ConstBytes bytes, const FractalHeapContext& context,
                                  std::uint64_t block_offset) {
  const FractalHeapGeometry geometry(context.header, context.sizes);
  ByteReader reader(bytes);
  PCIO_TRY(check_head(reader, "FHDB", context, geometry, block_offset));
  if (!context.header.checksum_direct_blocks) return Status();
  const std::uint32_t stored = reader.u32();
  PCIO_TRY(reader.check("fractal heap block"));
  if (stored != direct_checksum(bytes, geometry.direct_head_size()))
    return PCIO_ERROR(HEAP, BADVALUE, "wrong checksum of a fractal heap's direct block");
  return Status();
}

Status finish_fractal_direct_block(Bytes block, const FractalHeapContext& context,
                                   std::uint64_t block_offset) {
  const FractalHeapGeometry geometry(context.header, context.sizes);
  if (!geometry.valid() || block.size() < geometry.direct_head_size())
    return PCIO_ERROR(HEAP, BADSIZE, "direct block of a fractal heap is too small");
  ByteWriter head;
  FieldWriter fields(head, context.sizes);
  fields.text("FHDB");
  fields.u8(0);
  fields.address(context.header_address);
  fields.uint(block_offset, geometry.offset_width());
  PCIO_TRY(fields.check("fractal heap block"));
  std::copy(head.view().begin(), head.view().end(), block.begin());
  if (!context.header.checksum_direct_blocks) return Status();
  ByteWriter sum;
  sum.u32(direct_checksum(block, geometry.direct_head_size()));
  std::copy(sum.view().begin(), sum.view().end(),
            block.begin() + static_cast<std::ptrdiff_t>(head.size()));
  return Status();
}

Result<std::vector<FractalHeapChild>> decode_fractal_indirect_block(
    ConstBytes bytes, const FractalHeapContext& context, std::uint64_t block_offset,
    unsigned rows) {
  const FractalHeapGeometry geometry(context.header, context.sizes);
  ByteReader reader(bytes);
  PCIO_TRY(check_head(reader, "FHIB", context, geometry, block_offset));
  if (rows == 0 || rows > geometry.max_rows())
    return PCIO_ERROR(HEAP, BADVALUE, "indirect block of a fractal heap has too many rows");
  const std::size_t size = geometry.indirect_block_size(rows);
  if (bytes.size() < size)
    return PCIO_ERROR(HEAP, TRUNCATED, "truncated indirect block of a fractal heap");
  PCIO_TRY(verify_checksum(bytes.first(size), "fractal heap's indirect block"));
  std::vector<FractalHeapChild> children;
  const bool filtered = !context.header.filters.empty();
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < geometry.width(); ++column) {
      FractalHeapChild child;
      child.address = reader.address(context.sizes.offset_size);
      if (filtered && row < geometry.direct_rows()) {
        child.filtered_size = reader.uint(context.sizes.length_size);
        child.filter_mask = reader.u32();
      }
      children.push_back(child);
    }
  }
  PCIO_TRY(reader.check("indirect block of a fractal heap"));
  return children;
}

Status encode_fractal_indirect_block(std::span<const FractalHeapChild> children,
                                     const FractalHeapContext& context, std::uint64_t block_offset,
                                     ByteWriter& out) {
  const FractalHeapGeometry geometry(context.header, context.sizes);
  if (!geometry.valid() || children.empty() || children.size() % geometry.width() != 0)
    return PCIO_ERROR(HEAP, BADVALUE, "wrong number of children of an indirect block");
  const std::size_t start = out.size();
  FieldWriter fields(out, context.sizes);
  fields.text("FHIB");
  fields.u8(0);
  fields.address(context.header_address);
  fields.uint(block_offset, geometry.offset_width());
  const std::size_t direct =
      context.header.filters.empty() ? 0 : std::size_t{geometry.direct_rows()} * geometry.width();
  for (std::size_t i = 0; i < children.size(); ++i) {
    fields.address(children[i].address);
    if (i >= direct) continue;
    fields.length(children[i].filtered_size);
    fields.u32(children[i].filter_mask);
  }
  append_checksum(out, start);
  return fields.check("indirect block of a fractal heap");
}

bool fractal_ids_are_direct(const FractalHeapHeader& header, const FileSizes& sizes) {
  const std::size_t need = 1 + std::size_t{sizes.offset_size} + sizes.length_size +
                           (header.filters.empty() ? 0 : 4 + std::size_t{sizes.length_size});
  return header.id_length >= need;
}

Result<FractalHeapId> decode_fractal_heap_id(ConstBytes raw, const FractalHeapHeader& header,
                                             const FileSizes& sizes) {
  ByteReader reader(raw);
  const unsigned first = reader.u8();
  PCIO_TRY(reader.check("fractal heap id"));
  if ((first & kVersionMask) != 0) return PCIO_ERROR(HEAP, VERSION, "unknown version of a heap id");
  FractalHeapId id;
  const unsigned kind = first >> 4 & 3;
  if (kind > 2) return PCIO_ERROR(HEAP, BADVALUE, "unknown kind of a fractal heap id");
  id.kind = static_cast<FractalIdKind>(kind);
  if (id.kind == FractalIdKind::kManaged) {
    const FractalHeapGeometry geometry(header, sizes);
    id.offset = reader.uint(geometry.offset_width());
    id.length = reader.uint(geometry.length_width());
  } else if (id.kind == FractalIdKind::kTiny) {
    // Ids with room for more than 16 bytes spend a second byte on the length.
    std::size_t length = first & 0x0F;
    if (header.id_length > 18) length = length << 8 | reader.u8();
    const ConstBytes data = reader.bytes(length + 1);
    id.tiny.assign(data.begin(), data.end());
  } else if (fractal_ids_are_direct(header, sizes)) {
    id.address = reader.address(sizes.offset_size);
    id.file_size = reader.uint(sizes.length_size);
    id.memory_size = id.file_size;
    if (!header.filters.empty()) {
      id.filter_mask = reader.u32();
      id.memory_size = reader.uint(sizes.length_size);
    }
  } else {
    const unsigned width = std::min<unsigned>(header.id_length - 1U, sizes.length_size);
    id.key = reader.uint(width);
  }
  PCIO_TRY(reader.check("fractal heap id"));
  return id;
}

Status encode_fractal_heap_id(std::uint64_t offset, std::uint64_t length,
                              const FractalHeapHeader& header, const FileSizes& sizes,
                              ByteWriter& out) {
  const FractalHeapGeometry geometry(header, sizes);
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.u8(0);
  fields.uint(offset, geometry.offset_width());
  fields.uint(length, geometry.length_width());
  const std::size_t used = out.size() - start;
  if (used > header.id_length)
    return PCIO_ERROR(HEAP, BADSIZE, "ids of a fractal heap are too short for its objects");
  fields.zeros(header.id_length - used);
  return fields.check("fractal heap id");
}

std::size_t fractal_tiny_most(const FractalHeapHeader& header) {
  if (header.id_length > 18) return std::min<std::size_t>(header.id_length - 2U, 4096);
  return std::min<std::size_t>(header.id_length - 1U, 16);
}

Status encode_tiny_heap_id(ConstBytes object, const FractalHeapHeader& header, ByteWriter& out) {
  if (object.empty() || object.size() > fractal_tiny_most(header))
    return PCIO_ERROR(HEAP, BADSIZE, "object does not fit into an id of its fractal heap");
  const std::size_t start = out.size();
  const std::size_t length = object.size() - 1;
  const unsigned kind = static_cast<unsigned>(FractalIdKind::kTiny) << 4;
  FieldWriter fields(out);
  if (header.id_length > 18) {
    fields.u8(kind | length >> 8);
    fields.u8(length & 0xFF);
  } else {
    fields.u8(kind | length);
  }
  fields.bytes(object);
  fields.zeros(header.id_length - (out.size() - start));
  return fields.check("fractal heap id");
}

Status encode_huge_heap_id(const FractalHeapId& id, const FractalHeapHeader& header,
                           const FileSizes& sizes, ByteWriter& out) {
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.u8(static_cast<unsigned>(FractalIdKind::kHuge) << 4);
  if (fractal_ids_are_direct(header, sizes)) {
    fields.address(id.address);
    fields.length(id.file_size);
    if (!header.filters.empty()) {
      fields.u32(id.filter_mask);
      fields.length(id.memory_size);
    }
  } else {
    fields.uint(id.key, std::min<unsigned>(header.id_length - 1U, sizes.length_size));
  }
  fields.zeros(header.id_length - (out.size() - start));
  return fields.check("fractal heap id");
}

}  // namespace pcio
