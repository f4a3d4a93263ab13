// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: datasets of the latest format made such that readers of format 1.8 know them.

#pragma once

#include "storage/file/file_store.hpp"

namespace pcio {

/// The next commit writes the layout in version 3, and chunks into a version 1 B-tree. Virtual datasets stay
/// as they are. Chunks that are cut by the edge of the extent and have no filters get a mask that says so.
/// Collective: by contract; in parallel files the index is loaded, and no chunk of it waits in memory. On failure
/// nothing has changed.
/// Errors: an index that can't be read, or whose chunks the other kind can't list.
/// Source: HDF5 Reference Manual, H5Dformat_convert; file format, IV.A.2.i.
Status convert_layout(FileStore& store, const StoredObjectPtr& object);

}  // namespace pcio
