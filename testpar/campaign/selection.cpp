// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random selections and the elements they mean. Room: testpar, public headers only.

#include "selection.hpp"

#include <algorithm>

namespace campaign {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a + 0x9E3779B97F4A7C15U * (b + 1);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

// Splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
std::uint64_t Random::next() {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

hsize_t count_of(const Dims& dims) {
  hsize_t n = 1;
  for (const hsize_t d : dims) n *= d;
  return n;
}

Slab whole(const Dims& dims) {
  Slab slab;
  for (const hsize_t d : dims) slab.push_back({0, 1, 1, d});
  return slab;
}

namespace {

std::vector<hsize_t> coordinates(const Span& span) {
  std::vector<hsize_t> list;
  for (hsize_t c = 0; c < span.count; ++c)
    for (hsize_t b = 0; b < span.block; ++b) list.push_back(span.start + c * span.stride + b);
  return list;
}

/// Calls visit(element) for each element of the slab, ascending.
template <class Visit>
void for_each(const Slab& slab, const Dims& dims, Visit visit) {
  std::vector<std::vector<hsize_t>> lists;
  for (const Span& span : slab) {
    lists.push_back(coordinates(span));
    if (lists.back().empty()) return;
  }
  std::vector<std::size_t> at(slab.size(), 0);
  for (;;) {
    hsize_t element = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) element = element * dims[d] + lists[d][at[d]];
    visit(element);
    std::size_t d = dims.size();
    while (d > 0 && ++at[d - 1] == lists[d - 1].size()) at[--d] = 0;
    if (d == 0) return;
  }
}

bool combine(bool a, bool b, H5S_seloper_t op) {
  switch (op) {
    case H5S_SELECT_OR: return a || b;
    case H5S_SELECT_AND: return a && b;
    case H5S_SELECT_XOR: return a != b;
    case H5S_SELECT_NOTB: return a && !b;
    case H5S_SELECT_NOTA: return b && !a;
    default: return b;
  }
}

std::vector<hsize_t> elements_of(const std::vector<Slab>& slabs,
                                 const std::vector<H5S_seloper_t>& operators, const Dims& dims) {
  std::vector<bool> chosen(static_cast<std::size_t>(count_of(dims)), false);
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    std::vector<bool> other(chosen.size(), false);
    for_each(slabs[i], dims, [&](hsize_t e) { other[static_cast<std::size_t>(e)] = true; });
    for (std::size_t e = 0; e < chosen.size(); ++e)
      chosen[e] = combine(chosen[e], other[e], operators[i]);
  }
  std::vector<hsize_t> list;
  for (std::size_t e = 0; e < chosen.size(); ++e)
    if (chosen[e]) list.push_back(e);
  return list;
}

/// A random regular pattern in `size` coordinates from `start`.
Span pattern_in(hsize_t start, hsize_t size, Random& random) {
  switch (random.below(5)) {
    case 0: return {start, 1, 1, size};
    case 1: return {start, 1, size, 1};  // the same elements in other words
    default: break;
  }
  Span span;
  const hsize_t shift = random.chance(50) ? random.below(size) : 0;
  span.start = start + shift;
  size -= shift;
  span.block = random.between(1, random.chance(50) ? std::min<hsize_t>(size, 3) : size);
  span.stride = span.block + random.below(4);
  const hsize_t most = (size - span.block) / span.stride + 1;
  span.count = random.between(1, most);
  return span;
}

}  // namespace

bool Selection::apply(hid_t space, const Dims& dims) const {
  if (kind == SelectionKind::kAll) return H5Sselect_all(space) >= 0;
  if (!points.empty()) {
    std::vector<hsize_t> coords;
    for (const hsize_t point : points) {
      std::vector<hsize_t> at(dims.size());
      hsize_t rest = point;
      for (std::size_t d = dims.size(); d-- > 0; rest /= dims[d]) at[d] = rest % dims[d];
      coords.insert(coords.end(), at.begin(), at.end());
    }
    return H5Sselect_elements(space, H5S_SELECT_SET, points.size(), coords.data()) >= 0;
  }
  if (slabs.empty()) return H5Sselect_none(space) >= 0;
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    std::vector<hsize_t> start, stride, count, block;
    for (const Span& span : slabs[i]) {
      start.push_back(span.start);
      stride.push_back(span.stride);
      count.push_back(span.count);
      block.push_back(span.block);
    }
    if (H5Sselect_hyperslab(space, operators[i], start.data(), stride.data(), count.data(),
                            block.data()) < 0)
      return false;
  }
  return true;
}

std::vector<hsize_t> Selection::elements(const Dims& dims) const {
  if (kind == SelectionKind::kAll) return elements_of({whole(dims)}, {H5S_SELECT_SET}, dims);
  return points.empty() ? elements_of(slabs, operators, dims) : points;
}

Slab part_of(const Slab& slab, Random& random) {
  Slab part = slab;
  for (Span& span : part) {
    if (span.count == 1) {
      span = pattern_in(span.start, span.block, random);
    } else if (random.chance(30)) {  // one of the blocks
      const hsize_t which = random.below(span.count);
      span = pattern_in(span.start + which * span.stride, span.block, random);
    } else if (random.chance(50)) {  // some blocks, and less of each
      const hsize_t first = random.below(span.count), shift = random.below(span.block);
      span.start += first * span.stride + shift;
      span.count = random.between(1, span.count - first);
      span.block = random.between(1, span.block - shift);
    }
  }
  return part;
}

namespace {

void cut_boxes(std::vector<Slab>& boxes, std::size_t wanted, Random& random) {
  for (std::size_t tries = 0; boxes.size() < wanted && tries < 4 * wanted; ++tries) {
    Slab& box = boxes[random.below(boxes.size())];
    const std::size_t d = random.below(box.size());
    if (box[d].block < 2) continue;
    Slab right = box;
    const hsize_t left = random.between(1, box[d].block - 1);
    right[d].start += left;
    right[d].block -= left;
    box[d].block = left;
    boxes.push_back(right);
  }
}

Slab cyclic_share(const Dims& dims, std::size_t d, hsize_t width, hsize_t turn, int ranks) {
  const hsize_t start = turn * width, stride = static_cast<hsize_t>(ranks) * width;
  if (start + width > dims[d]) return {};
  Slab slab = whole(dims);
  slab[d] = {start, stride, (dims[d] - start - width) / stride + 1, width};
  return slab;
}

}  // namespace

Regions share_out(Sharing sharing, const Dims& dims, int ranks, Random& random) {
  Regions regions(static_cast<std::size_t>(ranks));
  if (sharing == Sharing::kSingle) {
    regions[random.below(regions.size())] = {whole(dims)};
  } else if (sharing == Sharing::kBoxes) {
    std::vector<Slab> boxes = {whole(dims)};
    cut_boxes(boxes, random.between(regions.size(), 2 * regions.size() + 1), random);
    const bool all_get_some = random.chance(50);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (all_get_some && i < regions.size())
        regions[i].push_back(boxes[i]);
      else if (random.chance(80))
        regions[random.below(regions.size())].push_back(boxes[i]);
    }
  } else {
    const std::size_t d = random.below(dims.size());
    const hsize_t most = std::max<hsize_t>(1, dims[d] / static_cast<hsize_t>(ranks));
    const hsize_t width = random.between(1, random.chance(60) ? std::min<hsize_t>(2, most) : most);
    std::vector<hsize_t> turns;
    for (hsize_t i = 0; i < regions.size(); ++i) turns.push_back(i);
    random.shuffle(turns);
    for (std::size_t i = 0; i < regions.size(); ++i) {
      Slab slab = cyclic_share(dims, d, width, turns[i], ranks);
      if (!slab.empty()) regions[i].push_back(std::move(slab));
    }
  }
  return regions;
}

namespace {

void combine_slabs(const std::vector<Slab>& region, Selection& selection, Random& random) {
  static const std::vector<H5S_seloper_t> kOperators = {H5S_SELECT_OR, H5S_SELECT_OR, H5S_SELECT_OR,
                                                        H5S_SELECT_XOR, H5S_SELECT_NOTB};
  const std::size_t wanted = random.between(2, 6);
  for (std::size_t i = 0; i < wanted; ++i) {
    selection.slabs.push_back(part_of(random.pick(region), random));
    selection.operators.push_back(i == 0 ? H5S_SELECT_SET : random.pick(kOperators));
  }
}

/// Points in the region, in random, ascending or descending order.
std::vector<hsize_t> points_in(const std::vector<Slab>& region, const Dims& dims, bool repeated,
                               Random& random) {
  std::vector<hsize_t> all =
      elements_of(region, std::vector<H5S_seloper_t>(region.size(), H5S_SELECT_OR), dims);
  if (all.empty()) return {};
  random.shuffle(all);
  std::vector<hsize_t> points(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(
                                     random.between(1, std::min<hsize_t>(all.size(), 400))));
  if (repeated)
    for (hsize_t i = random.between(1, 20); i > 0; --i) points.push_back(random.pick(points));
  if (random.chance(30))
    std::sort(points.begin(), points.end());
  else if (random.chance(30))
    std::sort(points.rbegin(), points.rend());
  return points;
}

}  // namespace

Selection select_in(const std::vector<Slab>& region, SelectionKind kind, const Dims& dims,
                    Random& random) {
  Selection selection;
  if (region.empty()) return selection;
  selection.kind = kind;
  switch (kind) {
    case SelectionKind::kRegular:
      selection.slabs = {random.chance(30) ? region[0] : part_of(random.pick(region), random)};
      selection.operators = {H5S_SELECT_SET};
      break;
    case SelectionKind::kIrregular: combine_slabs(region, selection, random); break;
    case SelectionKind::kPoints:
    case SelectionKind::kRepeatedPoints:
      selection.points = points_in(region, dims, kind == SelectionKind::kRepeatedPoints, random);
      break;
    default: break;
  }
  return selection;
}

}  // namespace campaign
