// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: external files message, decode and encode.

#include "format/external_files_message.hpp"

namespace pcio {

Result<ExternalFilesMessage> decode_external_files_message(ByteReader& reader,
                                                           const FileSizes& sizes) {
  PCIO_TRY(decode_version(reader, 1, 1, "external files message"));
  reader.skip(3);
  const std::size_t allocated = reader.u16();
  const std::size_t used = reader.u16();
  ExternalFilesMessage files;
  files.heap_address = reader.address(sizes.offset_size);
  PCIO_TRY(reader.check("external files message"));
  if (used > allocated)
    return PCIO_ERROR(EFL, BADVALUE, "external files message uses more slots than it has");
  if (used > reader.remaining() / (std::size_t{3} * sizes.length_size))
    return PCIO_ERROR(EFL, TRUNCATED, "truncated external files message");
  for (std::size_t i = 0; i < used; ++i) {
    ExternalFilesMessage::Slot slot;
    slot.name_offset = reader.uint(sizes.length_size);
    slot.file_offset = reader.uint(sizes.length_size);
    slot.size = reader.address(sizes.length_size);  // all ones: unlimited
    files.slots.push_back(slot);
  }
  return files;
}

Status encode_external_files_message(const ExternalFilesMessage& files, const FileSizes& sizes,
                                     ByteWriter& out) {
  FieldWriter fields(out, sizes);
  fields.u8(1);
  fields.zeros(3);
  fields.u16(files.slots.size());
  fields.u16(files.slots.size());
  fields.address(files.heap_address);
  for (const ExternalFilesMessage::Slot& slot : files.slots) {
    fields.length(slot.name_offset);
    fields.length(slot.file_offset);
    fields.length_or_unlimited(slot.size);
  }
  return fields.check("external files message");
}

}  // namespace pcio
