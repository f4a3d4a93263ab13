// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: the pair of modes that a rank reports, from what it executed.
//
// Source: HDF Group, RFC "Actual I/O Mode" (2013), the table of possible combinations.

#pragma once

#include <cstdint>

#include "plan/chunk_strategy.hpp"
#include "props/transfer_report.hpp"

namespace pcio {

/// Chunks of this rank, by the kind of step that moved them.
struct ExecutedChunks {
  std::uint64_t collective = 0;
  std::uint64_t independent = 0;
};

struct ActualIo {
  ActualChunkOpt chunk_opt = ActualChunkOpt::kNone;
  ActualIoMode io_mode = ActualIoMode::kNoCollective;
  friend bool operator==(const ActualIo&, const ActualIo&) = default;
};

/// Collective: pure; the mode may differ between ranks, the chunk option does not.
[[nodiscard]] ActualIo actual_io(Strategy strategy, const ExecutedChunks& executed);

/// True for a pair of the RFC's table (with MULTI_CHUNK_NO_OPT as MULTI_CHUNK).
[[nodiscard]] bool is_legal(const ActualIo& pair);

}  // namespace pcio
