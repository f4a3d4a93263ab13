// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The ranks of a tool that runs alone and under mpirun. Room: tools, public headers only.

#include "ranks.hpp"

#include <algorithm>

namespace tools {

Ranks::Ranks(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Ranks::~Ranks() { MPI_Finalize(); }

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
  std::uint64_t all = mine;
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

std::uint64_t Ranks::most(std::uint64_t mine) const {
  std::uint64_t all = mine;
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

std::vector<std::string> Ranks::gather(const std::string& mine) const {
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
  std::uint64_t length = text.size();
  MPI_Bcast(&length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  text.resize(length);
  MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

bool Ranks::agree(bool well, std::string* why) const {
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
