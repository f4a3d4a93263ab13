// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: shared messages out of line.

#include "storage/dense/shared_messages.hpp"

#include "format/message_types.hpp"

namespace pcio {

Status SharedMessages::open(FileBytes& file, const FileSizes& sizes,
                            const SharedTableMessage& table) {
  PCIO_ASSIGN(auto bytes,
              file.block(table.table_address, shared_table_size(table.index_count, sizes),
                         "table of shared messages"));
  PCIO_ASSIGN(indexes_, decode_shared_table(bytes, table.index_count, sizes));
  return Status();
}

Result<std::vector<std::byte>> SharedMessages::body(FileBytes& file, const FileSizes& sizes,
                                                    unsigned type, ConstBytes heap_id) {
  for (const SharedMessageIndexHeader& index : indexes_) {
    if (type >= 16 || (index.message_types >> type & 1) == 0) continue;
    if (index.heap_address == kUndefinedAddress) break;
    // Opened anew for each: the next commit of another program's may have moved its blocks.
    PCIO_ASSIGN(FractalHeapReader heap, FractalHeapReader::open(file, sizes, index.heap_address));
    return heap.object(heap_id);
  }
  return PCIO_ERROR(
      SOHM, NOTFOUND,
      "the file has no heap of shared messages for a " + message_name(type) + " message");
}

}  // namespace pcio
