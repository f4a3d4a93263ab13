// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: what all ranks do behind a meeting, out of line.

#include "object/call_trial.hpp"

#include <algorithm>
#include <utility>

#include "object/dataset.hpp"

namespace pcio {

CallTrial::CallTrial(File& file)
    : file_(file), space_(file.store().space()), objects_(file.store().objects()) {
  objects_.begin();
  file_.coordinator().begin_trial();
}

void CallTrial::end() noexcept {
  file_.coordinator().end_trial();
  objects_.end();
}

Status CallTrial::agree(const CallName& name, const Status& local) {
  LocalFacts facts;
  facts.call_kind = CallKind::kMetadata;
  Status all = detail::to_status(file_.coordinator().agree(name, facts, local));
  file_.coordinator().end_trial();
  return all;
}

Status CallTrial::fill(const StoredObjectPtr& object, const NewSpace& unfilled,
                       const CallName& name) {
  for (const ByteRange& range : unfilled.ranges) written_ = std::max(written_, range.end());
  return fill_made(file_, object, unfilled, name);
}

void CallTrial::undo() noexcept {
  end();
  FileStore& store = file_.store();
  for (const StoredObjectPtr& object : objects_.made()) store.datasets().remove(object->address);
  if (!objects_.undo()) store.coordinator().lose_undo();
  store.space() = std::move(space_);
  if (written_ == 0) return;
  // What a fill has written of it is behind the end of what is allocated now.
  store.space().mark_written(written_);
  store.end().extend_to(store.bytes().base() + written_);
  store.end().lose_track();
}

}  // namespace pcio
