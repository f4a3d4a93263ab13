// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: how an object header is cut into pieces, and the bytes of each piece.
// Source: HDF5 File Format Specification, IV.A.1; sizes of new headers as libhdf5 1.10.8 makes them.

#pragma once

#include <span>

#include "base/short_list.hpp"
#include "format/object_header.hpp"

namespace pcio {

/// What goes into one piece of a header ("chunk" in the specification).
struct HeaderPiece {
  std::uint64_t capacity = 0;  ///< bytes for messages: without prefix, signature, checksum
  std::size_t first = 0;       ///< index of its first message in ObjectHeader::messages
  std::size_t count = 0;       ///< of messages, one behind the other
  bool continues = false;      ///< ends with a continuation message
  friend bool operator==(const HeaderPiece&, const HeaderPiece&) = default;
};

/// A cut of all messages into pieces; known before any address is.
struct HeaderLayout {
  /// Nearly all headers have no more; and as many are few enough to be cut again for each of them.
  static constexpr std::size_t kFew = 4;
  ShortList<HeaderPiece, kFew> pieces;
  friend bool operator==(const HeaderLayout&, const HeaderLayout&) = default;
};

/// Bytes that a message takes in a piece: its head, body and, in version 1, padding to 8.
std::uint64_t header_message_size(const ObjectHeader& header, const HeaderMessage& message);
/// Sum of header_message_size() over all messages: the capacity that needs no second piece.
std::uint64_t header_messages_size(const ObjectHeader& header);
/// Bytes that a continuation message takes: the least capacity of a piece that may overflow.
std::uint64_t header_continuation_size(const ObjectHeader& header, const FileSizes& sizes);

/// Cuts the messages into pieces of the given capacities (bytes for messages), in order; what is
/// left goes into one more piece of exactly its size. Deterministic.
///
/// Capacities of pieces that exist already are what header_piece_capacity() says; a new header gives
/// one capacity, or none for one piece that fits exactly. Pieces that are not needed are not in the
/// result: their space is the caller's to free. Capacities must be multiples of 8 in version 1.
///
/// Collective: pure. Errors: OHDR BADSIZE where a message is longer than 65535 bytes (65528 in
/// version 1), or a piece has no room for the continuation message that it needs.
Result<HeaderLayout> layout_header(const ObjectHeader& header, const FileSizes& sizes,
                                   std::span<const std::uint64_t> capacities);

/// Bytes of piece `index` in the file: with prefix or signature, and checksum.
std::uint64_t header_piece_size(const ObjectHeader& header, const HeaderLayout& layout,
                                std::size_t index);
/// Capacity for messages of a piece that takes `size` bytes in the file, 0 where it is too small.
std::uint64_t header_piece_capacity(const ObjectHeader& header, std::size_t index,
                                    std::uint64_t size);

/// The bytes of piece `index`, exactly header_piece_size() of them.
///
/// `addresses` holds the address of each piece. Unknown messages that ask for it are marked as "was
/// unknown to the writer". Errors: OVERFLOW.
Result<std::vector<std::byte>> encode_header_piece(const ObjectHeader& header,
                                                   const HeaderLayout& layout, std::size_t index,
                                                   std::span<const FileAddress> addresses,
                                                   const FileSizes& sizes);
/// A piece of a header that is to be encoded.
struct HeaderPieceOf {
  const ObjectHeader& header;
  const HeaderLayout& layout;
  std::size_t index;
  std::span<const FileAddress> addresses;
};
/// The same, behind what `out` has already.
Status put_header_piece(const HeaderPieceOf& which, const FileSizes& sizes, ByteWriter& out);

}  // namespace pcio
