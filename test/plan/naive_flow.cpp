// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The original algorithm written down directly.

#include "plan/naive_flow.hpp"

#include <algorithm>

namespace pcio::test {

namespace {

using Count = long double;  // averages as the texts have them

/// The chunk option of the transfer list, or the one that the numbers of chunks decide.
ChunkOpt chosen_option(const NaiveInput& in) {
  if (in.chunk_opt != ChunkOpt::kDefault) return in.chunk_opt;
  Count sum_chunk = 0;
  for (const auto& mine : in.chunks) sum_chunk += static_cast<Count>(mine.size());
  // "if average number of chunks per process is >= threshold": link; else multi-chunk.
  const Count threshold =
      static_cast<Count>(in.chunk_opt_num) * static_cast<Count>(in.chunks.size());
  return sum_chunk >= threshold ? ChunkOpt::kOneIo : ChunkOpt::kMultiIo;
}

/// One byte per rank and chunk at process 0; then the number of processes of each chunk is
/// compared.
std::vector<bool> obtain_io_mode(const NaiveInput& in) {
  std::vector<bool> io_mode(in.dataset_chunks, false);
  if (in.chunk_opt_ratio == 0) {
    io_mode.assign(in.dataset_chunks, true);
    return io_mode;
  }
  std::vector<unsigned> nproc_per_chunk(in.dataset_chunks, 0);
  for (std::uint64_t proc = 0; proc < in.chunks.size(); ++proc)
    for (const std::uint64_t chunk : in.chunks[proc]) ++nproc_per_chunk[chunk];
  // The texts compare a number of processes with a percentage; what is meant, and what was shipped,
  // is that share of the processes, rounded down, but at least one.
  std::uint64_t threshold = 0;
  while ((threshold + 1) * 100 <= in.chunks.size() * in.chunk_opt_ratio) ++threshold;
  if (threshold == 0) threshold = 1;
  for (std::uint64_t chunk = 0; chunk < in.dataset_chunks; ++chunk)
    if (nproc_per_chunk[chunk] > threshold) io_mode[chunk] = true;
  return io_mode;
}

/// "if the number of chunks per process is > 30% of all the chunks in the dataset and the average
/// number of chunks per process is > 10,000"; what one process finds holds for all.
bool broadcasts_addresses(const NaiveInput& in) {
  Count sum = 0;
  bool large_share = false;
  for (const auto& mine : in.chunks) {
    const auto number = static_cast<Count>(mine.size());
    sum += number;
    large_share = large_share || number * 10 > static_cast<Count>(in.dataset_chunks) * 3;
  }
  return large_share && sum > static_cast<Count>(in.chunks.size()) * 10000;
}

/// The RFC's words on each value of the I/O mode, for a scheme that may mix.
ActualIoMode mixed_mode(const std::map<std::uint64_t, bool>& chunks) {
  bool some_collective = false, some_independent = false;
  for (const auto& [chunk, collective] : chunks)
    (collective ? some_collective : some_independent) = true;
  if (some_collective && some_independent) return ActualIoMode::kChunkMixed;
  if (some_collective) return ActualIoMode::kChunkCollective;
  if (some_independent) return ActualIoMode::kChunkIndependent;
  return ActualIoMode::kNoCollective;
}

void same_for_all(const NaiveInput& in, NaiveOutcome& out, ActualChunkOpt opt, ActualIoMode mode,
                  bool collective) {
  out.chunk_opt = opt;
  out.io_mode.assign(in.chunks.size(), mode);
  for (std::size_t proc = 0; proc < in.chunks.size(); ++proc)
    for (const std::uint64_t chunk : in.chunks[proc]) out.collective[proc][chunk] = collective;
}

void multi_chunk(const NaiveInput& in, NaiveOutcome& out, ActualChunkOpt opt) {
  const std::vector<bool> io_mode = obtain_io_mode(in);
  out.chunk_opt = opt;
  for (std::size_t proc = 0; proc < in.chunks.size(); ++proc) {
    for (const std::uint64_t chunk : in.chunks[proc]) out.collective[proc][chunk] = io_mode[chunk];
    out.io_mode.push_back(mixed_mode(out.collective[proc]));
  }
}

/// "use MPI_Allreduce() with MPI_MIN on the number of chunks for each process to generate the
/// number of chunks that collective I/O can be used for": the first ones of each process.
void multi_chunk_no_opt(const NaiveInput& in, NaiveOutcome& out) {
  std::size_t max_coll_chunks = in.chunks[0].size();
  for (const auto& mine : in.chunks) max_coll_chunks = std::min(max_coll_chunks, mine.size());
  out.chunk_opt = ActualChunkOpt::kMultiChunkNoOpt;
  for (std::size_t proc = 0; proc < in.chunks.size(); ++proc) {
    for (std::size_t index = 0; index < in.chunks[proc].size(); ++index)
      out.collective[proc][in.chunks[proc][index]] = index < max_coll_chunks;
    out.io_mode.push_back(mixed_mode(out.collective[proc]));
  }
}

}  // namespace

NaiveOutcome naive_flow(const NaiveInput& in) {
  NaiveOutcome out;
  out.collective.resize(in.chunks.size());
  out.address_broadcast = broadcasts_addresses(in);
  if (in.collective_broken || in.independent_asked) {
    // Individual I/O by the collective option is an optimization of chunks that the user chose.
    if (in.chunked && in.individual_io && !in.collective_broken)
      same_for_all(in, out, ActualChunkOpt::kAllIndependent, ActualIoMode::kChunkIndependent,
                   false);
    else
      same_for_all(in, out, ActualChunkOpt::kNone, ActualIoMode::kNoCollective, false);
    return out;
  }
  if (!in.chunked) {
    same_for_all(in, out, ActualChunkOpt::kNone, ActualIoMode::kContiguousCollective, true);
    return out;
  }
  const ChunkOpt option = chosen_option(in);
  if (option == ChunkOpt::kAllIndependent) {
    same_for_all(in, out, ActualChunkOpt::kAllIndependent, ActualIoMode::kChunkIndependent, false);
  } else if (option == ChunkOpt::kOneIo || in.dataset_chunks == 1) {
    // "if the dataset only has one chunk, treat [it] as if it was the block of elements for a
    // contiguous storage dataset"
    same_for_all(in, out, ActualChunkOpt::kLinkChunk, ActualIoMode::kChunkCollective, true);
  } else if (option == ChunkOpt::kMultiNoOpt) {
    multi_chunk_no_opt(in, out);
  } else {
    multi_chunk(
        in, out,
        option == ChunkOpt::kAtOnce ? ActualChunkOpt::kAtOnce : ActualChunkOpt::kMultiChunk);
  }
  return out;
}

}  // namespace pcio::test
