// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: attribute info message (0x0015), the state of an object's attributes.
// Source: HDF5 File Format Specification, IV.A.2.v The Attribute Info Message.

#pragma once

#include "format/file_sizes.hpp"

namespace pcio {

/// Attributes are messages in the object's header unless heap_address is defined ("dense").
struct AttributeInfoMessage {
  bool track_order = false;
  bool index_order = false;
  std::uint16_t max_creation_order = 0;  ///< number for the next attribute; stored if track_order
  FileAddress heap_address = kUndefinedAddress;
  FileAddress name_index_address = kUndefinedAddress;
  FileAddress order_index_address = kUndefinedAddress;  ///< stored if index_order
  friend bool operator==(const AttributeInfoMessage&, const AttributeInfoMessage&) = default;
};

/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for bad flags.
Result<AttributeInfoMessage> decode_attribute_info_message(ByteReader& reader,
                                                           const FileSizes& sizes);
Status encode_attribute_info_message(const AttributeInfoMessage& info, const FileSizes& sizes,
                                     ByteWriter& out);

}  // namespace pcio
