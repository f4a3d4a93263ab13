// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: one entry of a symbol table node, also the root's place in old superblocks.
// Source: HDF5 File Format Specification, III.C Symbol Table Entry.

#pragma once

#include "format/file_sizes.hpp"

namespace pcio {

/// What the scratch space of an entry caches.
enum class SymbolCache : std::uint32_t { kNothing = 0, kGroup = 1, kSoftLink = 2 };

/// A name in a group (an offset into the group's local heap) and what it stands for.
struct SymbolTableEntry {
  std::uint64_t name_offset = 0;
  FileAddress header_address = kUndefinedAddress;  ///< undefined for soft links
  SymbolCache cache = SymbolCache::kNothing;
  FileAddress btree_address = kUndefinedAddress;  ///< cache == kGroup
  FileAddress heap_address = kUndefinedAddress;   ///< cache == kGroup
  std::uint32_t link_offset = 0;                  ///< cache == kSoftLink: value in the local heap
  friend bool operator==(const SymbolTableEntry&, const SymbolTableEntry&) = default;
};

/// Bytes of an entry in the file. The name's offset has the width of a length, as observed in files of
/// libhdf5 1.10.8 whose addresses have another one.
constexpr std::size_t symbol_table_entry_size(const FileSizes& sizes) {
  return std::size_t{sizes.length_size} + sizes.offset_size + 24;
}

/// Collective: pure. Errors: TRUNCATED, BADVALUE for an unknown cache type.
Result<SymbolTableEntry> decode_symbol_table_entry(ByteReader& reader, const FileSizes& sizes);
Status encode_symbol_table_entry(const SymbolTableEntry& entry, const FileSizes& sizes,
                                 ByteWriter& out);

}  // namespace pcio
