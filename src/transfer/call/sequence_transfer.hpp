// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: H5Dread and H5Dwrite of variable-length elements.
//
// What lies in the dataset are counts and heap ids. They move as plain bytes, as those of any dataset;
// between them and the application's elements a conversion asks the file's heaps.

#pragma once

#include "props/transfer_props.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// The dataset has variable-length elements, or parts of them. False where this rank can't tell: then
/// it fails in the first agreement that others meet in.
bool has_sequences(FileStore& store, const StoredObjectPtr& dataset);

/// What this rank can find wrong with a transfer of such a dataset before anything moves. Collective:
/// independent; the errors are those of transfer_sequences().
Status check_sequences(FileStore& store, const StoredObjectPtr& dataset,
                       const TransferRequest& request, const CallName& name);

/// As transfer_dataset(), for such datasets.
///
/// Where committed references are overwritten, all that they are to refer to is committed before, so
/// that a program that is killed leaves none that leads nowhere. Objects that elements owned before are
/// free after the next commit.
/// Collective: as transfer_dataset(), with one exchange more (reading) or several (writing).
/// Errors: those of transfer_dataset(); damaged heaps; independent writes of several ranks.
Status transfer_sequences(FileStore& store, const StoredObjectPtr& dataset,
                          const TransferRequest& request, TransferReport* report,
                          const CallName& name, const Status& checked);

}  // namespace pcio
