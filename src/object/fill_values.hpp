// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: fill values of files as those of lists.

#pragma once

#include "props/dataset_props.hpp"
#include "agree/call_log.hpp"
#include "object/file.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/file/file_store.hpp"
#include "type/convert.hpp"

namespace pcio {

/// The fill value `value` of a dataset of `type`, both in the file's form, for a list, which has memory
/// of its own for what variable-length parts refer to.
///
/// Collective: independent. Errors: damaged heaps; a value that is no element of the type.
Result<FillValue> load_fill_value(FileStore& store, const Datatype& type, ConstBytes value);

/// A fill value on its way into a file.
struct FillSource {
  const FillValue& value;
  ConvertOptions options{};  ///< but for sequences
};

/// Puts the fill value of a new dataset, whose elements have variable-length parts, into heaps; rank 0's, where
/// several ranks have the file. `name`: of the call.
/// Collective: over the file, as store_values(). Errors: no way between the types; no space.
Status store_fill_value(FileStore& store, const StoredObjectPtr& dataset, const FillSource& fill,
                        const CallName& name);
/// All elements of a new dataset that has its space get the fill value, where it is in heaps.
/// Collective: over the file, as fill_sequences().
Status fill_new_elements(FileStore& store, const StoredObjectPtr& dataset, const CallName& name);
/// After finish_extent(): elements that are new and have space get the fill value, where it is in heaps, and so do
/// those whose chunks got their space with the change.
/// Collective: as fill_new_elements().
Status fill_grown_elements(FileStore& store, const StoredObjectPtr& dataset,
                           const ExtentChange& change, const CallName& name);

}  // namespace pcio
