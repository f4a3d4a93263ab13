// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: changing the extent of a dataset, out of line.

#include "object/dataset_extent.hpp"

#include <algorithm>
#include <utility>

#include "object/fill_values.hpp"
#include "storage/file/undo.hpp"

namespace pcio {

const Dims* known_extent(const OpenObject& dataset) {
  const StoredObject& object = *dataset.object();
  return object.dataset ? &object.dataset->extent.dims() : nullptr;
}

bool extent_may_need_fill(const OpenObject& dataset, const Dims& dims) {
  const StoredObject& object = *dataset.object();
  return dataset.file().parallel() && object.dataset &&
         extent_may_need_fill(dataset.store(), *object.dataset, dims);
}

bool extent_reads_chunks(const OpenObject& dataset, const Dims& dims) {
  const StoredObject& object = *dataset.object();
  return dataset.file().parallel() && object.dataset &&
         extent_reads_chunks(dataset.store(), *object.dataset, dims);
}

Status check_not_in_transfer(const OpenObject& dataset) {
  if (dataset.object()->transfers == 0) return Status();
  return PCIO_ERROR(DATASET, UNSUPPORTED, "a transfer of its elements is going on");
}

Result<KeptChunks> keep_cut_chunks(const OpenObject& dataset, const Dims& dims) {
  return keep_cut_chunks(dataset.store(), dataset.object(), dims);
}

Status show_cut_chunks(const OpenObject& dataset, const CallName& name) {
  const StoredObject& object = *dataset.object();
  const bool reads = object.dataset && object.dataset->filtered();
  return reads ? dataset.store().writer().show_where_apart(name) : Status();
}

Result<ExtentChange> change_extent(const OpenObject& dataset, const Dims& dims, KeptChunks* kept) {
  return change_extent(dataset.store(), dataset.object(), dims, kept);
}

void finish_extent(const OpenObject& dataset, ExtentChange& change) {
  finish_extent(dataset.store(), dataset.object(), change);
}

namespace {

/// Elements that could not be filled go again, with the extent that has them: who tries once more fills them. Collective: as
/// fill_grown_elements().
Status fill_or_shrink(FileStore& store, const StoredObjectPtr& object, const ExtentChange& change,
                      const CallName& name) {
  Status filled =
      without_throwing([&] { return fill_grown_elements(store, object, change, name); });
  // Chunks with filters would have to be written for that, too: their new elements stay empty.
  if (filled.ok() || object->dataset->filtered() || !store.coordinator().health().ok())
    return filled;
  // Where some ranks only have failed, which then have another extent, the next agreement tells.
  store.coordinator().lose_metadata_call(name, "new elements could not be filled");
  const auto shrink = [&]() -> Status {
    Dims both = object->dataset->extent.dims();
    for (unsigned d = 0; d < both.size(); ++d) both[d] = std::min(both[d], change.before[d]);
    PCIO_ASSIGN(ExtentChange back, change_extent(store, object, both, nullptr));
    finish_extent(store, object, back);
    return Status();
  };
  // What this rank has alone may stay as it is.
  if (store.parallel())
    undo_or_tell(store, shrink);
  else
    static_cast<void>(without_throwing(shrink));
  return filled;
}

}  // namespace

Status fill_grown_elements(const OpenObject& dataset, const ExtentChange& change,
                           const CallName& name) {
  return fill_or_shrink(dataset.store(), dataset.object(), change, name);
}

Status check_extent_change(const OpenObject& dataset, const Dims& dims) {
  return check_extent_change(dataset.store(), dataset.object(), dims);
}

bool extent_can_be_undone(const OpenObject& dataset) {
  const StoredObject& object = *dataset.object();
  return object.dataset && !object.dataset->filtered();
}

namespace {

MetadataKept keep_rest_of_extent(File& file) {
  return {file.store().report_log(), file.store().driver().counters(), MetadataKind::kExtend,
          MetadataKept::Call::kGoesOn};
}

}  // namespace

Status complete_extent(File& file, const StoredObjectPtr& object, ExtentChange& change,
                       const CallName& name, const Status& local) {
  const MetadataKept kept = keep_rest_of_extent(file);
  // It may lie where somebody has written before.
  const Status shown = file.store().writer().show_where_apart(name, local);
  Status filled = finish_fill(file, object, change.unfilled, name, shown);
  if (filled.ok()) {
    finish_extent(file.store(), object, change);
    return fill_or_shrink(file.store(), object, change, name);
  }
  if (object->dataset) undo_extent(file.store(), object, change);
  return filled;
}

Status complete_tried_extent(const OpenObject& dataset, ExtentChange& change, CallTrial& trial,
                             const CallName& name, const Status& local) {
  File& file = dataset.file();
  const MetadataKept kept = keep_rest_of_extent(file);
  const Status shown = file.store().writer().show_where_apart(name, local);
  Status ready = shown;
  if (ready.ok())
    ready = without_throwing([&] {
      for (const ByteRange& range : change.dropped) file.store().space().release(range);
      change.dropped.clear();
      return Status();
    });
  Status all = trial.agree(name, change.unfilled, ready);
  if (all.ok()) all = trial.fill(dataset.object(), change.unfilled, name);
  if (all.ok()) {
    trial.end();
    finish_extent(dataset, change);
    return fill_grown_elements(dataset, change, name);
  }
  if (dataset.object()->dataset) undo_extent(file.store(), dataset.object(), change);
  trial.undo();
  return all;
}

}  // namespace pcio
