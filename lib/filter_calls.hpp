// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: filters as the C interface sees them.

#pragma once

#include "filter/registry.hpp"
#include "object/dataset.hpp"

namespace pcio {

/// H5Z_FILTER_CONFIG_* bits: what a filter can do here.
[[nodiscard]] unsigned filter_config(const FilterClass& filter);

/// Asks the filters of programs and plugins about a new dataset: first whether each can be applied,
/// then for its parameters, which change `request->create.filters`. `stored_type`: the type of the
/// dataset. Errors: a filter can't be applied or fails, named.
Status ask_foreign_filters(const Datatype& stored_type, DatasetRequest* request);

}  // namespace pcio
