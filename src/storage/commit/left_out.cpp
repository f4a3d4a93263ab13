// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: what a commit leaves out.
//
// What can't be planned must not keep everything else from the file. A dataset whose index is the
// trouble is written with the extent and the index that the file had; an object whose links or header
// have no room is not written. Both stay changed, and whoever it concerns is told by their names. Space that was
// released is not used again before a commit that leaves nothing out.

#include <algorithm>
#include <set>

#include "agree/heard_failure.hpp"
#include "storage/commit/commit_run.hpp"
#include "storage/index/chunk_index_store.hpp"
#include "storage/objects/message_codec.hpp"

namespace pcio {

/// An index that is not written can't be changed in place, and its bytes are nobody's: what was planned is
/// given back now, once; what is in the file is free when a commit leaves nothing out.
void CommitPlanner::forget_planned_index(DatasetState& state) {
  if (!state.index_changed() || !state.index) return;
  state.placed.reset();
  state.index->unfollow();
  if (!state.index_class().has_structure || !store_.space().is_uncommitted(state.layout.address))
    return;
  for (const ByteRange& range : state.index_blocks) store_.space().release(range);
  state.index_blocks.clear();
}

/// `why`: the dataset's failure. The header says what the file has of it, whatever commits that failed
/// had planned. The same on all ranks.
Status CommitPlanner::leave_out_data(StoredObject& object, const Status& why) {
  if (object.find(kMessageLayout) == nullptr) return why;
  if (object.in_file) {
    for (const HeaderMessage& message : object.in_file->data) object.put(message);
  } else {
    if (object.committed) return why;
    // Nobody has seen it: it has no chunks yet.
    LayoutMessage layout = object.dataset->layout;
    layout.address = kUndefinedAddress;
    PCIO_ASSIGN(HeaderMessage empty, encode_layout_again(store_.context(), object, layout));
    object.put(std::move(empty));
  }
  forget_planned_index(*object.dataset);
  plan_.left_out.emplace(object.address, why);
  return Status();
}

/// `why`: no room for the object's links or header, of which the file keeps what it has; that is the
/// commit's failure too where the file has nothing of it, since others may name it already, and where
/// it says what is free, which is not so any more. The same on all ranks.
Status CommitPlanner::leave_out(StoredObject& object, const Status& why) {
  if (!object.committed || &object == store_.superblock_store().extension().get()) return why;
  const CommittedParts* const last = object.in_file.get();
  if (last != nullptr && object.symbol_table.btree != last->links.btree) {
    // What is in the file was given up when this was planned.
    for (const ByteRange& range : store_.objects().links_ranges(object))
      store_.space().release(range);
    store_.objects().forget_placed(object);
    object.symbol_table = SymbolTablePlace();
  } else if (PlacedTable* placed = store_.objects().placed_tables().find(object.address)) {
    placed->withdraw(store_.space(), &object.symbol_table);
  }
  for (const DenseKind kind : {DenseKind::kLinks, DenseKind::kAttributes})
    if (DenseStorage* storage = store_.objects().dense(kind).find(object.address))
      if (storage->is_planned()) storage->withdraw(store_.space());
  if (object.dataset) forget_planned_index(*object.dataset);
  plan_.left_out.emplace(object.address, why);
  return Status();
}

namespace {

/// A name of an object, as far as groups that are in memory tell.
std::string path_of(FileStore& store, FileAddress address) {
  if (address == store.objects().root()->address) return "/";
  std::vector<std::pair<StoredObjectPtr, std::string>> groups{{store.objects().root(), "/"}};
  std::set<FileAddress> seen{store.objects().root()->address};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto [group, path] = groups[i];
    if (!group->links) continue;
    for (const LinkMessage& link : group->links->links) {
      if (link.type != kLinkHard) continue;
      if (link.address == address) return path + link.name;
      StoredObjectPtr child = store.objects().find(link.address);
      if (child && child->links && seen.insert(link.address).second)
        groups.emplace_back(std::move(child), path + link.name + "/");
    }
  }
  return "at address " + std::to_string(address);
}

std::string names_of(FileStore& store, const LeftOut& objects) {
  std::string names;
  for (const auto& [address, why] : objects)
    names += (names.empty() ? "" : ", ") + path_of(store, address);
  return names;
}

}  // namespace

Status CommitRun::report_left_out() const {
  if (left_out_.empty()) return Status();
  Status failure = left_out_.begin()->second;
  failure.push(PCIO_FRAME(FILE, CANTFLUSH,
                          "everything is written but the changes of " +
                              names_of(store_, left_out_) +
                              ", which can't be; the file has it as it was"));
  return failure;
}

/// Who has such chunks says so; the others hear of it.
bool CommitRun::stays_open(LastClose last) const {
  return closes() && last == LastClose::kNo &&
         std::any_of(chunks_.begin(), chunks_.end(),
                     [](const auto& entry) { return lacks_memory(entry.second); });
}

Status CommitRun::report_chunks(LastClose last) {
  // Of what nobody can reach by a link nothing is missing.
  std::erase_if(chunks_, [&](const auto& entry) {
    return store_.objects().unlinked().contains(entry.first);
  });
  if (chunks_.empty()) return Status();
  const auto own = std::find_if(chunks_.begin(), chunks_.end(),
                                [](const auto& entry) { return !is_heard(entry.second); });
  Status failure = store_.coordinator().outcome(
      name_, own == chunks_.end() ? chunks_.begin()->second : own->second);
  failure.push(PCIO_FRAME(FILE, CANTFLUSH,
                          "everything is written but chunks of " + names_of(store_, chunks_) +
                              " that can't be encoded; " +
                              (closes() && !stays_open(last)
                                   ? "the file is closed without them and has them as they were"
                                   : "the file has them as they were, and they wait in memory")));
  return failure;
}

}  // namespace pcio
