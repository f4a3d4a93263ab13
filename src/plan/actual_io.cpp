// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: pairs of reported modes.

#include "plan/actual_io.hpp"

namespace pcio {

namespace {

ActualIoMode mode_of(const ExecutedChunks& executed) {
  if (executed.collective > 0)
    return executed.independent > 0 ? ActualIoMode::kChunkMixed : ActualIoMode::kChunkCollective;
  return executed.independent > 0 ? ActualIoMode::kChunkIndependent : ActualIoMode::kNoCollective;
}

}  // namespace

ActualIo actual_io(Strategy strategy, const ExecutedChunks& executed) {
  switch (strategy) {
    case Strategy::kContiguous: return {ActualChunkOpt::kNone, ActualIoMode::kContiguousCollective};
    // Also for a rank without chunks: it took part, and the table has no other mode.
    case Strategy::kLinked: return {ActualChunkOpt::kLinkChunk, ActualIoMode::kChunkCollective};
    case Strategy::kMulti: return {ActualChunkOpt::kMultiChunk, mode_of(executed)};
    case Strategy::kMultiNoOpt: return {ActualChunkOpt::kMultiChunkNoOpt, mode_of(executed)};
    case Strategy::kAtOnce: return {ActualChunkOpt::kAtOnce, mode_of(executed)};
    case Strategy::kAllIndependent:
      return {ActualChunkOpt::kAllIndependent, ActualIoMode::kChunkIndependent};
    case Strategy::kNoCollective: break;
  }
  return {ActualChunkOpt::kNone, ActualIoMode::kNoCollective};
}

bool is_legal(const ActualIo& pair) {
  switch (pair.chunk_opt) {
    case ActualChunkOpt::kNone:
      return pair.io_mode == ActualIoMode::kNoCollective ||
             pair.io_mode == ActualIoMode::kContiguousCollective;
    case ActualChunkOpt::kLinkChunk: return pair.io_mode == ActualIoMode::kChunkCollective;
    case ActualChunkOpt::kMultiChunk:
    case ActualChunkOpt::kMultiChunkNoOpt:
    case ActualChunkOpt::kAtOnce: return pair.io_mode != ActualIoMode::kContiguousCollective;
    case ActualChunkOpt::kAllIndependent: return pair.io_mode == ActualIoMode::kChunkIndependent;
  }
  return false;
}

}  // namespace pcio
