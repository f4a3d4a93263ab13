// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What a dataset must hold: every element was written, was not and is the fill value, or may be
// anything. Room: testpar.

#ifndef PCIO_TESTPAR_SPACE_MODEL_HPP
#define PCIO_TESTPAR_SPACE_MODEL_HPP

#include <cstdint>
#include <hdf5.h>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace space {

using Numbers = std::vector<hsize_t>;

/// A regular hyperslab; empty where a count is 0.
struct Slab {
  Numbers start, stride, count, block;
  bool empty() const;
  /// Calls visit(position) for each element.
  template <class F>
  void for_each(F&& visit) const;
};

/// What an element that nobody wrote holds.
enum class Unwritten { kFill, kAny };

class Model {
 public:
  Model() = default;
  Model(Numbers dims, Numbers chunk, int fill, Unwritten unwritten);

  const Numbers& dims() const { return dims_; }
  /// What is written by step `step` to the element at `position`; the same by any rank.
  static int value(const Numbers& position, int step);
  void write(const Slab& slab, int step);
  void resize(const Numbers& dims);
  /// Chunks that a slab touches.
  std::set<Numbers> chunks_of(const Slab& slab) const;

  /// The first difference to `data` (row-major, whole extent), or an empty text.
  std::string compare(const std::vector<int>& data) const;
  /// All values in one line, ? for anything.
  void print(std::ostream& out) const;
  std::size_t size() const { return cells_.size(); }

 private:
  struct Cell {
    int value = 0;
    bool any = false;
  };
  std::size_t place(const Numbers& position) const;
  Numbers dims_, chunk_;
  Cell unwritten_;
  std::vector<Cell> cells_;
};

/// Next position in a box of `counts`, row-major; false behind the last.
bool advance(Numbers& position, const Numbers& counts);

template <class F>
void Slab::for_each(F&& visit) const {
  if (empty()) return;
  Numbers counts(start.size()), at(start.size(), 0), position(start.size());
  for (std::size_t d = 0; d < start.size(); ++d) counts[d] = count[d] * block[d];
  do {
    for (std::size_t d = 0; d < start.size(); ++d)
      position[d] = start[d] + at[d] / block[d] * stride[d] + at[d] % block[d];
    visit(position);
  } while (advance(at, counts));
}

}  // namespace space

#endif
