// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: releasing objects that nobody can reach any more.

#include "storage/commit/unlinked_objects.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "agree/outcome_alike.hpp"
#include "base/without_throwing.hpp"
#include "format/attribute_message.hpp"
#include "format/shared_message.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/dataset/owned_objects.hpp"

namespace pcio {

namespace {

/// Committed types that the object itself or its attributes have.
std::vector<FileAddress> types_of(const StoredObject& object, const FileSizes& sizes) {
  std::vector<FileAddress> types;
  if (object.dataset && object.dataset->committed_type != kUndefinedAddress)
    types.push_back(object.dataset->committed_type);
  auto add = [&](const std::vector<HeaderMessage>& messages) {
    for (const HeaderMessage& message : messages) {
      if (message.type != kMessageAttribute) continue;
      ByteReader reader(message.body);
      auto attribute = decode_attribute_message(reader);
      if (!attribute || !attribute->datatype_shared) continue;
      ByteReader type_reader(attribute->datatype);
      auto shared = decode_shared_message(type_reader, sizes);
      if (shared && shared->place == SharedPlace::kCommitted) types.push_back(shared->address);
    }
  };
  add(object.header.messages);
  if (object.dense_attributes) add(*object.dense_attributes);
  return types;
}

/// Open, or what a call around this one goes on with behind the function of the program that it runs: whatever that
/// call has found or made, such a function may delete it and flush the file. A file that is in its hands is not closed there.
bool is_any_unlinked_in_use(FileStore& store, CallKind kind) {
  if (kind != CallKind::kClose && store.is_in_midst_of_callers())
    return !store.objects().unlinked().empty();
  // Ids that are left when a file is closed lead nowhere from then on.
  for (const auto& [address, object] : store.objects().unlinked())
    if (object->transfers > 0 || (kind != CallKind::kClose && object->in_use())) return true;
  return false;
}

/// What counts links of the object: once for each of them. Collective: independent.
Result<std::vector<StoredObjectPtr>> children_of(FileStore& store, const StoredObjectPtr& object) {
  std::vector<FileAddress> addresses;
  if (object->kind() == ObjectKind::kGroup) {
    PCIO_ASSIGN(LinkTable * table, store.objects().links(object));
    for (const LinkMessage& link : table->links)
      if (link.type == kLinkHard) addresses.push_back(link.address);
  }
  if (object->kind() == ObjectKind::kDataset) PCIO_TRY(store.datasets().state(object));
  PCIO_TRY(store.objects().load_attributes(object));
  for (FileAddress type : types_of(*object, store.sizes())) addresses.push_back(type);
  std::vector<StoredObjectPtr> children;
  for (FileAddress address : addresses) {
    PCIO_ASSIGN(StoredObjectPtr child, store.objects().object(address));
    children.push_back(std::move(child));
  }
  return children;
}

/// Collective: independent.
Status find_unlinked_object(FileStore& store, UnlinkedObject* found, std::uint64_t* counted) {
  const StoredObjectPtr& object = found->object;
  if (object->kind() == ObjectKind::kDataset) {
    PCIO_ASSIGN(found->ranges, data_ranges(store, object));
  }
  PCIO_ASSIGN(found->children, children_of(store, object));
  if (object->kind() == ObjectKind::kGroup) found->ranges = store.objects().links_ranges(*object);
  for (const DenseKind kind : {DenseKind::kLinks, DenseKind::kAttributes}) {
    PCIO_ASSIGN(auto dense, store.objects().dense_ranges(*object, kind));
    found->ranges.insert(found->ranges.end(), dense.begin(), dense.end());
  }
  // Where heaps can't be read their room is lost, and nothing else.
  if (store.coordinator().rank() == 0)
    static_cast<void>(without_throwing(
        [&] { return find_owned_objects(store, object, &found->owned, counted); }));
  return Status();
}

}  // namespace

Result<std::uint32_t> references_to(FileStore& store, const StoredObjectPtr& object) {
  if (object->kind() != ObjectKind::kNamedType || store.objects().unlinked().empty())
    return object->links_to;
  std::map<StoredObjectPtr, std::uint32_t> dropped;
  std::vector<StoredObjectPtr> gone;
  for (const auto& [address, other] : store.objects().unlinked())
    if (!other->in_use()) gone.push_back(other);
  while (!gone.empty()) {
    const StoredObjectPtr one = std::move(gone.back());
    gone.pop_back();
    // What can't be read is not released either.
    auto children = children_of(store, one);
    if (!children) continue;
    for (const StoredObjectPtr& child : *children) {
      const std::uint32_t count = ++dropped[child];
      if (count == child->links_to && !child->in_use() && child != object) gone.push_back(child);
    }
  }
  const auto found = dropped.find(object);
  const std::uint32_t lost = found == dropped.end() ? 0 : found->second;
  return object->links_to - std::min(lost, object->links_to);
}

Status find_unlinked(FileStore& store, CallKind kind, UnlinkedSet* set) {
  *set = UnlinkedSet{{}, {}, set->counted};
  if (is_any_unlinked_in_use(store, kind)) return Status();
  return without_throwing([&]() -> Status {
    for (const auto& [address, object] : store.objects().unlinked()) {
      UnlinkedObject& one = set->objects.emplace_back();
      one.object = object;
      // A damaged file may count too few links to what the superblock refers to.
      const bool kept =
          object == store.objects().root() || object == store.superblock_store().extension();
      set->unread.push_back(kept || !find_unlinked_object(store, &one, &set->counted).ok() ? 1 : 0);
    }
    return Status();
  });
}

UnlinkedFacts unlinked_facts(FileStore& store, CallKind kind, const UnlinkedSet& set) {
  const bool unread = std::find(set.unread.begin(), set.unread.end(), 1U) != set.unread.end();
  return {!store.objects().unlinked().empty(), is_any_unlinked_in_use(store, kind), unread};
}

namespace {

/// Where there is no memory for that its room is lost, and nothing else.
void let_go_owned(FileStore& store, const UnlinkedSet& set) {
  static_cast<void>(without_throwing([&] {
    for (std::size_t i = 0; i < set.objects.size(); ++i)
      for (const auto& [collection, indexes] : set.objects[i].owned)
        for (const std::uint32_t index : indexes)
          if (set.unread[i] == 0) store.heaps().let_go({collection, index});
    return Status();
  }));
}

/// First nobody finds the object any more, so that no commit writes it: where memory lacks behind that its bytes are
/// lost, and nothing else.
Status release_object(FileStore& store, const UnlinkedObject& gone,
                      std::set<FileAddress>* released) {
  const FileAddress address = gone.object->address;
  released->insert(address);
  drop_chunks(store, gone.object);
  store.compact_copies().remove(address);
  store.attribute_copies().remove(address);
  store.datasets().remove(address);
  store.objects().remove(address);
  store.objects().forget_unlinked(address);
  for (const StoredObjectPtr& child : gone.children) {
    if (released->contains(child->address))
      store.objects().remove(child->address);
    else if (child->links_to > 0)
      PCIO_TRY(store.objects().drop_reference(child));
  }
  for (const ByteRange& range : gone.ranges) store.space().release(range);
  for (const ByteRange& chunk : gone.object->chunks) store.space().release(chunk);
  if (gone.object->shared) store.objects().shared().let_go(*gone.object->shared);
  return Status();
}

/// What loses its last link here waits among the unlinked: it may be open. In a damaged file what is gone
/// may still be named: `released` has all that went in this commit, none of which goes twice.
Status release_unlinked_set(FileStore& store, const UnlinkedSet& set,
                            std::set<FileAddress>* released) {
  for (std::size_t i = 0; i < set.objects.size(); ++i) {
    if (set.unread[i] == 0) PCIO_TRY(release_object(store, set.objects[i], released));
    // Better lost bytes than a commit that fails.
    store.objects().forget_unlinked(set.objects[i].object->address);
  }
  return Status();
}

}  // namespace

bool owns_objects(const UnlinkedSet& set) {
  return std::any_of(set.objects.begin(), set.objects.end(),
                     [](const UnlinkedObject& object) { return !object.owned.empty(); });
}

Status release_unlinked(FileStore& store, const ReleaseCall& call, CommitFacts* agreed,
                        UnlinkedSet set) {
  while (agreed->unlinked.any && !agreed->unlinked.open) {
    if (agreed->unlinked.unread) PCIO_TRY(store.coordinator().allreduce_max(set.unread));
    let_go_owned(store, set);
    PCIO_TRY(outcome_alike(store.coordinator(), call.name, without_throwing([&] {
                             return release_unlinked_set(store, set, call.released);
                           })));
    const Status ready = find_unlinked(store, call.kind, &set);
    LocalFacts facts;
    facts.call_kind = call.kind;
    CommitFacts mine;
    mine.unlinked = unlinked_facts(store, call.kind, set);
    mine.let_go = owns_objects(set);
    put_facts(mine, &facts);
    PCIO_ASSIGN(GlobalFacts merged, store.coordinator().agree(call.name, facts, ready));
    const CommitFacts next = commit_facts(merged);
    agreed->unlinked = next.unlinked;
    agreed->let_go = agreed->let_go || next.let_go;
  }
  return Status();
}

}  // namespace pcio
