// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: StoredObject out of line.

#include "storage/objects/stored_object.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/checksum.hpp"

namespace pcio {

const HeaderMessage* StoredObject::find(std::uint16_t type) const {
  constexpr std::uint16_t kTypes = 64;
  if (looked_at_ > header.messages.size()) looked_at_ = 0, types_seen_ = 0;
  for (; looked_at_ < header.messages.size(); ++looked_at_)
    if (const std::uint16_t there = header.messages[looked_at_].type; there < kTypes)
      types_seen_ |= std::uint64_t{1} << there;
  if (type < kTypes && (types_seen_ >> type & 1) == 0) return nullptr;
  return header.find(type);
}

HeaderMessage* StoredObject::find(std::uint16_t type) {
  return const_cast<HeaderMessage*>(std::as_const(*this).find(type));
}

void StoredObject::put(HeaderMessage message) {
  if (HeaderMessage* old = find(message.type))
    *old = std::move(message);
  else
    header.messages.push_back(std::move(message));
}

void StoredObject::remove_all(std::uint16_t type) {
  const auto gone =
      std::erase_if(header.messages, [&](const HeaderMessage& m) { return m.type == type; });
  if (gone > 0) messages_moved();
}

void StoredObject::clear_message(std::size_t index) {
  header.messages[index] = HeaderMessage();
  ++empty_;
  // So that the places left empty are fewer than the messages.
  if (empty_ > 64 && empty_ > header.messages.size() / 2) compact_messages();
}

void StoredObject::compact_messages() {
  if (empty_ == 0) return;
  remove_all(kMessageNil);
  empty_ = 0;
}

void StoredObject::keep_committed() {
  if (!committed || in_file) return;
  auto kept = std::make_unique<CommittedParts>();
  for (const std::uint16_t type : {kMessageDataspace, kMessageLayout})
    if (const HeaderMessage* message = find(type)) kept->data.push_back(*message);
  kept->links = symbol_table;
  in_file = std::move(kept);
}

void StoredObject::messages_moved() {
  looked_at_ = 0;
  types_seen_ = 0;
  attributes.reset();
}

LinkNumbers::LinkNumbers(const LinkTable& table) {
  for (auto link = table.links.begin(); link != table.links.end(); ++link) add(link);
}

void LinkNumbers::add(LinkMap::const_iterator link) {
  if (by_hash_) by_hash_->emplace(hash_key(link->name), link);
  if (link->creation_order) by_creation_.emplace(*link->creation_order, link);
  changed();
}

LinkNumbers::ByHash::key_type LinkNumbers::hash_key(std::string_view name) {
  return {lookup3(std::as_bytes(std::span(name))), name};
}

const LinkNumbers::ByHash& LinkNumbers::by_hash(const LinkTable& table) {
  if (by_hash_) return *by_hash_;
  ByHash made;
  for (auto link = table.links.begin(); link != table.links.end(); ++link)
    made.emplace(hash_key(link->name), link);
  return by_hash_.emplace(std::move(made));
}

void LinkNumbers::remove(LinkMap::const_iterator link) {
  if (by_hash_) by_hash_->erase(hash_key(link->name));
  if (link->creation_order) {
    auto [first, last] = by_creation_.equal_range(*link->creation_order);
    first = std::find_if(first, last, [&](const auto& entry) { return entry.second == link; });
    if (first != last) by_creation_.erase(first);
  }
  changed();
}

ObjectKind StoredObject::kind() const {
  if (find(kMessageSymbolTable) != nullptr || find(kMessageLinkInfo) != nullptr)
    return ObjectKind::kGroup;
  if (find(kMessageDatatype) == nullptr) return ObjectKind::kUnknown;
  return find(kMessageDataspace) != nullptr ? ObjectKind::kDataset : ObjectKind::kNamedType;
}

}  // namespace pcio
