// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tests of room space: random dataspaces and, beside each, the list of selected elements found by
// looking at every element.

#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "space/dataspace.hpp"

namespace pcio::test {

inline std::uint64_t pick(std::uint64_t low, std::uint64_t high) {
  return *rc::gen::resize(100, rc::gen::inRange<std::uint64_t>(low, high + 1));
}

inline std::uint64_t offset_of(const Dims& dims, const Dims& at) {
  std::uint64_t offset = 0;
  for (unsigned d = 0; d < dims.size(); ++d) offset = offset * dims[d] + at[d];
  return offset;
}

/// A dataspace and its selected offsets in selection order.
struct Model {
  Dataspace space;
  std::vector<char> bits;              // all kinds but points
  std::vector<std::uint64_t> ordered;  // selection order

  void from_bits() {
    ordered.clear();
    for (std::size_t i = 0; i < bits.size(); ++i)
      if (bits[i]) ordered.push_back(i);
  }
};

inline Dims random_dims(unsigned ndims, std::uint64_t low, std::uint64_t elements) {
  Dims dims(ndims, 1);
  for (unsigned d = 0; d < ndims; ++d) {
    const std::uint64_t rest = elements / std::max<std::uint64_t>(1, *dims.volume());
    dims[d] = pick(low, std::max(low, std::min<std::uint64_t>(12, rest)));
    if (dims[d] == 0) break;
  }
  return dims;
}

inline RegularSlab random_slab(const Dims& dims) {
  const unsigned n = dims.size();
  RegularSlab slab{Dims(n), Dims(n), Dims(n), Dims(n)};
  for (unsigned d = 0; d < n; ++d) {
    slab.start[d] = dims[d] > 0 ? pick(0, dims[d] - 1) : 0;
    const std::uint64_t room = dims[d] > 0 ? dims[d] - slab.start[d] : 0;
    slab.block[d] =
        room > 0 ? pick(1, pick(0, 3) == 0 ? room : std::min<std::uint64_t>(room, 3)) : 0;
    slab.stride[d] = slab.block[d] + pick(0, 3);
    if (slab.stride[d] == 0) slab.stride[d] = 1;
    slab.count[d] = slab.block[d] == 0 ? 0 : pick(1, (room - slab.block[d]) / slab.stride[d] + 1);
    if (pick(0, 40) == 0) slab.count[d] = 0;
  }
  return slab;
}

inline bool in_slab(const RegularSlab& slab, const Dims& at) {
  for (unsigned d = 0; d < at.size(); ++d) {
    if (at[d] < slab.start[d]) return false;
    const std::uint64_t x = at[d] - slab.start[d];
    if (slab.count[d] == 1
            ? x >= slab.block[d]
            : x / slab.stride[d] >= slab.count[d] || x % slab.stride[d] >= slab.block[d])
      return false;
  }
  return true;
}

inline bool operate(SelectOp op, bool a, bool b) {
  switch (op) {
    case SelectOp::kSet: return b;
    case SelectOp::kOr: return a || b;
    case SelectOp::kAnd: return a && b;
    case SelectOp::kXor: return a != b;
    case SelectOp::kNotB: return a && !b;
    case SelectOp::kNotA: return b && !a;
    default: return a;
  }
}

inline void apply(Model& model, SelectOp op, const RegularSlab& slab) {
  RC_ASSERT(model.space.selection().select_hyperslab(model.space.dims(), op, slab).ok());
  std::size_t i = 0;
  for_each_position(model.space.dims(), [&](const Dims& at) {
    model.bits[i] = operate(op, model.bits[i] != 0, in_slab(slab, at));
    ++i;
  });
  model.from_bits();
}

inline void add_points(Model& model, SelectOp op) {
  const Dims& dims = model.space.dims();
  std::vector<std::uint64_t> coords;
  std::vector<std::uint64_t> offsets;
  const std::uint64_t n = pick(1, 12);
  Dims at(dims.size());
  for (std::uint64_t i = 0; i < n; ++i) {
    if (i == 0 || pick(0, 1) == 0)
      for (unsigned d = 0; d < dims.size(); ++d) at[d] = pick(0, dims[d] - 1);
    else if (at.back() + 1 < dims.back())
      ++at.back();
    coords.insert(coords.end(), at.begin(), at.end());
    offsets.push_back(offset_of(dims, at));
  }
  RC_ASSERT(model.space.selection().select_points(dims, op, coords.data(), n).ok());
  auto& list = model.ordered;
  if (op == SelectOp::kSet) list.clear();
  list.insert(op == SelectOp::kPrepend ? list.begin() : list.end(), offsets.begin(), offsets.end());
}

/// Any selection in the extent: all, none, regular, irregular, points; no selection offset.
inline Model random_selection(const Dims& dims, bool with_points) {
  Model model;
  model.space = *Dataspace::simple(dims);
  model.bits.assign(*dims.volume(), 1);
  model.from_bits();
  const std::uint64_t kind = pick(0, 9);
  if (kind == 0) return model;
  if (kind <= 3) {
    apply(model, SelectOp::kSet, random_slab(dims));
  } else if (with_points && kind <= 5 && *dims.volume() > 0) {
    add_points(model, SelectOp::kSet);
    if (pick(0, 1) == 0) add_points(model, SelectOp::kAppend);
    if (pick(0, 1) == 0) add_points(model, SelectOp::kPrepend);
    model.bits.assign(model.bits.size(), 0);
    for (std::uint64_t i : model.ordered) model.bits[i] = 1;
  } else {
    if (pick(0, 1) == 0) apply(model, SelectOp::kSet, random_slab(dims));
    for (std::uint64_t n = pick(1, 4); n > 0; --n)
      apply(model, static_cast<SelectOp>(pick(1, 5)), random_slab(dims));
  }
  return model;
}

/// Sometimes gives the space a selection offset under which it stays inside its extent.
inline void random_offset(Model& model) {
  const Dims& dims = model.space.dims();
  const auto bounds = model.space.selection().bounds(dims);
  if (model.space.selection().kind() == SelectionKind::kAll || !bounds || pick(0, 1) == 0) return;
  SelectionOffset offset{};
  Dims delta(dims.size());
  for (unsigned d = 0; d < dims.size(); ++d) {
    const std::uint64_t to = pick(0, dims[d] - bounds->count[d]);
    offset[d] = static_cast<std::int64_t>(to) - static_cast<std::int64_t>(bounds->start[d]);
    delta[d] = static_cast<std::uint64_t>(offset[d]);
  }
  model.space.set_selection_offset(offset);
  const std::uint64_t shift = offset_of(dims, delta);
  model.bits.assign(model.bits.size(), 0);
  for (std::uint64_t& i : model.ordered) model.bits[i += shift] = 1;
}

inline Model random_model(std::uint64_t low = 1, unsigned max_ndims = 6) {
  const unsigned ndims = static_cast<unsigned>(pick(1, pick(0, 4) == 0 ? max_ndims : 3));
  Model model = random_selection(random_dims(ndims, low, 1500), true);
  random_offset(model);
  return model;
}

inline Dims coords_of(const Dims& dims, std::uint64_t offset) {
  Dims at(dims.size());
  for (unsigned d = dims.size(); d-- > 0;) {
    at[d] = offset % dims[d];
    offset /= dims[d];
  }
  return at;
}

inline Dims random_chunk(const Dims& dims) {
  Dims chunk(dims.size());
  for (unsigned d = 0; d < dims.size(); ++d)
    chunk[d] = pick(1, std::max<std::uint64_t>(1, dims[d]) + 1);
  return chunk;
}

}  // namespace pcio::test
