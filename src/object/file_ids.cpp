// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: File: its openings, ids and objects, and what is asked of it while it is open.

#include "object/file.hpp"

#include <utility>

#include "storage/commit/commit.hpp"
#include "transfer/filtered/pending_chunks.hpp"

namespace pcio {

FilePtr another_opening(const FilePtr& file) {
  auto held = std::make_shared<FilePtr>(file);
  File* const same = file.get();
  return FilePtr(std::move(held), same);
}

void File::add_file_id(const FilePtr& opening, std::string_view path) {
  std::string name(path == path_ ? std::string_view() : path);
  Opening& here = openings_[opening];  // may lack memory, as the line before
  if (!name.empty()) here.path = std::move(name);
  ++here.ids;
  ++file_ids_;
}

const std::string& File::path_of(const FilePtr& opening) const {
  const auto found = openings_.find(opening);
  return found == openings_.end() || found->second.path.empty() ? path_ : found->second.path;
}

void File::forget_file_id(const FilePtr& opening) {
  if (file_ids_ > 0) --file_ids_;
  const auto here = openings_.find(opening);
  if (here == openings_.end()) return;
  if (here->second.ids > 0) --here->second.ids;
  if (here->second.is_over()) openings_.erase(here);
}

void File::add_lone_id(const FilePtr& opening) {
  if (!parallel()) return add_file_id(opening);
  ++openings_[opening].lone_ids;  // may lack memory
  ++lone_ids_;
}

bool File::forget_lone_id(const FilePtr& opening) {
  const auto here = openings_.find(opening);
  if (here == openings_.end() || here->second.lone_ids == 0) return false;
  --here->second.lone_ids;
  --lone_ids_;
  if (here->second.is_over()) openings_.erase(here);
  return true;
}

void File::count_lone_ids() {
  for (auto& [key, opening] : openings_) opening.ids += std::exchange(opening.lone_ids, 0);
  file_ids_ += std::exchange(lone_ids_, 0);
}

unsigned File::objects_of(const FilePtr& opening) const {
  auto found = openings_.find(opening);
  if (found == openings_.end()) return 0;
  return parallel() ? found->second.objects - found->second.lent : found->second.objects;
}

/// The opening has an object.
void File::add_lent(const FilePtr& opening) {
  ++openings_[opening].lent;
  ++lent_;
}

void File::forget_lent(const FilePtr& opening) {
  if (const auto here = openings_.find(opening); here != openings_.end()) --here->second.lent;
  --lent_;
}

void File::add_object(const FilePtr& opening) {
  ++openings_[opening].objects;
  ++objects_;
}

Status File::release_object(const FilePtr& opening) {
  if (objects_ > 0) --objects_;
  if (auto here = openings_.find(opening); here != openings_.end()) {
    if (here->second.objects > 0) --here->second.objects;
    if (here->second.is_over()) openings_.erase(here);
  }
  return close_unused();
}

Status File::flush(const CallName& name, const Status& checked) {
  const MetadataKept kept(store_->report_log(), store_->driver().counters(), MetadataKind::kFlush);
  return commit_file(*store_, CommitKind::kFlush, name, checked, pending_work(*store_, name));
}

std::shared_ptr<File> File::only_parallel() {
  FilePtr only;
  for (const FilePtr& file : open_files()) {
    if (!file->is_open() || !file->store().parallel()) continue;
    if (only) return nullptr;
    only = file;
  }
  return only;
}

Status check_writable(File& file) {
  if (!file.is_open()) return PCIO_ERROR(FILE, CLOSEERROR, "file is closed already");
  if (file.store().writable()) return Status();
  if (file.is_private_child())
    return PCIO_ERROR(
        FILE, WRITEERROR,
        "file \"" + file.path() +
            "\" was reached through a link of a file that several ranks have open: each "
            "has opened it alone, for reading only; to change it, open it with H5Fopen");
  return PCIO_ERROR(FILE, WRITEERROR, "file \"" + file.path() + "\" was opened for reading only");
}

}  // namespace pcio
