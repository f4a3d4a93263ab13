// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: references to regions of datasets.
//
// In a file, and in memory, such a reference is the id of a heap object: the address of a dataset and a
// selection of its elements. The object is there from when the reference is made, whether or not it gets
// into a dataset; elements are copies of the id, as many as a program makes, so that nobody knows when the
// last of them is gone: the object stays, as with libhdf5.
// Source: HDF5 File Format Specification, "Dataset Region Reference" and "Heap Block for Region References".

#pragma once

#include "object/file.hpp"
#include "object/metadata_call.hpp"
#include "object/traverse.hpp"

namespace pcio {

/// The dataset and what `region` selects of it, as a heap object. Collective: independent. Errors: not a
/// dataset; another number of dimensions; what encode_selection() can't write.
Result<std::vector<std::byte>> region_object(const Location& dataset, const Dataspace& region);

/// Stores a heap object and its id in `reference`, as long as such an id is. Collective: over the file,
/// where several ranks have it, which have met for it; by contract else. Errors: no space.
Status store_region(File& file, const CallName& name, ConstBytes object, Bytes reference);

/// The heap object behind a reference. Collective: independent. Errors: nothing is referred to; no such
/// object, or one too short to be a region.
Result<std::vector<std::byte>> load_region(const FilePtr& file, ConstBytes reference);
/// The same of many references: `heaps` has what was read before.
Result<std::vector<std::byte>> load_region(const FilePtr& file, ConstBytes reference,
                                           HeapReader& heaps);

/// Bytes of a reference. Collective: pure.
std::size_t region_reference_size(File& file);
/// The object that a heap object names, which may be none.
FileAddress region_target(File& file, ConstBytes object);

/// The extent of the dataset with the region selected. Collective: independent. Errors: those of
/// load_region(); not a dataset; a selection that is damaged or has other dimensions.
Result<Dataspace> region_space(const FilePtr& file, ConstBytes reference);

}  // namespace pcio
