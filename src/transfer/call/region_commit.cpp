// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: commit_regions_first.

#include "transfer/call/region_commit.hpp"

#include "base/without_throwing.hpp"
#include "storage/commit/commit.hpp"
#include "transfer/filtered/pending_chunks.hpp"
#include "type/references.hpp"

namespace pcio {

namespace {

/// False where this rank can't tell: then it fails in the first agreement that others meet in.
bool gets_references(FileStore& store, const StoredObjectPtr& dataset) {
  bool gets = false;
  static_cast<void>(without_throwing([&]() -> Status {
    PCIO_ASSIGN(const DatasetState* state, store.datasets().state(dataset));
    gets = has_region_references(state->type);
    return Status();
  }));
  return gets;
}

}  // namespace

Status commit_regions_first(FileStore& store, const StoredObjectPtr& dataset,
                            const TransferRequest& request, const CallName& name) {
  if (request.direction == Direction::kRead || !store.heaps().has_new_regions() ||
      !dataset->committed || !gets_references(store, dataset))
    return Status();
  if (store.coordinator().size() > 1 && request.props.mode != TransferMode::kCollective)
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "references to regions that were made since the last flush can't be written "
                      "independently to a dataset that is in the file already: flush the file "
                      "before (H5Fflush), or write collectively");
  return commit_file(store, CommitKind::kFlush, name, Status(), pending_work(store, name),
                     UnencodedChunks::kPassOver);
}

}  // namespace pcio
