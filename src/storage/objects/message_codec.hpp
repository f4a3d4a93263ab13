// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: between header messages and the values that the library works with.

#pragma once

#include <vector>

#include "format/object_header.hpp"
#include "props/object_props.hpp"
#include "space/dataspace.hpp"
#include "storage/bytes/file_context.hpp"
#include "storage/objects/stored_object.hpp"

namespace pcio {

/// A message with a body made by `encode(ByteWriter&) -> Status`.
template <class Encode>
Result<HeaderMessage> make_message(std::uint16_t type, std::uint8_t flags, Encode&& encode) {
  ByteWriter out;
  PCIO_TRY(encode(out));
  HeaderMessage message;
  message.type = type;
  message.flags = flags;
  message.body = out.view();
  return message;
}

/// Refuses a message that is kept in the file's shared message table.
Status check_not_shared(const HeaderMessage& message);

/// A group with link messages, or with a symbol table where the file's format bounds and its list allow one.
enum class GroupStyle : std::uint8_t { kByBounds, kNew };
/// Messages of a new group. Errors: filters that can't be encoded.
Result<std::vector<HeaderMessage>> group_messages(const FileContext& file,
                                                  const GroupCreateProps& props,
                                                  GroupStyle style = GroupStyle::kByBounds);
/// Those of a new-style group that had a symbol table.
std::vector<HeaderMessage> new_style_messages(const FileSizes& sizes);

Result<HeaderMessage> encode_space(const FileContext& file, const Extent& space);
/// The space of an object that has one, in the version it has: neither the moment at which it is encoded
/// nor the bounds that hold then may change what is written.
Result<HeaderMessage> encode_space_again(const FileContext& file, const StoredObject& object,
                                         const Extent& space);
/// A type in file form, or a reference to the committed type at `committed`.
Result<HeaderMessage> encode_type(const FileContext& file, const Datatype& type,
                                  FileAddress committed);
Result<HeaderMessage> encode_fill(const FileContext& file, const FillValueMessage& fill);
Result<HeaderMessage> encode_layout(const FileContext& file, const LayoutMessage& layout);
/// In version 3, where the layout has one.
Result<HeaderMessage> encode_layout_earliest(const FileContext& file, const LayoutMessage& layout);
/// As encode_space_again().
Result<HeaderMessage> encode_layout_again(const FileContext& file, const StoredObject& object,
                                          const LayoutMessage& layout);
Result<HeaderMessage> encode_filters(const FileContext& file, const FilterPipeline& filters);
Result<FilterPipeline> decode_filters(const HeaderMessage& message);

/// Bytes for the first piece of a new object's header: what its messages need and some more, so
/// that attributes find room.
Result<std::uint64_t> first_chunk_size(const ObjectHeader& header, const FileSizes& sizes);

}  // namespace pcio
