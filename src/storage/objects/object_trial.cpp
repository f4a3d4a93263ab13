// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: what a call makes and changes of objects, out of line.

#include "storage/objects/object_trial.hpp"

#include <algorithm>
#include <tuple>

namespace pcio {

void ObjectTrial::note_touch(const StoredObjectPtr& object) {
  const auto is_it = [&](const Touched& was) { return was.object == object; };
  if (std::any_of(touched_.begin(), touched_.end(), is_it)) return;
  if (std::find(made_.begin(), made_.end(), object) != made_.end()) return;
  Touched was{
      object, object->dirty_, object->links_dirty_, object->attributes_dirty_, object->links_to,
      {},     std::nullopt};
  if (objects_.unlinked_.contains(object->address)) was.unlinked.emplace(object->address, object);
  if (object->links) was.links = {object->links->next_creation_order, object->links->dense};
  touched_.push_back(std::move(was));
}

void ObjectTrial::note_link(const StoredObjectPtr& group, const std::string& name) {
  const auto& changes = group->links->changes;
  links_.push_back({group, name, changes && changes->contains(name)});
}

void ObjectTrial::take_back(const NewLink& link) noexcept {
  LinkTable& table = *link.group->links;
  const auto found = table.links.find(link.name);
  if (found == table.links.end()) return;
  // Numbers are made anew when somebody asks.
  link.group->link_numbers.reset();
  table.remove(found);
  if (!table.changes || link.is_followed) return;
  if (const auto change = table.changes->find(link.name); change != table.changes->end())
    table.changes->erase(change);
}

void ObjectTrial::restore(Touched& was) noexcept {
  StoredObject& object = *was.object;
  object.links_to = was.links_to;
  object.links_dirty_ = was.links_dirty;
  object.attributes_dirty_ = was.attributes_dirty;
  if (was.links && object.links)
    std::tie(object.links->next_creation_order, object.links->dense) = *was.links;
  if (!was.dirty) objects_.untouch(object);
  objects_.unlinked_.merge(was.unlinked);
}

void ObjectTrial::expect_new_style(StoredObject& group) {
  const auto is_it = [&](const StoredObjectPtr& made) { return made.get() == &group; };
  if (std::any_of(made_.begin(), made_.end(), is_it)) return;
  old_styles_.push_back({&group, group.header.messages});
}

void ObjectTrial::note_new_style(StoredObject& group) noexcept {
  if (old_styles_.empty() || old_styles_.back().group != &group) return;
  OldStyle& was = old_styles_.back();
  was.symbol_table = std::move(group.symbol_table);
  if (group.links) was.changes = std::move(group.links->changes);
  was.placed = objects_.placed_tables_.take(group.address);
  was.is_taken = true;
}

void ObjectTrial::restore(OldStyle& was) noexcept {
  if (!was.is_taken) return;
  StoredObject& group = *was.group;
  group.header.messages = std::move(was.messages);
  group.messages_moved();
  group.symbol_table = std::move(was.symbol_table);
  if (group.links) group.links->changes = std::move(was.changes);
  objects_.placed_tables_.put_back(std::move(was.placed));
}

void ObjectTrial::forget(const StoredObjectPtr& object) noexcept {
  const FileAddress address = object->address;
  objects_.untouch(*object);
  objects_.unlinked_.erase(address);
  objects_.forget_places(address);
}

void ObjectTrial::undo() noexcept {
  end();
  for (auto link = links_.rbegin(); link != links_.rend(); ++link) take_back(*link);
  for (auto was = old_styles_.rbegin(); was != old_styles_.rend(); ++was) restore(*was);
  for (auto was = touched_.rbegin(); was != touched_.rend(); ++was) restore(*was);
  for (auto object = made_.rbegin(); object != made_.rend(); ++object) forget(*object);
  links_.clear();
  touched_.clear();
  made_.clear();
  old_styles_.clear();
}

}  // namespace pcio
