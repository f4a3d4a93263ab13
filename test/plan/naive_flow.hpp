// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The original algorithm written down directly, to compare the planner with: tables of ranks times
// chunks, loops over all chunks, no thought of scale.
//
// Source: HDF Group, "Collective Chunk I/O" flow (pseudo-code) and RFC "Actual I/O Mode" (2013),
// with the contradictions between them settled as the comments say.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "props/transfer_report.hpp"

namespace pcio::test {

struct NaiveInput {
  bool chunked = true;
  bool independent_asked = false;  ///< by any rank's transfer list: INDEPENDENT or INDIVIDUAL_IO
  bool individual_io = false;      ///< by H5Pset_dxpl_mpio_collective_opt
  bool collective_broken = false;  ///< by any other condition on any rank
  ChunkOpt chunk_opt = ChunkOpt::kDefault;
  std::uint64_t chunk_opt_num = 0;
  unsigned chunk_opt_ratio = 60;
  std::uint64_t dataset_chunks = 0;
  /// Of each rank, in the order of their addresses.
  std::vector<std::vector<std::uint64_t>> chunks;
};

struct NaiveOutcome {
  ActualChunkOpt chunk_opt = ActualChunkOpt::kNone;
  std::vector<ActualIoMode> io_mode;
  /// Of each rank: chunk to whether it is accessed collectively.
  std::vector<std::map<std::uint64_t, bool>> collective;
  bool address_broadcast = false;
};

NaiveOutcome naive_flow(const NaiveInput& in);

}  // namespace pcio::test
