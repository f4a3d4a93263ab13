// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Makes the objects and links of the source in the new file, without data and attributes.
// Room: tools, public headers only.

#ifndef PCIO_TOOLS_REPACK_STRUCTURE_HPP
#define PCIO_TOOLS_REPACK_STRUCTURE_HPP

#include <functional>
#include <vector>

#include "options.hpp"
#include "twins.hpp"

namespace repack {

/// An object that is in both files.
struct Item {
  std::string path;
  H5O_type_t type = H5O_TYPE_UNKNOWN;
  bool changed = false;   ///< a dataset with another layout or other filters
  bool complete = false;  ///< its data are there already
};

/// Says what the user should know though the work goes on.
using Warn = std::function<void(const std::string&)>;

/// Makes everything that can be reached from the root group; the same on all ranks. The objects stand in the
/// order in which they were made, the root group first. Throws tools::Failure.
std::vector<Item> make_structure(const Options& options, Twins* twins, const Warn& warn);

/// Names of the links of a group, or of the attributes of an object: in the order of creation where that is
/// known. Throw tools::Failure.
std::vector<std::string> link_names(hid_t group, const std::string& path, unsigned order);
std::vector<std::string> attribute_names(hid_t object, const std::string& path, unsigned order);

}  // namespace repack

#endif
