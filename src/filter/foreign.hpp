// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: calling filters of programs and plugins by HDF5's C interface.

#pragma once

#include "filter/filter_class.hpp"

namespace pcio {

/// Runs `filter.foreign` on a copy of the bytes in memory that it may free and replace.
/// `flags`: those of the call beside the stage's own. Errors: it returned 0 bytes, or more than there
/// is memory for.
Status run_foreign(const FilterClass& filter, unsigned flags, const FilterCall& call);

}  // namespace pcio
