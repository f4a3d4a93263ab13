// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: collective transfers of datasets with filters.
//
// Each touched chunk has one owner (plan/chunk_owners). Of a write the owner gathers the pieces in an
// image, adds what nobody writes from the old chunk, filters once, and writes it to a new place; of
// a read it decodes the chunk once and the others take their pieces. Owners work through their
// chunks in rounds of bounded memory. A chunk that one rank alone touches takes no part in rounds.

#pragma once

#include "transfer/transports/run_steps.hpp"
#include "transfer/job/transfer_job.hpp"

namespace pcio {

/// Whether converted elements keep bytes of what the file holds, on any rank.
enum class OldBytes : std::uint8_t { kNotKept, kKept };

/// Memory of a filtered transfer for each byte of H5Pset/pcio's exchange memory: 64 MiB by default,
/// for chunks that are small beside it.
inline constexpr std::uint64_t kFilterMemoryFactor = 4;

/// Writes or reads what all ranks selected. The chunk index is loaded.
///
/// Collective: over the file; every rank takes part to the end whatever happens to it. `local`: this
///   rank's failure so far; all leave together then, before anything is changed. The caller agrees
///   on the outcome.
/// On failure some chunks may have been written, each whole; in the others is what was before.
/// Errors: damaged chunks, filters, short writes, memory; "another rank" where it was one.
Status write_filtered_collective(const TransferJob& job, StepResults& results, OldBytes old,
                                 const Status& local);
Status read_filtered_collective(const TransferJob& job, StepResults& results, const Status& local);

}  // namespace pcio
