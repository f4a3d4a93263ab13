// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: table of shared object header messages, decode.

#include "format/shared_table.hpp"

#include <algorithm>

namespace pcio {

Result<std::vector<SharedMessageIndexHeader>> decode_shared_table(ConstBytes bytes,
                                                                  unsigned index_count,
                                                                  const FileSizes& sizes) {
  const std::size_t size = shared_table_size(index_count, sizes);
  if (bytes.size() < size) return PCIO_ERROR(SOHM, TRUNCATED, "truncated table of shared messages");
  ByteReader reader(bytes);
  if (!reader.expect("SMTB"))
    return PCIO_ERROR(SOHM, BADVALUE, "wrong signature of a table of shared messages");
  PCIO_TRY(verify_checksum(bytes.first(size), "table of shared messages"));
  std::vector<SharedMessageIndexHeader> indexes;
  for (unsigned i = 0; i < index_count; ++i) {
    PCIO_TRY(decode_version(reader, 0, 0, "index of shared messages"));
    const unsigned type = reader.u8();
    if (type > 1) return PCIO_ERROR(SOHM, BADVALUE, "unknown kind of an index of shared messages");
    SharedMessageIndexHeader index;
    index.is_tree = type == 1;
    index.message_types = reader.u16();
    index.min_size = reader.u32();
    index.list_max = reader.u16();
    index.tree_min = reader.u16();
    index.count = reader.u16();
    index.index_address = reader.address(sizes.offset_size);
    index.heap_address = reader.address(sizes.offset_size);
    indexes.push_back(index);
  }
  PCIO_TRY(reader.check("table of shared messages"));
  return indexes;
}

Result<SharedMessageRecord> decode_shared_record(ConstBytes bytes, const FileSizes& sizes) {
  ByteReader reader(bytes);
  const unsigned place = reader.u8();
  SharedMessageRecord record;
  record.hash = reader.u32();
  if (place > 1) return PCIO_ERROR(SOHM, BADVALUE, "unknown place of a shared message");
  record.in_heap = place == 0;
  if (record.in_heap) {
    record.reference_count = reader.u32();
    const ConstBytes id = reader.bytes(8);
    std::copy(id.begin(), id.end(), record.heap_id.begin());
  } else {
    reader.skip(1);
    record.message_type = static_cast<std::uint8_t>(reader.u8());
    record.message_index = reader.u16();
    record.header_address = reader.address(sizes.offset_size);
  }
  PCIO_TRY(reader.check("record of a shared message"));
  return record;
}

Result<std::vector<SharedMessageRecord>> decode_shared_list(ConstBytes bytes,
                                                            const SharedMessageIndexHeader& index,
                                                            const FileSizes& sizes) {
  const std::size_t record = shared_record_size(sizes);
  // The checksum follows the last record in use, not the room for all.
  const std::size_t size = 4 + index.count * record + 4;
  if (bytes.size() < size) return PCIO_ERROR(SOHM, TRUNCATED, "truncated list of shared messages");
  ByteReader reader(bytes);
  if (!reader.expect("SMLI"))
    return PCIO_ERROR(SOHM, BADVALUE, "wrong signature of a list of shared messages");
  PCIO_TRY(verify_checksum(bytes.first(size), "list of shared messages"));
  std::vector<SharedMessageRecord> records;
  for (unsigned i = 0; i < index.count; ++i) {
    PCIO_ASSIGN(SharedMessageRecord next, decode_shared_record(reader.bytes(record), sizes));
    records.push_back(next);
  }
  return records;
}

}  // namespace pcio
