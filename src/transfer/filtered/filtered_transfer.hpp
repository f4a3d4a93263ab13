// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: one rank's selection of a dataset with filters, chunk by chunk through its cache.

#pragma once

#include "transfer/job/transfer_job.hpp"

namespace pcio {

/// Reads or writes. In a parallel file only whole chunks are written, or such that this rank has written
/// whole before; they wait in memory until the next call that all ranks make together. A chunk that the selection covers is not read first.
///
/// `counters`: of a dry run, else null; sizes of chunks that would be written are taken to be those
/// of their images.
/// Collective: independent. On failure chunks before the one that failed are done. What could not
/// be written to the file stays in memory and is tried again at the next flush or close.
/// Errors: truncated chunks, filters that are missing or fail, short writes.
Status transfer_filtered(const TransferJob& job, IoCounters* counters);

}  // namespace pcio
