// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: hints of the transfer list that must be equal on all ranks of a collective transfer.

#pragma once

#include "agree/coordinator.hpp"
#include "transfer/job/transfer_facts.hpp"
#include "transfer/job/transfer_job.hpp"

namespace pcio {

TransferHints hints_of(const TransferJob& job);

/// Success where all ranks passed the same hints. `hints`: this rank's.
/// Collective: over the file; none on success, one exchange for each property that differs.
/// Errors: PLIST BADVALUE on all ranks, naming the first property, its value on rank 0, and the
/// lowest rank with another one.
Status check_list_is_same(Coordinator& coordinator, const TransferHints& hints,
                          const AgreedHints& agreed);

}  // namespace pcio
