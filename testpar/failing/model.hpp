// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What a dataset may hold after writes of which some failed. Room: testpar.

#ifndef PCIO_TESTPAR_FAILING_MODEL_HPP
#define PCIO_TESTPAR_FAILING_MODEL_HPP

#include <algorithm>
#include <hdf5.h>
#include <set>
#include <vector>

namespace failing {

constexpr hsize_t kMost = 64;  // elements of a dimension

/// First element and number of elements, in two dimensions.
struct Slab {
  hsize_t start[2] = {0, 0};
  hsize_t count[2] = {1, 1};
  [[nodiscard]] hsize_t elements() const { return count[0] * count[1]; }
};

/// Every element has one value, until a write of it fails: then also that write's.
class Model {
 public:
  Model() = default;
  Model(hsize_t rows, hsize_t columns, int fill)
      : dims_{rows, columns}, fill_(fill), cells_(kMost * kMost, Cell{fill, {}}) {}

  [[nodiscard]] const hsize_t* dims() const { return dims_; }
  [[nodiscard]] hsize_t elements() const { return dims_[0] * dims_[1]; }

  void written(const Slab& slab, int first, bool good) {
    for_each(slab, [&](Cell& cell, int n) {
      if (good)
        cell = {first + n, {}};
      else
        cell.others.insert(first + n);
    });
  }
  /// What is cut off is the fill value when it comes back.
  void resize(hsize_t rows, hsize_t columns) {
    for (hsize_t i = 0; i < kMost; ++i)
      for (hsize_t j = 0; j < kMost; ++j)
        if (i >= std::min(rows, dims_[0]) || j >= std::min(columns, dims_[1]))
          cells_[i * kMost + j] = {fill_, {}};
    dims_[0] = rows;
    dims_[1] = columns;
  }
  /// Number of the first element that `values`, all of them, have wrong; -1: none.
  [[nodiscard]] long first_wrong(const std::vector<int>& values) const {
    for (std::size_t n = 0; n < values.size(); ++n) {
      const Cell& cell = cells_[n / dims_[1] * kMost + n % dims_[1]];
      if (values[n] != cell.value && cell.others.count(values[n]) == 0) return static_cast<long>(n);
    }
    return -1;
  }
  [[nodiscard]] int expected(long n) const {
    const auto at = static_cast<hsize_t>(n);
    return cells_[at / dims_[1] * kMost + at % dims_[1]].value;
  }

 private:
  struct Cell {
    int value = 0;
    std::set<int> others;
  };
  template <class F>
  void for_each(const Slab& slab, F&& visit) {
    int n = 0;
    for (hsize_t i = 0; i < slab.count[0]; ++i)
      for (hsize_t j = 0; j < slab.count[1]; ++j)
        visit(cells_[(slab.start[0] + i) * kMost + slab.start[1] + j], n++);
  }

  hsize_t dims_[2] = {0, 0};
  int fill_ = 0;
  std::vector<Cell> cells_;
};

}  // namespace failing

#endif
