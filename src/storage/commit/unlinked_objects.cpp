// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: releasing objects that nobody can reach any more.

#include "storage/file/unlinked_objects.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "agree/outcome_alike.hpp"
#include "base/without_throwing.hpp"
#include "storage/commit/commit_facts.hpp"
#include "format/attribute_message.hpp"
#include "format/shared_message.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

namespace {

/// Committed types that the object itself or its attributes have.
std::vector<FileAddress> types_of(const StoredObject& object, const FileSizes& sizes) {
  std::vector<FileAddress> types;
  if (object.dataset && object.dataset->committed_type != kUndefinedAddress)
    types.push_back(object.dataset->committed_type);
  for (const HeaderMessage& message : object.header.messages) {
    if (message.type != kMessageAttribute) continue;
    ByteReader reader(message.body);
    auto attribute = decode_attribute_message(reader);
    if (!attribute || !attribute->datatype_shared) continue;
    ByteReader type_reader(attribute->datatype);
    auto shared = decode_shared_message(type_reader, sizes);
    if (shared && shared->place == SharedPlace::kCommitted) types.push_back(shared->address);
  }
  return types;
}

}  // namespace

bool FileStore::unlinked_object_is_open() const {
  for (const auto& [address, object] : objects_.unlinked())
    if (object->open_count > 0) return true;
  return false;
}

/// What counts links of the object: once for each of them. Collective: independent.
Result<std::vector<StoredObjectPtr>> FileStore::children_of(const StoredObjectPtr& object) {
  std::vector<FileAddress> addresses;
  if (object->kind() == ObjectKind::kGroup) {
    PCIO_ASSIGN(LinkTable * table, objects_.links(object));
    for (const LinkMessage& link : table->links)
      if (link.type == kLinkHard) addresses.push_back(link.address);
  }
  if (object->kind() == ObjectKind::kDataset) PCIO_TRY(datasets_.state(object));
  for (FileAddress type : types_of(*object, context_.superblock.sizes)) addresses.push_back(type);
  std::vector<StoredObjectPtr> children;
  for (FileAddress address : addresses) {
    PCIO_ASSIGN(StoredObjectPtr child, objects_.object(address));
    children.push_back(std::move(child));
  }
  return children;
}

/// Collective: independent.
Status FileStore::find_remains_of(ObjectRemains* remains) {
  const StoredObjectPtr& object = remains->object;
  if (object->kind() == ObjectKind::kDataset) {
    PCIO_ASSIGN(remains->ranges, data_ranges(*this, object));
  }
  PCIO_ASSIGN(remains->children, children_of(object));
  if (object->kind() == ObjectKind::kGroup) remains->ranges = object->symbol_table.owned;
  return Status();
}

Result<std::uint32_t> FileStore::references_to(const StoredObjectPtr& object) {
  if (object->kind() != ObjectKind::kNamedType || objects_.unlinked().empty())
    return object->links_to;
  std::map<StoredObjectPtr, std::uint32_t> dropped;
  std::vector<StoredObjectPtr> gone;
  for (const auto& [address, other] : objects_.unlinked())
    if (other->open_count == 0) gone.push_back(other);
  while (!gone.empty()) {
    const StoredObjectPtr one = std::move(gone.back());
    gone.pop_back();
    // What can't be read is not released either.
    auto children = children_of(one);
    if (!children) continue;
    for (const StoredObjectPtr& child : *children) {
      const std::uint32_t count = ++dropped[child];
      if (count == child->links_to && child->open_count == 0 && child != object)
        gone.push_back(child);
    }
  }
  const auto found = dropped.find(object);
  const std::uint32_t lost = found == dropped.end() ? 0 : found->second;
  return object->links_to - std::min(lost, object->links_to);
}

/// Nothing where one is open here: then all stay. Collective: independent. Errors: no memory.
Status FileStore::find_remains(Remains* remains) {
  *remains = Remains();
  if (unlinked_object_is_open()) return Status();
  return without_throwing([&]() -> Status {
    for (const auto& [address, object] : objects_.unlinked()) {
      ObjectRemains& one = remains->objects.emplace_back();
      one.object = object;
      // A damaged file may count too few links to what the superblock refers to.
      const bool kept = object == objects_.root() || object == extension_;
      remains->unread.push_back(kept || !find_remains_of(&one).ok() ? 1 : 0);
    }
    return Status();
  });
}

UnlinkedFacts FileStore::unlinked_facts(const Remains& remains) const {
  const bool unread =
      std::find(remains.unread.begin(), remains.unread.end(), 1U) != remains.unread.end();
  return {!objects_.unlinked().empty(), unlinked_object_is_open(), unread};
}

/// What loses its last link here waits in unlinked_: it may be open.
Status FileStore::release_remains(const Remains& remains) {
  objects_.forget_unlinked();
  for (std::size_t i = 0; i < remains.objects.size(); ++i) {
    // Better lost bytes than a commit that fails.
    if (remains.unread[i] != 0) continue;
    const ObjectRemains& gone = remains.objects[i];
    drop_chunks(*this, gone.object);
    for (const StoredObjectPtr& child : gone.children)
      if (child->links_to > 0) PCIO_TRY(objects_.drop_reference(child));
    for (const ByteRange& range : gone.ranges) context_.space.release(range);
    for (const ByteRange& chunk : gone.object->chunks) context_.space.release(chunk);
    const FileAddress address = gone.object->address;
    compact_copies_.remove(address);
    datasets_.remove(address);
    objects_.remove(address);
  }
  return Status();
}

/// `agreed`: what the ranks have agreed on about the remains. Goes on with what lost its last link by
/// this, until nothing is left or some of it is open. Collective: over the file, two or three exchanges
/// for each round.
Status FileStore::release_unlinked(const CallName& name, CommitKind kind, UnlinkedFacts agreed,
                                   Remains remains) {
  while (agreed.any && !agreed.open) {
    if (agreed.unread) PCIO_TRY(context_.coordinator->allreduce_max(remains.unread));
    PCIO_TRY(outcome_alike(*context_.coordinator, name,
                           without_throwing([&] { return release_remains(remains); })));
    const Status ready = find_remains(&remains);
    LocalFacts facts;
    facts.call_kind = kind == CommitKind::kClose ? CallKind::kClose : CallKind::kFlush;
    CommitFacts mine;
    mine.unlinked = unlinked_facts(remains);
    put_facts(mine, &facts);
    PCIO_ASSIGN(GlobalFacts merged, context_.coordinator->agree(name, facts, ready));
    agreed = commit_facts(merged).unlinked;
  }
  return Status();
}

}  // namespace pcio
