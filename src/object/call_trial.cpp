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

Status CallTrial::agree(const CallName& name, const NewSpace& unfilled, const Status& local) {
  LocalFacts facts;
  facts.call_kind = CallKind::kMetadata;
  facts.any_flags = unfilled.empty() ? 0 : 1;
  auto all = file_.coordinator().agree(name, facts, local);
  file_.coordinator().end_trial();
  fills_ = all && all->any_flags != 0;
  return detail::to_status(std::move(all));
}

Status CallTrial::fill(const StoredObjectPtr& object, const NewSpace& unfilled,
                       const CallName& name) {
  for (const ByteRange& range : unfilled.ranges) written_ = std::max(written_, range.end());
  if (unfilled.empty() && fills_) return file_.coordinator().outcome(name, Status());
  return fill_made(file_, object, unfilled, name);
}

void CallTrial::undo() noexcept {
  end();
  FileStore& store = file_.store();
  for (const StoredObjectPtr& object : objects_.made()) store.datasets().remove(object->address);
  objects_.undo();
  store.space() = std::move(space_);
  if (written_ == 0) return;
  // What a fill has written of it is behind the end of what is allocated now.
  store.space().mark_written(written_);
  store.end().extend_to(store.bytes().base() + written_);
  store.end().lose_track();
}

}  // namespace pcio
