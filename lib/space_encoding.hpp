// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: dataspaces as bytes: those of H5Sencode, and of mappings in encoded lists. Source of the layout:
// observed on libhdf5 1.10.8.

#pragma once

#include "base/bytes.hpp"
#include "space/dataspace.hpp"

namespace pcio {

/// Appends extent and selection. Collective: pure. Errors: a selection that can't be encoded.
Status encode_space(const Dataspace& space, ByteWriter& out);
/// The reader is left behind it. Collective: pure. Errors: ARGS BADVALUE, DATASPACE VERSION; damaged bytes.
Result<Dataspace> decode_space(ByteReader& reader);
/// Bytes of the space that begins there, as it says itself, for callers that were not told where their buffer
/// ends. Collective: pure. Errors: as decode_space().
Result<std::size_t> encoded_space_size(const std::byte* bytes);

}  // namespace pcio
