// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: chunks in memory that still need a filter.

#pragma once

#include "base/status.hpp"

namespace pcio {

/// The filter will not be there any more: writes the chunks of closed datasets that need it, in all
/// files that this process has open for writing.
/// Collective: independent. Errors: some of them wait for the other ranks, or can't be written.
Status let_filter_go(int filter);

}  // namespace pcio
