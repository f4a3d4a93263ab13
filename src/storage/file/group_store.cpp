// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: the links of groups, loaded and planned for a commit.

#include "format/group_info_message.hpp"
#include "format/link_info_message.hpp"
#include "format/symbol_table_message.hpp"
#include "storage/objects/dense_store.hpp"
#include "storage/file/file_store.hpp"
#include "storage/file/message_codec.hpp"

namespace pcio {

namespace {

Result<LinkTable> read_link_messages(FileBytes& file, const StoredObject& group,
                                     const FileSizes& sizes) {
  LinkTable table;
  ByteReader info_reader(group.find(kMessageLinkInfo)->body);
  PCIO_ASSIGN(LinkInfoMessage info, decode_link_info_message(info_reader, sizes));
  if (info.heap_address != kUndefinedAddress) return read_dense_links(file, sizes, info);
  table.next_creation_order = info.max_creation_order;
  for (const HeaderMessage& message : group.header.messages) {
    if (message.type != kMessageLink) continue;
    PCIO_TRY(check_not_shared(message));
    ByteReader reader(message.body);
    PCIO_ASSIGN(LinkMessage link, decode_link_message(reader, sizes));
    if (table.links.contains(link.name))
      return PCIO_ERROR(SYM, BADVALUE, "group lists the name \"" + link.name + "\" twice");
    table.links.insert(table.links.end(), std::move(link));
  }
  return table;
}

}  // namespace

Result<LinkTable*> FileStore::links(const StoredObjectPtr& group) {
  if (group->links) return &*group->links;
  if (const HeaderMessage* message = group->find(kMessageSymbolTable)) {
    ByteReader reader(message->body);
    PCIO_ASSIGN(SymbolTableMessage place, decode_symbol_table_message(reader, superblock_.sizes));
    group->symbol_table = {place.btree_address, place.heap_address, {}, 0, 0};
    PCIO_ASSIGN(group->links,
                read_symbol_table(*bytes_, symbol_table_shape(), &group->symbol_table));
    if (placed_tables_.find(group->address) != nullptr) group->links->changes.emplace();
  } else if (group->find(kMessageLinkInfo) != nullptr) {
    PCIO_ASSIGN(group->links, read_link_messages(*bytes_, *group, superblock_.sizes));
  } else {
    return PCIO_ERROR(SYM, BADTYPE, "not a group");
  }
  return &*group->links;
}

void FileStore::touch_links(const StoredObjectPtr& group) {
  group->links_dirty = true;
  touch(group);
}

/// Plans the nodes of a symbol table that changed, where that is all there is to write: true. The same on
/// all ranks.
Result<bool> FileStore::plan_links_in_place(StoredObject& object, BlockSet* blocks) {
  PlacedTable* const placed = placed_tables_.find(object.address);
  if (placed == nullptr || overwrites_unsafely()) return false;
  PCIO_ASSIGN(PlacedTable::Outcome outcome,
              placed->plan(*object.links, space_, &object.symbol_table, blocks));
  return outcome == PlacedTable::Outcome::kPlanned;
}

Status FileStore::plan_links(StoredObject& object, BlockSet* blocks) {
  LinkTable& table = *object.links;
  PCIO_ASSIGN(bool in_place, plan_links_in_place(object, blocks));
  if (in_place) return Status();
  if (object.find(kMessageSymbolTable) != nullptr && !fits_symbol_table(table))
    PCIO_TRY(become_new_style(*this, object));
  if (object.find(kMessageSymbolTable) == nullptr) {
    object.remove_all(kMessageLink);
    ByteReader reader(object.find(kMessageLinkInfo)->body);
    PCIO_ASSIGN(LinkInfoMessage info, decode_link_info_message(reader, superblock_.sizes));
    info.max_creation_order = table.next_creation_order;
    // Links that came from dense storage are written as messages; the heap's bytes are lost.
    info.heap_address = info.name_index_address = info.order_index_address = kUndefinedAddress;
    PCIO_ASSIGN(HeaderMessage info_message, make_message(kMessageLinkInfo, 0, [&](ByteWriter& out) {
                  return encode_link_info_message(info, superblock_.sizes, out);
                }));
    object.put(std::move(info_message));
    for (const LinkMessage& link : table.links) {
      PCIO_ASSIGN(HeaderMessage message, make_message(kMessageLink, 0, [&](ByteWriter& out) {
                    return encode_link_message(link, superblock_.sizes, out);
                  }));
      object.header.messages.push_back(std::move(message));
    }
    return Status();
  }
  // Who changed links that were in the file will do so again.
  const bool again = object.committed && table.links.size() >= PlacedTable::kLeastLinks;
  const HeapRoom room = again ? HeapRoom::kDouble : HeapRoom::kLeast;
  const SymbolTablePlan plan(table, symbol_table_shape(), room);
  PCIO_ASSIGN(FileAddress address, space_.allocate(plan.total_bytes(), SpaceUse::kMetadata));
  for (const ByteRange& range : placed_tables_.ranges_of(object.address, object.symbol_table))
    space_.release(range);
  object.symbol_table = plan.place_at(address);
  placed_tables_.erase(object.address);
  table.changes.reset();
  if (again) {
    placed_tables_.put(object.address,
                       std::make_unique<PlacedTable>(table, symbol_table_shape(), plan, address));
    table.changes.emplace();
  }
  // The same links lead to the same plan: kept, those of many groups would take more than the links.
  blocks->push_back({{address, plan.total_bytes()}, [this, &object, room](ByteWriter& out) {
                       const SymbolTablePlan same(*object.links, symbol_table_shape(), room);
                       return same.encode(*object.links, object.symbol_table.heap, out);
                     }});
  PCIO_ASSIGN(HeaderMessage message, make_message(kMessageSymbolTable, 0, [&](ByteWriter& out) {
                return encode_symbol_table_message(
                    {object.symbol_table.btree, object.symbol_table.heap}, superblock_.sizes, out);
              }));
  object.put(std::move(message));
  return Status();
}

}  // namespace pcio
