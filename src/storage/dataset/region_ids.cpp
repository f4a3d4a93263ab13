// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: references to regions, out of line.

#include "storage/dataset/region_ids.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace pcio {

bool has_regions(const Datatype& type) {
  const TypeNode& node = type.node();
  if (node.cls == TypeClass::kReference) return node.reference == ReferenceKind::kRegion;
  return (node.super && has_regions(*node.super)) ||
         std::any_of(node.members.begin(), node.members.end(),
                     [](const CompoundMember& member) { return has_regions(member.type); });
}

namespace {

/// Elements that one of variable length refers to.
Status collect_behind(HeapReader& reader, const Datatype& type, ConstBytes element,
                      std::vector<GlobalHeapId>* ids) {
  const GlobalHeapId id = load_global_heap_id(element.subspan(kSequenceCountSize));
  const std::uint64_t count = load_sequence_count(element.data());
  if (id.collection == 0 || count == 0) return Status();
  const auto size = checked_mul<std::uint64_t>(count, type.size());
  if (!size) return PCIO_ERROR(DATATYPE, BADVALUE, "size of a variable-length element overflows");
  PCIO_ASSIGN(const ConstBytes bytes, reader.object(id, *size));
  return collect_regions(reader, type, bytes.first(static_cast<std::size_t>(*size)), ids);
}

}  // namespace

Status collect_regions(HeapReader& reader, const Datatype& type, ConstBytes elements,
                       std::vector<GlobalHeapId>* ids) {
  if (!has_regions(type)) return Status();
  const TypeNode& node = type.node();
  if (node.cls == TypeClass::kArray) return collect_regions(reader, *node.super, elements, ids);
  for (; elements.size() >= node.size; elements = elements.subspan(node.size)) {
    const ConstBytes one = elements.first(node.size);
    if (node.cls == TypeClass::kReference) {
      const GlobalHeapId id = load_global_heap_id(one);
      if (id.collection != 0 && id.collection != kUndefinedAddress) ids->push_back(id);
    }
    if (node.cls == TypeClass::kVlen) PCIO_TRY(collect_behind(reader, *node.super, one, ids));
    for (const CompoundMember& member : node.members)
      PCIO_TRY(collect_regions(reader, member.type, one.subspan(member.offset, member.type.size()),
                               ids));
  }
  return Status();
}

}  // namespace pcio
