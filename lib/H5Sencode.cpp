// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5S: dataspaces as bytes. Source of the layout: observed on libhdf5 1.10.8.

#include "format/dataspace_message.hpp"
#include "format/selection_encoding.hpp"
#include "lib/api_entry.hpp"
#include "lib/encoded_value.hpp"
#include "lib/value_handles.hpp"
#include "space/unlimited.hpp"

using namespace pcio;

namespace {

constexpr std::uint8_t kSpaceMarker = 1;  // as the type of a dataspace message
constexpr std::uint8_t kSpaceVersion = 0;
constexpr unsigned kLengthSize = 8;
constexpr std::size_t kHead = 7;  // marker, version, width of lengths, bytes of the extent

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

/// The caller doesn't say where the bytes end: no more of them is read than they say themselves.
Result<Dataspace> decode_space(const std::byte* bytes) {
  ByteReader head(ConstBytes(bytes, kHead));
  if (head.u8() != kSpaceMarker)
    return PCIO_ERROR(ARGS, BADVALUE, "argument buf: not an encoded dataspace");
  if (head.u8() != kSpaceVersion)
    return PCIO_ERROR(DATASPACE, VERSION, "argument buf: unknown version of the encoding");
  const FileSizes sizes{8, head.u8()};
  if (sizes.length_size > 8 || !check_file_sizes(sizes).ok())
    return PCIO_ERROR(ARGS, BADVALUE, "argument buf: lengths of no width that there is");
  const std::uint32_t extent_size = head.u32();
  ByteReader extent(ConstBytes(bytes + kHead, extent_size));
  PCIO_ASSIGN(Dataspace space, decode_dataspace_message(extent, sizes));
  const std::byte* selection = bytes + kHead + extent_size;
  PCIO_ASSIGN(const std::size_t selection_size, encoded_selection_size(selection));
  ByteReader reader(ConstBytes(selection, selection_size));
  PCIO_TRY(decode_selection(reader, &space));
  return space;
}

}  // namespace

herr_t H5Sencode(hid_t obj_id, void* buf, size_t* nalloc) {
  return api_status("H5Sencode", [&]() -> Status {
    PCIO_ASSIGN(auto object, get<SpaceObject>(obj_id, "obj_id"));
    ByteWriter bytes;
    PCIO_TRY(encode_space(object->space, bytes));
    return store_encoded(bytes.view(), buf, nalloc);
  });
}

hid_t H5Sdecode(const void* buf) {
  return api_id("H5Sdecode", [&]() -> Result<hid_t> {
    PCIO_TRY(need_pointer(buf, "buf"));
    PCIO_ASSIGN(Dataspace space, decode_space(static_cast<const std::byte*>(buf)));
    return make_id<SpaceObject>(std::move(space));
  });
}
