// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: which filters this library knows, for H5Z and H5P calls.

#pragma once

#include <span>

namespace pcio {

struct KnownFilter {
  int id;             // H5Z_FILTER_*
  const char* name;   // stored in files
  unsigned config;    // H5Z_FILTER_CONFIG_* bits: what it can do here
};

std::span<const KnownFilter> known_filters();

/// The filter, or nullptr.
const KnownFilter* find_filter(int id);

}  // namespace pcio
