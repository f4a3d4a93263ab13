// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: dataspace message, decode and encode.

#include "format/dataspace_message.hpp"

namespace pcio {

namespace {

constexpr unsigned kHasMaximum = 0x01;
constexpr unsigned kHasPermutation = 0x02;

Result<Extent> decode_simple(ByteReader& reader, const FileSizes& sizes, unsigned ndims,
                             unsigned flags) {
  Dims dims(ndims);
  Dims maximum(ndims);
  for (std::uint64_t& n : dims) n = reader.address(sizes.length_size);
  if ((flags & kHasMaximum) != 0) {
    // All ones of any width is "unlimited", the same rule as for undefined addresses.
    for (std::uint64_t& n : maximum) n = reader.address(sizes.length_size);
  }
  PCIO_TRY(reader.check("dataspace message"));
  return Extent::simple(dims, (flags & kHasMaximum) != 0 ? &maximum : nullptr);
}

}  // namespace

Result<Extent> decode_dataspace_message(ByteReader& reader, const FileSizes& sizes) {
  PCIO_ASSIGN(const unsigned version, decode_version(reader, 1, 2, "dataspace message"));
  const unsigned ndims = reader.u8();
  const unsigned flags = reader.u8();
  const unsigned kind = reader.u8();  // reserved in version 1
  if (version == 1) reader.skip(4);
  PCIO_TRY(reader.check("dataspace message"));
  if (ndims > kMaxNdims)
    return PCIO_ERROR(DATASPACE, BADVALUE, "dataspace has more than 32 dimensions");
  if (version == 1 && (flags & kHasPermutation) != 0)
    return PCIO_ERROR(DATASPACE, UNSUPPORTED, "dataspace with permuted dimensions");
  if (version == 2 && kind == 2) return Extent::null();
  if (version == 2 && kind > 2)
    return PCIO_ERROR(DATASPACE, BADVALUE, "unknown class of a dataspace");
  if (version == 2 && (kind == 0) != (ndims == 0))
    return PCIO_ERROR(DATASPACE, BADVALUE, "class and number of dimensions of a dataspace differ");
  if (ndims == 0) return Extent::scalar();
  return decode_simple(reader, sizes, ndims, flags);
}

Status encode_dataspace_message(const Extent& space, FormatVersion version, const FileSizes& sizes,
                                ByteWriter& out) {
  if (space.cls() == SpaceClass::kNoClass)
    return PCIO_ERROR(DATASPACE, UNINITIALIZED, "dataspace has no extent yet");
  const bool null = space.cls() == SpaceClass::kNull;
  const unsigned number = null ? 2 : dataspace_message_version(version);
  FieldWriter fields(out, sizes);
  fields.u8(number);
  fields.u8(space.ndims());
  fields.u8(space.ndims() > 0 ? kHasMaximum : 0);
  if (number == 1)
    fields.zeros(5);
  else
    fields.u8(null ? 2 : space.ndims() > 0 ? 1 : 0);
  for (std::uint64_t n : space.dims()) fields.length(n);
  for (std::uint64_t n : space.max_dims())
    if (space.ndims() > 0) fields.length_or_unlimited(n);
  return fields.check("dataspace message");
}

}  // namespace pcio
