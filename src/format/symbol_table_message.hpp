// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: symbol table message (0x0011), where an old-style group keeps its names.
// Source: HDF5 File Format Specification, IV.A.2.r The Symbol Table Message.

#pragma once

#include "format/file_sizes.hpp"

namespace pcio {

struct SymbolTableMessage {
  FileAddress btree_address = kUndefinedAddress;
  FileAddress heap_address = kUndefinedAddress;
  friend bool operator==(const SymbolTableMessage&, const SymbolTableMessage&) = default;
};

/// Collective: pure. Errors: TRUNCATED.
Result<SymbolTableMessage> decode_symbol_table_message(ByteReader& reader, const FileSizes& sizes);
Status encode_symbol_table_message(const SymbolTableMessage& table, const FileSizes& sizes,
                                   ByteWriter& out);

}  // namespace pcio
