// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: as much of a chunk index as a selection takes.

#pragma once

#include "storage/file/file_store.hpp"

namespace pcio {

/// Loads the addresses of the chunks that the selection of `file` touches, and no more of the index
/// than that takes. The selection lies in the dataset's extent.
/// Collective: independent. Errors: those of reading the index.
Status load_selected_chunks(FileStore& store, const StoredObjectPtr& object, const Dataspace& file);

/// True where every chunk that the selection touches has space in the file. Loads what that takes.
/// Collective: independent.
Result<bool> selected_chunks_exist(FileStore& store, const StoredObjectPtr& object,
                                   const Dataspace& file);

}  // namespace pcio
