// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: what still needs a filter: open datasets, and chunks in memory.

#pragma once

#include "object/file.hpp"

namespace pcio {

/// False also where the dataset can't be understood. Collective: independent.
bool uses_filter(const OpenObject& dataset, int filter);

/// The filter will not be there any more: writes the chunks of closed datasets that need it, in all
/// files that this process has open for writing.
/// Collective: independent. Errors: some of them wait for the other ranks, or can't be written.
Status let_filter_go(int filter);

}  // namespace pcio
