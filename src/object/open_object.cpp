// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: objects that are open: by path, under new names, and what goes when the last one is closed.

#include <functional>
#include <iterator>

#include "base/without_throwing.hpp"
#include "object/file.hpp"
#include "storage/chunks/chunk_images.hpp"

namespace pcio {

bool File::PathLess::operator()(const OpenObject* a, const OpenObject* b) const {
  return (*this)(a, PathKey{b->path(), b->object().get()});
}

bool File::PathLess::operator()(const OpenObject* a, const PathKey& b) const {
  const int order = std::string_view(a->path()).compare(b.path);
  return order != 0 ? order < 0 : std::less<>()(a->object().get(), b.object);
}

bool File::PathLess::operator()(const PathKey& a, const OpenObject* b) const {
  const int order = a.path.compare(b->path());
  return order != 0 ? order < 0 : std::less<>()(a.object, b->object().get());
}

void PathChanges::run() noexcept {
  for (auto& [open, path] : all_) open->set_path(std::move(path));
}

PathChanges File::paths_renamed(const std::string& from, const std::string& to) const {
  PathChanges changes;
  if (from.empty()) return changes;
  auto take = [&](const std::string& first, auto&& belongs) {
    for (auto it = paths_.lower_bound(PathKey{first, nullptr});
         it != paths_.end() && belongs((*it)->path()); ++it)
      changes.add(*it, to.empty() ? std::string() : to + (*it)->path().substr(from.size()));
  };
  take(from, [&](const std::string& path) { return path == from; });
  const std::string below = from + "/";
  take(below, [&](const std::string& path) { return path.compare(0, below.size(), below) == 0; });
  return changes;
}

PathChanges File::paths_named(const StoredObjectPtr& object, const std::string& path) const {
  PathChanges changes;
  const auto [first, last] = paths_.equal_range(PathKey{"", object.get()});
  for (auto it = first; it != last; ++it) changes.add(*it, path);
  return changes;
}

File::Paths::iterator File::enter_path(OpenObject* open) {
  const auto beside = entered_last_ == paths_.end() ? entered_last_ : std::next(entered_last_);
  entered_last_ = paths_.insert(beside, open);
  return entered_last_;
}

void File::leave_path(Paths::iterator place) {
  if (place == entered_last_)
    entered_last_ = place == paths_.begin() ? paths_.end() : std::prev(place);
  paths_.erase(place);
}

File::Paths::iterator File::move_path(Paths::iterator place, std::string* path,
                                      std::string&& changed) {
  if (place == entered_last_) entered_last_ = paths_.end();
  // The same node under its new name.
  auto node = paths_.extract(place);
  *path = std::move(changed);
  return paths_.insert(std::move(node));
}

OpenObject::OpenObject(FilePtr file, StoredObjectPtr object, std::string path)
    : file_(std::move(file)), object_(std::move(object)), path_(std::move(path)) {
  place_ = file_->enter_path(this);
  try {
    file_->add_object(file_);
  } catch (...) {
    file_->leave_path(place_);
    throw;
  }
  ++object_->open_count;
}

void OpenObject::set_path(std::string path) noexcept {
  if (open_)
    place_ = file_->move_path(place_, &path_, std::move(path));
  else
    path_ = std::move(path);
}

void OpenObject::lend() {
  if (!open_ || lent_) return;
  lent_ = true;
  file_->add_lent(file_);
}

OpenObject::~OpenObject() { static_cast<void>(close()); }

/// What can't be written now is tried again when the file is flushed or closed.
Status OpenObject::let_go_of_data() {
  if (object_->open_count > 0 || object_->transfers > 0 || !file_->is_open()) return Status();
  PCIO_TRY(without_throwing([&] { return close_chunks(file_->store(), object_); }));
  // It only saves memory: where there is none for it, it stays.
  static_cast<void>(without_throwing([&] {
    file_->store().datasets().forget_decoded(*object_);
    return Status();
  }));
  return Status();
}

Status OpenObject::close() {
  // Once more after a failure: the file may be what was not closed.
  if (!open_) return file_->close_unused();
  open_ = false;
  if (lent_) file_->forget_lent(file_);
  file_->leave_path(place_);
  if (object_->open_count > 0 && --object_->open_count == 0) object_->flushes_disabled = false;
  Status written = let_go_of_data();
  Status released = file_->release_object(file_);
  // A file that is closed now has what could not be written before.
  const bool in_file = released.ok() && !file_->is_open();
  return written.ok() || in_file ? released : written;
}

}  // namespace pcio
