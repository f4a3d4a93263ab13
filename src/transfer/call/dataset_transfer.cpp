// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: transfer_dataset and explain_dataset.

#include "transfer/call/dataset_transfer.hpp"

#include "transfer/call/counted_call.hpp"
#include "transfer/call/logged_dataset.hpp"
#include "transfer/call/region_commit.hpp"
#include "transfer/call/sequence_transfer.hpp"
#include "transfer/call/transfer_phases.hpp"

namespace pcio {

namespace {

/// Every rank makes the same exchanges whatever happens to it.
Status run_collective(TransferJob& job, TransferPhases& phases, const CallName& name,
                      const Status& checked) {
  Coordinator& coordinator = job.store().coordinator();
  const Status local = phases.prepare(checked);
  CauseBits causes = phases.facts().causes;
  auto answer = coordinator.agree(name, to_local(phases.facts()), local, &causes);
  phases.set_global_causes(causes);
  PCIO_ASSIGN(const GlobalFacts merged, std::move(answer));
  Status status;
  Outstanding outstanding = Outstanding::kNothing;
  Status moved = phases.move_collective(agreed_transfer(merged), outstanding, status);
  if (moved.ok())
    moved = phases.was_written_apart() ? job.store().writer().show_with_outcome(name, status)
                                       : coordinator.outcome(name, status);
  if (moved.ok()) return phases.conclude();
  phases.undo_allocation();
  return moved;
}

Status perform(TransferJob& job, TransferReport* report, const CallName& name,
               const Status& checked) {
  TransferPhases phases(job, *report, name);
  phases.resume();
  Status status = job.is_collective() ? run_collective(job, phases, name, checked)
                                      : phases.run_independent(checked);
  phases.pause();
  phases.finish(status);
  return status;
}

}  // namespace

Status move_elements(FileStore& store, const StoredObjectPtr& dataset,
                     const TransferRequest& request, TransferReport* report, const CallName& name,
                     const Status& checked) {
  TransferJob job(store, dataset, request, Effort::kPerform);
  return perform(job, report, name, checked);
}

Status transfer_dataset(FileStore& store, const StoredObjectPtr& dataset,
                        const TransferRequest& request, TransferReport* report,
                        const CallName& name, const Status& checked) {
  const DatasetInTransfer in_transfer(dataset);
  const CountedCall counted(store);
  const IoCounters before = moved_here(store);
  PCIO_TRY(commit_regions_first(store, dataset, request, name));
  const IoCounters committed = moved_here(store) - before;
  Status status = has_sequences(store, dataset)
                      ? transfer_sequences(store, dataset, request, report, name, checked)
                      : move_elements(store, dataset, request, report, name, checked);
  report->counts += counts_of(store.driver(), committed);
  if (store.parallel() && request.props.mode == TransferMode::kCollective)
    log_transfer(store, dataset, *report, name);
  else if (store.parallel())
    log_independent(store, dataset, *report, name);
  return status;
}

Status explain_dataset(FileStore& store, const StoredObjectPtr& dataset,
                       const TransferRequest& request, TransferReport* report, const CallName& name,
                       const Status& checked) {
  // Of variable-length data what lies in the dataset itself.
  TransferRequest stored;
  const bool as_stored = has_sequences(store, dataset);
  if (as_stored) {
    stored = request;
    stored.elements = ElementView::kAsStored;
  }
  TransferJob job(store, dataset, as_stored ? stored : request, Effort::kDryRun);
  return perform(job, report, name, checked);
}

}  // namespace pcio
