// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: heap objects that several ranks have let go, before a commit.

#pragma once

#include "agree/coordinator.hpp"
#include "storage/heaps/heap_store.hpp"

namespace pcio {

/// Rank 0 hears of all that the ranks have let go, takes it out of the collections, and tells all which of
/// these change and which are empty: so all plan the same, and rank 0 writes. Where a rank lacks memory
/// for this, what it would have freed stays as it is; the commit goes on.
/// Collective: over the file, of several ranks; six exchanges. Errors: those of MPI.
Status agree_on_freeing(HeapStore& heaps, Coordinator& coordinator);

}  // namespace pcio
