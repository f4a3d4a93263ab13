// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: what programs say about links, and only the room above can ask them.

#pragma once

#include "object/traverse.hpp"

namespace pcio {

/// How a file that an external link names is to be opened.
struct ChildOpen {
  std::string file;    ///< as the link names it
  std::string object;  ///< the path in it
  unsigned flags = 0;  ///< H5F_ACC_RDONLY, H5F_ACC_RDWR
  FileAccessProps access;
};

/// Set once, when the library is opened. None of them communicates but by calls that functions of the program make.
struct LinkCallbacks {
  /// The function of H5Pset_elink_cb: may change flags and list. Errors: it says that the link is not
  /// followed.
  Status (*ask)(const LinkPlace& place, const LinkAccessProps& access, ChildOpen* how) = nullptr;
  /// True where links of this type are followed by a class of the program (H5Lregister).
  bool (*has_class)(int type) = nullptr;
  /// The object that a link of such a class leads to. Errors: no class; its function failed.
  Result<Location> (*traverse)(const LinkPlace& place, const LinkMessage& link,
                               const LinkAccessProps& access) = nullptr;
  /// External links can be followed: no program took their class away (H5Lunregister).
  bool (*follows_external)() = nullptr;
};

void set_link_callbacks(const LinkCallbacks& set);
const LinkCallbacks& link_callbacks();

}  // namespace pcio
