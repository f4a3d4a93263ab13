// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: one rank reads a chunk index for all.

#pragma once

#include "storage/file/file_store.hpp"

namespace pcio {

/// One rank reads the whole index of a chunked dataset, the others get it. Where the file can't
/// change and chunks have no filters they get it as runs; else as the blocks that were read, so that
/// all hold alike what later changes of the index need.
///
/// Collective: over the file; three exchanges and a broadcast, with blocks as many for each 2^18
///   chunks of the grid. All ranks succeed or all fail, with an index in place or not.
/// Errors: those of reading the index; RESOURCE NOSPACE.
Status share_chunk_index(FileStore& store, const StoredObjectPtr& object, const CallName& name);

/// True where the dataset's index is a structure in the file, so that there is something to share.
/// Collective: pure; equal on all ranks.
[[nodiscard]] bool has_stored_index(const DatasetState& state);

}  // namespace pcio
