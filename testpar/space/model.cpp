// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The model of a dataset, element by element.

#include "testpar/space/model.hpp"

#include <utility>

namespace space {

bool Slab::empty() const {
  for (hsize_t n : count)
    if (n == 0) return true;
  return false;
}

bool advance(Numbers& position, const Numbers& counts) {
  for (std::size_t d = position.size(); d-- > 0;) {
    if (++position[d] < counts[d]) return true;
    position[d] = 0;
  }
  return false;
}

namespace {

std::size_t volume(const Numbers& dims) {
  std::size_t n = 1;
  for (hsize_t dim : dims) n *= static_cast<std::size_t>(dim);
  return n;
}

}  // namespace

Model::Model(Numbers dims, Numbers chunk, int fill, Unwritten unwritten)
    : dims_(std::move(dims)),
      chunk_(std::move(chunk)),
      unwritten_{fill, unwritten == Unwritten::kAny},
      cells_(volume(dims_), unwritten_) {}

std::size_t Model::place(const Numbers& position) const {
  std::size_t at = 0;
  for (std::size_t d = 0; d < dims_.size(); ++d)
    at = at * static_cast<std::size_t>(dims_[d]) + static_cast<std::size_t>(position[d]);
  return at;
}

int Model::value(const Numbers& position, int step) {
  std::uint64_t h = 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(step) * 1000003u;
  for (hsize_t p : position) h = (h ^ p) * 0x100000001b3u, h ^= h >> 29;
  return static_cast<int>(h % 1000000) + 1;
}

void Model::write(const Slab& slab, int step) {
  slab.for_each([&](const Numbers& at) { cells_[place(at)] = {value(at, step), false}; });
}

void Model::resize(const Numbers& dims) {
  Model next(dims, chunk_, unwritten_.value, unwritten_.any ? Unwritten::kAny : Unwritten::kFill);
  if (!next.cells_.empty()) {
    Numbers at(dims.size(), 0);
    do {
      bool kept = true;
      for (std::size_t d = 0; d < dims.size(); ++d) kept = kept && at[d] < dims_[d];
      if (kept) next.cells_[next.place(at)] = cells_[place(at)];
    } while (advance(at, dims));
  }
  *this = std::move(next);
}

std::set<Numbers> Model::chunks_of(const Slab& slab) const {
  std::set<Numbers> chunks;
  slab.for_each([&](const Numbers& at) {
    Numbers chunk(at.size());
    for (std::size_t d = 0; d < at.size(); ++d) chunk[d] = at[d] / chunk_[d];
    chunks.insert(chunk);
  });
  return chunks;
}

std::string Model::compare(const std::vector<int>& data) const {
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (!cells_[i].any && data[i] != cells_[i].value)
      return "element " + std::to_string(i) + " is " + std::to_string(data[i]) + ", not " +
             std::to_string(cells_[i].value);
  return "";
}

void Model::print(std::ostream& out) const {
  for (const Cell& cell : cells_) {
    out << ' ';
    if (cell.any)
      out << '?';
    else
      out << cell.value;
  }
  out << '\n';
}

}  // namespace space
