// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: what an object that is being deleted, or cut, owns in the global heaps.

#pragma once

#include "storage/file/file_store.hpp"

namespace pcio {

/// Appends the heap objects of the elements of a dataset, of its fill value, and of the attributes of
/// any object. Reads all elements where their type is a variable-length one. Collective:
/// independent. Errors: what can't be read, of which nothing is listed; no memory.
Status find_owned_objects(FileStore& store, const StoredObjectPtr& object, HeapStore::LetGo* owned);
/// Those of the elements that an extent of `dims` would cut off. Collective: independent. Errors: what can't be
/// read, of which nothing is listed; no memory.
Status find_cut_objects(FileStore& store, const StoredObjectPtr& object, const Dims& dims,
                        HeapStore::LetGo* owned);

}  // namespace pcio
