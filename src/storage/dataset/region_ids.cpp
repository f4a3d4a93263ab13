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

/// Elements behind references that are looked at in one call: a small file may send a reader in circles.
constexpr std::uint64_t kMostElements = std::uint64_t{4} << 20;

class RegionWalk {
 public:
  RegionWalk(HeapReader& reader, std::vector<GlobalHeapId>* ids) : reader_(reader), ids_(ids) {}

  Status elements(const Datatype& type, ConstBytes elements) {
    if (!has_regions(type)) return Status();
    const TypeNode& node = type.node();
    if (node.cls == TypeClass::kArray) return this->elements(*node.super, elements);
    for (; elements.size() >= node.size; elements = elements.subspan(node.size)) {
      const ConstBytes one = elements.first(node.size);
      if (node.cls == TypeClass::kReference) {
        const GlobalHeapId id = load_global_heap_id(one);
        if (id.collection != 0 && id.collection != kUndefinedAddress) ids_->push_back(id);
      }
      if (node.cls == TypeClass::kVlen) PCIO_TRY(behind(*node.super, one));
      for (const CompoundMember& member : node.members)
        PCIO_TRY(this->elements(member.type, one.subspan(member.offset, member.type.size())));
    }
    return Status();
  }

 private:
  /// Elements that one of variable length refers to.
  Status behind(const Datatype& type, ConstBytes element) {
    const GlobalHeapId id = load_global_heap_id(element.subspan(kSequenceCountSize));
    const std::uint64_t count = load_sequence_count(element.data());
    if (id.collection == 0 || count == 0) return Status();
    seen_ += count;
    if (seen_ > kMostElements)
      return PCIO_ERROR(DATATYPE, BADRANGE, "variable-length elements refer to too many others");
    const auto size = checked_mul<std::uint64_t>(count, type.size());
    if (!size) return PCIO_ERROR(DATATYPE, BADVALUE, "size of a variable-length element overflows");
    PCIO_ASSIGN(const ConstBytes bytes, reader_.object(id, *size));
    return elements(type, bytes.first(static_cast<std::size_t>(*size)));
  }

  HeapReader& reader_;
  std::vector<GlobalHeapId>* ids_;
  std::uint64_t seen_ = 0;
};

}  // namespace

Status collect_regions(HeapReader& reader, const Datatype& type, ConstBytes elements,
                       std::vector<GlobalHeapId>* ids) {
  return RegionWalk(reader, ids).elements(type, elements);
}

}  // namespace pcio
