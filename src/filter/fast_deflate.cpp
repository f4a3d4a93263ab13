// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: deflate_fast.

#include "filter/fast_deflate.hpp"

#include "config.h"

#ifdef HAVE_ISAL
#include <isa-l/igzip_lib.h>

#include <algorithm>

#include "base/kept_by_thread.hpp"
#endif

namespace pcio {

#ifdef HAVE_ISAL

namespace {

constexpr std::uint32_t kLevel = 1;
/// ISA-L counts in 32 bits; what is larger is left to others.
constexpr std::size_t kMostBytes = std::size_t{1} << 31;

/// What ISA-L works in, cleared once: it looks at what it left there, and what it makes of a chunk shall not
/// follow from what lay in memory.
struct Workshop {
  isal_zstream stream = {};
  std::uint8_t level_buffer[ISAL_DEF_LVL1_DEFAULT] = {};
};

}  // namespace

bool has_fast_deflate() { return true; }

std::size_t deflate_fast(ConstBytes in, Bytes out) {
  if (in.size() > kMostBytes) return 0;
  Workshop* shop = kept_by_thread<Workshop>();
  if (shop == nullptr) return 0;
  isal_zstream& stream = shop->stream;
  isal_deflate_stateless_init(&stream);
  stream.level = kLevel;
  stream.level_buf = shop->level_buffer;
  stream.level_buf_size = sizeof shop->level_buffer;
  stream.gzip_flag = IGZIP_ZLIB;
  stream.end_of_stream = 1;
  stream.flush = NO_FLUSH;
  // The library reads only, but says otherwise.
  stream.next_in = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(in.data()));
  stream.avail_in = static_cast<std::uint32_t>(in.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  stream.avail_out = static_cast<std::uint32_t>(std::min<std::size_t>(out.size(), UINT32_MAX));
  return isal_deflate_stateless(&stream) == COMP_OK ? stream.total_out : 0;
}

#else

bool has_fast_deflate() { return false; }

std::size_t deflate_fast(ConstBytes /*in*/, Bytes /*out*/) { return 0; }

#endif

}  // namespace pcio
