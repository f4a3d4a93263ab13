// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: several datasets of one file in one call.

#pragma once

#include <span>

#include "transfer/call/dataset_transfer.hpp"

namespace pcio {

/// One dataset's part of the call.
struct MultiPart {
  StoredObjectPtr object;
  TransferRequest request;  ///< direction and transfer list are equal in all parts
  std::string path;
  Status checked;  ///< what the caller found wrong with this part's arguments
};

/// Moves the selected elements of all parts in the order of the list, as one operation.
///
/// Everything that can be found wrong is found, and in a collective call agreed upon, before the
/// first byte moves. Of a collective call that fails later (I/O) any part may be done; of an
/// independent one those before the failure are.
/// `report`: calls, bytes, chunks and times are those of all parts together and causes those of any;
///   modes and transport are the last part's.
/// Collective: over the file if the list asks for collective transfer of a parallel file: three
///   exchanges, however many datasets there are, and those of marking chunks, of giving them space and
///   of the transports; else independent. All ranks give the same datasets in the same order.
/// Errors: those of transfer_dataset; lists of datasets that differ between the ranks.
Status transfer_datasets(FileStore& store, std::span<const MultiPart> parts, TransferReport* report,
                         const CallName& name, const Status& checked);

/// The part of a rank that gives no dataset in a collective call, or with `checked` could not make any
/// part. Collective: as transfer_datasets. Errors: `checked`; other ranks give some.
Status transfer_no_datasets(FileStore& store, Direction direction, TransferReport* report,
                            const CallName& name, const Status& checked);

}  // namespace pcio
