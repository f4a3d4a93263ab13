// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: links into other files.
//
// A file that a link leads to is opened by the rank that follows it, without a word to the others: with
// the list and the flags of the link access list or, where that says nothing, as the file with the link;
// but in place of an MPI driver by posix and for reading only.

#pragma once

#include <string>
#include <vector>

#include "object/traverse.hpp"

namespace pcio {

/// Where the file of an external link is looked for.
struct ChildSearch {
  std::string name;         ///< as the link has it
  std::string environment;  ///< HDF5_EXT_PREFIX: prefixes with ':' between them
  std::string prefix;       ///< H5Pset_elink_prefix
  std::string folder;       ///< of the file with the link
};
/// The paths that are tried, in this order. Collective: pure.
/// Source: HDF5 Reference Manual, H5Lcreate_external.
std::vector<std::string> child_paths(const ChildSearch& search);

/// The root group of the file that an external link names, which is open for as long as the result lives,
/// and the path in it. Collective: independent.
/// Errors: LINK, naming link, file and what was tried; those of opening; the program's function says no.
struct ChildPlace {
  Location root;
  std::string path;
};
Result<ChildPlace> open_child_of(const LinkPlace& place, const LinkMessage& link,
                                 const LinkAccessProps& access);

}  // namespace pcio
