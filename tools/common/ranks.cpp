// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The ranks of a tool that runs alone and under mpirun. Room: tools, public headers only.

#include "ranks.hpp"

#include <algorithm>
#include <cstdlib>

namespace tools {

namespace {

/// What those who start ranks give to each: PMIx (Open MPI, Slurm), PMI (MPICH, Slurm, Cray), launchers' own. One that
/// gives none of them starts tools that each do the whole work.
constexpr const char* kGivenToRanks[] = {
    // PMIx and PMI
    "PMIX_RANK", "PMI_RANK", "PMI_FD", "PMI_ID",
    // launchers
    "OMPI_COMM_WORLD_SIZE", "SLURM_PROCID", "PALS_RANKID", "ALPS_APP_PE", "FLUX_TASK_RANK",
    "MV2_COMM_WORLD_RANK", "MPIRUN_RANK", "MPT_MPI_RANK"};

/// Starting MPI takes as long as reading some hundreds of megabytes: who is alone does without.
bool is_started_as_rank() {
  return std::any_of(std::begin(kGivenToRanks), std::end(kGivenToRanks),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

Ranks::Ranks(int* argc, char*** argv, Mpi mpi)
    : has_mpi_(mpi == Mpi::kAlways || is_started_as_rank()) {
  if (!has_mpi_) return;
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Ranks::~Ranks() {
  if (has_mpi_) MPI_Finalize();
}

Id Ranks::access_list() const {
  Id list = need_id(H5Pcreate(H5P_FILE_ACCESS), "access list");
  if (size_ > 1) need(H5Pset_fapl_mpio(list.get(), MPI_COMM_WORLD, MPI_INFO_NULL), "access list");
  return list;
}

Id Ranks::collective_list() const {
  Id list = need_id(H5Pcreate(H5P_DATASET_XFER), "transfer list");
  if (size_ > 1) need(H5Pset_dxpl_mpio(list.get(), H5FD_MPIO_COLLECTIVE), "transfer list");
  return list;
}

std::uint64_t Ranks::sum(std::uint64_t mine) const {
  if (size_ == 1) return mine;
  std::uint64_t all = mine;
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

std::uint64_t Ranks::most(std::uint64_t mine) const {
  if (size_ == 1) return mine;
  std::uint64_t all = mine;
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

std::vector<std::string> Ranks::gather(const std::string& mine) const {
  if (size_ == 1) return {mine};
  const auto places = first() ? static_cast<std::size_t>(size_) : 0;
  std::vector<int> lengths(places), starts(places);
  const int length = static_cast<int>(mine.size());
  MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  int all = 0;
  for (std::size_t i = 0; i < places; ++i) {
    starts[i] = all;
    all += lengths[i];
  }
  std::string text(static_cast<std::size_t>(all), '\0');
  MPI_Gatherv(mine.data(), length, MPI_CHAR, text.data(), lengths.data(), starts.data(), MPI_CHAR,
              0, MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < places; ++i)
    texts.push_back(
        text.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
  return texts;
}

std::string Ranks::broadcast(std::string text) const {
  if (size_ == 1) return text;
  std::uint64_t length = text.size();
  MPI_Bcast(&length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  text.resize(length);
  MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

int Ranks::broadcast(int number) const {
  if (size_ > 1) MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return number;
}

bool Ranks::agree(bool well, std::string* why) const {
  if (size_ == 1) return well;
  int mine = well ? size_ : rank_, worst = size_;
  MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (worst == size_) return true;
  std::uint64_t length = why->size();
  MPI_Bcast(&length, 1, MPI_UINT64_T, worst, MPI_COMM_WORLD);
  why->resize(length);
  MPI_Bcast(why->data(), static_cast<int>(length), MPI_CHAR, worst, MPI_COMM_WORLD);
  return false;
}

Share share_of(std::uint64_t things, int rank, int ranks) {
  const auto number = static_cast<std::uint64_t>(rank), all = static_cast<std::uint64_t>(ranks);
  const std::uint64_t each = things / all, more = things % all;
  const std::uint64_t from = number * each + std::min(number, more);
  return {from, from + each + (number < more ? 1 : 0)};
}

}  // namespace tools
