// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: szip, by libaec's form of the szlib interface.
//
// Stored: the size of the image in 4 bytes, little-endian, then the coded pixels. Source: chunks of
// libhdf5 1.10.8; H5Pset_szip in the HDF5 Reference Manual.

// libaec.h includes this, and must not do so inside the linkage block.
#include <stddef.h>

#include <algorithm>

extern "C" {  // szlib.h says nothing of linkage
#include <szlib.h>
}

#include "base/bytes.hpp"
#include "filter/standard_filters.hpp"

namespace pcio {

namespace {

constexpr std::size_t kSizeBytes = 4;
/// Values of the stage: option mask, pixels per block, bits per pixel, pixels per scanline.
constexpr std::size_t kSzipValues = 4;
/// A coded byte can't stand for more bytes of pixels than this. Source: CCSDS 121.0-B-2: the shortest code is that of a
/// segment of 64 blocks of zeros, more than 4 bits; a block has 32 pixels of 8 bytes at most.
constexpr std::uint64_t kMostSzipInflation = std::uint64_t{2} * 64 * 32 * 8;

/// Parameters come from the file: the coder divides by some of them.
Result<SZ_com_t> coder_parameters(const FilterSpec& spec) {
  if (spec.values.size() != kSzipValues)
    return PCIO_ERROR(PLINE, BADVALUE,
                      "szip needs 4 parameters, there are " + std::to_string(spec.values.size()));
  const auto& v = spec.values;
  const bool block = v[1] >= 2 && v[1] <= SZ_MAX_PIXELS_PER_BLOCK && v[1] % 2 == 0;
  const bool bits = (v[2] >= 1 && v[2] <= 32) || v[2] == 64;
  const bool line = v[3] >= 1 && v[3] <= v[1] * SZ_MAX_BLOCKS_PER_SCANLINE;
  if (!block || !bits || !line)
    return PCIO_ERROR(PLINE, BADVALUE,
                      "szip can't code " + std::to_string(v[2]) + " bits a pixel, " +
                          std::to_string(v[1]) + " pixels a block, " + std::to_string(v[3]) +
                          " a scanline");
  return SZ_com_t{static_cast<int>(v[0]), static_cast<int>(v[2]), static_cast<int>(v[1]),
                  static_cast<int>(v[3])};
}

/// Bytes of a pixel in memory.
std::size_t pixel_bytes(const SZ_com_t& coder) {
  if (coder.bits_per_pixel <= 8) return 1;
  if (coder.bits_per_pixel <= 16) return 2;
  return coder.bits_per_pixel <= 32 ? 4 : 8;
}

/// libsz 1.0.6 writes behind its own buffers where an image ends inside a pixel, as it does with
/// types of odd sizes and behind other filters, and pixels of 4 and 8 bytes lose that end.
Status check_whole_pixels(const SZ_com_t& coder, std::size_t image) {
  if (image % pixel_bytes(coder) == 0) return Status();
  return PCIO_ERROR(PLINE, BADSIZE,
                    "szip can't code " + std::to_string(image) + " bytes as pixels of " +
                        std::to_string(pixel_bytes(coder)));
}

/// The coder takes `bits_per_pixel` low bits of each pixel and goes wrong where others are set, as in negative numbers of
/// less precision than their bytes have.
Status check_unused_bits(const SZ_com_t& coder, ConstBytes image) {
  const std::size_t size = pixel_bytes(coder);
  const auto bits = static_cast<std::size_t>(coder.bits_per_pixel);
  if (bits == 8 * size) return Status();
  const std::uint32_t unused = ~std::uint32_t{0} << bits;  // 8-byte pixels have all
  const bool msb = (coder.options_mask & SZ_MSB_OPTION_MASK) != 0;
  std::uint32_t set = 0;
  for (std::size_t at = 0; at < image.size(); at += size)
    for (std::size_t i = 0; i < size; ++i)
      set |= std::to_integer<std::uint32_t>(image[at + i]) << 8 * (msb ? size - 1 - i : i);
  if ((set & unused) == 0) return Status();
  return PCIO_ERROR(
      PLINE, CANTFILTER,
      "szip would lose bits: pixels have more than the " + std::to_string(bits) + " of their type");
}

/// The bytes to ask the decoder for where libhdf5 coded an image of `image` bytes. Of one that ends
/// inside a pixel, coded pixels of 2 bytes have all; those of 4 and 8 bytes lie byte by byte, as many
/// as there are whole ones, and the end isn't in the file.
std::size_t decodable(const SZ_com_t& coder, std::size_t image) {
  const std::size_t pixel = pixel_bytes(coder), over = image % pixel;
  if (over == 0) return image;
  return pixel == 2 ? image + 1 : image - over;
}

}  // namespace

Status encode_szip(const FilterCall& call) {
  PCIO_ASSIGN(SZ_com_t coder, coder_parameters(call.spec));
  if (call.in.empty() || call.in.size() > UINT32_MAX)
    return PCIO_ERROR(PLINE, BADVALUE, "szip codes 1 byte to 4 GiB");
  PCIO_TRY(check_whole_pixels(coder, call.in.size()));
  PCIO_TRY(check_unused_bits(coder, call.in));
  // libhdf5 takes no result that is larger than the image. The coder gets more room than that: where
  // it runs out of room it may say success and have lost the end.
  const std::size_t most =
      static_cast<std::size_t>(std::min<std::uint64_t>(call.in.size() + kSizeBytes, call.limit));
  const std::size_t room = call.in.size() + call.in.size() / 4 + 4096;
  PCIO_TRY(call.out.discard_and_resize(room + kSizeBytes));
  std::size_t made = room;
  int rc = SZ_BufftoBuffCompress(call.out.data() + kSizeBytes, &made, call.in.data(),
                                 call.in.size(), &coder);
  if (rc == SZ_OUTBUFF_FULL || (rc == SZ_OK && made + kSizeBytes > most))
    return PCIO_ERROR(PLINE, CANTFILTER, "szip makes the chunk larger");
  if (rc != SZ_OK)
    return PCIO_ERROR(PLINE, CANTFILTER, "szip encoder: error " + std::to_string(rc));
  for (std::size_t i = 0; i < kSizeBytes; ++i)
    call.out.data()[i] = static_cast<std::byte>(call.in.size() >> (8 * i));
  call.out.set_size(made + kSizeBytes);
  return Status();
}

Status decode_szip(const FilterCall& call) {
  PCIO_ASSIGN(SZ_com_t coder, coder_parameters(call.spec));
  if (call.in.size() <= kSizeBytes)
    return PCIO_ERROR(PLINE, TRUNCATED, "szip chunk is shorter than its header");
  ByteReader header(call.in.first(kSizeBytes));
  std::size_t wanted = header.u32();
  const std::uint64_t most =
      std::min(call.limit, (call.in.size() - kSizeBytes) * kMostSzipInflation);
  if (wanted == 0 || wanted > most)
    return PCIO_ERROR(PLINE, CANTFILTER,
                      "szip chunk claims " + std::to_string(wanted) +
                          " bytes, more than its dataset's chunks have, or than it can stand for");
  const std::size_t pixels = decodable(coder, wanted);
  PCIO_TRY(call.out.discard_and_resize(std::max(pixels, wanted)));
  std::size_t made = pixels;
  ConstBytes coded = call.in.subspan(kSizeBytes);
  if (pixels > 0) {
    int rc = SZ_BufftoBuffDecompress(call.out.data(), &made, coded.data(), coded.size(), &coder);
    if (rc != SZ_OK || made != pixels)
      return PCIO_ERROR(PLINE, CANTFILTER, "szip chunk is damaged");
  }
  if (pixels < wanted) std::fill_n(call.out.data() + pixels, wanted - pixels, std::byte{0});
  call.out.set_size(wanted);
  return Status();
}

}  // namespace pcio
