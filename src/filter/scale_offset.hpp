// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: the parameters of the scale-offset filter.

#pragma once

#include <vector>

#include "filter/parameters.hpp"

namespace pcio {

/// What is stored with a new dataset. `spec` holds the user's scale type and factor.
/// Errors: not an integer or floating-point type of a size that the filter knows.
Result<std::vector<unsigned>> scale_offset_parameters(const FilterSpec& spec,
                                                      const FilterSubject& subject);

}  // namespace pcio
