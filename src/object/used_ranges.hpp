// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: which bytes of a file belong to whom. Nothing here communicates.

#pragma once

#include <vector>

#include "object/traverse.hpp"
#include "storage/dataset/object_ranges.hpp"

namespace pcio {

/// Appends what list_object_ranges() finds, places counted from the start of the file, a user block included.
Status used_ranges_of(const Location& object, RangeUses uses, std::vector<UsedRange>* ranges);
/// The same of list_file_ranges().
Status used_ranges_of(File& file, RangeUses uses, std::vector<UsedRange>* ranges);

}  // namespace pcio
