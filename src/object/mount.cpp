// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: mounts, out of line.

#include "object/mount.hpp"

namespace pcio {

namespace {

/// The file at the top of those that this opening is mounted in.
FilePtr top_of(FilePtr file) {
  while (const MountedOn* on = file->mounted_on(file)) file = on->parent;
  return file;
}

bool is_below(const std::string& path, const std::string& top) {
  if (top == "/") return path.size() > 1;
  return path.size() > top.size() && path.compare(0, top.size(), top) == 0 &&
         path[top.size()] == '/';
}

/// What was found by the way that ends, in this file and in those that are mounted in it, is known by its
/// path in the file itself.
void shorten_names(const FilePtr& file, const std::string& top) {
  const std::vector<OpenObject*> all(file->paths().begin(), file->paths().end());
  for (OpenObject* open : all) {
    if (open->path() == top)
      open->set_path("/");
    else if (top != "/" && is_below(open->path(), top))
      open->set_path(open->path().substr(top.size()));
  }
  for (const auto& [address, mount] : file->mounts()) shorten_names(mount.child, top);
}

/// What lies under the group can't be reached by its name as long as something is mounted there.
void hide_names(const Location& group) {
  const std::vector<OpenObject*> all(group.file->paths().begin(), group.file->paths().end());
  for (OpenObject* open : all)
    if (is_below(open->path(), group.path)) open->set_path("");
}

bool holds_below(const FilePtr& file, const File* wanted) {
  if (file.get() == wanted) return true;
  for (const auto& [address, mount] : file->mounts())
    if (holds_below(mount.child, wanted)) return true;
  return false;
}

void list_below(const FilePtr& file, std::vector<FilePtr>* files) {
  files->push_back(file);
  for (const auto& [address, mount] : file->mounts()) list_below(mount.child, files);
}

}  // namespace

Location crossed(Location at) {
  while (const Mount* mount = at.file->mount_at(at.address())) {
    if (!mount->child->is_open()) break;
    Location root = root_of(mount->child);
    root.path = std::move(at.path);
    at = std::move(root);
  }
  return at;
}

Location top_root(const Location& from) {
  const FilePtr top = top_of(from.file);
  Location root = root_of(top);
  if (top == from.file) root.hold = from.hold;
  return crossed(std::move(root));
}

bool is_mount_point(const Location& group) {
  return group.file->mount_at(group.address()) != nullptr;
}

Status mount_file(const Location& group, const FilePtr& child) {
  if (group.kind() != ObjectKind::kGroup)
    return PCIO_ERROR(FILE, MOUNT,
                      "\"" + group.path + "\" is no group: nothing can be mounted there");
  if (child->mounted_on(child) != nullptr)
    return PCIO_ERROR(FILE, MOUNT, "file \"" + child->path() + "\" is mounted already");
  if (holds_below(child, group.file.get()))
    return PCIO_ERROR(
        FILE, MOUNT,
        "file \"" + child->path() + "\" can't be mounted in itself, or in what is mounted in it");
  if (group.file->mount_at(group.address()) != nullptr)
    return PCIO_ERROR(FILE, MOUNT, "something is mounted on \"" + group.path + "\" already");
  File::add_mount({child, std::make_shared<FileHold>(child, FileHold::By::kContract), group.object},
                  {group.file, group.address(), group.path.empty() ? "/" : group.path});
  hide_names(group);
  // A way leads from each of them to the others: for threads they are one from here on.
  for (const FilePtr& file : mounted_together(child)) file->share_lock_of(*group.file);
  return Status();
}

Result<Location> mount_point_of(const Location& at) {
  if (at.file->mount_at(at.address()) != nullptr) return at;
  const MountedOn* const on = at.file->mounted_on(at.file);
  if (on == nullptr || root_of(at.file).address() != at.address())
    return PCIO_ERROR(FILE, MOUNT, "nothing is mounted on \"" + at.path + "\"");
  return object_at_address(on->parent, on->point);
}

Result<std::size_t> files_closed_by_unmount(const Location& point) {
  return point.file->closed_by_unmount(point.address());
}

Status unmount_file(const Location& point) {
  const Mount* const mount = point.file->mount_at(point.address());
  if (mount == nullptr)
    return PCIO_ERROR(FILE, MOUNT, "nothing is mounted on \"" + point.path + "\"");
  const FilePtr child = mount->child;
  const std::string path = child->mounted_on(child)->path;
  shorten_names(child, path);
  return point.file->remove_mount(point.address());
}

std::vector<FilePtr> mounted_together(const FilePtr& file) {
  std::vector<FilePtr> files;
  list_below(top_of(file), &files);
  return files;
}

}  // namespace pcio
