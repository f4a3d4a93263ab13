// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Moves the elements of datasets. Room: tools, public headers only.

#ifndef PCIO_TOOLS_REPACK_DATA_HPP
#define PCIO_TOOLS_REPACK_DATA_HPP

#include "pieces.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "structure.hpp"
#include "twins.hpp"

namespace repack {

/// Copies datasets from file to file, all ranks together, in memory that is bounded.
class DataCopy {
 public:
  DataCopy(const tools::Ranks& ranks, std::uint64_t memory, Twins* twins, tools::Progress* progress)
      : ranks_(ranks), memory_(memory), twins_(*twins), progress_(*progress) {}

  /// One dataset. Collective. Throws tools::Failure, on all ranks.
  void copy(const Item& item);

 private:
  struct Dataset;
  bool has_data(const Dataset& set) const;
  bool chunks_alike(const Dataset& set) const;
  void copy_chunks(const Dataset& set);
  std::uint64_t write_round(const Dataset& set, std::uint64_t* next, std::uint64_t chunks,
                            std::vector<unsigned char>* image);
  double chunks_there(const Dataset& set) const;
  std::vector<std::uint64_t> touched_pieces(const Dataset& set, const tools::Pieces& pieces) const;
  void copy_pieces(const Dataset& set);
  void copy_piece(const Dataset& set, const tools::Piece* piece,
                  std::vector<unsigned char>* values);
  void finish_round(const Dataset& set, bool well, const std::string& why);

  const tools::Ranks& ranks_;
  std::uint64_t memory_;
  Twins& twins_;
  tools::Progress& progress_;
};

/// Bytes that copying the dataset at `path` of the source moves, for the progress bar.
std::uint64_t bytes_of(hid_t in, const std::string& path);

}  // namespace repack

#endif
