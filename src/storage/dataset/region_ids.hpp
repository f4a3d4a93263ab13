// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: references to regions among elements, which are ids of heap objects.

#pragma once

#include <vector>

#include "storage/heaps/heap_reader.hpp"

namespace pcio {

/// Elements of the type have references to regions, at any level. Collective: pure.
[[nodiscard]] bool has_regions(const Datatype& type);

/// Appends the ids behind all such references in packed elements of a type as the file has it; reads what that
/// takes. Null references have none. Collective: independent. Errors: what is damaged; BADRANGE where they
/// refer to more than four million others; no memory.
Status collect_regions(HeapReader& reader, const Datatype& type, ConstBytes elements,
                       std::vector<GlobalHeapId>* ids);

}  // namespace pcio
