// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: table of shared object header messages, and lists of them.
// Source: HDF5 File Format Specification, III.I Shared Object Header Message Table; the bits of
// `message_types` as observed in files of libhdf5 1.10.8.

#pragma once

#include <array>

#include "format/file_sizes.hpp"

namespace pcio {

/// One index of the table.
struct SharedMessageIndexHeader {
  bool is_tree = false;             ///< a version 2 B-tree, else a list
  std::uint16_t message_types = 0;  ///< bit t: messages of type t
  std::uint32_t min_size = 0;       ///< bytes; shorter messages are not shared
  std::uint16_t list_max = 0;       ///< messages; more go into a tree
  std::uint16_t tree_min = 0;       ///< messages; fewer go into a list
  std::uint16_t count = 0;          ///< messages
  FileAddress index_address = kUndefinedAddress;
  FileAddress heap_address = kUndefinedAddress;
  friend bool operator==(const SharedMessageIndexHeader&,
                         const SharedMessageIndexHeader&) = default;
};
constexpr std::size_t shared_table_size(unsigned index_count, const FileSizes& sizes) {
  return 8 + std::size_t{index_count} * (14 + 2 * std::size_t{sizes.offset_size});
}
/// Decodes the table of `index_count` indexes (SharedTableMessage::index_count).
/// Collective: pure. Errors: BADVALUE, VERSION, TRUNCATED.
Result<std::vector<SharedMessageIndexHeader>> decode_shared_table(ConstBytes bytes,
                                                                  unsigned index_count,
                                                                  const FileSizes& sizes);

/// Errors: OVERFLOW for numbers that the table has no room for.
Status encode_shared_table(const std::vector<SharedMessageIndexHeader>& indexes,
                           const FileSizes& sizes, ByteWriter& out);

/// One shared message: in the heap, or in the header of the only object that has it.
struct SharedMessageRecord {
  bool in_heap = false;
  std::uint32_t hash = 0;              ///< lookup3 of the encoded message, begun with its type
  std::uint32_t reference_count = 0;   ///< in_heap
  std::array<std::byte, 8> heap_id{};  ///< in_heap
  std::uint8_t message_type = 0;       ///< else
  std::uint16_t message_index = 0;     ///< else: n-th message of its type
  FileAddress header_address = kUndefinedAddress;  ///< else
  friend bool operator==(const SharedMessageRecord&, const SharedMessageRecord&) = default;
};
/// Bytes of a record in a list and in a tree (record type 7).
constexpr std::size_t shared_record_size(const FileSizes& sizes) {
  return 5 + (sizes.offset_size + 4 > 12 ? std::size_t{sizes.offset_size} + 4 : 12);
}
Result<SharedMessageRecord> decode_shared_record(ConstBytes bytes, const FileSizes& sizes);
/// The `count` records of a list; `list_max` gives the list's size in the file.
/// Collective: pure. Errors: BADVALUE, TRUNCATED.
Result<std::vector<SharedMessageRecord>> decode_shared_list(ConstBytes bytes,
                                                            const SharedMessageIndexHeader& index,
                                                            const FileSizes& sizes);
void encode_shared_record(const SharedMessageRecord& record, const FileSizes& sizes,
                          FieldWriter& fields);
/// Bytes that a list has in the file: room for all records that it may have.
constexpr std::size_t shared_list_size(unsigned list_max, const FileSizes& sizes) {
  return 8 + std::size_t{list_max} * shared_record_size(sizes);
}
/// Writes shared_list_size() bytes.
Status encode_shared_list(const std::vector<SharedMessageRecord>& records, unsigned list_max,
                          const FileSizes& sizes, ByteWriter& out);
/// The hash of a message by which indexes find it. Collective: pure.
std::uint32_t shared_message_hash(unsigned type, ConstBytes body);

}  // namespace pcio
