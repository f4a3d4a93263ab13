// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: the table of the library's own filters, and the smallest of them.

#include "filter/standard_filters.hpp"

#include <array>

#include "base/bytes.hpp"
#include "base/checksum.hpp"

namespace pcio {

std::span<const FilterClass> standard_filters() {
  // Never destroyed: files are closed while the process ends.
  static const auto& filters = *new const auto(std::to_array<FilterClass>({
      {kFilterDeflate, "deflate", true, true, encode_deflate, decode_deflate},
      {kFilterShuffle, "shuffle", true, true, encode_shuffle, decode_shuffle},
      {kFilterFletcher32, "fletcher32", true, true, encode_fletcher32, decode_fletcher32},
      {kFilterSzip, "szip", true, true, encode_szip, decode_szip},
      {kFilterNbit, "nbit", true, true, encode_nbit, decode_nbit},
      {kFilterScaleOffset, "scaleoffset", true, true, encode_scale_offset, decode_scale_offset},
  }));
  return filters;
}

namespace {

constexpr std::size_t kChecksumBytes = 4;

}  // namespace

Status encode_fletcher32(const FilterCall& call) {
  std::size_t n = call.in.size();
  PCIO_TRY(call.out.discard_and_resize(n + kChecksumBytes));
  copy_bytes(call.out.data(), call.in.data(), n);
  std::uint32_t sum = fletcher32(call.in);
  for (std::size_t i = 0; i < kChecksumBytes; ++i)
    call.out.data()[n + i] = static_cast<std::byte>(sum >> (8 * i));
  return Status();
}

Status decode_fletcher32(const FilterCall& call) {
  if (call.in.size() < kChecksumBytes)
    return PCIO_ERROR(PLINE, CANTFILTER, "chunk is shorter than its checksum");
  ConstBytes data = call.in.first(call.in.size() - kChecksumBytes);
  if ((call.flags & kFilterSkipChecksum) == 0) {
    ByteReader tail(call.in.last(kChecksumBytes));
    std::uint32_t wanted = tail.u32();
    std::uint32_t have = fletcher32(data);
    // Files of some early releases on little-endian machines hold each half with its bytes swapped.
    std::uint32_t swapped = (have & 0x00FF00FFU) << 8 | (have & 0xFF00FF00U) >> 8;
    if (wanted != have && wanted != swapped)
      return PCIO_ERROR(PLINE, CANTFILTER,
                        "checksum (fletcher32) of a chunk does not match its data");
  }
  PCIO_TRY(call.out.discard_and_resize(data.size()));
  copy_bytes(call.out.data(), data.data(), data.size());
  return Status();
}

}  // namespace pcio
