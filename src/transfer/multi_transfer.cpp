// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: transfer_datasets.

#include "transfer/multi_transfer.hpp"

#include "base/without_throwing.hpp"
#include "transfer/transfer_job.hpp"

namespace pcio {

namespace {

/// Equal on two ranks only if they give the same datasets in the same order.
std::uint64_t hash_of(std::span<const MultiPart> parts) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const MultiPart& part : parts) hash = (hash ^ part.object->address) * 0x100000001b3U;
  return hash;
}

/// What is wrong with any of the parts, found without moving anything.
Status prepare_all(FileStore& store, std::span<const MultiPart> parts) {
  for (const MultiPart& part : parts) {
    Status found = part.checked;
    if (found.ok()) {
      TransferJob job(store, part.object, part.request, Effort::kPerform);
      found = job.prepare();
    }
    if (found.ok()) continue;
    found.push(PCIO_FRAME(DATASET, CANTINIT, "dataset \"" + part.path + "\""));
    return found;
  }
  return Status();
}

Status agree_on_parts(FileStore& store, std::span<const MultiPart> parts, const CallName& name,
                      const Status& local) {
  LocalFacts facts;
  facts.call_kind =
      parts.front().request.direction == Direction::kWrite ? CallKind::kWrite : CallKind::kRead;
  facts.same[0] = parts.size();
  facts.same[1] = hash_of(parts);
  PCIO_ASSIGN(GlobalFacts agreed, store.coordinator().agree(name, facts, local));
  if (!agreed.same[0].equal())
    return PCIO_ERROR(ARGS, BADVALUE,
                      "the ranks give different numbers of datasets: from " +
                          std::to_string(agreed.same[0].min) + " to " +
                          std::to_string(agreed.same[0].max));
  if (!agreed.same[1].equal())
    return PCIO_ERROR(ARGS, BADVALUE, "the ranks give different datasets, or in another order");
  return Status();
}

void add_counts(const IoCounts& from, IoCounts& to) {
  to.independent_writes += from.independent_writes;
  to.independent_reads += from.independent_reads;
  to.collective_writes += from.collective_writes;
  to.collective_reads += from.collective_reads;
  to.view_changes += from.view_changes;
  to.posix_writes += from.posix_writes;
  to.posix_reads += from.posix_reads;
  to.bytes_written += from.bytes_written;
  to.bytes_read += from.bytes_read;
}

void add_exchange(const ExchangeCounts& from, ExchangeCounts& to) {
  to.bytes_sent += from.bytes_sent;
  to.bytes_received += from.bytes_received;
  to.messages_sent += from.messages_sent;
  to.messages_received += from.messages_received;
  to.rounds += from.rounds;
}

/// `part` happened after everything that is in `all`.
void add_report(TransferReport part, TransferReport* all) {
  if (all->used) {
    part.local_causes |= all->local_causes;
    part.global_causes |= all->global_causes;
    part.verified = part.verified && all->verified;
    part.bytes_selected += all->bytes_selected;
    part.chunks_touched += all->chunks_touched;
    part.chunks.collective += all->chunks.collective;
    part.chunks.independent += all->chunks.independent;
    part.chunks.untouched += all->chunks.untouched;
    add_counts(all->counts, part.counts);
    add_exchange(all->exchange, part.exchange);
    part.nanoseconds += all->nanoseconds;
  }
  *all = std::move(part);
}

}  // namespace

Status transfer_datasets(FileStore& store, std::span<const MultiPart> parts,
                         TransferReport* report, const CallName& name, const Status& checked) {
  *report = TransferReport();
  if (parts.empty()) return checked;
  const bool collective =
      store.parallel() && parts.front().request.props.mode == TransferMode::kCollective;
  Status local =
      checked.ok() ? without_throwing([&] { return prepare_all(store, parts); }) : checked;
  if (collective)
    PCIO_TRY(agree_on_parts(store, parts, name, local));
  else
    PCIO_TRY(std::move(local));
  for (const MultiPart& part : parts) {
    TransferReport one;
    Status done = transfer_dataset(store, part.object, part.request, &one,
                                   {name.function, part.path}, Status());
    add_report(std::move(one), report);
    PCIO_TRY(std::move(done));
  }
  return Status();
}

}  // namespace pcio
