// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: deflate, by libdeflate, and at level 1 by ISA-L (fast_deflate).
//
// Compressors are large (up to 9 MiB at high levels) and cost more to make than a small chunk to
// compress, so each thread keeps one per level that it used.

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/kept_by_thread.hpp"
#include "filter/fast_deflate.hpp"
#include "filter/standard_filters.hpp"

namespace pcio {

namespace {

/// Deflate can't make more than this many bytes of one. Source: RFC 1951: a match of 258 bytes
/// takes two bits at least.
constexpr std::uint64_t kMostInflation = 1032;
/// An inflated size up to this many bytes is not worth a second try.
constexpr std::uint64_t kPlainBytes = std::uint64_t{16} << 20;
constexpr unsigned kMostLevel = 9;
constexpr unsigned kFastLevel = 1;
/// Encoders give up where only a few bytes would be left: what they need beyond a limit.
constexpr std::uint64_t kSlack = 64;

struct FreeCompressor {
  void operator()(libdeflate_compressor* codec) const { libdeflate_free_compressor(codec); }
};
struct FreeDecompressor {
  void operator()(libdeflate_decompressor* codec) const { libdeflate_free_decompressor(codec); }
};

struct Codecs {
  std::array<std::unique_ptr<libdeflate_compressor, FreeCompressor>, kMostLevel + 1> compressors;
  std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor;
};

/// Null where there is no memory, as the next one.
libdeflate_compressor* compressor(unsigned level) {
  Codecs* codecs = kept_by_thread<Codecs>();
  if (codecs == nullptr) return nullptr;
  auto& kept = codecs->compressors[level];
  if (!kept) kept.reset(libdeflate_alloc_compressor(static_cast<int>(level)));
  return kept.get();
}

libdeflate_decompressor* decompressor() {
  Codecs* codecs = kept_by_thread<Codecs>();
  if (codecs == nullptr) return nullptr;
  if (!codecs->decompressor) codecs->decompressor.reset(libdeflate_alloc_decompressor());
  return codecs->decompressor.get();
}

Status wins_nothing() { return PCIO_ERROR(PLINE, CANTFILTER, "deflate makes the chunk larger"); }

/// `bound` is enough for any stream; less than that suffices for those that are wanted.
Status make_room(const FilterCall& call, std::uint64_t bound) {
  std::uint64_t room = call.limit < bound ? std::min(bound, call.limit + kSlack) : bound;
  return call.out.discard_and_resize(static_cast<std::size_t>(room));
}

/// False: the other encoder shall do it.
Result<bool> encode_fast(const FilterCall& call) {
  PCIO_TRY(make_room(call, most_fast_deflated(call.in.size())));
  const std::size_t made = deflate_fast(call.in, Bytes(call.out.data(), call.out.size()));
  if (made == 0) return false;
  if (made > call.limit) return detail::StatusReturn(wins_nothing());
  call.out.set_size(made);
  return true;
}

}  // namespace

std::uint64_t most_inflated(std::uint64_t stored) {
  return stored > UINT64_MAX / kMostInflation - 1 ? UINT64_MAX : (stored + 1) * kMostInflation;
}

Status encode_deflate(const FilterCall& call) {
  if (call.spec.values.size() != 1 || call.spec.values[0] > kMostLevel)
    return PCIO_ERROR(PLINE, BADVALUE, "deflate needs one parameter, a level in 0..9");
  const unsigned level = call.spec.values[0];
  if (level == kFastLevel) {
    PCIO_ASSIGN(const bool done, encode_fast(call));
    if (done) return Status();
  }
  libdeflate_compressor* codec = compressor(level);
  if (codec == nullptr) return PCIO_ERROR(RESOURCE, CANTALLOC, "no memory for the deflate encoder");
  PCIO_TRY(make_room(call, libdeflate_zlib_compress_bound(codec, call.in.size())));
  std::size_t made = libdeflate_zlib_compress(codec, call.in.data(), call.in.size(),
                                              call.out.data(), call.out.size());
  if (made == 0 || made > call.limit) return wins_nothing();
  call.out.set_size(made);
  return Status();
}

Status decode_deflate(const FilterCall& call) {
  libdeflate_decompressor* codec = decompressor();
  if (codec == nullptr) return PCIO_ERROR(RESOURCE, CANTALLOC, "no memory for the deflate decoder");
  std::uint64_t stored = call.in.size();
  std::uint64_t limit = std::min(call.limit, most_inflated(stored));
  // What the file says of the chunk's size is believed at once only where it costs little.
  std::uint64_t room =
      std::min({limit, call.likely,
                std::max<std::uint64_t>({kPlainBytes, 4 * stored, call.out.capacity()})});
  for (;;) {
    PCIO_TRY(call.out.discard_and_resize(static_cast<std::size_t>(room)));
    std::size_t made = 0;
    auto result = libdeflate_zlib_decompress(codec, call.in.data(), call.in.size(), call.out.data(),
                                             call.out.size(), &made);
    if (result == LIBDEFLATE_SUCCESS) {
      call.out.set_size(made);
      return Status();
    }
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE)
      return PCIO_ERROR(PLINE, CANTFILTER, "deflated chunk is damaged");
    if (room >= limit)
      return PCIO_ERROR(PLINE, CANTFILTER, "deflated chunk is larger than its dataset's chunks");
    room = std::min(limit, 2 * std::max<std::uint64_t>(room, kSlack));
  }
}

}  // namespace pcio
