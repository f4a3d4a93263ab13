// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: filter plugins: shared libraries that export H5PLget_plugin_type and H5PLget_plugin_info.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "filter/filter_class.hpp"

namespace pcio {

/// A H5Z_class1_t or H5Z_class2_t of a program or plugin; what does not begin with the newer form's
/// version is read as the older one. Errors: a number outside 256..65535, no function.
Result<FilterClass> foreign_filter(const void* cls);

// Folders in order of search, and bits of H5PL_*_PLUGIN; as the environment sets them at first use.
// Threads: all may be called from several.

[[nodiscard]] std::vector<std::string> plugin_paths();
Status change_plugin_paths(const std::function<Status(std::vector<std::string>&)>& change);
[[nodiscard]] unsigned plugin_state();
void set_plugin_state(unsigned state);

/// Makes find_filter_class() look for plugins. Called when the library is opened; renews the ids
/// that the shim holds.
void prepare_plugins();

}  // namespace pcio
