// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: the sizes or coordinates of a dataspace, and boxes of elements.

#include "space/dims.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace pcio {

std::optional<std::uint64_t> Dims::volume() const {
  // A zero anywhere makes the product zero, however large the other sizes are.
  if (std::find(begin(), end(), std::uint64_t{0}) != end()) return 0;
  std::uint64_t product = 1;
  for (std::uint64_t n : *this) {
    const auto next = checked_mul(product, n);
    if (!next) return std::nullopt;
    product = *next;
  }
  return product;
}

std::string Dims::to_string() const {
  std::string text = "(";
  for (unsigned d = 0; d < size_; ++d) {
    if (d > 0) text += ", ";
    text += values_[d] == kUnlimited ? std::string("*") : std::to_string(values_[d]);
  }
  return text + ")";
}

bool Box::empty() const {
  return std::find(count.begin(), count.end(), std::uint64_t{0}) != count.end();
}

bool Box::contains(const Dims& point) const {
  // Differences cannot wrap where sums could.
  for (unsigned d = 0; d < ndims(); ++d)
    if (point[d] < start[d] || point[d] - start[d] >= count[d]) return false;
  return true;
}

bool Box::contains(const Box& other) const {
  for (unsigned d = 0; d < ndims(); ++d)
    if (other.start[d] < start[d] ||
        !fits_inside(other.start[d] - start[d], other.count[d], count[d]))
      return false;
  return true;
}

Box Box::intersect(const Box& other) const {
  Box both{Dims(ndims()), Dims(ndims())};
  for (unsigned d = 0; d < ndims(); ++d) {
    const std::uint64_t low = std::max(start[d], other.start[d]);
    both.start[d] = low;
    const std::uint64_t mine = low - start[d];
    const std::uint64_t theirs = low - other.start[d];
    if (mine < count[d] && theirs < other.count[d])
      both.count[d] = std::min(count[d] - mine, other.count[d] - theirs);
  }
  return both;
}

}  // namespace pcio
