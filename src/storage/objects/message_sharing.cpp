// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: MessageSharing: what of an object is shared, and the counts of what is.

#include "storage/objects/message_sharing.hpp"

#include <algorithm>

#include "format/attribute_message.hpp"
#include "format/shared_message.hpp"

namespace pcio {

namespace {

bool same(ConstBytes a, ConstBytes b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

HeaderMessage reference_to(const HeaderMessage& message, const SharedRef& ref) {
  HeaderMessage stored = message;
  SharedMessage place;
  place.place = SharedPlace::kSharedHeap;
  place.heap_id = *ref.heap_id;
  ByteWriter out;
  // A heap id always fits.
  static_cast<void>(encode_shared_message(place, FileSizes(), out));
  stored.body = out.view();
  stored.flags |= kMessageShared;
  return stored;
}

/// Types of a committed type are its own, and others refer to them.
bool may_be_shared(const StoredObject& object, const HeaderMessage& message) {
  if ((message.flags & (kMessageShared | kMessageNotShareable)) != 0) return false;
  if (message.type == kMessageDatatype) return object.kind() != ObjectKind::kNamedType;
  return message.type == kMessageDataspace || message.type == kMessageFillValue ||
         message.type == kMessageFillValueOld || message.type == kMessageFilterPipeline;
}

}  // namespace

Status MessageSharing::let_gone_go() {
  SharedMessages& shared = objects_.shared();
  for (const SharedRef& ref : shared.gone()) {
    PCIO_ASSIGN(std::optional<Use> use, find_ref(ref, kUndefinedAddress));
    if (use) PCIO_TRY(count(*use, -1));
    PCIO_TRY(drop_uncounted());
  }
  shared.note_gone_counted();
  return Status();
}

void MessageSharing::begin_object(const StoredObject& object) {
  object_ = &object;
  for (auto& part : parts_) part.reset();
  fresh_.clear();
}

/// What a reference in the file leads to; nothing where the index has lost it. `holder`: the object whose
/// header has it.
Result<std::optional<MessageSharing::Use>> MessageSharing::find_ref(const SharedRef& ref,
                                                                    FileAddress holder) {
  PCIO_ASSIGN(SharedIndex * index, objects_.shared().index(*file_.bytes, file_.sizes(), ref.type));
  if (index == nullptr) return std::optional<Use>();
  if (ref.heap_id) {
    const auto place = index->find(*ref.heap_id);
    if (place == index->end()) return std::optional<Use>();
    return std::optional<Use>(Use{index, place, ref});
  }
  auto [place, last] = index->with_hash(shared_message_hash(ref.type, ref.body));
  for (; place != last; ++place) {
    const SharedMessageRecord& record = place->second;
    if (!record.in_heap) {
      if (record.message_type != ref.type) continue;
      if (record.header_address == holder || holder == kUndefinedAddress)
        return std::optional<Use>(Use{index, place, ref});
      continue;
    }
    PCIO_ASSIGN(const auto body, index->body(*file_.bytes, record));
    if (same(body, ref.body)) return std::optional<Use>(Use{index, place, ref});
  }
  return std::optional<Use>();
}

/// The message is in the header of an object. There it stays where that is this one; where another one has
/// it, it goes to the heap for both.
Result<std::optional<MessageSharing::Use>> MessageSharing::take_from_header(Use use,
                                                                            ConstBytes body) {
  const FileAddress address = use.place->second.header_address;
  const StoredObject* holder = object_;
  StoredObjectPtr other;
  if (address != object_->address) {
    auto found = objects_.object(address);
    if (!found && was_not_read(found.error())) return tl::unexpected(std::move(found.error()));
    // The index is wrong.
    if (!found) return std::optional<Use>();
    other = std::move(*found);
    holder = other.get();
  }
  if (!holder->shared) return std::optional<Use>();
  for (const SharedRef& ref : holder->shared->header) {
    if (ref.heap_id || ref.type != use.ref.type || !same(ref.body, body)) continue;
    if (holder == object_) {
      use.ref.body.assign(body.begin(), body.end());
      return std::optional<Use>(std::move(use));
    }
    if (!use.index->move_into_heap(use.place, body, file_.space).ok()) return std::optional<Use>();
    use.ref.heap_id = use.place->second.heap_id;
    return std::optional<Use>(std::move(use));
  }
  return std::optional<Use>();
}

/// Nothing: no message of this hash, or another one that has it by chance, which keeps this one from
/// being shared.
Result<std::optional<MessageSharing::Use>> MessageSharing::find_use(SharedIndex* index,
                                                                    std::uint16_t type,
                                                                    std::uint32_t hash,
                                                                    ConstBytes body) {
  auto [place, last] = index->with_hash(hash);
  for (; place != last; ++place) {
    Use use{index, place, {type, std::nullopt, {}}};
    const SharedMessageRecord& record = place->second;
    if (!record.in_heap) {
      if (record.message_type != type) continue;
      return take_from_header(std::move(use), body);
    }
    PCIO_ASSIGN(const auto there, index->body(*file_.bytes, record));
    if (!same(there, body)) continue;
    use.ref.heap_id = record.heap_id;
    return std::optional<Use>(std::move(use));
  }
  return std::optional<Use>();
}

/// Where a message of this body is shared, or can be; nothing where it stays where it is.
Result<std::optional<MessageSharing::Use>> MessageSharing::use_of(std::uint16_t type,
                                                                  ConstBytes body) {
  PCIO_ASSIGN(SharedIndex * index, objects_.shared().index(*file_.bytes, file_.sizes(), type));
  if (index == nullptr || body.size() < index->header().min_size) return std::optional<Use>();
  const std::uint32_t hash = shared_message_hash(type, body);
  PCIO_ASSIGN(std::optional<Use> use, find_use(index, type, hash, body));
  if (use) return use;
  if (const auto [first, last] = index->with_hash(hash); first != last) return std::optional<Use>();
  // Where there is no room it is not shared.
  const auto place = index->add(hash, body, file_.space);
  if (!place) return std::optional<Use>();
  use.emplace(Use{index, *place, {type, (*place)->second.heap_id, {}}});
  fresh_.push_back(*use);
  return use;
}

/// Type or space of an attribute.
Status MessageSharing::share_part(std::uint16_t type, bool* shared, std::vector<std::byte>* part,
                                  Uses* uses) {
  std::optional<Use> use;
  if (*shared) {
    ByteReader reader(*part);
    PCIO_ASSIGN(const SharedMessage place, decode_shared_message(reader, file_.sizes()));
    if (place.place != SharedPlace::kSharedHeap) return Status();
    PCIO_ASSIGN(use, find_ref({type, place.heap_id, {}}, kUndefinedAddress));
    if (use) uses->push_back(std::move(*use));
    return Status();
  }
  PCIO_ASSIGN(use, use_of(type, *part));
  if (!use || !use->ref.heap_id) return Status();
  *part = reference_to(HeaderMessage(), use->ref).body.vector();
  *shared = true;
  uses->push_back(std::move(*use));
  return Status();
}

/// Who refers to a shared attribute has nothing to do with its type and space: the attribute in the heap refers
/// to them, once.
Result<HeaderMessage> MessageSharing::stored_attribute(const HeaderMessage& message, Uses* uses) {
  HeaderMessage stored = message;
  ByteReader reader(message.body);
  auto decoded = decode_attribute_message(reader);
  // Whoever asks for it is told.
  if (!decoded) return stored;
  AttributeMessage& attribute = *decoded;
  // In version 1 headers bodies are padded, and of a committed type nobody here knows the size.
  const bool may_share =
      object_->header.version > 1 || !(attribute.datatype_shared || attribute.dataspace_shared);
  Uses parts;
  if (may_share || attribute.datatype_shared)
    PCIO_TRY(share_part(kMessageDatatype, &attribute.datatype_shared, &attribute.datatype, &parts));
  if (may_share || attribute.dataspace_shared)
    PCIO_TRY(
        share_part(kMessageDataspace, &attribute.dataspace_shared, &attribute.dataspace, &parts));
  if (may_share && !parts.empty()) {
    ByteWriter out;
    PCIO_TRY(encode_attribute_message(attribute, FormatVersion::kV18, out));
    stored.body = out.view();
  }
  std::optional<Use> use;
  if (object_->header.version > 1) {
    PCIO_ASSIGN(use, use_of(kMessageAttribute, stored.body));
  }
  if (!use || !use->ref.heap_id) {
    uses->insert(uses->end(), parts.begin(), parts.end());
    return stored;
  }
  stored = reference_to(message, use->ref);
  uses->push_back(std::move(*use));
  return stored;
}

Result<HeaderMessage> MessageSharing::stored(const HeaderMessage& message, SharedPart part) {
  std::optional<Uses>& uses = parts_[static_cast<int>(part)];
  if (!uses) uses.emplace();
  if (message.type == kMessageAttribute) {
    if ((message.flags & (kMessageShared | kMessageNotShareable)) != 0) return message;
    return stored_attribute(message, &*uses);
  }
  if (!may_be_shared(*object_, message)) return message;
  const std::size_t size = exact_size(message, file_.sizes());
  const ConstBytes body = ConstBytes(message.body).first(size);
  PCIO_ASSIGN(std::optional<Use> use, use_of(message.type, body));
  if (!use) return message;
  HeaderMessage stored = message;
  if (use->ref.heap_id)
    stored = reference_to(message, use->ref);
  else
    stored.flags |= kMessageShareable;
  uses->push_back(std::move(*use));
  return stored;
}

Result<std::vector<HeaderMessage>> MessageSharing::stored_all(
    const std::vector<HeaderMessage>& messages, SharedPart part) {
  parts_[static_cast<int>(part)].emplace();
  std::vector<HeaderMessage> all;
  all.reserve(messages.size());
  for (const HeaderMessage& message : messages) {
    PCIO_ASSIGN(HeaderMessage one, stored(message, part));
    all.push_back(std::move(one));
  }
  return all;
}

/// Type and space of an attribute that came into the heap, or went. A damaged one has none.
Status MessageSharing::count_parts(ConstBytes body, std::int64_t change) {
  ByteReader reader(body);
  const auto decoded = decode_attribute_message(reader);
  if (!decoded) return Status();
  const AttributeMessage& attribute = *decoded;
  auto one = [&](std::uint16_t type, bool shared, ConstBytes part) -> Status {
    if (!shared) return Status();
    ByteReader part_reader(part);
    const auto place = decode_shared_message(part_reader, file_.sizes());
    if (!place || place->place != SharedPlace::kSharedHeap) return Status();
    PCIO_ASSIGN(std::optional<Use> use, find_ref({type, place->heap_id, {}}, kUndefinedAddress));
    return use ? count(*use, change) : Status();
  };
  PCIO_TRY(one(kMessageDatatype, attribute.datatype_shared, attribute.datatype));
  return one(kMessageDataspace, attribute.dataspace_shared, attribute.dataspace);
}

/// References of an attribute in the heap: what it refers to, and the committed type that it has.
Status MessageSharing::count_attribute(const Use& use, std::int64_t before, std::int64_t after) {
  const auto body = use.index->body(*file_.bytes, use.place->second);
  if (!body) return was_not_read(body.error()) ? body.error() : Status();
  if ((before == 0) != (after == 0)) PCIO_TRY(count_parts(*body, after > 0 ? 1 : -1));
  const FileAddress type = committed_type_of(*body, file_.sizes());
  if (type == kUndefinedAddress || std::max(before, after) < 2) return Status();
  changed_types_.insert(type);
  if (!planned_uncounted_) return Status();
  std::uint32_t& references = (*planned_uncounted_)[type];
  const auto less = static_cast<std::uint32_t>(std::max<std::int64_t>(before - 1, 0));
  const auto more = static_cast<std::uint32_t>(std::max<std::int64_t>(after - 1, 0));
  references = add_capped(references - std::min(references, less), more);
  return Status();
}

Status MessageSharing::count(const Use& use, std::int64_t change) {
  const SharedMessageRecord& record = use.place->second;
  // What is in a header has one reference: that header's.
  const std::int64_t before = record.in_heap ? std::int64_t{record.reference_count} : 1;
  // Files may count too few.
  const std::int64_t after = std::clamp<std::int64_t>(before + change, 0, 0xFFFFFFFF);
  if (use.ref.type == kMessageAttribute && record.in_heap)
    PCIO_TRY(count_attribute(use, before, after));
  if (record.in_heap) use.index->set_count(use.place, static_cast<std::uint32_t>(after));
  if (before > 0 && after == 0) uncounted_.push_back(use);
  return Status();
}

Status MessageSharing::drop_uncounted() {
  Uses uncounted;
  uncounted.swap(uncounted_);
  for (const Use& use : uncounted) {
    const SharedMessageRecord& record = use.place->second;
    if (record.in_heap && record.reference_count > 0) continue;
    std::erase_if(fresh_, [&](const Use& made) { return made.place == use.place; });
    PCIO_TRY(use.index->remove(use.place));
  }
  return Status();
}

/// Nobody wanted them in the end.
Status MessageSharing::drop_fresh() {
  Uses fresh;
  fresh.swap(fresh_);
  for (const Use& use : fresh)
    if (use.place->second.in_heap && use.place->second.reference_count == 0)
      PCIO_TRY(use.index->remove(use.place));
  return Status();
}

Status MessageSharing::end_object(StoredObject& object) {
  struct Change {
    Use use;
    std::int64_t by = 0;
  };
  std::vector<Change> changes;
  std::map<const SharedMessageRecord*, std::size_t> where;
  auto note = [&](const Use& use, std::int64_t by) {
    const auto [at, is_new] = where.emplace(&use.place->second, changes.size());
    if (is_new) changes.push_back({use, 0});
    changes[at->second].by += by;
  };
  if (!object.shared) object.shared = std::make_unique<SharedRefs>();
  SharedRefs& refs = *object.shared;
  // A type may be planned twice: then it is what was planned before that goes.
  const bool again = !counted_.insert(object.address).second;
  for (const SharedPart part : {SharedPart::kHeader, SharedPart::kDense}) {
    const std::optional<Uses>& uses = parts_[static_cast<int>(part)];
    const bool header = part == SharedPart::kHeader;
    std::optional<std::vector<SharedRef>>& planned =
        header ? refs.planned_header : refs.planned_dense;
    std::optional<std::vector<SharedRef>> before;
    if (again) before.swap(planned);
    planned.reset();
    if (!uses) {
      planned = std::move(before);
      continue;
    }
    if (!before) before = header ? refs.header : refs.dense;
    planned.emplace();
    for (const Use& use : *uses) {
      note(use, 1);
      planned->push_back(use.ref);
    }
    for (const SharedRef& ref : *before) {
      PCIO_ASSIGN(std::optional<Use> use, find_ref(ref, object.address));
      if (use) note(*use, -1);
    }
  }
  // What comes is counted before what goes: the same message may do both by way of attributes.
  for (const Change& change : changes)
    if (change.by > 0) PCIO_TRY(count(change.use, change.by));
  for (const Change& change : changes)
    if (change.by < 0) PCIO_TRY(count(change.use, change.by));
  PCIO_TRY(drop_uncounted());
  return drop_fresh();
}

Status MessageSharing::drop_object(StoredObject& object) {
  for (auto& part : parts_) part.reset();
  if (object.shared) object.shared->forget_planned();
  return drop_fresh();
}

Result<std::uint32_t> MessageSharing::uncounted(FileAddress type) {
  PCIO_ASSIGN(SharedIndex * index,
              objects_.shared().index(*file_.bytes, file_.sizes(), kMessageAttribute));
  if (index == nullptr) return std::uint32_t{0};
  if (!planned_uncounted_) {
    PCIO_ASSIGN(planned_uncounted_, uncounted_references(*index, file_));
  }
  const auto found = planned_uncounted_->find(type);
  return found == planned_uncounted_->end() ? 0 : found->second;
}

Status MessageSharing::plan(BlockSet* blocks) {
  return objects_.shared().plan(file_.sizes(), file_.space, blocks);
}

}  // namespace pcio
