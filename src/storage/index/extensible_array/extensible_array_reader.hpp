// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/extensible_array: the extensible array that says where the chunks of a dataset with one unlimited
// dimension lie, read block by block. storage/extensible_array_updater writes it.
// Source: HDF5 File Format Specification VII.D, "The Extensible Array Index".

#pragma once

#include "storage/index/model/index_reader.hpp"

namespace pcio {

/// The array whose header is at `address`. Collective: independent. Errors: a damaged header.
Result<std::unique_ptr<IndexReader>> open_extensible_array(FileBytes& file,
                                                           const ChunkIndexShape& shape,
                                                           FileAddress address,
                                                           std::uint64_t chunk_bytes);

}  // namespace pcio
