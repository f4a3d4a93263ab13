// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: selections that are one box, or one run of elements: most of those that programs make.

#pragma once

#include <optional>

#include "space/dataspace.hpp"

namespace pcio {

/// Elements that follow each other, counted from the first one of an extent.
struct ElementRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  friend bool operator==(const ElementRun&, const ElementRun&) = default;
};

/// The box that is selected. Nothing where the selection is of another shape or empty, has an offset, or does not lie in
/// its extent: that is for others to find out. Asks for no memory. Collective: pure.
[[nodiscard]] std::optional<Box> selected_box(const Dataspace& space);

/// The elements of a box, which has some and lies in `dims`, in row-major order. Nothing where they are not one run, or the numbers of
/// an extent are too large for 64 bits. Asks for no memory. Collective: pure.
[[nodiscard]] std::optional<ElementRun> run_of_box(const Box& box, const Dims& dims);

}  // namespace pcio
