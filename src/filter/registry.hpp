// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: which filters there are, by number.

#pragma once

#include "filter/filter_class.hpp"

namespace pcio {

/// Where filters come from that nobody registered. Set once by the wall, which knows of plugins;
/// it may call register_filter, and returns the filter or the reason why there is none.
using FilterLoader = Result<FilterClassPtr> (*)(int id);

// All of these may be called from several threads; a filter that is being run stays alive.

/// Adds a filter or takes the place of the one with its number. Errors: no memory.
Status register_filter(FilterClass filter);
/// Errors: no such filter, or one of the library's own.
Status unregister_filter(int id);
void set_filter_loader(FilterLoader loader);

/// The filter if it is there already; else null.
[[nodiscard]] FilterClassPtr registered_filter(int id);
/// The filter, loaded if need be. Errors: NOFILTER, with what the loader says.
Result<FilterClassPtr> find_filter_class(int id);

/// "deflate (1)", or "filter 32015 (zstd)" with the stored name: what an error calls the filter.
[[nodiscard]] std::string filter_label(const FilterSpec& stage);

}  // namespace pcio
