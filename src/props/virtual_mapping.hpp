// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: which part of a virtual dataset is which part of which other dataset.

#pragma once

#include <string>

#include "space/dataspace.hpp"

namespace pcio {

/// One call of H5Pset_virtual.
struct VirtualMapping {
  std::string file;  ///< "." is the file of the virtual dataset; "%b" stands for a block's number
  std::string dataset;  ///< as above
  Dataspace source;     ///< selection in the source; of its extent the number of dimensions counts
  Dataspace target;     ///< selection in the virtual dataset
  friend bool operator==(const VirtualMapping& a, const VirtualMapping& b);
};

/// As many elements on both sides, or none of them ends; "%b" takes one block after the other. Collective: pure.
bool is_possible(const VirtualMapping& mapping);

/// The same elements, in the same order, of extents of equal sizes. Collective: pure.
bool same_selection(const Dataspace& a, const Dataspace& b);

}  // namespace pcio
