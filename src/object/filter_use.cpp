// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: chunks in memory that still need a filter, out of line.

#include "object/filter_use.hpp"

#include <algorithm>

#include "storage/chunks/chunk_images.hpp"

namespace pcio {

namespace {

/// True where a chunk that only memory has, or may have, goes through the filter.
bool keeps_chunks_of(const StoredObject& object, int filter) {
  if (!object.dataset || !object.dataset->chunks) return false;
  const FilterPipeline& filters = object.dataset->filters;
  return std::any_of(filters.begin(), filters.end(),
                     [&](const FilterSpec& stage) { return stage.id == filter; });
}

Status write_chunks_of(File& file, int filter) {
  const ObjectsByAddress& datasets = file.store().pending().datasets();
  FileAddress last = 0;
  for (auto it = datasets.begin(); it != datasets.end(); it = datasets.upper_bound(last)) {
    // Functions of the program may change the table.
    const StoredObjectPtr object = it->second;
    last = it->first;
    const bool is_gone = !is_linked(file.store(), *object) && !object->in_use();
    if (is_gone || !keeps_chunks_of(*object, filter)) continue;
    Status written = flush_chunks(file.store(), object);
    if (object->dataset->chunks->pending.count() > 0)
      written = PCIO_ERROR(PLINE, CANTCLOSEOBJ,
                           "they wait for the other ranks: call H5Fflush on all ranks before");
    if (written.ok()) continue;
    written.push(PCIO_FRAME(PLINE, CANTCLOSEOBJ,
                            "filter " + std::to_string(filter) +
                                " is used by chunks of a closed dataset in \"" + file.path() +
                                "\" that are not in the file yet"));
    return written;
  }
  return Status();
}

}  // namespace

bool uses_filter(const OpenObject& dataset, int filter) {
  const auto state = dataset.store().datasets().state(dataset.object());
  if (!state) return false;
  const FilterPipeline& filters = (*state)->filters;
  return std::any_of(filters.begin(), filters.end(),
                     [&](const FilterSpec& stage) { return stage.id == filter; });
}

Status let_filter_go(int filter) {
  for (const FilePtr& file : open_files()) {
    PCIO_TRY(take_file(*file));
    if (file->is_open() && file->store().writable()) PCIO_TRY(write_chunks_of(*file, filter));
  }
  return Status();
}

}  // namespace pcio
