// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: HandleTable out of line.

#include "base/handle_table.hpp"

#include <limits>
#include <string>

namespace pcio {

namespace {

constexpr std::uint32_t kGenerationMask = 0xFFFFFF;

HandleId make_id(unsigned type, std::uint32_t generation, std::uint32_t slot) {
  return static_cast<HandleId>(static_cast<std::uint64_t>(type) << 56 |
                               static_cast<std::uint64_t>(generation & kGenerationMask) << 32 |
                               slot);
}

ErrorFrame bad_id(HandleId id) {
  return PCIO_FRAME(ATOM, BADATOM, "id " + std::to_string(id) + " is not open");
}

}  // namespace

const HandleTable::Slot* HandleTable::live(HandleId id) const {
  if (id <= 0) return nullptr;
  auto raw = static_cast<std::uint64_t>(id);
  auto slot = static_cast<std::uint32_t>(raw);
  if (slot >= slots_.size()) return nullptr;
  const Slot& s = slots_[slot];
  if (s.references <= 0 || s.type != raw >> 56 ||
      (s.generation & kGenerationMask) != (raw >> 32 & kGenerationMask))
    return nullptr;
  return &s;
}

void HandleTable::enter(std::uint32_t slot) {
  Slot& s = slots_[slot];
  Live& all = live_[s.type];
  s.before = all.last;
  s.behind = kNone;
  (all.last == kNone ? all.first : slots_[all.last].behind) = slot;
  all.last = slot;
  ++all.count;
}

void HandleTable::leave(std::uint32_t slot) {
  const Slot& s = slots_[slot];
  Live& all = live_[s.type];
  (s.before == kNone ? all.first : slots_[s.before].behind) = s.behind;
  (s.behind == kNone ? all.last : slots_[s.behind].before) = s.before;
  --all.count;
}

Result<HandleId> HandleTable::add(unsigned type, std::shared_ptr<HandleObject> object) {
  if (type == 0 || type >= kMaxTypes) return PCIO_ERROR(ATOM, BADTYPE, "unknown id type");
  std::uint32_t slot = 0;
  if (free_.empty()) {
    if (slots_.size() >= std::numeric_limits<std::uint32_t>::max())
      return PCIO_ERROR(ATOM, NOIDS, "no more ids");
    slot = static_cast<std::uint32_t>(slots_.size());
    // An id is closed without asking for memory.
    if (free_.capacity() <= slots_.size()) free_.reserve(2 * slots_.size() + 16);
    slots_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  Slot& s = slots_[slot];
  ++s.generation;
  s.type = static_cast<std::uint8_t>(type);
  s.references = 1;
  s.object = std::move(object);
  enter(slot);
  return make_id(type, s.generation, slot);
}

Result<std::shared_ptr<HandleObject>> HandleTable::find(HandleId id) const {
  const Slot* s = live(id);
  if (s == nullptr) return detail::StatusReturn(Status(bad_id(id)));
  return s->object;
}

std::shared_ptr<HandleObject> HandleTable::find(HandleId id, unsigned type) const {
  const Slot* s = live(id);
  return s != nullptr && s->type == type ? s->object : nullptr;
}

unsigned HandleTable::type_of(HandleId id) const {
  const Slot* s = live(id);
  return s == nullptr ? 0 : s->type;
}

Result<int> HandleTable::increment(HandleId id) {
  Slot* s = live(id);
  if (s == nullptr) return detail::StatusReturn(Status(bad_id(id)));
  return ++s->references;
}

Result<int> HandleTable::decrement(HandleId id, std::shared_ptr<HandleObject>* last) {
  Slot* s = live(id);
  if (s == nullptr) return detail::StatusReturn(Status(bad_id(id)));
  if (--s->references > 0) return s->references;
  *last = std::move(s->object);
  s->object.reset();
  leave(static_cast<std::uint32_t>(static_cast<std::uint64_t>(id)));
  free_.push_back(static_cast<std::uint32_t>(static_cast<std::uint64_t>(id)));
  return 0;
}

Result<int> HandleTable::references(HandleId id) const {
  const Slot* s = live(id);
  if (s == nullptr) return detail::StatusReturn(Status(bad_id(id)));
  return s->references;
}

void HandleTable::restore(HandleId id, std::shared_ptr<HandleObject> object) {
  auto slot = static_cast<std::uint32_t>(static_cast<std::uint64_t>(id));
  std::erase(free_, slot);
  Slot& s = slots_[slot];
  s.references = 1;
  s.object = std::move(object);
  enter(slot);
}

void HandleTable::replace(HandleId id, std::shared_ptr<HandleObject> object) {
  if (Slot* s = live(id)) s->object.swap(object);
}

std::size_t HandleTable::count(unsigned type) const {
  return type < kMaxTypes ? live_[type].count : 0;
}

std::vector<HandleId> HandleTable::ids(unsigned type) const {
  std::vector<HandleId> found;
  if (type >= kMaxTypes) return found;
  found.reserve(live_[type].count);
  for (std::uint32_t i = live_[type].first; i != kNone; i = slots_[i].behind)
    found.push_back(make_id(type, slots_[i].generation, i));
  return found;
}

}  // namespace pcio
