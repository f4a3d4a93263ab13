// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: decoding of filtered chunks.

#include "storage/filter_pipeline.hpp"

#include <algorithm>
#include <libdeflate.h>
#include <memory>

#include "base/bytes.hpp"
#include "base/checksum.hpp"

namespace pcio {

namespace {

using Buffer = std::vector<std::byte>;

/// Deflate can't make more than this many bytes of one. Source: RFC 1951: a match of 258 bytes
/// takes two bits at least.
constexpr std::size_t kMostInflation = 1032;
/// An inflated size up to this many bytes is not worth a second try.
constexpr std::size_t kPlainBytes = std::size_t{16} << 20;

/// deflate. The inflated size is known except where a later stage has added to it, so `limit` is
/// the most that the stages still to be undone could want.
Result<Buffer> inflate(const Buffer& stored, std::size_t limit) {
  std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> codec(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!codec) return PCIO_ERROR(RESOURCE, CANTALLOC, "no memory for the deflate decoder");
  limit = std::min(limit, (stored.size() + 1) * kMostInflation);
  // What the file says of the chunk's size is believed at once only where it costs little.
  Buffer image(std::min(limit, std::max(kPlainBytes, 4 * stored.size())));
  std::size_t made = 0;
  for (;;) {
    auto result = libdeflate_zlib_decompress(codec.get(), stored.data(), stored.size(),
                                             image.data(), image.size(), &made);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE && image.size() < limit) {
      image.resize(std::min(limit, 2 * image.size()));
      continue;
    }
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE)
      return PCIO_ERROR(PLINE, CANTFILTER, "deflated chunk is larger than its dataset's chunks");
    if (result != LIBDEFLATE_SUCCESS)
      return PCIO_ERROR(PLINE, CANTFILTER, "deflated chunk is damaged");
    image.resize(made);
    return image;
  }
}

/// shuffle: byte k of all elements lies together. Bytes behind the last whole element stay put.
Result<Buffer> unshuffle(const Buffer& stored, const FilterSpec& stage) {
  std::size_t size = stage.values.empty() ? 1 : stage.values[0];
  if (size <= 1 || stored.size() < size) return stored;
  std::size_t n = stored.size() / size;
  Buffer image(stored.size());
  for (std::size_t k = 0; k < size; ++k) {
    const std::byte* from = stored.data() + k * n;
    std::byte* to = image.data() + k;
    for (std::size_t i = 0; i < n; ++i, to += size) *to = from[i];
  }
  std::copy(stored.begin() + static_cast<std::ptrdiff_t>(n * size), stored.end(),
            image.begin() + static_cast<std::ptrdiff_t>(n * size));
  return image;
}

Result<Buffer> verify_fletcher32(Buffer stored) {
  if (stored.size() < 4) return PCIO_ERROR(PLINE, CANTFILTER, "chunk is shorter than its checksum");
  ConstBytes all(stored);
  ByteReader tail(all.last(4));
  std::uint32_t wanted = tail.u32();
  std::uint32_t have = fletcher32(all.first(all.size() - 4));
  // Files of some early releases on little-endian machines hold each half with its bytes swapped.
  std::uint32_t swapped = (have & 0x00FF00FFU) << 8 | (have & 0xFF00FF00U) >> 8;
  if (wanted != have && wanted != swapped)
    return PCIO_ERROR(PLINE, CANTFILTER,
                      "checksum (fletcher32) of a chunk does not match its data");
  stored.resize(stored.size() - 4);
  return stored;
}

}  // namespace

std::string filter_label(const FilterSpec& stage) {
  static const char* const names[] = {"",     "deflate", "shuffle",    "fletcher32",
                                      "szip", "nbit",    "scaleoffset"};
  std::string number = std::to_string(stage.id);
  if (stage.id >= 1 && stage.id <= kFilterScaleOffset)
    return std::string(names[stage.id]) + " (" + number + ")";
  return stage.name.empty() ? "filter " + number : "filter " + number + " (" + stage.name + ")";
}

Status check_decodable(const FilterPipeline& pipeline) {
  for (const FilterSpec& stage : pipeline)
    if (stage.id < kFilterDeflate || stage.id > kFilterFletcher32)
      return PCIO_ERROR(PLINE, NOFILTER, filter_label(stage) + " is not available for reading");
  return Status();
}

Result<Buffer> decode_chunk(const FilterPipeline& pipeline, Buffer stored, std::uint32_t mask,
                            std::size_t image_bytes) {
  for (std::size_t i = pipeline.size(); i-- > 0;) {
    if (i < 32 && (mask >> i & 1) != 0) continue;
    const FilterSpec& stage = pipeline[i];
    if (stage.id == kFilterDeflate) {
      // Stages in front may have added to the image: checksums, or deflate that found nothing.
      std::size_t added = i == 0 ? 0 : image_bytes / 8 + 64 * i;
      PCIO_ASSIGN(stored, inflate(stored, image_bytes + added));
    } else if (stage.id == kFilterShuffle) {
      PCIO_ASSIGN(stored, unshuffle(stored, stage));
    } else if (stage.id == kFilterFletcher32) {
      PCIO_ASSIGN(stored, verify_fletcher32(std::move(stored)));
    } else {
      return PCIO_ERROR(PLINE, NOFILTER, filter_label(stage) + " is not available for reading");
    }
  }
  if (stored.size() != image_bytes)
    return PCIO_ERROR(PLINE, CANTFILTER,
                      "chunk decodes to " + std::to_string(stored.size()) + " bytes, expected " +
                          std::to_string(image_bytes));
  return stored;
}

}  // namespace pcio
