// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: table of shared object header messages, decode and encode.

#include "format/shared_table.hpp"

#include <algorithm>

#include "base/checksum.hpp"

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

Status encode_shared_table(const std::vector<SharedMessageIndexHeader>& indexes,
                           const FileSizes& sizes, ByteWriter& out) {
  const std::size_t begin = out.size();
  FieldWriter fields(out, sizes);
  fields.text("SMTB");
  for (const SharedMessageIndexHeader& index : indexes) {
    fields.u8(0);
    fields.u8(index.is_tree ? 1 : 0);
    fields.u16(index.message_types);
    fields.u32(index.min_size);
    fields.u16(index.list_max);
    fields.u16(index.tree_min);
    fields.u16(index.count);
    fields.address(index.index_address);
    fields.address(index.heap_address);
  }
  PCIO_TRY(fields.check("table of shared messages"));
  append_checksum(out, begin);
  return Status();
}

void encode_shared_record(const SharedMessageRecord& record, const FileSizes& sizes,
                          FieldWriter& fields) {
  const std::size_t place = 4 + std::size_t{sizes.offset_size};
  fields.u8(record.in_heap ? 0 : 1);
  fields.u32(record.hash);
  if (record.in_heap) {
    fields.u32(record.reference_count);
    fields.bytes(record.heap_id);
    if (place > 12) fields.zeros(place - 12);
  } else {
    fields.u8(0);
    fields.u8(record.message_type);
    fields.u16(record.message_index);
    fields.address(record.header_address);
    if (place < 12) fields.zeros(12 - place);
  }
}

Status encode_shared_list(const std::vector<SharedMessageRecord>& records, unsigned list_max,
                          const FileSizes& sizes, ByteWriter& out) {
  const std::size_t begin = out.size();
  FieldWriter fields(out, sizes);
  fields.text("SMLI");
  for (const SharedMessageRecord& record : records) encode_shared_record(record, sizes, fields);
  PCIO_TRY(fields.check("list of shared messages"));
  append_checksum(out, begin);
  fields.zeros(shared_list_size(list_max, sizes) - (out.size() - begin));
  return fields.check("list of shared messages");
}

std::uint32_t shared_message_hash(unsigned type, ConstBytes body) { return lookup3(body, type); }

}  // namespace pcio
