// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: chunks with filters that ranks of a parallel file wrote, or changed, by themselves:
// they wait in memory until all ranks meet.

#pragma once

#include "storage/commit/commit.hpp"

namespace pcio {

/// This rank has some. Collective: independent.
[[nodiscard]] bool has_pending_chunks(FileStore& store);

/// Encodes the pending chunks of all ranks, gives them places and writes them. Where several ranks
/// wrote one chunk, the highest of them wins, whole. Chunks that can't be encoded wait on, and the file has the old
/// ones: their datasets, the same on all ranks, go into `left`, each with what this rank knows of the failure.
///
/// Collective: over the file, where the ranks have agreed that one of them has some. All ranks
///   succeed, or all fail.
/// On failure the chunks of that dataset and of those behind it wait on. Errors: short writes, memory.
Status write_pending_chunks(FileStore& store, const CallName& name, LeftOut* left);

/// The same in a call that works on `dataset`, with all of whose chunks it fails if they can't be encoded. Collective: as
/// that; one exchange more where it fails for that.
Status write_pending_before(FileStore& store, const StoredObject& dataset, const CallName& name);

/// The same for a commit, which asks about them in its own agreement. Both arguments outlive it. Collective:
/// independent.
[[nodiscard]] PendingWork pending_work(FileStore& store, const CallName& name);

/// Asks whether any rank has some, and writes them in a call that works on `dataset`.
/// Collective: over the file, where it is parallel and writable; one exchange where nobody has any.
Status write_any_pending(FileStore& store, const StoredObject& dataset, const CallName& name);

}  // namespace pcio
