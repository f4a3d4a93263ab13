// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A dataset cut into pieces of a bounded size. Room: tools, pure.

#ifndef PCIO_TOOLS_COMMON_PIECES_HPP
#define PCIO_TOOLS_COMMON_PIECES_HPP

#include <cstdint>
#include <set>
#include <vector>

namespace tools {

/// A box of elements.
struct Piece {
  std::vector<std::uint64_t> start, count;
  std::uint64_t elements() const;
};

/// How to cut a dataset: pieces are whole units (chunks) as long as one unit is not too large.
struct Cut {
  std::vector<std::uint64_t> dims;  ///< elements, none 0
  std::vector<std::uint64_t> unit;  ///< elements, none 0, may be larger than dims
  std::uint64_t element = 1;        ///< bytes
  std::uint64_t most = 1;           ///< bytes of a piece
  bool whole_units = false;         ///< a unit is never cut, however large it is
};

/// The grid of pieces. Pieces are numbered row-major. Threads: never changes.
class Pieces {
 public:
  explicit Pieces(const Cut& cut);
  std::uint64_t count() const { return count_; }
  Piece piece(std::uint64_t number) const;
  /// Adds the numbers of the pieces that have elements of `box`.
  void add_touched(const Piece& box, std::set<std::uint64_t>* numbers) const;
  /// Bytes of the largest piece, units that stick out included.
  std::uint64_t most_bytes() const;

 private:
  std::vector<std::uint64_t> dims_, box_, grid_;
  std::uint64_t element_, count_ = 1;
};

}  // namespace tools

#endif
