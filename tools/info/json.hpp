// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What a file holds as JSON. Room: tools, public headers only.

#ifndef PCIO_TOOLS_INFO_JSON_HPP
#define PCIO_TOOLS_INFO_JSON_HPP

#include <hdf5.h>
#include <string>

namespace pcioinfo {

/// Prints one object with everything: the file, its space, all objects that can be reached from `object` by path.
/// Returns how much was refused, which stands there with its reason.
int print_json(hid_t file, const std::string& name, hid_t object, const std::string& path);

}  // namespace pcioinfo

#endif
