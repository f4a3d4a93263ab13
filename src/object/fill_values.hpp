// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: fill values of files as those of lists.

#pragma once

#include "props/dataset_props.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// The fill value `value` of a dataset of `type`, both in the file's form, for a list, which has memory
/// of its own for what variable-length parts refer to.
///
/// Collective: independent. Errors: damaged heaps; a value that is no element of the type.
Result<FillValue> load_fill_value(FileStore& store, const Datatype& type, ConstBytes value);

}  // namespace pcio
