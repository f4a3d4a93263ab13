// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: symbol table entry, decode and encode.

#include "format/symbol_table_entry.hpp"

namespace pcio {

Result<SymbolTableEntry> decode_symbol_table_entry(ByteReader& reader, const FileSizes& sizes) {
  SymbolTableEntry entry;
  entry.name_offset = reader.uint(sizes.length_size);
  entry.header_address = reader.address(sizes.offset_size);
  const std::uint32_t cache = reader.u32();
  reader.skip(4);
  const ConstBytes scratch = reader.bytes(16);
  PCIO_TRY(reader.check("symbol table entry"));
  ByteReader inner(scratch);
  if (cache == 1) {
    entry.btree_address = inner.address(sizes.offset_size);
    entry.heap_address = inner.address(sizes.offset_size);
  } else if (cache == 2) {
    entry.link_offset = inner.u32();
  } else if (cache != 0) {
    return PCIO_ERROR(SYM, BADVALUE,
                      "symbol table entry has unknown cache type " + std::to_string(cache));
  }
  entry.cache = static_cast<SymbolCache>(cache);
  return entry;
}

Status encode_symbol_table_entry(const SymbolTableEntry& entry, const FileSizes& sizes,
                                 ByteWriter& out) {
  FieldWriter fields(out, sizes);
  fields.uint(entry.name_offset, sizes.length_size);
  fields.address(entry.header_address);
  fields.u32(static_cast<std::uint32_t>(entry.cache));
  fields.zeros(4);
  const std::size_t scratch = out.size();
  if (entry.cache == SymbolCache::kGroup) {
    fields.address(entry.btree_address);
    fields.address(entry.heap_address);
  } else if (entry.cache == SymbolCache::kSoftLink) {
    fields.u32(entry.link_offset);
  }
  fields.zeros(scratch + 16 - out.size());
  return fields.check("symbol table entry");
}

}  // namespace pcio
