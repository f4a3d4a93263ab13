// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: files that are mounted on groups of other files.
//
// A mount belongs to the file with the group, and to one opening of the file that is mounted: paths that come
// to the group go on at the root of that file, and absolute paths from there begin at the root of the topmost
// file. What is mounted stays open until it is unmounted, or the file with the group is closed.

#pragma once

#include "object/traverse.hpp"

namespace pcio {

/// Where a walk goes on that came to this place: the root of what is mounted there. Collective: independent.
Location crossed(Location at);
/// Where absolute paths from this place begin. Collective: independent.
Location top_root(const Location& from);
/// A file is mounted on this group. Collective: independent.
bool is_mount_point(const Location& group);

/// The file is mounted somewhere, or something in it. Collective: independent.
inline bool has_mounts(const FilePtr& file) {
  return !file->mounts().empty() || file->mounted_on(file) != nullptr;
}

/// Mounts an opening of a file on a group. Collective: by contract over both files.
/// Errors: not a group; a file on itself, or on one that is mounted on it; mounted already.
Status mount_file(const Location& group, const FilePtr& child);
/// The group that something is mounted on. `at`: it, or the root of what is mounted there. Collective:
/// independent. Errors: no mount.
Result<Location> mount_point_of(const Location& at);
/// Files that several ranks have open and nothing but this mount keeps open. Collective: independent. Errors:
/// objects are open on this rank in one of them.
Result<std::size_t> files_closed_by_unmount(const Location& point);
/// Collective: by contract over both files; where nothing else keeps the child open it is closed: over the
/// child. Errors: no mount; those of closing.
Status unmount_file(const Location& point);

/// The file, the files that it is mounted in, and all that are mounted in these, from the top.
std::vector<FilePtr> mounted_together(const FilePtr& file);

}  // namespace pcio
