// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: link info message (0x0002), the state of a new-style group.
// Source: HDF5 File Format Specification, IV.A.2.c The Link Info Message.

#pragma once

#include "format/file_sizes.hpp"

namespace pcio {

/// Links are messages in the group's header unless heap_address is defined ("dense").
struct LinkInfoMessage {
  bool track_order = false;
  bool index_order = false;
  std::int64_t max_creation_order = 0;  ///< number for the next link; stored if track_order
  FileAddress heap_address = kUndefinedAddress;
  FileAddress name_index_address = kUndefinedAddress;
  FileAddress order_index_address = kUndefinedAddress;  ///< stored if index_order
  friend bool operator==(const LinkInfoMessage&, const LinkInfoMessage&) = default;
};

/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for bad flags or a negative number.
Result<LinkInfoMessage> decode_link_info_message(ByteReader& reader, const FileSizes& sizes);
Status encode_link_info_message(const LinkInfoMessage& info, const FileSizes& sizes,
                                ByteWriter& out);

}  // namespace pcio
