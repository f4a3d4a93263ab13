// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: group B-tree node, decode and encode.

#include "format/group_btree.hpp"

namespace pcio {

Result<BtreePrefix> decode_btree_prefix(ByteReader& reader, const FileSizes& sizes,
                                        unsigned node_type, std::size_t most) {
  if (!reader.expect("TREE"))
    return PCIO_ERROR(BTREE, BADVALUE, "wrong signature of a B-tree node");
  const unsigned type = reader.u8();
  BtreePrefix prefix;
  prefix.level = reader.u8();
  prefix.count = reader.u16();
  prefix.left = reader.address(sizes.offset_size);
  prefix.right = reader.address(sizes.offset_size);
  PCIO_TRY(reader.check("B-tree node"));
  if (type != node_type) {
    return PCIO_ERROR(BTREE, BADVALUE,
                      "B-tree node is of type " + std::to_string(type) + " instead of " +
                          std::to_string(node_type));
  }
  if (prefix.count > most)
    return PCIO_ERROR(BTREE, BADVALUE, "B-tree node has more children than it can hold");
  return prefix;
}

void encode_btree_prefix(const BtreePrefix& prefix, unsigned node_type, FieldWriter& fields) {
  fields.text("TREE");
  fields.u8(node_type);
  fields.u8(prefix.level);
  fields.u16(prefix.count);
  fields.address(prefix.left);
  fields.address(prefix.right);
}

Result<GroupBtreeNode> decode_group_btree_node(ConstBytes bytes, const FileSizes& sizes,
                                               unsigned internal_k) {
  ByteReader reader(bytes);
  PCIO_ASSIGN(const BtreePrefix prefix,
              decode_btree_prefix(reader, sizes, 0, 2 * std::size_t{internal_k}));
  GroupBtreeNode node;
  node.level = prefix.level;
  node.left = prefix.left;
  node.right = prefix.right;
  for (std::size_t i = 0; i < prefix.count && reader.ok(); ++i) {
    node.keys.push_back(reader.uint(sizes.length_size));
    node.children.push_back(reader.address(sizes.offset_size));
  }
  node.keys.push_back(reader.uint(sizes.length_size));
  PCIO_TRY(reader.check("group B-tree node"));
  return node;
}

Status encode_group_btree_node(const GroupBtreeNode& node, const FileSizes& sizes,
                               unsigned internal_k, ByteWriter& out) {
  const std::size_t count = node.children.size();
  if (count > 2 * std::size_t{internal_k} || node.keys.size() != count + 1)
    return PCIO_ERROR(BTREE, BADVALUE, "wrong number of keys or children of a group B-tree node");
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  encode_btree_prefix({node.level, count, node.left, node.right}, 0, fields);
  for (std::size_t i = 0; i < count; ++i) {
    fields.length(node.keys[i]);
    fields.address(node.children[i]);
  }
  fields.length(node.keys[count]);
  fields.zeros(start + group_btree_node_size(internal_k, sizes) - out.size());
  return fields.check("group B-tree node");
}

}  // namespace pcio
