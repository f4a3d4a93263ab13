// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: what a message holds whose "shared" flag is set: where the real message is.
// Source: HDF5 File Format Specification, IV.A.2 Shared Message, versions 1 to 3.

#pragma once

#include <array>

#include "format/file_sizes.hpp"
#include "format/format_version.hpp"

namespace pcio {

enum class SharedPlace : std::uint8_t { kCommitted, kSharedHeap };

struct SharedMessage {
  SharedPlace place = SharedPlace::kCommitted;
  FileAddress address = kUndefinedAddress;  ///< kCommitted: header that holds the message
  std::array<std::byte, 8> heap_id{};       ///< kSharedHeap: object in the file's shared heap
  friend bool operator==(const SharedMessage&, const SharedMessage&) = default;
};

/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for a place that is none.
Result<SharedMessage> decode_shared_message(ByteReader& reader, const FileSizes& sizes);
/// Writes version 2 for a committed message, as libhdf5 does under all bounds, else version 3.
Status encode_shared_message(const SharedMessage& shared, const FileSizes& sizes, ByteWriter& out);

/// Address of the committed message. Errors: UNSUPPORTED where it is in the shared message heap.
Result<FileAddress> committed_address(const SharedMessage& shared);

}  // namespace pcio
