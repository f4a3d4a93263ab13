// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: the filters that the library itself has.

#pragma once

#include <span>

#include "filter/filter_class.hpp"

namespace pcio {

[[nodiscard]] std::span<const FilterClass> standard_filters();

// Each fails with PLINE CANTFILTER and a sentence; `call.out` holds anything then.

/// zlib streams. Parameter: level 0 to 9. Source: RFC 1950, RFC 1951.
Status encode_deflate(const FilterCall& call);
Status decode_deflate(const FilterCall& call);
/// Byte k of all elements lies together; bytes behind the last whole element stay put.
/// Parameter: bytes of an element.
Status encode_shuffle(const FilterCall& call);
Status decode_shuffle(const FilterCall& call);
/// Four bytes of checksum behind the data.
Status encode_fletcher32(const FilterCall& call);
Status decode_fletcher32(const FilterCall& call);
/// Entropy coding of pixels. Parameters: options, pixels per block, bits per pixel, pixels per
/// scanline.
Status encode_szip(const FilterCall& call);
Status decode_szip(const FilterCall& call);
/// Significant bits only. Parameters: the type (filter/nbit.cpp).
Status encode_nbit(const FilterCall& call);
Status decode_nbit(const FilterCall& call);
/// Distances from the least number. Parameters: scaling, type and fill (filter/scale_offset.cpp).
Status encode_scale_offset(const FilterCall& call);
Status decode_scale_offset(const FilterCall& call);

/// Most bytes that `stored` deflated bytes can inflate to.
[[nodiscard]] std::uint64_t most_inflated(std::uint64_t stored);

}  // namespace pcio
