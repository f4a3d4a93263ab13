// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: symbol table node, the leaf of an old-style group.
// Source: HDF5 File Format Specification, III.B Group Symbol Table Nodes.

#pragma once

#include "format/symbol_table_entry.hpp"

namespace pcio {

/// Entries in ascending order of their names' bytes.
struct SymbolTableNode {
  std::vector<SymbolTableEntry> entries;
  friend bool operator==(const SymbolTableNode&, const SymbolTableNode&) = default;
};

/// Bytes that a node takes in the file: always room for 2 * leaf_k entries.
constexpr std::size_t symbol_table_node_size(unsigned leaf_k, const FileSizes& sizes) {
  return 8 + 2 * std::size_t{leaf_k} * symbol_table_entry_size(sizes);
}

/// Collective: pure. `bytes` may be longer than the node. Errors: BADVALUE for a wrong signature or
/// more than 2 * leaf_k entries, VERSION, TRUNCATED.
Result<SymbolTableNode> decode_symbol_table_node(ConstBytes bytes, const FileSizes& sizes,
                                                 unsigned leaf_k);
/// Appends exactly symbol_table_node_size() bytes. Errors: BADVALUE for too many entries, OVERFLOW.
Status encode_symbol_table_node(const SymbolTableNode& node, const FileSizes& sizes,
                                unsigned leaf_k, ByteWriter& out);

}  // namespace pcio
