// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: members of compound and enum types, and the file and memory forms of types.

#include <algorithm>
#include <numeric>

#include "base/checked.hpp"
#include "type/datatype.hpp"
#include "type/member_index.hpp"
#include "type/type_node.hpp"

namespace pcio {

namespace detail {

std::vector<unsigned> members_by_offset(const TypeNode& node) {
  std::vector<unsigned> order(node.members.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&node](unsigned a, unsigned b) {
    return node.members[a].offset < node.members[b].offset;
  });
  return order;
}

Datatype upgraded(const Datatype& type, std::uint8_t version) {
  const TypeNode& old = type.node();
  if (is_atomic(old.cls) || old.cls == TypeClass::kOpaque || old.variable_string) return type;
  TypeNode node = old;
  if (node.super) node.super = upgraded(*node.super, version);
  for (CompoundMember& member : node.members) member.type = upgraded(member.type, version);
  // A sequence has no versions of its own: it follows what it is made of.
  const std::uint8_t least = node.cls == TypeClass::kVlen ? node.super->node().version : version;
  node.version = std::max(node.version, least);
  return make_type(std::move(node));
}

}  // namespace detail

Status Datatype::insert(std::string_view name, std::size_t offset, const Datatype& type) {
  if (node_->cls != TypeClass::kCompound)
    return PCIO_ERROR(DATATYPE, BADTYPE, "not a compound type");
  if (name.empty()) return PCIO_ERROR(ARGS, BADVALUE, "a member needs a name");
  if (node_->members.size() >= 0xffff)
    return PCIO_ERROR(DATATYPE, CANTINSERT, "a compound has at most 65535 members");
  if (!fits_inside(offset, type.size(), node_->size))
    return PCIO_ERROR(DATATYPE, CANTINSERT, "member extends past the end of the compound");
  if (detail::find_member(*node_, name))
    return PCIO_ERROR(DATATYPE, CANTINSERT, "member name is not unique");
  if (const auto other = detail::find_overlap(*node_, offset, type.size()))
    return PCIO_ERROR(DATATYPE, CANTINSERT,
                      "member overlaps '" + node_->members[*other].name + "'");
  TypeNode& node = mutate();
  node.members.push_back({std::string(name), offset, type});
  detail::index_last_member(node);
  // One newer member lifts the whole compound, so that a reader sees one version throughout.
  const std::uint8_t needed = type.node().version;
  if (needed > node.version) *this = detail::upgraded(*this, needed);
  return {};
}

Status Datatype::pack() {
  if (node_->super && contains_class(TypeClass::kCompound)) {
    Datatype base = *node_->super;
    PCIO_TRY(base.pack());
    TypeNode& node = mutate();
    if (node.cls == TypeClass::kArray) node.size = node.size / node.super->size() * base.size();
    node.super = base;
    return {};
  }
  if (node_->cls != TypeClass::kCompound)
    return PCIO_ERROR(DATATYPE, BADTYPE, "not a compound type");
  TypeNode node = *node_;
  std::size_t offset = 0;
  // The members are numbered by their places afterwards, as in libhdf5.
  std::vector<CompoundMember> packed;
  for (const unsigned i : detail::members_by_offset(node)) {
    CompoundMember& member = packed.emplace_back(std::move(node.members[i]));
    if (member.type.contains_class(TypeClass::kCompound)) PCIO_TRY(member.type.pack());
    member.offset = offset;
    offset += member.type.size();
  }
  node.members = std::move(packed);
  detail::index_members(node);
  node.size = std::max<std::size_t>(offset, 1);
  mutate() = std::move(node);
  return {};
}

Status Datatype::insert_enum(std::string_view name, const std::byte* value) {
  if (node_->cls != TypeClass::kEnum)
    return PCIO_ERROR(DATATYPE, BADTYPE, "not an enumeration type");
  if (name.empty()) return PCIO_ERROR(ARGS, BADVALUE, "a symbol needs a name");
  if (node_->symbols.size() >= 0xffff)
    return PCIO_ERROR(DATATYPE, CANTINSERT, "an enumeration has at most 65535 symbols");
  if (detail::find_member(*node_, name))
    return PCIO_ERROR(DATATYPE, CANTINSERT, "name is already used");
  if (const auto other = detail::find_value(*node_, value))
    return PCIO_ERROR(DATATYPE, CANTINSERT,
                      "value is already used by '" + node_->symbols[*other].name + "'");
  TypeNode& node = mutate();
  node.symbols.push_back({std::string(name), {value, value + node.size}});
  detail::index_last_member(node);
  return {};
}

namespace {

/// Where data live: pointers in memory, heap references of `address_width` bytes in a file.
struct Place {
  bool file = false;
  unsigned address_width = 8;
};

std::size_t placed_size(const TypeNode& node, const Place& place) {
  constexpr std::size_t kCounter = 4;  // length of a sequence, or index into a global heap
  if (node.cls == TypeClass::kVlen) {
    if (place.file) return kCounter + place.address_width + kCounter;
    return node.variable_string ? detail::kMemoryPointerSize : detail::kMemorySequenceSize;
  }
  if (node.reference == ReferenceKind::kNewer) return node.size;
  // In every file as in memory: as observed on libhdf5 1.10.8 with addresses of 4 bytes.
  return node.reference == ReferenceKind::kObject ? 8 : 8 + kCounter;
}

Datatype placed(const Datatype& type, const Place& place);

/// Members keep their gaps: each moves by what those before it grew or shrank.
void place_members(TypeNode& node, const Place& place) {
  std::size_t added = 0;
  std::size_t removed = 0;
  for (const unsigned i : detail::members_by_offset(node)) {
    CompoundMember& member = node.members[i];
    member.offset = member.offset + added - removed;
    const std::size_t before = member.type.size();
    member.type = placed(member.type, place);
    added += member.type.size();
    removed += before;
  }
  node.size = node.size + added - removed;
}

Datatype placed(const Datatype& type, const Place& place) {
  if (!type.has_vlen_or_reference()) return type;
  TypeNode node = type.node();
  switch (node.cls) {
    case TypeClass::kReference:
      node.size = placed_size(node, place);
      node.precision = 8 * node.size;
      break;
    case TypeClass::kVlen:
      node.super = placed(*node.super, place);
      node.size = placed_size(node, place);
      break;
    case TypeClass::kArray: {
      const std::size_t count = node.size / node.super->size();
      node.super = placed(*node.super, place);
      node.size = count * node.super->size();
      break;
    }
    default: place_members(node, place);
  }
  return detail::make_type(std::move(node));
}

}  // namespace

Datatype Datatype::file_form(unsigned address_width) const {
  return placed(*this, {true, address_width});
}

Datatype Datatype::memory_form() const { return placed(*this, {false, 8}); }

}  // namespace pcio
