// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: phase changes out of line.

#include "storage/objects/phase_change.hpp"

#include <algorithm>

namespace pcio {

namespace {

LinkPhaseChange link_phase_change(const StoredObject& group) {
  const HeaderMessage* message = group.find(kMessageGroupInfo);
  if (message == nullptr) return LinkPhaseChange();
  ByteReader reader(message->body);
  const auto info = decode_group_info_message(reader);
  return info && info->phase_change ? *info->phase_change : LinkPhaseChange();
}

Result<bool> fits_message(const LinkMessage& link, const FileSizes& sizes) {
  ByteWriter out;
  PCIO_TRY(encode_link_message(link, sizes, out));
  return out.size() <= kMostLinkBytes;
}

/// `without`: one that doesn't count, or nullptr.
Result<bool> all_fit(const LinkTable& table, const FileSizes& sizes, const LinkMessage* without) {
  bool all = true;
  for (const LinkMessage& link : table.links) {
    if (&link == without) continue;
    PCIO_ASSIGN(bool fits, fits_message(link, sizes));
    all = all && fits;
  }
  return all;
}

}  // namespace

Result<bool> links_go_dense(const StoredObject& group, const LinkTable& table,
                            const LinkMessage* link, const FileSizes& sizes) {
  // What no message can say no heap can hold either.
  bool fits = true;
  if (link != nullptr) {
    PCIO_ASSIGN(fits, fits_message(*link, sizes));
  }
  // Of a symbol table's links nobody has asked yet.
  if (link == nullptr || group.find(kMessageLinkInfo) == nullptr) {
    PCIO_ASSIGN(bool others, all_fit(table, sizes, nullptr));
    fits = fits && others;
  }
  const std::size_t count = table.links.size() + (link != nullptr ? 1 : 0);
  if (table.dense || !fits || count > link_phase_change(group).max_compact) return true;
  if (group.header.version > 1 || count + group.message_count() <= kMostMessages1) return false;
  std::size_t others = 0;
  for (const HeaderMessage& message : group.header.messages)
    if (message.type != kMessageLink && message.type != kMessageNil) ++others;
  return others + count > kMostMessages1;
}

Result<bool> links_come_back(const StoredObject& group, const LinkTable& table,
                             const LinkMessage& gone, const FileSizes& sizes) {
  // Of nothing there is nothing to keep.
  const std::size_t few = std::max<std::size_t>(link_phase_change(group).min_dense, 1);
  if (!table.dense || table.links.size() > few) return false;
  return all_fit(table, sizes, &gone);
}

AttributePhaseChange attribute_phase_change(const StoredObject& object) {
  return object.header.attribute_phase_change.value_or(AttributePhaseChange());
}

}  // namespace pcio
