// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: dataspaces as bytes, out of line.

#include "lib/space_encoding.hpp"

#include "format/dataspace_message.hpp"
#include "format/selection_encoding.hpp"
#include "space/unlimited.hpp"

namespace pcio {

namespace {

constexpr std::uint8_t kSpaceMarker = 1;  // as the type of a dataspace message
constexpr std::uint8_t kSpaceVersion = 0;
constexpr unsigned kLengthSize = 8;
constexpr std::size_t kHead = 7;  // marker, version, width of lengths, bytes of the extent

struct Head {
  FileSizes sizes;
  std::uint32_t extent_size = 0;
};

Result<Head> decode_head(ByteReader& reader) {
  const bool marked = reader.u8() == kSpaceMarker;
  const unsigned version = reader.u8();
  const Head head{{8, reader.u8()}, reader.u32()};
  PCIO_TRY(reader.check("encoded dataspace"));
  if (!marked) return PCIO_ERROR(ARGS, BADVALUE, "argument buf: not an encoded dataspace");
  if (version != kSpaceVersion)
    return PCIO_ERROR(DATASPACE, VERSION, "argument buf: unknown version of the encoding");
  if (head.sizes.length_size > 8 || !check_file_sizes(head.sizes).ok())
    return PCIO_ERROR(ARGS, BADVALUE, "argument buf: lengths of no width that there is");
  return head;
}

}  // namespace

Status encode_space(const Dataspace& space, ByteWriter& out) {
  const FileSizes sizes{8, kLengthSize};
  ByteWriter extent;
  // An extent that was never set is written as a scalar's.
  PCIO_TRY(encode_dataspace_message(lacks_extent(space) ? Dataspace::scalar() : space,
                                    FormatVersion::kEarliest, sizes, extent));
  out.u8(kSpaceMarker);
  out.u8(kSpaceVersion);
  out.u8(kLengthSize);
  out.u32(extent.size());
  out.bytes(extent.view());
  return encode_selection(space, out);
}

Result<std::size_t> encoded_space_size(const std::byte* bytes) {
  ByteReader reader(ConstBytes(bytes, kHead));
  PCIO_ASSIGN(const Head head, decode_head(reader));
  const std::size_t before = kHead + head.extent_size;
  PCIO_ASSIGN(const std::size_t selection, encoded_selection_size(bytes + before));
  return before + selection;
}

Result<Dataspace> decode_space(ByteReader& reader) {
  PCIO_ASSIGN(const Head head, decode_head(reader));
  ByteReader extent(reader.bytes(head.extent_size));
  PCIO_TRY(reader.check("encoded dataspace"));
  PCIO_ASSIGN(Dataspace space, decode_dataspace_message(extent, head.sizes));
  PCIO_TRY(decode_selection(reader, &space));
  return space;
}

}  // namespace pcio
