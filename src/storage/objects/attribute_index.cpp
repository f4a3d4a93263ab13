// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: AttributeIndex out of line.

#include "storage/objects/attribute_index.hpp"

#include <span>

#include "base/checksum.hpp"

namespace pcio {

void AttributeIndex::add(const std::string& name, const HeaderMessage& message, Place place) {
  Entry entry;
  entry.place = place;
  entry.number = message.creation_order;
  entry.creation = {tracked_ ? entry.number : std::uint32_t{0}, added_++};
  auto [at, fresh] = by_name_.emplace(name, entry);
  if (!fresh) return;
  by_creation_.emplace(entry.creation, at);
  changed();
}

void AttributeIndex::remove(ByName::const_iterator entry) {
  by_creation_.erase(entry->second.creation);
  by_name_.erase(entry);
  changed();
}

void AttributeIndex::rename(ByName::const_iterator entry, std::string name) noexcept {
  auto node = by_name_.extract(entry);
  node.key() = std::move(name);
  const Creation creation = node.mapped().creation;
  by_creation_.find(creation)->second = by_name_.insert(std::move(node)).position;
  changed();
}

AttributeIndex::AsStored::key_type AttributeIndex::hash_key(std::string_view name) {
  return {lookup3(std::as_bytes(std::span(name))), name};
}

const AttributeIndex::AsStored& AttributeIndex::as_stored(bool dense) {
  if (as_stored_ && as_dense_ == dense) return *as_stored_;
  stored_.forget();
  as_stored_.reset();
  AsStored made;
  for (auto at = by_name_.cbegin(); at != by_name_.cend(); ++at) {
    const std::uint32_t message = at->second.creation.second;
    made.emplace(dense ? hash_key(at->first) : AsStored::key_type{message, at->first}, at);
  }
  as_dense_ = dense;
  return as_stored_.emplace(std::move(made));
}

std::uint16_t AttributeIndex::next_number() const {
  if (by_creation_.empty()) return 0;
  // Where it isn't tracked the last one made has the largest number, too.
  const std::uint16_t last = by_creation_.rbegin()->second->second.number;
  return last == 0xFFFF ? last : static_cast<std::uint16_t>(last + 1);
}

}  // namespace pcio
