// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: DenseStorage: its records and objects.

#include "storage/dense/dense_storage.hpp"

#include <algorithm>

#include "base/checksum.hpp"
#include "format/btree2_records.hpp"
#include "format/message_types.hpp"
#include "storage/dense/heap_reader.hpp"

namespace pcio {

namespace {

HeapShape heap_shape(DenseKind kind) {
  if (kind == DenseKind::kLinks) return {7, 512, 32, 4096};
  return {8, 1024, 40, 4096};
}

Btree2Header tree_shape(std::uint8_t type, const FileSizes& sizes) {
  Btree2Header shape;
  shape.type = type;
  shape.record_size = static_cast<std::uint16_t>(btree2_record_size(type, sizes));
  return shape;
}

std::uint8_t name_type(DenseKind kind) {
  return kind == DenseKind::kLinks ? kBtree2LinkName : kBtree2AttributeName;
}
std::uint8_t order_type(DenseKind kind) {
  return kind == DenseKind::kLinks ? kBtree2LinkOrder : kBtree2AttributeOrder;
}

std::uint64_t hash_of(const std::string& name) {
  return lookup3(std::as_bytes(std::span(name.data(), name.size())));
}

template <std::size_t N>
void take_id(ConstBytes id, std::array<std::byte, N>* into) {
  std::copy_n(id.begin(), std::min(id.size(), N), into->begin());
}

Status fill_record(const ByteWriter& out, TreeRecord* record) {
  std::copy(out.view().begin(), out.view().end(), record->bytes.begin());
  return Status();
}

}  // namespace

DenseStorage::DenseStorage(const Shape& shape)
    : shape_(shape),
      heap_(std::make_unique<HeapImage>(heap_shape(shape.kind), shape.sizes)),
      names_(tree_shape(name_type(shape.kind), shape.sizes), shape.sizes) {
  if (shape.by_order) orders_.emplace(tree_shape(order_type(shape.kind), shape.sizes), shape.sizes);
}

RecordKey DenseStorage::key_of(const std::string& name) const { return {hash_of(name), name}; }

/// Where a record has the heap id, and how long it is.
ConstBytes DenseStorage::id_in(const TreeRecord& record) const {
  const bool links = shape_.kind == DenseKind::kLinks;
  return ConstBytes(record.bytes).subspan(links ? 4 : 0, links ? 7 : 8);
}

Result<TreeRecord> DenseStorage::name_record(const DenseItem& item, ConstBytes id) const {
  TreeRecord record;
  record.key = key_of(item.name);
  record.order = item.order;
  ByteWriter out;
  FieldWriter fields(out, shape_.sizes);
  if (shape_.kind == DenseKind::kLinks) {
    LinkRecord link;
    link.hash = static_cast<std::uint32_t>(record.key.number);
    take_id(id, &link.heap_id);
    encode_link_record(link, kBtree2LinkName, fields);
  } else {
    AttributeRecord attribute;
    take_id(id, &attribute.heap_id);
    attribute.message_flags = item.flags;
    attribute.creation_order = static_cast<std::uint32_t>(item.order);
    attribute.hash = static_cast<std::uint32_t>(record.key.number);
    encode_attribute_record(attribute, kBtree2AttributeName, fields);
  }
  PCIO_TRY(fields.check("record of a name"));
  PCIO_TRY(fill_record(out, &record));
  return record;
}

Result<TreeRecord> DenseStorage::order_record(const DenseItem& item, ConstBytes id) const {
  TreeRecord record;
  record.key.number = record.order = item.order;
  ByteWriter out;
  FieldWriter fields(out, shape_.sizes);
  if (shape_.kind == DenseKind::kLinks) {
    LinkRecord link;
    link.creation_order = static_cast<std::int64_t>(item.order);
    take_id(id, &link.heap_id);
    encode_link_record(link, kBtree2LinkOrder, fields);
  } else {
    AttributeRecord attribute;
    take_id(id, &attribute.heap_id);
    attribute.message_flags = item.flags;
    attribute.creation_order = static_cast<std::uint32_t>(item.order);
    encode_attribute_record(attribute, kBtree2AttributeOrder, fields);
  }
  PCIO_TRY(fields.check("record of a number of creation"));
  PCIO_TRY(fill_record(out, &record));
  return record;
}

/// The attribute lies in the heap of shared messages, not in this one.
bool DenseStorage::is_shared(const TreeRecord& record) const {
  return shape_.kind == DenseKind::kAttributes &&
         (record.bytes[8] & static_cast<std::byte>(kMessageShared)) != std::byte{0};
}

Status DenseStorage::read_names(FileBytes& file, const DensePlace& place, const SharedBody& shared,
                                const Describe& describe) {
  PCIO_ASSIGN(FractalHeapReader reader, FractalHeapReader::open(file, shape_.sizes, place.heap));
  auto decode = [&](ConstBytes bytes) -> Result<TreeRecord> {
    TreeRecord record;
    std::copy(bytes.begin(), bytes.end(), record.bytes.begin());
    ByteReader fields(bytes);
    DenseItem item;
    std::uint32_t hash = 0;
    if (shape_.kind == DenseKind::kLinks) {
      hash = decode_link_record(fields, kBtree2LinkName).hash;
    } else {
      const AttributeRecord attribute = decode_attribute_record(fields, kBtree2AttributeName);
      hash = attribute.hash;
      item.order = attribute.creation_order;
    }
    PCIO_TRY(fields.check("record of a name"));
    std::vector<std::byte> body;
    if (is_shared(record)) {
      PCIO_ASSIGN(body, shared(id_in(record)));
    } else {
      PCIO_TRY(heap_->claim(id_in(record)));
      PCIO_ASSIGN(body, heap_->object(id_in(record)));
    }
    // Huge ones the heap knows by their places only.
    if (body.empty()) {
      PCIO_ASSIGN(body, reader.object(id_in(record)));
    }
    PCIO_TRY(describe(body, &item));
    record.key = key_of(item.name);
    record.order = item.order;
    if (record.key.number != hash)
      return PCIO_ERROR(BTREE, BADVALUE, "a record is not of the name that it leads to");
    return record;
  };
  const Btree2Header shape = tree_shape(name_type(shape_.kind), shape_.sizes);
  PCIO_ASSIGN(names_, RecordTree::read(file, shape, shape_.sizes, place.names, decode, &owner_));
  return Status();
}

Status DenseStorage::read_orders(FileBytes& file, const DensePlace& place) {
  const std::uint8_t type = order_type(shape_.kind);
  std::uint64_t found = 0;
  auto decode = [&](ConstBytes bytes) -> Result<TreeRecord> {
    TreeRecord record;
    std::copy(bytes.begin(), bytes.end(), record.bytes.begin());
    ByteReader fields(bytes);
    record.key.number =
        shape_.kind == DenseKind::kLinks
            ? static_cast<std::uint64_t>(decode_link_record(fields, type).creation_order)
            : decode_attribute_record(fields, type).creation_order;
    PCIO_TRY(fields.check("record of a number of creation"));
    ++found;
    return record;
  };
  const Btree2Header shape = tree_shape(type, shape_.sizes);
  PCIO_ASSIGN(RecordTree tree,
              RecordTree::read(file, shape, shape_.sizes, place.orders, decode, &owner_));
  orders_.emplace(std::move(tree));
  bool equal = found == names_.size();
  names_.for_each([&](const TreeRecord& record) {
    if (orders_->find({record.order, ""}) == nullptr) equal = false;
  });
  if (equal) return Status();
  return PCIO_ERROR(BTREE, BADVALUE, "indexes by name and by order of creation don't agree");
}

Result<std::unique_ptr<DenseStorage>> DenseStorage::read(FileBytes& file, const Shape& shape,
                                                         const DensePlace& place,
                                                         const SharedBody& shared,
                                                         const Describe& describe) {
  auto storage = std::make_unique<DenseStorage>(shape);
  PCIO_ASSIGN(storage->heap_, HeapImage::read(file, shape.sizes, place.heap, &storage->owner_));
  const std::uint16_t id_length = heap_shape(shape.kind).id_length;
  if (storage->heap_->header().id_length != id_length)
    return PCIO_ERROR(HEAP, BADVALUE, "ids of a fractal heap don't fit the records of its index");
  PCIO_TRY(storage->read_names(file, place, shared, describe));
  if (shape.by_order) PCIO_TRY(storage->read_orders(file, place));
  storage->planned_ = false;
  return storage;
}

Status DenseStorage::put_records(const DenseItem& item, ConstBytes id) {
  PCIO_ASSIGN(TreeRecord name, name_record(item, id));
  if (orders_) {
    const TreeRecord* old = names_.find(name.key);
    if (old != nullptr && old->order != item.order) orders_->erase({old->order, ""}, &owner_);
    PCIO_ASSIGN(TreeRecord order, order_record(item, id));
    orders_->put(std::move(order));
  }
  names_.put(std::move(name));
  return Status();
}

bool DenseStorage::has_filters(ConstBytes message) const {
  const std::vector<FilterDescription>& has = heap_->header().filters;
  if (message.empty()) return has.empty();
  ByteReader reader(message);
  const auto wanted = decode_filter_pipeline_message(reader);
  if (!wanted || wanted->size() != has.size()) return false;
  // Their names may be left out.
  return std::equal(has.begin(), has.end(), wanted->begin(), [](const auto& a, const auto& b) {
    return a.id == b.id && a.flags == b.flags && a.client_data == b.client_data;
  });
}

std::optional<std::uint64_t> DenseStorage::order_of(const std::string& name) const {
  const TreeRecord* record = names_.find(key_of(name));
  if (record == nullptr) return std::nullopt;
  return record->order;
}

bool DenseStorage::has_alike(const DenseItem& item, std::size_t value) const {
  const TreeRecord* record = names_.find(key_of(item.name));
  if (record == nullptr || record->bytes[8] != static_cast<std::byte>(item.flags)) return false;
  const ConstBytes id = id_in(*record);
  if (is_shared(*record))
    return std::equal(id.begin(), id.end(), item.body.begin(), item.body.end());
  if (heap_->size_of(id) != item.body.size()) return false;
  const auto body = heap_->object(id);
  // Of huge ones nothing but the size is here.
  if (!body || body->empty()) return body.has_value();
  const auto head = static_cast<std::ptrdiff_t>(item.body.size() - value);
  return std::equal(body->begin(), body->begin() + head, item.body.begin());
}

Status DenseStorage::put(const DenseItem& item, FileSpace& space) {
  planned_ = true;
  if (const TreeRecord* old = names_.find(key_of(item.name))) {
    const std::vector<std::byte> id(id_in(*old).begin(), id_in(*old).end());
    const bool same = old->order == item.order;
    // Flags of attributes stand in the records.
    const bool flags_stay =
        shape_.kind == DenseKind::kLinks || old->bytes[8] == static_cast<std::byte>(item.flags);
    if (is_shared(*old)) {
      if (same && flags_stay && id == item.body) return Status();
    } else {
      if ((item.flags & kMessageShared) == 0 && heap_->overwrite(id, item.body))
        return same && flags_stay ? Status() : put_records(item, id);
      PCIO_TRY(heap_->remove(id, &owner_));
    }
  }
  PCIO_ASSIGN(auto id, add_object(item, space));
  return put_records(item, id);
}

Result<std::vector<std::byte>> DenseStorage::add_object(const DenseItem& item, FileSpace& space) {
  const bool shared = shape_.kind == DenseKind::kAttributes && (item.flags & kMessageShared) != 0;
  if (shared) return item.body;
  return heap_->add(item.body, &owner_, space);
}

Status DenseStorage::remove(const std::string& name) {
  planned_ = true;
  const RecordKey key = key_of(name);
  const TreeRecord* old = names_.find(key);
  if (old == nullptr)
    return PCIO_ERROR(BTREE, NOTFOUND, "\"" + name + "\" is not in the index that should have it");
  if (!is_shared(*old)) PCIO_TRY(heap_->remove(id_in(*old), &owner_));
  if (orders_ && !orders_->erase({old->order, ""}, &owner_))
    return PCIO_ERROR(BTREE, NOTFOUND, "\"" + name + "\" is not in the index of orders");
  names_.erase(key, &owner_);
  return Status();
}

Status DenseStorage::plan(FileSpace& space, BlockSet* blocks) {
  planned_ = true;
  PCIO_TRY(heap_->place(&owner_, space));
  PCIO_TRY(names_.place(&owner_, space));
  if (orders_) PCIO_TRY(orders_->place(&owner_, space));
  heap_->add_blocks(blocks);
  names_.add_blocks(blocks);
  if (orders_) orders_->add_blocks(blocks);
  owner_.settle(space);
  return Status();
}

void DenseStorage::mark_committed() {
  planned_ = false;
  heap_->mark_committed();
  names_.mark_committed();
  if (orders_) orders_->mark_committed();
  owner_.mark_committed();
}

}  // namespace pcio
