// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the metadata cache's configuration, which lists and open files store and give back.

#pragma once

#include "base/status.hpp"
#include "lib/public_api.hpp"
#include "props/file_props.hpp"

namespace pcio {

/// Fills `*config`, whose version the caller has set. Errors: NULL, an unknown version.
Status get_cache_config(const FileAccessProps& props, H5AC_cache_config_t* config);
/// Errors: NULL, an unknown version, values that contradict each other.
Status set_cache_config(FileAccessProps& props, const H5AC_cache_config_t* config);

H5AC_cache_image_config_t get_image_config(const FileAccessProps& props);
/// Errors: NULL, an unknown version, values that HDF5 has no meaning for.
Status set_image_config(FileAccessProps& props, const H5AC_cache_image_config_t* config);

}  // namespace pcio
