// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: a selection as bytes: in region references, mappings of virtual datasets, and H5Sencode.
// Source: HDF5 File Format Specification, "Dataspace Selection" (global heap block for region references);
// which version is written: observed on libhdf5 1.10.8.

#pragma once

#include "base/bytes.hpp"
#include "space/dataspace.hpp"

namespace pcio {

/// Appends the selection of `space`, without its offset: points and blocks as lists of 32-bit numbers
/// (version 1), or, where numbers are larger or a hyperslab never ends, the four numbers of each
/// dimension (version 2).
///
/// Collective: pure. Errors: DATASPACE CANTENCODE for points, and hyperslabs that are not regular, with
/// coordinates beyond 32 bits, or of more blocks or points than 32 bits count.
Status encode_selection(const Dataspace& space, ByteWriter& out);

/// Reads a selection of any version into `space`, whose extent stays; it may lie outside.
///
/// Collective: pure. The reader is left behind it. On failure `space` is unchanged. Errors: DATASPACE
/// VERSION, TRUNCATED, BADVALUE for another number of dimensions than the extent has, and for blocks
/// that end before they begin or patterns that no hyperslab has.
Status decode_selection(ByteReader& reader, Dataspace* space);

/// Bytes of the selection that begins at `bytes`, as it says itself, for callers that were not told
/// where their buffer ends. Collective: pure. Errors: DATASPACE VERSION for unknown kinds and versions.
Result<std::size_t> encoded_selection_size(const std::byte* bytes);

}  // namespace pcio
