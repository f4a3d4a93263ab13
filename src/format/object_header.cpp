// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: object header, decode.

#include "format/object_header.hpp"

#include <algorithm>

#include "base/make_room.hpp"
#include "base/checked.hpp"
#include "format/reference_count_message.hpp"

namespace pcio {

namespace {

constexpr unsigned kFlagTrackOrder = 0x04;
constexpr unsigned kFlagIndexOrder = 0x08;
constexpr unsigned kFlagPhaseChange = 0x10;
constexpr unsigned kFlagTimes = 0x20;
/// A header of more pieces than this is damage or an attack; libhdf5 makes a handful.
constexpr std::size_t kMaxPieces = 4096;

bool overlap(const ByteRange& a, const ByteRange& b) {
  return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

/// Reads a version 1 prefix; returns the bytes of messages in chunk 0.
Result<std::uint64_t> decode_prefix1(ByteReader& reader, ObjectHeader& header) {
  PCIO_TRY(decode_version(reader, 1, 1, "object header"));
  reader.skip(1);
  reader.skip(2);  // number of messages: the pieces say it themselves
  header.version = 1;
  header.reference_count = reader.u32();
  const std::uint64_t size = reader.u32();
  reader.skip(4);  // messages are aligned to 8 bytes
  PCIO_TRY(reader.check("object header"));
  return size;
}

Result<std::uint64_t> decode_prefix2(ByteReader& reader, ObjectHeader& header) {
  reader.skip(4);
  PCIO_TRY(decode_version(reader, 2, 2, "object header"));
  const unsigned flags = reader.u8();
  header.version = 2;
  header.track_attribute_order = (flags & kFlagTrackOrder) != 0;
  header.index_attribute_order = (flags & kFlagIndexOrder) != 0;
  if ((flags & kFlagTimes) != 0) {
    header.times.emplace();
    header.times->access = reader.u32();
    header.times->modification = reader.u32();
    header.times->change = reader.u32();
    header.times->birth = reader.u32();
  }
  if ((flags & kFlagPhaseChange) != 0) {
    header.attribute_phase_change.emplace();
    header.attribute_phase_change->max_compact = reader.u16();
    header.attribute_phase_change->min_dense = reader.u16();
  }
  header.chunk0_width = 1U << (flags & 3);
  const std::uint64_t size = reader.uint(header.chunk0_width);
  PCIO_TRY(reader.check("object header"));
  if ((flags & 0xC0) != 0) return PCIO_ERROR(OHDR, BADVALUE, "object header has unknown flags");
  return size;
}

}  // namespace

const HeaderMessage* ObjectHeader::find(unsigned type) const {
  for (const HeaderMessage& message : messages)
    if (message.type == type) return &message;
  return nullptr;
}

void set_reference_count(ObjectHeader& header, std::uint32_t count) {
  header.reference_count = count;
  if (header.version == 1) return;
  auto at = std::find_if(header.messages.begin(), header.messages.end(),
                         [](const HeaderMessage& m) { return m.type == kMessageReferenceCount; });
  if (count == 1) {
    if (at != header.messages.end()) header.messages.erase(at);
    return;
  }
  ByteWriter body;
  // Cannot fail: both fields are as wide as their values.
  (void)encode_reference_count_message(count, body);
  if (at == header.messages.end()) {
    HeaderMessage message;
    message.type = kMessageReferenceCount;
    message.flags = kMessageNotShareable;
    at = header.messages.insert(at, std::move(message));
  }
  at->body = body.view();
}

Result<ByteRange> HeaderDecoder::begin(FileAddress address, ConstBytes first) {
  ByteReader reader(first);
  const bool new_style = ByteReader(first).expect("OHDR");
  PCIO_ASSIGN(const std::uint64_t size,
              new_style ? decode_prefix2(reader, header_) : decode_prefix1(reader, header_));
  prefix_size_ = reader.position();
  const auto whole = checked_add(size, std::uint64_t{prefix_size_ + (new_style ? 4 : 0)});
  if (!whole || !checked_add(address, *whole))
    return PCIO_ERROR(OHDR, OVERFLOW, "size of an object header is not possible");
  pieces_.push_back({address, *whole});
  return pieces_.front();
}

std::optional<ByteRange> HeaderDecoder::next() {
  if (added_ >= pieces_.size()) return std::nullopt;
  return pieces_[added_];
}

Status HeaderDecoder::add(ConstBytes bytes) {
  if (added_ >= pieces_.size() || bytes.size() != pieces_[added_].size)
    return PCIO_ERROR(OHDR, BADSIZE, "piece of an object header was not read whole");
  const bool first = added_++ == 0;
  if (header_.version == 2) {
    PCIO_TRY(verify_checksum(bytes, first ? "object header" : "object header continuation"));
    bytes = bytes.first(bytes.size() - 4);
  }
  ByteReader reader(bytes);
  if (first) {
    reader.skip(prefix_size_);
  } else if (header_.version == 2 && !reader.expect("OCHK")) {
    return PCIO_ERROR(OHDR, BADVALUE, "wrong signature of an object header continuation");
  }
  PCIO_TRY(reader.check("object header"));
  return decode_messages(reader);
}

/// Bytes in front of a message's body.
std::size_t HeaderDecoder::message_head() const {
  if (header_.version == 1) return 8;
  return header_.track_attribute_order ? 6 : 4;
}

/// Headers stay in memory: what they don't need isn't asked for.
void HeaderDecoder::make_room_for_messages(ConstBytes rest) {
  const bool old = header_.version == 1;
  const std::size_t head = message_head();
  std::size_t count = 0;
  ByteReader reader(rest);
  while (reader.ok() && reader.remaining() >= head) {
    const std::uint64_t type = old ? reader.u16() : reader.u8();
    const std::size_t size = reader.u16();
    reader.skip(head - (old ? 4 : 3) + size);
    if (type != kMessageNil && type != kMessageContinuation) ++count;
  }
  make_room(header_.messages, count);
}

Status HeaderDecoder::decode_messages(ByteReader& reader) {
  const bool old = header_.version == 1;
  const std::size_t head = message_head();
  ByteReader ahead = reader;
  make_room_for_messages(ahead.bytes(ahead.remaining()));
  // Fewer bytes than the head of a message are the gap that version 2 allows.
  while (reader.remaining() >= head) {
    const auto type = static_cast<std::uint16_t>(old ? reader.u16() : reader.u8());
    const std::size_t size = reader.u16();
    const std::uint8_t flags = reader.u8();
    std::uint16_t number = 0;
    if (old)
      reader.skip(3);
    else if (header_.track_attribute_order)
      number = reader.u16();
    const ConstBytes body = reader.bytes(size);
    if (!reader.ok())
      return PCIO_ERROR(OHDR, TRUNCATED, message_name(type) + " is longer than its object header");
    if (type != kMessageNil)
      PCIO_TRY(take_message(
          {.type = type, .flags = flags, .creation_order = number, .body = ShortBytes(body)}));
  }
  return Status();
}

Status HeaderDecoder::take_message(HeaderMessage&& message) {
  if (message.type == kMessageContinuation) return add_continuation(message.body);
  if (!is_known_message(message.type)) {
    const bool forbids = (message.flags & kMessageFailIfUnknown) != 0 ||
                         (access_ == HeaderAccess::kReadWrite &&
                          (message.flags & kMessageFailOnWriteIfUnknown) != 0);
    if (forbids) {
      return PCIO_ERROR(OHDR, BADMESG,
                        "object has a " + message_name(message.type) +
                            " that a program must understand to open it");
    }
  }
  if ((message.flags & kMessageShareable) != 0 && !can_be_shared(message.type))
    return PCIO_ERROR(OHDR, BADMESG,
                      message_name(message.type) + " is marked as one that may be shared");
  if (message.type == kMessageReferenceCount && header_.version == 2) {
    ByteReader reader(message.body);
    PCIO_ASSIGN(header_.reference_count, decode_reference_count_message(reader));
  }
  header_.messages.push_back(std::move(message));
  return Status();
}

Status HeaderDecoder::add_continuation(ConstBytes body) {
  ByteReader reader(body);
  ByteRange piece;
  piece.offset = reader.address(sizes_.offset_size);
  piece.size = reader.uint(sizes_.length_size);
  PCIO_TRY(reader.check("continuation message"));
  if (piece.size == 0 || !checked_add(piece.offset, piece.size))
    return PCIO_ERROR(OHDR, BADVALUE, "object header continues at an impossible place");
  // Pieces that share bytes would be decoded twice; a circle of them for ever.
  for (const ByteRange& other : pieces_) {
    if (overlap(piece, other))
      return PCIO_ERROR(OHDR, BADVALUE, "pieces of an object header overlap");
  }
  if (pieces_.size() >= kMaxPieces)
    return PCIO_ERROR(OHDR, BADVALUE, "object header of too many pieces");
  pieces_.push_back(piece);
  return Status();
}

Result<ObjectHeader> HeaderDecoder::finish() && {
  if (pieces_.empty() || added_ != pieces_.size())
    return PCIO_ERROR(OHDR, TRUNCATED, "object header was not read whole");
  return std::move(header_);
}

}  // namespace pcio
