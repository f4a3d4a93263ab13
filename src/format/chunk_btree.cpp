// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: chunk B-tree node, decode and encode.

#include "format/chunk_btree.hpp"

#include "format/raw_fields.hpp"

namespace pcio {

void ChunkBtreeNode::add_key(std::uint32_t size, std::uint32_t mask,
                             std::span<const std::uint64_t> first) {
  bytes.push_back(size);
  filter_masks.push_back(mask);
  offsets.insert(offsets.end(), first.begin(), first.end());
  if (first.size() == ndims) offsets.push_back(0);
}

namespace {

void decode_key(ByteReader& reader, ChunkBtreeNode& node) {
  node.bytes.push_back(reader.u32());
  node.filter_masks.push_back(reader.u32());
  for (unsigned d = 0; d <= node.ndims; ++d) node.offsets.push_back(reader.u64());
}

void encode_key(const ChunkBtreeNode& node, std::size_t key, RawFields& fields) {
  fields.uint(node.bytes[key], 4);
  fields.uint(node.filter_masks[key], 4);
  for (std::uint64_t number : node.offset(key)) fields.uint(number, 8);
}

}  // namespace

Result<ChunkBtreeNode> decode_chunk_btree_node(ConstBytes bytes, const FileSizes& sizes,
                                               unsigned internal_k, unsigned ndims) {
  if (ndims > kMaxNdims) return PCIO_ERROR(BTREE, BADVALUE, "chunk index of too many dimensions");
  ByteReader reader(bytes);
  PCIO_ASSIGN(const BtreePrefix prefix,
              decode_btree_prefix(reader, sizes, 1, 2 * std::size_t{internal_k}));
  ChunkBtreeNode node;
  node.ndims = ndims;
  node.level = prefix.level;
  node.left = prefix.left;
  node.right = prefix.right;
  const std::size_t step = chunk_btree_key_size(ndims) + sizes.offset_size;
  if (reader.remaining() / step < prefix.count)
    return PCIO_ERROR(BTREE, TRUNCATED, "truncated chunk B-tree node");
  node.bytes.reserve(prefix.count + 1);
  node.filter_masks.reserve(prefix.count + 1);
  node.offsets.reserve((prefix.count + 1) * (ndims + 1));
  node.children.reserve(prefix.count);
  for (std::size_t i = 0; i < prefix.count; ++i) {
    decode_key(reader, node);
    node.children.push_back(reader.address(sizes.offset_size));
  }
  decode_key(reader, node);
  PCIO_TRY(reader.check("chunk B-tree node"));
  return node;
}

Status encode_chunk_btree_node(const ChunkBtreeNode& node, const FileSizes& sizes,
                               unsigned internal_k, ByteWriter& out) {
  const std::size_t count = node.children.size();
  if (count > 2 * std::size_t{internal_k} || node.bytes.size() != count + 1 ||
      node.filter_masks.size() != count + 1 ||
      node.offsets.size() != (count + 1) * (std::size_t{node.ndims} + 1))
    return PCIO_ERROR(BTREE, BADVALUE, "wrong number of keys or children of a chunk B-tree node");
  FieldWriter prefix(out, sizes);
  encode_btree_prefix({node.level, count, node.left, node.right}, 1, prefix);
  RawFields fields(chunk_btree_node_size(internal_k, node.ndims, sizes) - btree_prefix_size(sizes),
                   sizes.offset_size);
  for (std::size_t i = 0; i < count; ++i) {
    encode_key(node, i, fields);
    fields.address(node.children[i]);
  }
  encode_key(node, count, fields);
  out.bytes(fields.all());
  PCIO_TRY(prefix.check("chunk B-tree node"));
  return fields.check("chunk B-tree node");
}

}  // namespace pcio
