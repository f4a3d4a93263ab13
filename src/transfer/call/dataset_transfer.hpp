// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: one H5Dread or H5Dwrite, serial, independent or collective.
//
// facts, agreement, plan, execution, agreement on the outcome, report: both directions.

#pragma once

#include "props/transfer_props.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// Moves the selected elements. Results of the call are left in `report`, also on failure.
///
/// `request`: file space with the dataset's current extent, memory space with H5S_ALL resolved; the
///   buffer may be null where nothing is selected.
/// `name`: the API function and the dataset's path, for messages.
/// `checked`: what the caller found wrong with the arguments; joins the agreement, so that every
///   rank of a collective transfer returns the error.
/// Collective: over the file if the list asks for collective transfer of a parallel file (two
///   exchanges, those of marking chunks where the mode asks for it, and those of the transport),
///   else independent. On failure the buffer or the dataset may be changed in part.
/// Errors: counts of selected elements that differ, no way between the types, not allocated,
///   filters, short writes; lists that differ between the ranks, naming property and ranks.
Status transfer_dataset(FileStore& store, const StoredObjectPtr& dataset,
                        const TransferRequest& request, TransferReport* report,
                        const CallName& name, const Status& checked);

/// The same without a line of the log, and without a look at what variable-length elements refer to, which
/// are moved as the file has them (ElementView::kAsStored).
Status move_elements(FileStore& store, const StoredObjectPtr& dataset,
                     const TransferRequest& request, TransferReport* report, const CallName& name,
                     const Status& checked);

/// A dry run: the same decisions and the same exchanges between the ranks, but nothing is read,
/// written or given space; the report holds what transfer_dataset would report. The buffer may be
/// null.
/// Collective: as transfer_dataset. Fill values of space that would be given are not counted.
Status explain_dataset(FileStore& store, const StoredObjectPtr& dataset,
                       const TransferRequest& request, TransferReport* report, const CallName& name,
                       const Status& checked);

}  // namespace pcio
