// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Ways of sharing a dataset out to the ranks. Room: testpar, public headers only.

#include "pattern.hpp"

#include <algorithm>
#include <cstdint>

namespace par {

namespace {

constexpr double kUntouched = -77.0;  // in memory around what is read

using Dims = std::vector<hsize_t>;

hsize_t part_begin(hsize_t n, hsize_t parts, hsize_t part) { return n * part / parts; }

/// A hyperslab of a space: [start, start + count * stride) with single elements or blocks.
struct Box {
  Dims start, stride, count, block;
};

Box whole(const Dims& dims) {
  Box box;
  box.start.assign(dims.size(), 0);
  box.stride.assign(dims.size(), 1);
  box.count.assign(dims.size(), 1);
  box.block = dims;
  return box;
}

/// Restricts one dimension to part `who` of `parts`.
Box part_of(const Dims& dims, std::size_t dim, int who, int parts) {
  Box box = whole(dims);
  const auto w = static_cast<hsize_t>(who), n = static_cast<hsize_t>(parts);
  box.start[dim] = part_begin(dims[dim], n, w);
  box.block[dim] = part_begin(dims[dim], n, w + 1) - box.start[dim];
  return box;
}

Box cyclic(const Dims& dims, int who) {
  Box box = whole(dims);
  const auto w = static_cast<hsize_t>(who), n = static_cast<hsize_t>(size());
  box.start[0] = w;
  box.stride[0] = n;
  box.count[0] = w < dims[0] ? (dims[0] - w + n - 1) / n : 0;
  box.block[0] = 1;
  return box;
}

bool inside(const Box& box, const Dims& at) {
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (at[d] < box.start[d]) return false;
    const hsize_t offset = at[d] - box.start[d];
    // One block may be larger than the stride, which then says nothing.
    const hsize_t stride = box.count[d] == 1 ? box.block[d] : box.stride[d];
    if (offset / stride >= box.count[d] || offset % stride >= box.block[d]) return false;
  }
  return true;
}

bool empty(const Box& box) {
  for (std::size_t d = 0; d < box.count.size(); ++d)
    if (box.count[d] == 0 || box.block[d] == 0) return true;
  return false;
}

/// What the ranks' boxes are in a pattern made of hyperslabs.
std::vector<Box> boxes_of(Pattern pattern, int who, const Dims& dims) {
  const int n = size();
  switch (pattern) {
    case Pattern::kRows: return {part_of(dims, 0, who, n)};
    case Pattern::kColumns: return {part_of(dims, 1, who, n)};
    case Pattern::kCyclic: return {cyclic(dims, who)};
    case Pattern::kCells: {
      // Upper half of columns block `who`, lower half of columns block `who + 1`.
      Box upper = part_of(dims, 1, who, n), lower = part_of(dims, 1, (who + 1) % n, n);
      const hsize_t middle = dims[0] / 2;
      upper.block[0] = middle;
      lower.start[0] = middle;
      lower.block[0] = dims[0] - middle;
      return {upper, lower};
    }
    case Pattern::kOneRank:
    case Pattern::kEverybody: return {whole(dims)};
    case Pattern::kLastEmpty: return {part_of(dims, 0, who, n > 1 ? n - 1 : 1)};
    case Pattern::kPoints: break;
  }
  return {};
}

Dims coordinates(hsize_t element, const Dims& dims) {
  Dims at(dims.size());
  for (std::size_t d = dims.size(); d-- > 0;) {
    at[d] = element % dims[d];
    element /= dims[d];
  }
  return at;
}

hsize_t count_of(const Dims& dims) {
  hsize_t count = 1;
  for (const hsize_t dim : dims) count *= dim;
  return count;
}

std::vector<hsize_t> select_points(hid_t space, int who, const Dims& dims) {
  std::vector<hsize_t> order, points;
  for (hsize_t i = count_of(dims); i-- > 0;)
    if ((i * 2654435761U >> 7) % static_cast<hsize_t>(size()) == static_cast<hsize_t>(who)) {
      order.push_back(i);
      for (const hsize_t at : coordinates(i, dims)) points.push_back(at);
    }
  if (order.empty()) {
    CHECK(H5Sselect_none(space) >= 0);
  } else {
    CHECK(H5Sselect_elements(space, H5S_SELECT_SET, order.size(), points.data()) >= 0);
  }
  return order;
}

/// Memory as the form says: a space with the selection in it, and where element k lies.
struct Memory {
  Id space;
  std::size_t elements = 0, offset = 0, stride = 1;
};

Memory make_memory(Form form, std::size_t count) {
  Memory memory;
  const hsize_t n = count;
  memory.offset = form == Form::kShifted ? 5 : form == Form::kColumn ? 1 : 0;
  memory.stride = form == Form::kColumn ? 3 : 1;
  memory.elements = count * memory.stride + memory.offset + 1;
  if (form == Form::kColumn) {
    const hsize_t dims[2] = {n + 1, 3}, start[2] = {0, 1}, selected[2] = {n, 1};
    memory.elements = static_cast<std::size_t>(dims[0] * dims[1]);
    memory.space = Id(H5Screate_simple(2, dims, nullptr));
    if (n > 0)
      CHECK(H5Sselect_hyperslab(memory.space, H5S_SELECT_SET, start, nullptr, selected, nullptr) >=
            0);
  } else {
    const hsize_t dims = memory.elements, start = memory.offset;
    memory.space = Id(H5Screate_simple(1, &dims, nullptr));
    if (n > 0)
      CHECK(H5Sselect_hyperslab(memory.space, H5S_SELECT_SET, &start, nullptr, &n, nullptr) >= 0);
  }
  if (n == 0) CHECK(H5Sselect_none(memory.space) >= 0);
  return memory;
}

template <typename Number>
bool write_as(hid_t dataset, hid_t type, hid_t space, hid_t list, const Memory& memory,
              const std::vector<hsize_t>& order, int generation) {
  std::vector<Number> values(memory.elements, static_cast<Number>(kUntouched));
  for (std::size_t k = 0; k < order.size(); ++k)
    values[memory.offset + k * memory.stride] = static_cast<Number>(value_of(order[k], generation));
  return H5Dwrite(dataset, type, memory.space, space, list, values.data()) >= 0;
}

template <typename Number>
int read_as(hid_t dataset, hid_t type, hid_t space, hid_t list, const Memory& memory,
            const std::vector<hsize_t>& order, int generation) {
  std::vector<Number> values(memory.elements, static_cast<Number>(kUntouched));
  std::vector<Number> expected = values;
  for (std::size_t k = 0; k < order.size(); ++k)
    expected[memory.offset + k * memory.stride] =
        static_cast<Number>(value_of(order[k], generation));
  if (H5Dread(dataset, type, memory.space, space, list, values.data()) < 0) return -1;
  int wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != expected[i]) ++wrong;
  return wrong;
}

}  // namespace

const char* name_of(Pattern pattern) {
  static const char* const kNames[] = {"rows",   "columns",  "cyclic",     "cells",
                                       "points", "one rank", "last empty", "everybody"};
  return kNames[static_cast<int>(pattern)];
}

std::vector<hsize_t> select(hid_t space, Pattern pattern, int who, const Dims& dims) {
  if (pattern == Pattern::kPoints) return select_points(space, who, dims);
  std::vector<Box> boxes = boxes_of(pattern, who, dims);
  const bool nobody = (pattern == Pattern::kOneRank && who != 0) ||
                      (pattern == Pattern::kLastEmpty && size() > 1 && who == size() - 1);
  if (nobody) boxes.clear();
  boxes.erase(std::remove_if(boxes.begin(), boxes.end(), empty), boxes.end());
  CHECK(H5Sselect_none(space) >= 0);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    CHECK(H5Sselect_hyperslab(space, i == 0 ? H5S_SELECT_SET : H5S_SELECT_OR, boxes[i].start.data(),
                              boxes[i].stride.data(), boxes[i].count.data(),
                              boxes[i].block.data()) >= 0);
  std::vector<hsize_t> order;
  for (hsize_t e = 0; e < count_of(dims); ++e)
    for (const Box& box : boxes)
      if (inside(box, coordinates(e, dims))) {
        order.push_back(e);
        break;
      }
  return order;
}

double value_of(hsize_t element, int generation) {
  return static_cast<double>(element) + 1000000.0 * generation;
}

namespace {

/// Everything that a transfer of a part needs.
struct Part {
  Id space, own_list;
  hid_t list = H5P_DEFAULT;
  hid_t type = -1;  // of memory
  std::vector<hsize_t> order;
  Memory memory;
};

Part make_part(hid_t dataset, const Dims& dims, const Transfer& transfer) {
  Part part;
  part.space = Id(H5Dget_space(dataset));
  if (transfer.list == H5P_DEFAULT) part.own_list = Id(transfer_list(transfer.mode));
  part.list = transfer.list == H5P_DEFAULT ? hid_t{part.own_list} : transfer.list;
  part.type = transfer.as_int ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
  if (transfer.memory_type >= 0) part.type = transfer.memory_type;
  part.order = select(part.space, transfer.pattern, transfer.who, dims);
  part.memory = make_memory(transfer.form, part.order.size());
  return part;
}

}  // namespace

bool write_part(hid_t dataset, const Dims& dims, const Transfer& transfer,
                H5D_mpio_actual_io_mode_t* io_mode) {
  const Part part = make_part(dataset, dims, transfer);
  const int generation = transfer.generation;
  const bool good = transfer.as_int ? write_as<int>(dataset, part.type, part.space, part.list,
                                                    part.memory, part.order, generation)
                                    : write_as<double>(dataset, part.type, part.space, part.list,
                                                       part.memory, part.order, generation);
  if (io_mode != nullptr) H5Pget_mpio_actual_io_mode(part.list, io_mode);
  return good;
}

int read_part(hid_t dataset, const Dims& dims, const Transfer& transfer) {
  const Part part = make_part(dataset, dims, transfer);
  const int generation = transfer.generation;
  return transfer.as_int ? read_as<int>(dataset, part.type, part.space, part.list, part.memory,
                                        part.order, generation)
                         : read_as<double>(dataset, part.type, part.space, part.list, part.memory,
                                           part.order, generation);
}

#ifdef PCIO_VERSION
bool explain_part(hid_t dataset, const Dims& dims, const Transfer& transfer,
                  pcio_direction_t direction, pcio_transfer_report_t* report) {
  const Part part = make_part(dataset, dims, transfer);
  return pcio_explain(dataset, part.type, part.memory.space, part.space, part.list, direction,
                      report, sizeof *report) >= 0;
}
#endif

}  // namespace par
