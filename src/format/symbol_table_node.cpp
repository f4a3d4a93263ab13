// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: symbol table node, decode and encode.

#include "format/symbol_table_node.hpp"

namespace pcio {

Result<SymbolTableNode> decode_symbol_table_node(ConstBytes bytes, const FileSizes& sizes,
                                                 unsigned leaf_k) {
  ByteReader reader(bytes);
  if (!reader.expect("SNOD"))
    return PCIO_ERROR(SYM, BADVALUE, "wrong signature of a symbol table node");
  PCIO_TRY(decode_version(reader, 1, 1, "symbol table node"));
  reader.skip(1);
  const std::size_t count = reader.u16();
  if (count > 2 * std::size_t{leaf_k})
    return PCIO_ERROR(SYM, BADVALUE, "symbol table node has more entries than it can hold");
  if (reader.remaining() / symbol_table_entry_size(sizes) < count)
    return PCIO_ERROR(SYM, TRUNCATED, "truncated symbol table node");
  SymbolTableNode node;
  node.entries.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    PCIO_ASSIGN(SymbolTableEntry entry, decode_symbol_table_entry(reader, sizes));
    node.entries.push_back(entry);
  }
  return node;
}

Status encode_symbol_table_node(const SymbolTableNode& node, const FileSizes& sizes,
                                unsigned leaf_k, ByteWriter& out) {
  if (node.entries.size() > 2 * std::size_t{leaf_k})
    return PCIO_ERROR(SYM, BADVALUE, "too many entries for a symbol table node");
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.text("SNOD");
  fields.u8(1);
  fields.u8(0);
  fields.u16(node.entries.size());
  for (const SymbolTableEntry& entry : node.entries)
    PCIO_TRY(encode_symbol_table_entry(entry, sizes, out));
  fields.zeros(start + symbol_table_node_size(leaf_k, sizes) - out.size());
  return fields.check("symbol table node");
}

}  // namespace pcio
