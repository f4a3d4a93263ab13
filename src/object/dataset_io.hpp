// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: elements of datasets, which are read and written by the room below.
//
// `function`: the API function, for messages. What is collective, what is reported and what fails is said
// at the functions of the same names in transfer/call.

#pragma once

#include <span>

#include "object/file.hpp"
#include "transfer/call/multi_transfer.hpp"
#include "transfer/call/one_run_transfer.hpp"

namespace pcio {

/// One H5Dread or H5Dwrite.
Status transfer_dataset(const OpenObject& dataset, const TransferRequest& request,
                        TransferReport* report, std::string_view function, const Status& checked);
/// The short way of one, where there is such (transfer_one_run): false where there is not, and nothing was done.
[[nodiscard]] bool transfer_one_run(const OpenObject& dataset, const PlainRequest& request,
                                    TransferReport* report, Status* done);
/// A dry run of it.
Status explain_dataset(const OpenObject& dataset, const TransferRequest& request,
                       TransferReport* report, std::string_view function, const Status& checked);

/// A dataset's part of a call for several. May lack memory.
MultiPart part_of(const OpenObject& dataset, TransferRequest&& request, const Status& checked);
/// All parts; `first`: the dataset of the first one, whose file is that of all.
Status transfer_datasets(const OpenObject& first, std::span<const MultiPart> parts,
                         TransferReport* report, std::string_view function, const Status& checked);
/// The part of a rank that has no dataset in the call.
Status transfer_no_datasets(File& file, Direction direction, TransferReport* report,
                            const CallName& name, const Status& checked);

}  // namespace pcio
