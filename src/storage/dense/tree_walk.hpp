// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: version 2 B-trees that are read whole.
// Source: HDF5 File Format Specification III.A.2.

#pragma once

#include <functional>

#include "format/btree2.hpp"
#include "storage/bytes/file_bytes.hpp"

namespace pcio {

/// The header of the tree at `address`. Collective: independent. Errors: damaged; impossible sizes.
Result<Btree2Header> read_btree2_header(FileBytes& file, const FileSizes& sizes,
                                        FileAddress address);
/// Calls `visit` with the bytes of each record of the tree at `address`, in order.
/// Collective: independent. Errors: another type of tree, damaged nodes, cycles.
Status walk_btree2(FileBytes& file, const FileSizes& sizes, FileAddress address, unsigned type,
                   const std::function<Status(ConstBytes)>& visit);

/// Bytes of the tree at `address`. Collective: independent. Errors: damaged nodes, cycles.
Result<std::uint64_t> btree2_bytes(FileBytes& file, const FileSizes& sizes, FileAddress address);

}  // namespace pcio
