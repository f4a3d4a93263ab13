// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: what an object that is being deleted, or cut, owns in the global heaps.

#pragma once

#include <functional>

#include "storage/file/file_store.hpp"

namespace pcio {

/// Appends the heap objects of the elements of a dataset, of its fill value, and of the attributes of
/// any object. Reads all elements where their type is a variable-length one. Collective:
/// independent. Errors: what can't be read, of which nothing is listed; no memory.
/// `counted`: HeapReader::count_owned() of all objects that are looked for together.
Status find_owned_objects(FileStore& store, const StoredObjectPtr& object, HeapStore::LetGo* owned,
                          std::uint64_t* counted);
/// Tells the addresses of the global heap collections in which the object has anything, some of them several
/// times: its elements, its fill value, its attributes, references to regions among them, and the mappings of a
/// virtual dataset. Elements that were never written, where the file doesn't fill, refer to anything and are passed
/// over. Collective: independent. Errors: as above; those of `visit`.
Status visit_heap_collections(FileStore& store, const StoredObjectPtr& object,
                              const std::function<Status(FileAddress)>& visit);
/// Those of the elements that an extent of `dims` would cut off. Collective: independent. Errors: what can't be
/// read, of which nothing is listed; no memory.
Status find_cut_objects(FileStore& store, const StoredObjectPtr& object, const Dims& dims,
                        HeapStore::LetGo* owned);

}  // namespace pcio
