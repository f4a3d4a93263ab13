// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: references inside of datatypes.

#include "type/references.hpp"

#include <algorithm>

#include "type/type_node.hpp"

namespace pcio {

bool has_region_references(const Datatype& type) {
  if (!type.has_vlen_or_reference()) return false;
  const TypeNode& node = type.node();
  if (node.cls == TypeClass::kReference) return node.reference == ReferenceKind::kRegion;
  if (node.super) return has_region_references(*node.super);
  return std::any_of(node.members.begin(), node.members.end(), [](const CompoundMember& member) {
    return has_region_references(member.type);
  });
}

}  // namespace pcio
