// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: reading chunks that went through filters.

#pragma once

#include "transfer/transfer_job.hpp"

namespace pcio {

/// Reads chunk after chunk, each as a whole. `counters`: of a dry run, else null.
/// Collective: independent. Errors: truncated chunks, filters that are missing or fail.
Status read_filtered(const TransferJob& job, IoCounters* counters);

}  // namespace pcio
