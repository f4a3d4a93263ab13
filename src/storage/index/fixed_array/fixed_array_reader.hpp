// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/fixed_array: the fixed array that says where the chunks of a dataset with a limit lie, read page
// by page. storage/fixed_array_updater writes it.
// Source: HDF5 File Format Specification VII.C, "The Fixed Array Index".

#pragma once

#include "storage/index/model/index_reader.hpp"

namespace pcio {

/// The array whose header is at `address`. Collective: independent. Errors: a damaged header, fewer
/// elements than the dataset can have chunks.
Result<std::unique_ptr<IndexReader>> open_fixed_array(FileBytes& file, const ChunkIndexShape& shape,
                                                      const ChunkNumbering& numbering,
                                                      FileAddress address,
                                                      std::uint64_t chunk_bytes);

}  // namespace pcio
