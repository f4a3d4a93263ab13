// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: committed types that a file has already.

#include "object/copy_types.hpp"

#include <algorithm>

#include "object/copy.hpp"
#include "object/named_type.hpp"
#include "type/stored_sequences.hpp"

namespace pcio {

namespace {

bool same_extent(const Extent& a, const Extent& b) {
  return a.cls() == b.cls() && a.dims() == b.dims() && a.max_dims() == b.max_dims();
}

/// A value with its variable-length parts. Threads: thread-compatible.
struct WholeValue {
  std::vector<std::byte> elements;
  StoredSequences behind;  ///< what they refer to, in their order
};

Status load_whole(const OpenObject& object, const Attribute& attribute, WholeValue* value) {
  if (attribute.type.is_fixed()) {
    value->elements = attribute.data;
    return Status();
  }
  HeldElements held(attribute.type.memory_form(),
                    static_cast<std::size_t>(attribute.space.npoints()));
  if (held.size() == 0) return Status();
  PCIO_TRY(read_attribute(object, attribute.name, held.type(), held.data()));
  const Datatype stored = attribute.type.file_form(StoredSequences::kAddressWidth);
  ConvertOptions options;
  options.sequences.destination = &value->behind;
  PCIO_ASSIGN(Conversion way, Conversion::make(held.type(), stored, options));
  value->elements.resize(held.size() * stored.size());
  return way.run(held.data(), value->elements.data(), held.size());
}

/// Names, types, spaces and values. The types' own attributes don't count.
Result<bool> same_attributes(const Location& a, const Location& b) {
  const OpenObject one(a.file, a.object, a.path), other(b.file, b.object, b.path);
  PCIO_ASSIGN(auto names, attribute_names(one, IndexBy::kName, IterOrder::kIncreasing));
  PCIO_ASSIGN(auto others, attribute_names(other, IndexBy::kName, IterOrder::kIncreasing));
  if (names != others) return false;
  for (const std::string& name : names) {
    PCIO_ASSIGN(Attribute mine, find_attribute(one, name));
    PCIO_ASSIGN(Attribute theirs, find_attribute(other, name));
    // Files may have heap ids of other sizes.
    if (!(mine.type.memory_form() == theirs.type.memory_form()) ||
        !same_extent(mine.space, theirs.space))
      return false;
    WholeValue my_value, their_value;
    PCIO_TRY(load_whole(one, mine, &my_value));
    PCIO_TRY(load_whole(other, theirs, &their_value));
    if (my_value.elements != their_value.elements ||
        my_value.behind.objects() != their_value.behind.objects())
      return false;
  }
  return true;
}

Result<bool> is_equal(const Location& type, const Location& candidate) {
  if (candidate.kind() != ObjectKind::kNamedType) return false;
  PCIO_ASSIGN(const Datatype mine, named_type(type));
  PCIO_ASSIGN(const Datatype theirs, named_type(candidate));
  if (!(mine == theirs)) return false;
  return same_attributes(type, candidate);
}

/// The committed types that an object is, or uses.
Result<std::vector<Location>> types_of(const Location& object) {
  std::vector<Location> types;
  if (object.kind() == ObjectKind::kNamedType) types.push_back(object);
  auto add = [&](FileAddress address) -> Status {
    if (address == kUndefinedAddress) return Status();
    PCIO_ASSIGN(Location type, object_at_address(object.file, address));
    types.push_back(std::move(type));
    return Status();
  };
  if (object.kind() == ObjectKind::kDataset) {
    PCIO_ASSIGN(DatasetState * state, object.file->store().datasets().state(object.object));
    PCIO_TRY(add(state->committed_type));
  }
  const OpenObject open(object.file, object.object, object.path);
  PCIO_ASSIGN(auto names, attribute_names(open, IndexBy::kName, IterOrder::kIncreasing));
  for (const std::string& name : names) {
    PCIO_ASSIGN(Attribute attribute, find_attribute(open, name));
    PCIO_TRY(add(attribute.committed_type));
  }
  return types;
}

}  // namespace

void CommittedTypes::push(Location object) {
  if (seen_.insert(object.address()).second) waiting_.push_back(std::move(object));
}

Status CommittedTypes::push_members(const Location& group) {
  PCIO_ASSIGN(auto names, ordered_names(group, IndexBy::kName, IterOrder::kDecreasing));
  for (std::string& name : names) {
    const LinkPlace place{group, std::move(name)};
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    if (link->type != kLinkHard) continue;
    PCIO_ASSIGN(Location member, object_at_address(file_, link->address));
    member.path = place.path();
    push(std::move(member));
  }
  return Status();
}

/// Those that were not known yet. What only claims to be a type is none.
Status CommittedTypes::note_types_of(const Location& object, std::vector<Known>* found) {
  PCIO_ASSIGN(auto types, types_of(object));
  for (Location& at : types) {
    if (at.kind() != ObjectKind::kNamedType || !seen_types_.insert(at.address()).second) continue;
    PCIO_ASSIGN(Datatype type, named_type(at));
    known_[{type.type_class(), type.size()}].push_back({at, type});
    found->push_back({std::move(at), std::move(type)});
  }
  return Status();
}

Result<std::optional<Location>> CommittedTypes::find(const Location& type) {
  PCIO_ASSIGN(const Datatype wanted, named_type(type));
  const auto first_of = [&](const std::vector<Known>& all) -> Result<std::optional<Location>> {
    for (const Known& known : all) {
      if (!(known.type == wanted)) continue;
      PCIO_ASSIGN(const bool equal, same_attributes(type, known.at));
      if (equal) return std::optional<Location>(known.at);
    }
    return std::optional<Location>();
  };
  PCIO_ASSIGN(auto match, first_of(known_[{wanted.type_class(), wanted.size()}]));
  if (!std::exchange(begun_, true)) push(root_of(file_));
  while (!match && !waiting_.empty()) {
    const Location object = std::move(waiting_.back());
    waiting_.pop_back();
    std::vector<Known> found;
    PCIO_TRY(note_types_of(object, &found));
    if (object.kind() == ObjectKind::kGroup) PCIO_TRY(push_members(object));
    PCIO_ASSIGN(match, first_of(found));
  }
  return match;
}

Result<std::optional<Location>> find_equal_type(const FilePtr& to, const Location& type,
                                                const ObjectCopyProps& props,
                                                const std::function<int()>& ask,
                                                CommittedTypes& all) {
  if (type.file == to) return std::optional<Location>(type);
  for (const std::string& path : props.merge_type_paths) {
    auto suggested = find_object(root_of(to), path);
    if (!suggested || suggested->file != to) continue;
    PCIO_ASSIGN(auto types, types_of(*suggested));
    for (Location& candidate : types) {
      PCIO_ASSIGN(const bool equal, is_equal(type, candidate));
      if (equal) return std::optional<Location>(std::move(candidate));
    }
  }
  if (ask) {
    const int answer = ask();
    if (answer < 0)
      return PCIO_ERROR(OHDR, CALLBACK, "the function of H5Pset_mcdt_search_cb failed");
    if (answer > 0) return std::optional<Location>();
  }
  return all.find(type);
}

}  // namespace pcio
