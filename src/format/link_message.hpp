// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: link message (0x0006).
// Source: HDF5 File Format Specification, IV.A.2.g The Link Message.

#pragma once

#include <optional>

#include "base/compact_bytes.hpp"
#include "format/file_sizes.hpp"

namespace pcio {

/// Character set of a name; values of the file, and of HDF5's H5T_cset_t.
enum class NameCharset : std::uint8_t { kAscii = 0, kUtf8 = 1 };

/// Kinds of links; 65 to 255 are user-defined.
enum LinkType : std::uint8_t { kLinkHard = 0, kLinkSoft = 1, kLinkExternal = 64 };

struct LinkMessage {
  std::string name;
  std::uint8_t type = kLinkHard;
  NameCharset charset = NameCharset::kAscii;
  std::optional<std::int64_t> creation_order;
  FileAddress address = kUndefinedAddress;  ///< hard
  CompactBytes target;                      ///< soft: path; external: path in the other file
  CompactBytes file;                        ///< external: name of the other file
  CompactBytes user_data;                   ///< user-defined
  friend bool operator==(const LinkMessage&, const LinkMessage&) = default;
};

/// Also decodes the objects of a fractal heap of dense links.
///
/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for an empty name, a reserved type or
/// bad flags; UNSUPPORTED for an unknown version of an external link.
Result<LinkMessage> decode_link_message(ByteReader& reader, const FileSizes& sizes);
Status encode_link_message(const LinkMessage& link, const FileSizes& sizes, ByteWriter& out);

}  // namespace pcio
