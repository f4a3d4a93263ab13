// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: one rank reads a chunk index for all.

#pragma once

#include "storage/file_store.hpp"

namespace pcio {

/// Rank 0 reads the index of an unfiltered chunked dataset; the others get it as runs.
///
/// Collective: over the file; two exchanges and a broadcast of some bytes for each run. All ranks
///   succeed or all fail, with an index in place or not.
/// Errors: those of reading the index, on rank 0; RESOURCE NOSPACE.
Status share_chunk_index(FileStore& store, const StoredObjectPtr& object, const CallName& name);

}  // namespace pcio
