// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: shared message, decode and encode.

#include "format/shared_message.hpp"

#include <algorithm>

#include "format/symbol_table_entry.hpp"

namespace pcio {

namespace {
constexpr unsigned kInSharedHeap = 1;
constexpr unsigned kCommitted = 2;
}  // namespace

Result<SharedMessage> decode_shared_message(ByteReader& reader, const FileSizes& sizes) {
  PCIO_ASSIGN(const unsigned version, decode_version(reader, 1, 3, "shared message"));
  const unsigned type = reader.u8();
  if (version == 1) reader.skip(6);
  SharedMessage shared;
  // Versions 1 and 2 know committed messages only, and are not consistent about the type's number.
  if (version == 3 && type == kInSharedHeap) {
    shared.place = SharedPlace::kSharedHeap;
    const ConstBytes id = reader.bytes(8);
    PCIO_TRY(reader.check("shared message"));
    std::copy(id.begin(), id.end(), shared.heap_id.begin());
    return shared;
  }
  if (version == 3 && type != kCommitted)
    return PCIO_ERROR(SOHM, BADVALUE, "shared message is said not to be shared");
  // The specification shows an address alone; files of libhdf5 1.4 hold a symbol table entry here,
  // whose address follows a name offset of the same width.
  if (version == 1 && reader.remaining() >= symbol_table_entry_size(sizes))
    reader.skip(sizes.offset_size);
  shared.address = reader.address(sizes.offset_size);
  PCIO_TRY(reader.check("shared message"));
  if (shared.address == kUndefinedAddress)
    return PCIO_ERROR(SOHM, BADVALUE, "shared message has no address");
  return shared;
}

Status encode_shared_message(const SharedMessage& shared, const FileSizes& sizes, ByteWriter& out) {
  FieldWriter fields(out, sizes);
  if (shared.place == SharedPlace::kSharedHeap) {
    fields.u8(3);
    fields.u8(kInSharedHeap);
    fields.bytes(shared.heap_id);
  } else {
    fields.u8(2);
    fields.u8(kCommitted);
    fields.address(shared.address);
  }
  return fields.check("shared message");
}

Result<FileAddress> committed_address(const SharedMessage& shared) {
  if (shared.place == SharedPlace::kCommitted) return shared.address;
  return PCIO_ERROR(SOHM, UNSUPPORTED,
                    "message lies in the heap of shared messages, not in another object");
}

}  // namespace pcio
