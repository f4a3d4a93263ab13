// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Filters and chains of them for the campaign of filtered transfers, some of this
// program's own. Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_FILTERED_FILTER_CHOICES_HPP
#define PCIO_TESTPAR_FILTERED_FILTER_CHOICES_HPP

#include <functional>
#include <hdf5.h>
#include <vector>

namespace filtered {

/// What elements may be; kNarrow: integers of 17 bits.
enum class Values { kAny, kIntegers, kNarrow };

struct FilterChoice {
  const char* name;
  Values values;
  bool everywhere;  // other programs have it
  std::function<herr_t(hid_t)> set;
};

extern const std::vector<FilterChoice> kFilters;

/// Makes this program's own filters known.
bool register_filters();

}  // namespace filtered

#endif
