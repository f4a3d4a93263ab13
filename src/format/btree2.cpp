// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: version 2 B-tree, decode and encode.

#include "format/btree2.hpp"

#include <optional>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Signature, version, type and checksum of a node.
constexpr std::uint64_t kNodeOverhead = 10;
/// With at least one record a node, 2^64 records need no more levels than this.
constexpr unsigned kMaxDepth = 64;

std::uint64_t saturating(std::optional<std::uint64_t> value) {
  return value.value_or(~std::uint64_t{0});
}

std::uint64_t record_count(const Btree2Node& node, const Btree2Header& header) {
  return node.records.size() / header.record_size;
}

}  // namespace

Btree2Geometry::Btree2Geometry(const Btree2Header& header, const FileSizes& sizes) {
  const std::uint64_t record = header.record_size;
  if (record == 0 || header.node_size < kNodeOverhead + record) {
    valid_ = false;
    return;
  }
  Level leaf;
  leaf.most = (header.node_size - kNodeOverhead) / record;
  leaf.cumulative = leaf.most;
  leaf.count_width = bytes_needed(leaf.most);
  levels_.push_back(leaf);
  for (unsigned depth = 1; depth <= header.depth; ++depth) {
    const Level& below = levels_.back();
    const std::uint64_t pointer = sizes.offset_size + below.count_width + below.total_width;
    Level level;
    // One pointer more than records.
    if (header.node_size < kNodeOverhead + pointer + pointer + record) {
      valid_ = false;
      return;
    }
    level.most = (header.node_size - kNodeOverhead - pointer) / (record + pointer);
    const auto children = checked_mul(level.most + 1, below.cumulative);
    level.cumulative = saturating(children ? checked_add(*children, level.most) : std::nullopt);
    level.count_width = bytes_needed(level.most);
    level.total_width = bytes_needed(level.cumulative);
    levels_.push_back(level);
  }
}

Result<Btree2Header> decode_btree2_header(ConstBytes bytes, const FileSizes& sizes) {
  ByteReader reader(bytes);
  if (!reader.expect("BTHD"))
    return PCIO_ERROR(BTREE, BADVALUE, "wrong signature of a version 2 B-tree");
  PCIO_TRY(decode_version(reader, 0, 0, "version 2 B-tree"));
  Btree2Header header;
  header.type = static_cast<std::uint8_t>(reader.u8());
  header.node_size = reader.u32();
  header.record_size = reader.u16();
  header.depth = reader.u16();
  header.split_percent = static_cast<std::uint8_t>(reader.u8());
  header.merge_percent = static_cast<std::uint8_t>(reader.u8());
  header.root.address = reader.address(sizes.offset_size);
  header.root.count = reader.u16();
  header.root.total = reader.uint(sizes.length_size);
  reader.skip(4);
  PCIO_TRY(reader.check("version 2 B-tree"));
  PCIO_TRY(verify_checksum(bytes.first(reader.position()), "version 2 B-tree"));
  if (header.depth > kMaxDepth || !Btree2Geometry(header, sizes).valid())
    return PCIO_ERROR(BTREE, BADVALUE, "sizes of a version 2 B-tree are not possible");
  return header;
}

Status encode_btree2_header(const Btree2Header& header, const FileSizes& sizes, ByteWriter& out) {
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.text("BTHD");
  fields.u8(0);
  fields.u8(header.type);
  fields.u32(header.node_size);
  fields.u16(header.record_size);
  fields.u16(header.depth);
  fields.u8(header.split_percent);
  fields.u8(header.merge_percent);
  fields.address(header.root.address);
  fields.u16(header.root.count);
  fields.length(header.root.total);
  append_checksum(out, start);
  return fields.check("version 2 B-tree");
}

Result<Btree2Node> decode_btree2_node(ConstBytes bytes, const Btree2Header& header, unsigned depth,
                                      std::uint64_t count, const FileSizes& sizes) {
  const Btree2Geometry geometry(header, sizes);
  if (!geometry.valid() || depth > header.depth || count > geometry.max_records(depth))
    return PCIO_ERROR(BTREE, BADVALUE, "version 2 B-tree node has more records than it can hold");
  ByteReader reader(bytes);
  if (!reader.expect(depth == 0 ? "BTLF" : "BTIN"))
    return PCIO_ERROR(BTREE, BADVALUE, "wrong signature of a version 2 B-tree node");
  PCIO_TRY(decode_version(reader, 0, 0, "version 2 B-tree node"));
  const unsigned type = reader.u8();
  const ConstBytes records = reader.bytes(static_cast<std::size_t>(count) * header.record_size);
  Btree2Node node;
  for (std::uint64_t i = 0; depth > 0 && i <= count && reader.ok(); ++i) {
    Btree2Pointer child;
    child.address = reader.address(sizes.offset_size);
    child.count = reader.uint(geometry.count_width(depth - 1));
    // Leaves have no records below them, so only their own count is stored.
    child.total = depth > 1 ? reader.uint(geometry.total_width(depth - 1)) : child.count;
    node.children.push_back(child);
  }
  reader.skip(4);
  PCIO_TRY(reader.check("version 2 B-tree node"));
  PCIO_TRY(verify_checksum(bytes.first(reader.position()), "version 2 B-tree node"));
  if (type != header.type)
    return PCIO_ERROR(BTREE, BADVALUE, "version 2 B-tree node is of another type than its tree");
  node.records.assign(records.begin(), records.end());
  return node;
}

Status encode_btree2_node(const Btree2Node& node, const Btree2Header& header, unsigned depth,
                          const FileSizes& sizes, ByteWriter& out) {
  const Btree2Geometry geometry(header, sizes);
  if (!geometry.valid() || depth > header.depth)
    return PCIO_ERROR(BTREE, BADVALUE, "sizes of a version 2 B-tree are not possible");
  const std::uint64_t count = record_count(node, header);
  if (node.records.size() % header.record_size != 0 || count > geometry.max_records(depth) ||
      node.children.size() != (depth == 0 ? 0 : count + 1))
    return PCIO_ERROR(BTREE, BADVALUE, "wrong number of records of a version 2 B-tree node");
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.text(depth == 0 ? "BTLF" : "BTIN");
  fields.u8(0);
  fields.u8(header.type);
  fields.bytes(node.records);
  for (const Btree2Pointer& child : node.children) {
    fields.address(child.address);
    fields.uint(child.count, geometry.count_width(depth - 1));
    if (depth > 1) fields.uint(child.total, geometry.total_width(depth - 1));
  }
  append_checksum(out, start);
  // The checksum follows the last field; the rest of the node is unused.
  fields.zeros(start + header.node_size - out.size());
  return fields.check("version 2 B-tree node");
}

}  // namespace pcio
