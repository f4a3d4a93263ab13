// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: datasets whose elements lie in the object header, of which every rank has a copy.

#pragma once

#include "transfer/job/transfer_job.hpp"

namespace pcio {

/// Moves between buffer and this rank's copy. `path`: the dataset's, for messages.
/// Collective: independent.
Status transfer_compact(const TransferJob& job, std::string_view path);

/// A collective write: every rank takes over what each one writes; of ranks that write the same byte
/// the highest wins. A rank with `local` failed writes nothing.
/// Collective: over the file, one exchange of 8 bytes for each byte, at most 512 KiB.
Status write_compact_collective(const TransferJob& job, std::string_view path, const Status& local);

}  // namespace pcio
