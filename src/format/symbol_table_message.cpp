// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: symbol table message, decode and encode.

#include "format/symbol_table_message.hpp"

namespace pcio {

Result<SymbolTableMessage> decode_symbol_table_message(ByteReader& reader, const FileSizes& sizes) {
  SymbolTableMessage table;
  table.btree_address = reader.address(sizes.offset_size);
  table.heap_address = reader.address(sizes.offset_size);
  PCIO_TRY(reader.check("symbol table message"));
  return table;
}

Status encode_symbol_table_message(const SymbolTableMessage& table, const FileSizes& sizes,
                                   ByteWriter& out) {
  FieldWriter fields(out, sizes);
  fields.address(table.btree_address);
  fields.address(table.heap_address);
  return fields.check("symbol table message");
}

}  // namespace pcio
