// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A dataset cut into pieces of a bounded size. Room: tools, pure.

#include "pieces.hpp"

#include <algorithm>

namespace tools {

namespace {

std::uint64_t product(const std::vector<std::uint64_t>& numbers) {
  std::uint64_t all = 1;
  for (const std::uint64_t number : numbers)
    if (__builtin_mul_overflow(all, number, &all)) return UINT64_MAX;
  return all;
}

/// Halves the slowest dimension that can be, until the box is small enough.
void cut_unit(const Cut& cut, std::vector<std::uint64_t>* box) {
  for (std::size_t i = 0; i < box->size();) {
    if (product(*box) <= cut.most / std::max<std::uint64_t>(cut.element, 1)) return;
    if ((*box)[i] > 1)
      (*box)[i] = ((*box)[i] + 1) / 2;
    else
      ++i;
  }
}

/// Takes more units, along the fastest dimension first; along the next one where a row is whole.
void grow(const Cut& cut, std::vector<std::uint64_t>* box) {
  for (std::size_t i = box->size(); i-- > 0;) {
    const std::uint64_t bytes = std::max<std::uint64_t>(product(*box) * cut.element, 1);
    const std::uint64_t step = (*box)[i];
    const std::uint64_t units = (cut.dims[i] + step - 1) / step;
    const std::uint64_t fit = std::clamp<std::uint64_t>(cut.most / bytes, 1, units);
    (*box)[i] = step * fit;
    if (fit < units) return;
  }
}

}  // namespace

std::uint64_t Piece::elements() const { return product(count); }

Pieces::Pieces(const Cut& cut) : dims_(cut.dims), box_(cut.unit), element_(cut.element) {
  for (std::size_t i = 0; i < box_.size(); ++i)
    if (!cut.whole_units) box_[i] = std::min(box_[i], dims_[i]);
  if (!cut.whole_units) cut_unit(cut, &box_);
  grow(cut, &box_);
  for (std::size_t i = 0; i < box_.size(); ++i) {
    grid_.push_back((dims_[i] + box_[i] - 1) / box_[i]);
    count_ *= grid_.back();
  }
}

Piece Pieces::piece(std::uint64_t number) const {
  Piece piece;
  piece.start.resize(dims_.size());
  piece.count.resize(dims_.size());
  for (std::size_t i = dims_.size(); i-- > 0;) {
    piece.start[i] = number % grid_[i] * box_[i];
    piece.count[i] = std::min(box_[i], dims_[i] - piece.start[i]);
    number /= grid_[i];
  }
  return piece;
}

void Pieces::add_touched(const Piece& box, std::set<std::uint64_t>* numbers) const {
  const std::size_t ndims = dims_.size();
  std::vector<std::uint64_t> first(ndims), last(ndims);
  for (std::size_t i = 0; i < ndims; ++i) {
    if (box.start[i] >= dims_[i]) return;
    first[i] = box.start[i] / box_[i];
    last[i] = (std::min(box.start[i] + box.count[i], dims_[i]) - 1) / box_[i];
  }
  std::vector<std::uint64_t> at = first;
  for (bool more = true; more;) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < ndims; ++i) number = number * grid_[i] + at[i];
    numbers->insert(number);
    more = false;
    for (std::size_t i = ndims; i-- > 0 && !more;) {
      more = at[i] < last[i];
      at[i] = more ? at[i] + 1 : first[i];
    }
  }
}

std::uint64_t Pieces::most_bytes() const { return product(box_) * element_; }

}  // namespace tools
