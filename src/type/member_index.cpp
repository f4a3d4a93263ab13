// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: MemberIndex out of line.

#include "type/member_index.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "type/type_node.hpp"

namespace pcio::detail {

namespace {

/// Fewer are found sooner by looking at each.
constexpr std::size_t kWorthIt = 16;

std::size_t count_of(const TypeNode& node) { return node.members.size() + node.symbols.size(); }

/// The index, where it is of all members.
const MemberIndex* index_of(const TypeNode& node) {
  return node.index && node.index->covered == count_of(node) ? node.index.get() : nullptr;
}

std::string_view value_key(const std::byte* value, std::size_t size) {
  return {reinterpret_cast<const char*>(value), size};
}

const std::string& name_of(const TypeNode& node, std::size_t i) {
  return node.symbols.empty() ? node.members[i].name : node.symbols[i].name;
}

bool overlaps(const CompoundMember& member, std::size_t offset, std::size_t size) {
  return offset < member.offset + member.type.size() && member.offset < offset + size;
}

/// Where a member of this offset comes in the order of offsets.
std::vector<unsigned>::const_iterator place_of(const TypeNode& node, const MemberIndex& index,
                                               std::size_t offset) {
  return std::upper_bound(
      index.by_offset.begin(), index.by_offset.end(), offset,
      [&node](std::size_t at, unsigned i) { return at < node.members[i].offset; });
}

/// The name and the value of member or symbol `i` enter. Of two that are equal, as a foreign file may
/// have them, the first counts.
void take_in(const TypeNode& node, MemberIndex& index, unsigned i) {
  const std::string& name = name_of(node, i);
  const std::size_t hash = HashedNumbers::hash(name);
  if (!index.names.find(hash, [&](unsigned other) { return name_of(node, other) == name; }))
    index.names.add(hash, i);
  if (!node.symbols.empty()) {
    const auto& value = node.symbols[i].value;
    const std::size_t key = HashedNumbers::hash(value_key(value.data(), value.size()));
    if (!index.values.find(key, [&](unsigned other) { return node.symbols[other].value == value; }))
      index.values.add(key, i);
  }
  ++index.covered;
}

std::shared_ptr<MemberIndex> made_of(const TypeNode& node) {
  const std::size_t count = count_of(node);
  if (count < kWorthIt) return nullptr;
  auto index = std::make_shared<MemberIndex>();
  for (unsigned i = 0; i < count; ++i) take_in(node, *index, i);
  index->by_offset = members_by_offset(node);
  return index;
}

/// The old index with one more.
std::shared_ptr<MemberIndex> extended(const TypeNode& node, std::shared_ptr<MemberIndex> index) {
  const auto last = static_cast<unsigned>(index->covered);
  if (index.use_count() != 1) index = std::make_shared<MemberIndex>(*index);
  if (node.symbols.empty())
    index->by_offset.insert(place_of(node, *index, node.members[last].offset), last);
  take_in(node, *index, last);
  return index;
}

/// Without memory for an index members are found without one.
template <class Make>
void set_index(TypeNode& node, Make make) {
  try {
    node.index = make();
  } catch (const std::bad_alloc&) {
    node.index.reset();
  }
}

}  // namespace

void index_members(TypeNode& node) {
  set_index(node, [&node] { return made_of(node); });
}

void index_last_member(TypeNode& node) {
  auto old = std::move(node.index);
  set_index(node, [&] {
    const bool usable = old && old->covered + 1 == count_of(node);
    return usable ? extended(node, std::move(old)) : made_of(node);
  });
}

std::optional<unsigned> find_member(const TypeNode& node, std::string_view name) {
  const auto same = [&](std::size_t i) { return name_of(node, i) == name; };
  if (const MemberIndex* index = index_of(node))
    return index->names.find(HashedNumbers::hash(name), same);
  for (unsigned i = 0; i < count_of(node); ++i)
    if (same(i)) return i;
  return std::nullopt;
}

std::optional<unsigned> find_value(const TypeNode& node, const std::byte* value) {
  const auto same = [&](std::size_t i) {
    return std::memcmp(node.symbols[i].value.data(), value, node.size) == 0;
  };
  if (const MemberIndex* index = index_of(node))
    return index->values.find(HashedNumbers::hash(value_key(value, node.size)), same);
  for (unsigned i = 0; i < node.symbols.size(); ++i)
    if (same(i)) return i;
  return std::nullopt;
}

std::optional<unsigned> find_overlap(const TypeNode& node, std::size_t offset, std::size_t size) {
  if (const MemberIndex* index = index_of(node)) {
    // Members that don't overlap each other: only the neighbours may overlap one more.
    const auto after = place_of(node, *index, offset);
    if (after != index->by_offset.begin() && overlaps(node.members[after[-1]], offset, size))
      return after[-1];
    if (after != index->by_offset.end() && overlaps(node.members[*after], offset, size))
      return *after;
    return std::nullopt;
  }
  for (unsigned i = 0; i < node.members.size(); ++i)
    if (overlaps(node.members[i], offset, size)) return i;
  return std::nullopt;
}

}  // namespace pcio::detail
