// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: which places a write of variable-length elements meets, and which it has to fill.

#include "base/without_throwing.hpp"
#include "plan/interval_union.hpp"
#include "plan/transfer_runs.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/file/chunk_lookup.hpp"
#include "transfer/call/sequence_call.hpp"
#include "transfer/call/sequence_fill.hpp"
#include "transfer/filtered/pending_chunks.hpp"

namespace pcio {

Status SequenceCall::check_possible() {
  TransferJob job(store_, dataset_, stored_, Effort::kPerform);
  PCIO_TRY(job.prepare());
  PCIO_TRY(find_places(job.file()));
  PCIO_TRY(check_fill());
  if (facts_.lacks_places) return find_missing(job.file());
  return fills_around_ ? find_around(job.file()) : Status();
}

Status SequenceCall::find_places(const Dataspace& file) {
  if (state_.fill_has_objects() && !request_.is_fill) PCIO_TRY(find_lack());
  if (file.selected() == 0 || state_.layout.cls == LayoutClass::kCompact) return Status();
  const auto look_at = [&](FileAddress address) {
    if (address == kUndefinedAddress)
      lacks_places_ = true;
    else if (dataset_->committed && !store_.space().is_uncommitted(address))
      overwrites_committed_ = true;
  };
  if (!state_.chunked()) {
    look_at(state_.layout.address);
    return Status();
  }
  PCIO_TRY(load_selected_chunks(store_, dataset_, file));
  const ChunkIndex& index = *state_.index;
  if (state_.filtered()) {
    PCIO_ASSIGN(const bool all, selected_chunks_exist(store_, dataset_, file));
    lacks_places_ = lacks_places_ || !all;
    return Status();
  }
  for_each_chunk(file, index.grid().chunk(),
                 [&](const Dims& at) { look_at(index.address_of(index.grid().ordinal(at))); });
  return Status();
}

bool SequenceCall::gives_all() const {
  if (allocates_at_once(store_, state_)) return true;
  return state_.filtered() && state_.fill.allocation == AllocTime::kLate &&
         state_.index->allocated_count() == 0;
}

Status SequenceCall::find_lack() {
  if (state_.layout.cls == LayoutClass::kCompact || !allocates_at_once(store_, state_))
    return Status();
  if (!state_.chunked()) {
    lacks_places_ = state_.layout.address == kUndefinedAddress;
    return Status();
  }
  PCIO_TRY(store_.datasets().load_chunk_index(dataset_));
  lacks_places_ = state_.index->allocated_count() < state_.index->grid().count();
  return Status();
}

Status SequenceCall::check_fill() {
  PCIO_ASSIGN(const bool all, collect_owned(reader_, *map_, state_.fill_element(), &fill_ids_));
  if (!all)
    return PCIO_ERROR(DATASET, UNSUPPORTED, "the fill value has more parts than can be looked at");
  sort_ids(fill_ids_);
  if (!lacks_places_ || !state_.fill_has_objects() || request_.is_fill) return Status();
  fills_around_ = store_.coordinator().size() == 1;
  facts_.lacks_places = !fills_around_;
  return Status();
}

template <class OnChunk>
void SequenceCall::for_each_missing(const Dataspace& file, const OnChunk& on_chunk) const {
  const ChunkGrid& grid = state_.index->grid();
  const auto look_at = [&](const Dims& at) {
    if (const ChunkOrdinal chunk = grid.ordinal(at); !has_chunk(chunk)) on_chunk(chunk, at);
  };
  if (gives_all())
    for_each_position(grid.grid(), look_at);
  else
    for_each_chunk(file, grid.chunk(), look_at);
}

bool SequenceCall::has_chunk(ChunkOrdinal chunk) const {
  const ChunkIndex& index = *state_.index;
  if (!state_.filtered()) return index.address_of(chunk) != kUndefinedAddress;
  return index.filtered(chunk).has_value() ||
         (state_.chunks && (state_.chunks->cache.peek(chunk) != nullptr ||
                            state_.chunks->pending.peek(chunk) != nullptr));
}

Status SequenceCall::find_missing(const Dataspace& file) {
  if (!state_.chunked()) return Status();
  PCIO_TRY(store_.datasets().load_chunk_index(dataset_));
  for_each_missing(file, [&](ChunkOrdinal chunk, const Dims&) {
    append_interval(missing_, {chunk, 1});
  });
  return Status();
}

Status SequenceCall::fill_missing() {
  // What one rank has written alone is there, and others don't know of it.
  if (state_.filtered()) PCIO_TRY(write_any_pending(store_, *dataset_, name_));
  std::vector<Box> boxes;
  Result<std::vector<OrdinalInterval>> all;
  if (state_.chunked())
    all = gather_union(store_.coordinator(), std::span<const OrdinalInterval>(missing_));
  const Status ready = without_throwing([&]() -> Status {
    if (!all) return all.error();
    if (!state_.chunked()) {
      boxes.push_back(Box::whole(state_.extent.dims()));
      return Status();
    }
    // A rank that selects nothing has not read the index.
    PCIO_ASSIGN(const ChunkGrid grid, state_.grid());
    if (state_.filtered()) PCIO_TRY(store_.datasets().load_chunk_index(dataset_));
    for (const OrdinalInterval& some : *all)
      for (ChunkOrdinal chunk = some.first; chunk < some.end(); ++chunk)
        if (!state_.filtered() || !state_.index->filtered(chunk))
          boxes.push_back(grid.box(grid.coords(chunk)));
    return Status();
  });
  return fill_sequences(store_, dataset_, boxes, name_, ready);
}

Status SequenceCall::find_around(const Dataspace& file) {
  // Points may name an element twice; members that stay are to be the element's own, not the fill value's.
  const bool partly =
      file.selection().kind() == SelectionKind::kPoints || conversion_->needs_background();
  if (!state_.chunked()) {
    // The selection may be in another extent than the dataset's.
    const Box all = Box::whole(state_.extent.dims());
    if (partly || file.selected() != all.volume()) around_.push_back(all);
    return Status();
  }
  const Selection placed = file.placed_selection();
  // The fill of some gives space to all then: they hold the fill value where the write fails.
  const bool together = gives_all();
  bool leaves_out = false;
  for_each_missing(file, [&](ChunkOrdinal, const Dims& at) {
    const Box box = state_.index->grid().box(at);
    const bool some = partly || placed.count_in(file.dims(), box) != box.volume();
    leaves_out = leaves_out || some;
    if (some || together) around_.push_back(box);
  });
  if (!leaves_out) around_.clear();
  return Status();
}

Status SequenceCall::fill_around() {
  if (around_.empty()) return Status();
  return fill_sequences(store_, dataset_, around_, name_, Status());
}

}  // namespace pcio
