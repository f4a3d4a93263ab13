// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: files that links led to: what keeps them open, and when they are closed.

#include <set>
#include <utility>

#include "base/without_throwing.hpp"
#include "object/file.hpp"

namespace pcio {

void File::add_hold(bool by_contract) {
  if (is_open() && (by_contract || !parallel())) ++holds_;
}

Status File::release_hold(bool by_contract) {
  if (!is_open() || (parallel() && !by_contract) || holds_ == 0) return Status();
  --holds_;
  return close_unused();
}

Status File::keep_child(const FileHoldPtr& child) {
  const std::size_t most = access_.elink_file_cache_size;
  if (most == 0 || child->file()->parallel()) return Status();
  File* const wanted = child->file().get();
  for (auto it = children_.begin(); it != children_.end(); ++it) {
    if ((*it)->file().get() != wanted) continue;
    children_.splice(children_.begin(), children_, it);
    return Status();
  }
  children_.push_front(std::make_shared<FileHold>(child->file()));
  if (children_.size() <= most) return Status();
  const FileHoldPtr last = std::move(children_.back());
  children_.pop_back();
  return last->release();
}

Status File::forget_children() {
  std::list<FileHoldPtr> going = std::move(children_);
  children_.clear();
  Status first;
  for (const FileHoldPtr& child : going) {
    Status released = child->release();
    if (first.ok()) first = std::move(released);
  }
  return first;
}

Status File::close_owed() {
  std::list<OwedClose> still;
  Status first;
  while (!owed_.empty()) {
    std::list<OwedClose> one;
    one.splice(one.end(), owed_, owed_.begin());
    const FilePtr file = one.front().file;
    const Status taken = take_file(*file, WhenTaken::kWait);
    Status closed = file->release_file_id(file, "", taken);
    if (!closed.ok() && file->is_open()) still.splice(still.end(), one);
    if (first.ok()) first = std::move(closed);
  }
  owed_ = std::move(still);
  return first;
}

void File::keep_owed() {
  for (const OwedClose& left : owed_) left.file->kept_ = left.file;
  owed_.clear();
}

bool File::stays_open(unsigned passing) const {
  if (file_ids_ > 0 || objects_ > 0) return true;
  std::size_t cached = 0;
  for (const FilePtr& file : open_files())
    for (const FileHoldPtr& child : file->children_)
      if (child->file().get() == this) ++cached;
  return holds_ > cached + passing;
}

/// Files may keep each other open in rings: what no wanted file leads to is closed.
Status File::close_unwanted() {
  std::set<File*> reached;
  std::vector<File*> waiting;
  const std::vector<FilePtr> files = open_files();
  for (const FilePtr& file : files)
    if ((file->parallel() || file->stays_open(0)) && reached.insert(file.get()).second)
      waiting.push_back(file.get());
  while (!waiting.empty()) {
    File* const file = waiting.back();
    waiting.pop_back();
    for (const FileHoldPtr& child : file->children_)
      if (reached.insert(child->file().get()).second) waiting.push_back(child->file().get());
  }
  Status first;
  for (const FilePtr& file : files) {
    if (reached.contains(file.get()) || !file->is_open()) continue;
    Status closed = file->forget_children();
    if (first.ok()) first = std::move(closed);
  }
  return first;
}

const MountedOn* File::mounted_on(const FilePtr& opening) const {
  if (mounted_ == 0) return nullptr;
  const auto found = openings_.find(opening);
  return found == openings_.end() ? nullptr : found->second.mounted_on.get();
}

void File::add_mount(const Mount& mount, const MountedOn& on) {
  File& child = *mount.child;
  child.openings_[mount.child].mounted_on = std::make_shared<MountedOn>(on);
  on.parent->mounts_[on.point] = mount;
  ++mount.group->open_count;
  ++child.mounted_;
}

Status File::remove_mount(FileAddress group, Mounted what) {
  const auto found = mounts_.find(group);
  if (found == mounts_.end()) return Status();
  const Mount mount = std::move(found->second);
  mounts_.erase(found);
  if (mount.group->open_count > 0) --mount.group->open_count;
  File& child = *mount.child;
  if (const auto opening = child.openings_.find(mount.child); opening != child.openings_.end()) {
    opening->second.mounted_on.reset();
    --child.mounted_;
    if (opening->second.is_over()) child.openings_.erase(opening);
  }
  if (what == Mounted::kClose || !child.is_open() || !child.parallel() || child.file_ids_ > 0)
    return mount.hold->release();
  child.kept_ = child.shared_from_this();
  child.left_open_ = true;
  mount.hold->leave();
  return Status();
}

bool File::is_left_open() const {
  if (left_open_) return true;
  if (mounted_ == 0) return false;
  for (const auto& [key, opening] : openings_)
    if (opening.mounted_on && opening.mounted_on->parent->given_up_) return true;
  return false;
}

void File::let_go_of_groups() {
  for (const auto& [group, mount] : mounts_)
    if (mount.group->open_count > 0) --mount.group->open_count;
}

void File::hold_groups() {
  for (const auto& [group, mount] : mounts_) ++mount.group->open_count;
}

void File::list_closed(const Mount& mount, Closing* closing) {
  File& child = *mount.child;
  if (!child.is_open() || !child.parallel()) return;
  const unsigned gone = ++closing->released[&child];
  if (child.file_ids_ > 0 || gone < child.holds_) return;
  closing->files.push_back(&child);
  for (const auto& [group, below] : child.mounts_) list_closed(below, closing);
}

Status File::check_closing(const Closing& closing) {
  for (const File* file : closing.files)
    if (file->objects_in_use() > 0)
      return PCIO_ERROR(
          FILE, CANTCLOSEFILE,
          "objects are open in file \"" + file->path_ + "\", which nothing but a mount keeps open");
  return Status();
}

Status File::count_mounted(std::size_t* count) const {
  Closing closing;
  for (const auto& [group, mount] : mounts_) list_closed(mount, &closing);
  *count = closing.files.size();
  return check_closing(closing);
}

Result<std::size_t> File::closed_by_unmount(FileAddress group) const {
  Closing closing;
  if (const Mount* mount = mount_at(group)) list_closed(*mount, &closing);
  PCIO_TRY(check_closing(closing));
  return closing.files.size();
}

Status File::forget_mounts(Mounted what) {
  Status first;
  while (!mounts_.empty()) {
    Status removed = remove_mount(mounts_.begin()->first, what);
    if (first.ok()) first = std::move(removed);
  }
  return first;
}

FileHold::FileHold(FilePtr file, By by) : file_(std::move(file)), by_(by) {
  file_->add_hold(by_ == By::kContract);
}

FileHold::~FileHold() {
  static_cast<void>(without_throwing([&] { return release(); }));
}

Status FileHold::release() {
  if (!held_) return Status();
  held_ = false;
  // Where the lock can't be had the file stays open to the end of the process.
  PCIO_TRY(take_file(*file_, WhenTaken::kWait));
  return file_->release_hold(by_ == By::kContract);
}

}  // namespace pcio
