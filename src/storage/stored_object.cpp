// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: StoredObject out of line.

#include "storage/stored_object.hpp"

#include <algorithm>

namespace pcio {

const HeaderMessage* StoredObject::find(std::uint16_t type) const { return header.find(type); }

HeaderMessage* StoredObject::find(std::uint16_t type) {
  return const_cast<HeaderMessage*>(header.find(type));
}

void StoredObject::put(HeaderMessage message) {
  if (HeaderMessage* old = find(message.type))
    *old = std::move(message);
  else
    header.messages.push_back(std::move(message));
}

void StoredObject::remove_all(std::uint16_t type) {
  std::erase_if(header.messages, [&](const HeaderMessage& m) { return m.type == type; });
}

ObjectKind StoredObject::kind() const {
  if (find(kMessageSymbolTable) != nullptr || find(kMessageLinkInfo) != nullptr)
    return ObjectKind::kGroup;
  if (find(kMessageDatatype) == nullptr) return ObjectKind::kUnknown;
  return find(kMessageDataspace) != nullptr ? ObjectKind::kDataset : ObjectKind::kNamedType;
}

}  // namespace pcio
