// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: dataspace message (0x0001), versions 1 and 2.
// Source: HDF5 File Format Specification, IV.A.2.b The Dataspace Message.

#pragma once

#include "format/file_sizes.hpp"
#include "format/format_version.hpp"
#include "space/dataspace.hpp"

namespace pcio {

/// The extent of a dataset or attribute; everything is selected.
///
/// Collective: pure. Errors: VERSION, TRUNCATED, UNSUPPORTED for permuted dimensions, BADVALUE for
/// more than 32 dimensions, an unknown class or sizes above their maximum.
Result<Extent> decode_dataspace_message(ByteReader& reader, const FileSizes& sizes);
/// Writes version 1 or 2 by `version`; a null dataspace is always version 2.
Status encode_dataspace_message(const Extent& space, FormatVersion version, const FileSizes& sizes,
                                ByteWriter& out);

}  // namespace pcio
