// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: object header, cut and encode.

#include "format/header_layout.hpp"

#include <algorithm>
#include <bit>

#include "base/checked.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kMaxBody = 65535;
constexpr std::uint64_t kMaxBody1 = 65528;

std::uint64_t head_size(const ObjectHeader& header) {
  if (header.version == 1) return 8;
  return header.track_attribute_order ? 6 : 4;
}

std::uint64_t message_size(const ObjectHeader& header, std::uint64_t body) {
  if (header.version == 1) body = round_up(body, std::uint64_t{8});
  return head_size(header) + body;
}

/// Width of the "size of chunk 0" field.
unsigned chunk0_width(const ObjectHeader& header, std::uint64_t capacity) {
  const unsigned needed = std::bit_ceil(bytes_needed(capacity));
  return std::max(needed, header.chunk0_width);
}

/// Bytes of prefix or signature in front of the messages.
std::uint64_t front_size(const ObjectHeader& header, std::size_t index, std::uint64_t capacity) {
  if (header.version == 1) return index == 0 ? 16 : 0;
  if (index > 0) return 4;
  return 6 + (header.times ? 16 : 0) + (header.attribute_phase_change ? 4 : 0) +
         chunk0_width(header, capacity);
}

/// Messages of version 1 are multiples of 8; libhdf5 leaves a few bytes behind them (copies of groups in narrow
/// files), which stay unused.
std::uint64_t usable(const ObjectHeader& header, std::uint64_t capacity) {
  return header.version == 1 ? capacity - capacity % 8 : capacity;
}

/// Calls f(length of the body) for each of the NIL messages that fill `space` bytes; a gap may be left.
template <class F>
void for_each_filler(const ObjectHeader& header, std::uint64_t space, F&& f) {
  space = usable(header, space);
  const std::uint64_t head = head_size(header);
  const std::uint64_t most = header.version == 1 ? kMaxBody1 : kMaxBody;
  while (space >= head) {
    const std::uint64_t body = std::min(space - head, most);
    f(body);
    space -= head + body;
  }
}

std::uint64_t used(const ObjectHeader& header, const FileSizes& sizes, const HeaderPiece& piece) {
  std::uint64_t size = piece.continues ? header_continuation_size(header, sizes) : 0;
  for (std::size_t i = 0; i < piece.count; ++i)
    size += header_message_size(header, header.messages[piece.first + i]);
  return size;
}

void put_head(const ObjectHeader& header, const HeaderMessage& message, std::uint64_t body,
              FieldWriter& fields) {
  std::uint8_t flags = message.flags;
  if ((flags & kMessageMarkIfUnknown) != 0 && !is_known_message(message.type))
    flags |= kMessageWasUnknown;
  FieldPack pack;
  pack.add(message.type, header.version == 1 ? 2 : 1);
  pack.add(body, 2);
  pack.add(flags, 1);
  if (header.version == 1) pack.add(0, 3);
  if (header.version == 2 && header.track_attribute_order) pack.add(message.creation_order, 2);
  fields.pack(pack);
}

void put_message(const ObjectHeader& header, const HeaderMessage& message, FieldWriter& fields) {
  const std::uint64_t body = message_size(header, message.body.size()) - head_size(header);
  put_head(header, message, body, fields);
  fields.bytes(message.body);
  fields.zeros(static_cast<std::size_t>(body) - message.body.size());
}

/// Messages of all pieces, fillers and continuations included: a field of version 1 prefixes.
std::uint64_t count_messages(const ObjectHeader& header, const HeaderLayout& layout,
                             const FileSizes& sizes) {
  std::uint64_t count = 0;
  for (const HeaderPiece& piece : layout.pieces) {
    count += piece.count + (piece.continues ? 1 : 0);
    for_each_filler(header, piece.capacity - used(header, sizes, piece),
                    [&](std::uint64_t) { ++count; });
  }
  return count;
}

void put_prefix1(const ObjectHeader& header, const HeaderLayout& layout, const FileSizes& sizes,
                 FieldWriter& fields) {
  fields.u8(1);
  fields.u8(0);
  fields.u16(count_messages(header, layout, sizes));
  fields.u32(header.reference_count);
  fields.u32(layout.pieces[0].capacity);
  fields.zeros(4);
}

void put_prefix2(const ObjectHeader& header, std::uint64_t capacity, FieldWriter& fields) {
  const unsigned width = chunk0_width(header, capacity);
  unsigned flags = static_cast<unsigned>(std::countr_zero(width));
  if (header.track_attribute_order) flags |= 0x04;
  if (header.index_attribute_order) flags |= 0x08;
  if (header.attribute_phase_change) flags |= 0x10;
  if (header.times) flags |= 0x20;
  fields.text("OHDR");
  fields.u8(2);
  fields.u8(flags);
  if (header.times) {
    fields.u32(header.times->access);
    fields.u32(header.times->modification);
    fields.u32(header.times->change);
    fields.u32(header.times->birth);
  }
  if (header.attribute_phase_change) {
    fields.u16(header.attribute_phase_change->max_compact);
    fields.u16(header.attribute_phase_change->min_dense);
  }
  fields.uint(capacity, width);
}

}  // namespace

std::uint64_t header_message_size(const ObjectHeader& header, const HeaderMessage& message) {
  return message_size(header, message.body.size());
}

std::uint64_t header_messages_size(const ObjectHeader& header) {
  std::uint64_t size = 0;
  for (const HeaderMessage& message : header.messages) size += header_message_size(header, message);
  return size;
}

std::uint64_t header_continuation_size(const ObjectHeader& header, const FileSizes& sizes) {
  return message_size(header, sizes.offset_size + sizes.length_size);
}

Result<HeaderLayout> layout_header(const ObjectHeader& header, const FileSizes& sizes,
                                   std::span<const std::uint64_t> capacities) {
  const std::uint64_t most = header.version == 1 ? kMaxBody1 : kMaxBody;
  std::uint64_t left = 0;
  for (const HeaderMessage& message : header.messages) {
    if (message.body.size() > most)
      return PCIO_ERROR(OHDR, BADSIZE, message_name(message.type) + " is longer than 64 KiB");
    left += header_message_size(header, message);
  }
  const std::uint64_t continuation = header_continuation_size(header, sizes);
  std::size_t next = 0;
  HeaderLayout layout;
  for (std::size_t i = 0; next < header.messages.size() || i == 0; ++i) {
    HeaderPiece piece;
    piece.capacity = i < capacities.size() ? capacities[i] : left;
    std::uint64_t room = usable(header, piece.capacity);
    piece.continues = left > room;
    if (piece.continues && room < continuation)
      return PCIO_ERROR(OHDR, BADSIZE, "object header has no room for a continuation message");
    if (piece.continues) room -= continuation;
    piece.first = next;
    for (; next < header.messages.size(); ++next) {
      const std::uint64_t size = header_message_size(header, header.messages[next]);
      if (size > room) break;
      room -= size;
      left -= size;
    }
    piece.count = next - piece.first;
    layout.pieces.push_back(piece);
  }
  return layout;
}

std::uint64_t header_piece_size(const ObjectHeader& header, const HeaderLayout& layout,
                                std::size_t index) {
  const std::uint64_t capacity = layout.pieces[index].capacity;
  return front_size(header, index, capacity) + capacity + (header.version == 2 ? 4 : 0);
}

std::uint64_t header_piece_capacity(const ObjectHeader& header, std::size_t index,
                                    std::uint64_t size) {
  // The front of chunk 0 depends on the capacity, by at most 7 bytes: try the widths.
  for (unsigned width = 1; width <= 8; width *= 2) {
    const std::uint64_t largest =
        width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
    const std::uint64_t around = front_size(header, index, std::uint64_t{1} << (8 * width - 8)) +
                                 (header.version == 2 ? 4 : 0);
    if (size < around) return 0;
    if (size - around <= largest || header.version == 1 || index > 0) return size - around;
  }
  return 0;
}

Status put_header_piece(const HeaderPieceOf& which, const FileSizes& sizes, ByteWriter& out) {
  const ObjectHeader& header = which.header;
  const HeaderPiece& piece = which.layout.pieces[which.index];
  const std::size_t begin = out.size();
  FieldWriter fields(out, sizes);
  if (header.version == 1 && which.index == 0) put_prefix1(header, which.layout, sizes, fields);
  if (header.version == 2 && which.index == 0) put_prefix2(header, piece.capacity, fields);
  if (header.version == 2 && which.index > 0) fields.text("OCHK");
  const std::size_t start = out.size();
  for (std::size_t i = 0; i < piece.count; ++i)
    put_message(header, header.messages[piece.first + i], fields);
  if (piece.continues) {
    const std::uint64_t fields_size = sizes.offset_size + sizes.length_size;
    const std::uint64_t body = message_size(header, fields_size) - head_size(header);
    HeaderMessage message;
    message.type = kMessageContinuation;
    put_head(header, message, body, fields);
    FieldWriter place(out, sizes);
    place.address(which.addresses[which.index + 1]);
    place.length(header_piece_size(header, which.layout, which.index + 1));
    PCIO_TRY(place.check("continuation message"));
    fields.zeros(static_cast<std::size_t>(body - fields_size));
  }
  for_each_filler(header, start + piece.capacity - out.size(), [&](std::uint64_t body) {
    put_head(header, HeaderMessage(), body, fields);
    fields.zeros(static_cast<std::size_t>(body));
  });
  fields.zeros(start + static_cast<std::size_t>(piece.capacity) - out.size());
  if (header.version == 2) append_checksum(out, begin);
  return fields.check("object header");
}

Result<std::vector<std::byte>> encode_header_piece(const ObjectHeader& header,
                                                   const HeaderLayout& layout, std::size_t index,
                                                   std::span<const FileAddress> addresses,
                                                   const FileSizes& sizes) {
  ByteWriter out;
  out.reserve(static_cast<std::size_t>(header_piece_size(header, layout, index)));
  PCIO_TRY(put_header_piece({header, layout, index, addresses}, sizes, out));
  return std::move(out).take();
}

}  // namespace pcio
