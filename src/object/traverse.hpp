// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: from names to objects.
//
// Names are paths of components separated by '/'; "." is the place itself; a leading '/' starts at
// the root group. Soft, external and user-defined links are followed, at most as many as the link access
// list allows.

#pragma once

#include <string>
#include <string_view>

#include "object/file.hpp"
#include "props/object_props.hpp"

namespace pcio {

/// An object and how it was reached; not counted as open.
struct Location {
  FilePtr file;
  StoredObjectPtr object;
  std::string path;
  /// Where a link led into another file: keeps that open. Whoever goes on from here takes it along.
  FileHoldPtr hold = nullptr;
  [[nodiscard]] ObjectKind kind() const { return object->kind(); }
  /// Of its header, which is what other objects and references call it by.
  [[nodiscard]] FileAddress address() const { return object->address; }
};

/// The root group. Collective: independent.
Location root_of(const FilePtr& file);
/// The object whose header is at `address`, without a path: a number that may come from outside, so the
/// header is looked at. Collective: independent. Errors: no object there.
Result<Location> object_at_address(const FilePtr& file, FileAddress address);
/// It was deleted, or has no link yet. Collective: pure.
inline bool is_unlinked(const Location& at) { return at.object->links_to == 0; }

/// A group and a name in it, which may or may not exist.
struct LinkPlace {
  Location group;
  std::string name;  ///< empty where the path is the place itself ("/" or ".")
  /// Not of the path's last component but of the first group that is missing (MissingGroups::kEndTheWalk).
  bool is_on_the_way = false;
  [[nodiscard]] std::string path() const;
};

enum class MissingGroups : std::uint8_t {
  kAreErrors,
  kAreCreated,
  kEndTheWalk  ///< the place of the first one that is missing is the result
};

/// The object that `name` leads to, perhaps in another file. Collective: independent.
/// Errors: SYM/NOTFOUND naming the component that is missing; a component that is not a group; too
/// many links that are not hard; files of external links that can't be opened.
Result<Location> find_object(const Location& from, std::string_view name,
                             const LinkAccessProps& access = {});

/// The group that holds, or would hold, the last component of `name`.
/// `missing`: kAreCreated makes groups that the path lacks (a metadata change).
Result<LinkPlace> find_place(const Location& from, std::string_view name,
                             const LinkAccessProps& access = {},
                             MissingGroups missing = MissingGroups::kAreErrors);

/// The link itself, not followed. Errors: NOTFOUND; a path without a last component.
Result<const LinkMessage*> find_link(const LinkPlace& place);

/// True where there is a link of that name. Collective: independent. Errors: a group that can't be read.
Result<bool> is_taken(const LinkPlace& place);

/// True where every component but the last leads to a group and the last one exists as a link.
Result<bool> link_exists(const Location& from, std::string_view name,
                         const LinkAccessProps& access = {});

}  // namespace pcio
