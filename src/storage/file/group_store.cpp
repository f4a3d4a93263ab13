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
    PCIO_ASSIGN(SymbolTableMessage place,
                decode_symbol_table_message(reader, context_.superblock.sizes));
    group->symbol_table = {place.btree_address, place.heap_address, {}, 0, 0};
    PCIO_ASSIGN(group->links,
                read_symbol_table(*context_.bytes, symbol_table_shape(), &group->symbol_table));
  } else if (group->find(kMessageLinkInfo) != nullptr) {
    PCIO_ASSIGN(group->links,
                read_link_messages(*context_.bytes, *group, context_.superblock.sizes));
  } else {
    return PCIO_ERROR(SYM, BADTYPE, "not a group");
  }
  return &*group->links;
}

void FileStore::touch_links(const StoredObjectPtr& group) {
  group->links_dirty = true;
  touch(group);
}

Status FileStore::plan_links(StoredObject& object, BlockSet* blocks) {
  LinkTable& table = *object.links;
  if (object.find(kMessageSymbolTable) != nullptr && !fits_symbol_table(table))
    PCIO_TRY(become_new_style(*this, object));
  if (object.find(kMessageSymbolTable) == nullptr) {
    object.remove_all(kMessageLink);
    ByteReader reader(object.find(kMessageLinkInfo)->body);
    PCIO_ASSIGN(LinkInfoMessage info, decode_link_info_message(reader, context_.superblock.sizes));
    info.max_creation_order = table.next_creation_order;
    // Links that came from dense storage are written as messages; the heap's bytes are lost.
    info.heap_address = info.name_index_address = info.order_index_address = kUndefinedAddress;
    PCIO_ASSIGN(HeaderMessage info_message, make_message(kMessageLinkInfo, 0, [&](ByteWriter& out) {
                  return encode_link_info_message(info, context_.superblock.sizes, out);
                }));
    object.put(std::move(info_message));
    for (const LinkMessage& link : table.links) {
      PCIO_ASSIGN(HeaderMessage message, make_message(kMessageLink, 0, [&](ByteWriter& out) {
                    return encode_link_message(link, context_.superblock.sizes, out);
                  }));
      object.header.messages.push_back(std::move(message));
    }
    return Status();
  }
  const SymbolTablePlan plan(table, symbol_table_shape());
  PCIO_ASSIGN(FileAddress address,
              context_.space.allocate(plan.total_bytes(), SpaceUse::kMetadata));
  for (const ByteRange& range : object.symbol_table.owned) context_.space.release(range);
  object.symbol_table = plan.place_at(address);
  // The same links lead to the same plan: kept, those of many groups would take more than the links.
  blocks->push_back({{address, plan.total_bytes()}, [this, &object](ByteWriter& out) {
                       const SymbolTablePlan again(*object.links, symbol_table_shape());
                       return again.encode(*object.links, object.symbol_table.heap, out);
                     }});
  PCIO_ASSIGN(HeaderMessage message, make_message(kMessageSymbolTable, 0, [&](ByteWriter& out) {
                return encode_symbol_table_message(
                    {object.symbol_table.btree, object.symbol_table.heap},
                    context_.superblock.sizes, out);
              }));
  object.put(std::move(message));
  return Status();
}

}  // namespace pcio
