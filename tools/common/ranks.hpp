// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The ranks of a tool that runs alone and under mpirun. Room: tools, public headers only.

#ifndef PCIO_TOOLS_COMMON_RANKS_HPP
#define PCIO_TOOLS_COMMON_RANKS_HPP

#include <cstdint>
#include <mpi.h>
#include <string>
#include <vector>

#include "failure.hpp"

namespace tools {

/// MPI from its beginning to its end where a launcher started this process; else a process that is alone, without MPI
/// unless that is wanted in any case. Threads: one.
class Ranks {
 public:
  enum class Mpi : std::uint8_t { kWhereLaunched, kAlways };
  Ranks(int* argc, char*** argv, Mpi mpi = Mpi::kWhereLaunched);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks();

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool first() const { return rank_ == 0; }

  /// An access list for a file of all ranks; of one rank alone by the ordinary driver.
  Id access_list() const;
  /// A transfer list: collective where there are several ranks.
  Id collective_list() const;

  std::uint64_t sum(std::uint64_t mine) const;
  std::uint64_t most(std::uint64_t mine) const;
  /// The texts of all ranks, by rank, on the first one; nothing on the others.
  std::vector<std::string> gather(const std::string& mine) const;
  /// The first rank's text, on all.
  std::string broadcast(std::string text) const;
  int broadcast(int number) const;

  /// True where every rank is well. Else `why` becomes the reason of the first one that is not, on all.
  bool agree(bool well, std::string* why) const;

 private:
  bool has_mpi_;
  int rank_ = 0, size_ = 1;
};

/// The part [from, to) that rank `rank` of `ranks` has of so many things.
struct Share {
  std::uint64_t from = 0, to = 0;
};
Share share_of(std::uint64_t things, int rank, int ranks);

}  // namespace tools

#endif
