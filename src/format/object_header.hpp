// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: object headers in memory and their decoding, chunk by chunk.
// Source: HDF5 File Format Specification, IV.A.1 Data Object Header Prefix; IV.A.2.q Continuation.

#pragma once

#include <optional>

#include "base/short_bytes.hpp"
#include "format/file_sizes.hpp"
#include "format/message_types.hpp"

namespace pcio {

/// A header message, its body still encoded. Bodies from version 1 headers may end in padding.
struct HeaderMessage {
  std::uint16_t type = kMessageNil;
  std::uint8_t flags = 0;
  /// In memory only, of an attribute in a file of several ranks: this rank has changed the value, and perhaps no other
  /// (AttributeCopies).
  std::uint8_t written_here = 0;
  std::uint16_t creation_order = 0;  ///< stored where the header tracks attribute order
  ShortBytes body;
  /// What a file would have of them.
  friend bool operator==(const HeaderMessage& a, const HeaderMessage& b) {
    return a.type == b.type && a.flags == b.flags && a.creation_order == b.creation_order &&
           a.body == b.body;
  }
};

/// Seconds since 1970-01-01 UTC; in version 2 headers.
struct ObjectTimes {
  std::uint32_t access = 0;
  std::uint32_t modification = 0;
  std::uint32_t change = 0;
  std::uint32_t birth = 0;
  friend bool operator==(const ObjectTimes&, const ObjectTimes&) = default;
};

/// When attributes move between header and heap, in attributes.
struct AttributePhaseChange {
  std::uint16_t max_compact = 8;
  std::uint16_t min_dense = 6;
  friend bool operator==(const AttributePhaseChange&, const AttributePhaseChange&) = default;
};

/// All of an object's header, wherever its pieces lie in the file.
struct ObjectHeader {
  unsigned version = 1;                ///< 1 or 2
  std::uint32_t reference_count = 1;   ///< hard links; change it with set_reference_count()
  std::optional<ObjectTimes> times;    ///< version 2
  bool track_attribute_order = false;  ///< version 2
  bool index_attribute_order = false;  ///< version 2
  std::optional<AttributePhaseChange> attribute_phase_change;  ///< version 2, where not default
  /// Width in bytes of the "size of chunk 0" field of a version 2 header that is in a file already;
  /// 0: what the size needs. It must stay while chunk 0 stays, or chunk 0 would change its size.
  unsigned chunk0_width = 0;
  /// Neither NIL nor continuation messages. Order has no meaning.
  std::vector<HeaderMessage> messages;

  /// The first message of a type, or nullptr.
  [[nodiscard]] const HeaderMessage* find(unsigned type) const;
  friend bool operator==(const ObjectHeader&, const ObjectHeader&) = default;
};

/// Sets the count; in version 2 adds, changes or removes the message that holds it (absent for 1).
void set_reference_count(ObjectHeader& header, std::uint32_t count);

/// What the caller may do with the file; some unknown messages forbid writing only.
enum class HeaderAccess : std::uint8_t { kReadOnly, kReadWrite };

/// As many bytes as a prefix may need; fewer are fine at the end of a file.
inline constexpr std::size_t kHeaderPrefixMax = 34;

/// Decodes a header whose pieces the caller reads:
///
///     HeaderDecoder decoder(sizes, access);
///     PCIO_ASSIGN(ByteRange piece, decoder.begin(address, <first kHeaderPrefixMax bytes>));
///     for (std::optional<ByteRange> next = piece; next; next = decoder.next())
///       PCIO_TRY(decoder.add(<bytes of *next>));
///     PCIO_ASSIGN(ObjectHeader header, std::move(decoder).finish());
///
/// The ranges come from the file: the caller checks them against the end of the file.
class HeaderDecoder {
 public:
  HeaderDecoder(const FileSizes& sizes, HeaderAccess access) : sizes_(sizes), access_(access) {}

  /// Decodes the prefix; returns the range of chunk 0, prefix and checksum included.
  /// Errors: VERSION, TRUNCATED, BADVALUE.
  Result<ByteRange> begin(FileAddress address, ConstBytes first);
  /// Decodes the piece that begin() or next() named; `bytes` has exactly its size.
  ///
  /// Errors: BADVALUE for a wrong checksum or signature, pieces that overlap; TRUNCATED; BADMESG for
  /// an unknown message that forbids opening the object, by its number.
  Status add(ConstBytes bytes);
  /// Range of the next piece, or nothing after the last one.
  std::optional<ByteRange> next();
  Result<ObjectHeader> finish() &&;

 private:
  Status decode_messages(ByteReader& reader);
  void make_room_for_messages(ConstBytes rest);
  [[nodiscard]] std::size_t message_head() const;
  Status take_message(HeaderMessage&& message);
  Status add_continuation(ConstBytes body);

  FileSizes sizes_;
  HeaderAccess access_;
  ObjectHeader header_;
  std::size_t prefix_size_ = 0;
  std::vector<ByteRange> pieces_;  ///< all pieces known so far, in the order of their discovery
  std::size_t added_ = 0;          ///< pieces decoded so far
};

}  // namespace pcio
