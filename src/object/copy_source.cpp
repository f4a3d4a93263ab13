// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: what of a copy's source only memory has, before it is looked at.

#include <algorithm>

#include "agree/call_log.hpp"
#include "base/without_throwing.hpp"
#include "object/copy.hpp"
#include "object/copy_facts.hpp"
#include "transfer/filtered/pending_chunks.hpp"

namespace pcio {

namespace {

/// Space that a smaller extent has cut off gets its fill value in a commit.
bool owes_fill(FileStore& store) {
  const ObjectsByAddress& changed = store.objects().changed();
  return std::any_of(changed.begin(), changed.end(), [](const auto& entry) {
    return entry.second->dataset && !entry.second->dataset->deferred.empty();
  });
}

bool waits(FileStore& store) {
  return owes_fill(store) || (store.parallel() && has_pending_chunks(store));
}

/// Chunks that can't be encoded concern who copies their own dataset only (ObjectCopy::plan_chunks).
Status flush_source(File& source, const CallName& name) {
  FileStore& store = source.store();
  const MetadataKept kept(store.report_log(), store.driver().counters(), MetadataKind::kFlush);
  return commit_file(store, CommitKind::kFlush, name, Status(), pending_work(store, name),
                     UnencodedChunks::kPassOver);
}

}  // namespace

Result<bool> write_what_waits(const FilePtr& source, File& to, const CallName& name) {
  const bool here = source && source->is_open();
  // Each rank's own file: whatever becomes of it the rank comes to the others.
  Status mine_written;
  if (here && source->coordinator().size() == 1 && source->writable() && waits(source->store()))
    mine_written = without_throwing([&] { return flush_source(*source, name); });
  if (!to.is_open() || to.coordinator().size() == 1) {
    PCIO_TRY(std::move(mine_written));
    return false;
  }
  SourceFacts mine;
  if (here && shares_ranks(*source, to)) {
    mine.file = std::max<std::uint64_t>(hash_text(source->path(), 0), 1);
    mine.copies_hash =
        source->store().compact_copies().hash() ^ source->store().attribute_copies().hash();
    mine.waits = waits(source->store());
  }
  PCIO_ASSIGN(const GlobalFacts facts, to.coordinator().agree(name, mine.pack(), mine_written));
  const AgreedSource agreed = AgreedSource::unpack(facts);
  if (!agreed.one_file) return false;
  PCIO_TRY(agreed.waits ? flush_source(*source, name)
                        : source->store().writer().show_where_apart(name));
  return true;
}

}  // namespace pcio
