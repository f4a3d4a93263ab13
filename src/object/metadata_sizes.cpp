// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: sizes of indexes and heaps, out of line.
// What counts as index and what as heap was seen with libhdf5 1.10.8.

#include "object/metadata_sizes.hpp"

#include "format/attribute_info_message.hpp"
#include "format/link_info_message.hpp"
#include "storage/dense/heap_reader.hpp"
#include "storage/dense/tree_walk.hpp"

namespace pcio {

namespace {

/// Trees by name and by order of creation, and the heap. `Info`: of links or of attributes.
template <class Info>
Status add_dense(FileStore& store, const Info& info, std::uint64_t* index, std::uint64_t* heap) {
  for (FileAddress tree : {info.name_index_address, info.order_index_address}) {
    if (tree == kUndefinedAddress) continue;
    PCIO_ASSIGN(std::uint64_t bytes, btree2_bytes(store.bytes(), store.sizes(), tree));
    *index += bytes;
  }
  if (info.heap_address == kUndefinedAddress) return Status();
  PCIO_ASSIGN(std::uint64_t bytes,
              fractal_heap_bytes(store.bytes(), store.sizes(), info.heap_address));
  *heap += bytes;
  return Status();
}

Status add_group(FileStore& store, const StoredObjectPtr& object, MetadataSizes* sizes) {
  if (object->find(kMessageSymbolTable) != nullptr) {
    PCIO_TRY(store.objects().links(object));
    sizes->index += object->symbol_table.index_bytes;
    sizes->heap += object->symbol_table.heap_bytes;
  }
  if (const HeaderMessage* message = object->find(kMessageLinkInfo)) {
    ByteReader reader(message->body);
    PCIO_ASSIGN(LinkInfoMessage info, decode_link_info_message(reader, store.sizes()));
    PCIO_TRY(add_dense(store, info, &sizes->index, &sizes->heap));
  }
  return Status();
}

Status add_dataset(FileStore& store, const StoredObjectPtr& object, MetadataSizes* sizes) {
  // Of what isn't understood here the other facts can still be told.
  auto state = store.datasets().state(object);
  if (state && (*state)->external)
    for (const ByteRange& block : (*state)->external->heap) sizes->heap += block.size;
  if (state && (*state)->virtual_data) sizes->heap += (*state)->virtual_data->list_bytes;
  if (!state || !(*state)->chunked() || !(*state)->unsupported.ok()) return Status();
  PCIO_TRY(store.datasets().load_chunk_index(object));
  for (const ByteRange& range : (*state)->index_blocks) sizes->index += range.size;
  return Status();
}

}  // namespace

Result<MetadataSizes> metadata_sizes(const Location& object) {
  FileStore& store = object.file->store();
  MetadataSizes sizes;
  if (object.object->kind() == ObjectKind::kGroup)
    PCIO_TRY(add_group(store, object.object, &sizes));
  if (object.object->kind() == ObjectKind::kDataset)
    PCIO_TRY(add_dataset(store, object.object, &sizes));
  if (const HeaderMessage* message = object.object->find(kMessageAttributeInfo)) {
    ByteReader reader(message->body);
    PCIO_ASSIGN(AttributeInfoMessage info, decode_attribute_info_message(reader, store.sizes()));
    PCIO_TRY(add_dense(store, info, &sizes.attribute_index, &sizes.attribute_heap));
  }
  return sizes;
}

}  // namespace pcio
