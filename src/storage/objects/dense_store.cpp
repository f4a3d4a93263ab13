// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: reading of dense storage.

#include "storage/objects/dense_store.hpp"

#include "format/btree2_records.hpp"
#include "format/shared_message.hpp"
#include "storage/dense/heap_reader.hpp"
#include "storage/dense/tree_walk.hpp"

namespace pcio {

Result<LinkTable> read_dense_links(FileBytes& file, const FileSizes& sizes,
                                   const LinkInfoMessage& info) {
  PCIO_ASSIGN(FractalHeapReader heap, FractalHeapReader::open(file, sizes, info.heap_address));
  LinkTable table;
  table.next_creation_order = info.max_creation_order;
  auto add = [&](ConstBytes bytes) -> Status {
    ByteReader reader(bytes);
    LinkRecord record = decode_link_record(reader, kBtree2LinkName);
    PCIO_TRY(reader.check("link record"));
    PCIO_ASSIGN(auto object, heap.object(record.heap_id));
    ByteReader link_reader(object);
    PCIO_ASSIGN(LinkMessage link, decode_link_message(link_reader, sizes));
    if (table.links.contains(link.name))
      return PCIO_ERROR(SYM, BADVALUE, "group lists the name \"" + link.name + "\" twice");
    table.links.insert(table.links.end(), std::move(link));
    return Status();
  };
  PCIO_TRY(walk_btree2(file, sizes, info.name_index_address, kBtree2LinkName, add));
  return table;
}

Result<std::vector<HeaderMessage>> read_dense_attributes(FileBytes& file, const FileSizes& sizes,
                                                         const AttributeInfoMessage& info) {
  PCIO_ASSIGN(FractalHeapReader heap, FractalHeapReader::open(file, sizes, info.heap_address));
  std::vector<HeaderMessage> messages;
  auto add = [&](ConstBytes bytes) -> Status {
    ByteReader reader(bytes);
    AttributeRecord record = decode_attribute_record(reader, kBtree2AttributeName);
    PCIO_TRY(reader.check("attribute record"));
    HeaderMessage message;
    message.type = kMessageAttribute;
    message.flags = record.message_flags;
    message.creation_order = static_cast<std::uint16_t>(record.creation_order);
    if ((record.message_flags & kMessageShared) != 0) {
      // It lies in the file's heap of shared messages.
      SharedMessage place;
      place.place = SharedPlace::kSharedHeap;
      place.heap_id = record.heap_id;
      ByteWriter out;
      PCIO_TRY(encode_shared_message(place, sizes, out));
      message.body = out.view();
    } else {
      PCIO_ASSIGN(message.body, heap.object(record.heap_id));
    }
    messages.push_back(std::move(message));
    return Status();
  };
  PCIO_TRY(walk_btree2(file, sizes, info.name_index_address, kBtree2AttributeName, add));
  return messages;
}

}  // namespace pcio
