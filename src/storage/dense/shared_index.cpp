// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: SharedIndex out of line.

#include "storage/dense/shared_index.hpp"

#include <algorithm>

#include "storage/dense/heap_reader.hpp"

namespace pcio {

namespace {

/// Of version 2 B-trees: records of shared messages.
constexpr std::uint8_t kBtree2SharedMessage = 7;
/// The table counts messages in two bytes.
constexpr std::size_t kMostMessages = 0xFFFF;

constexpr HeapShape kHeapShape{8, 1024, 40, 4096};

Btree2Header tree_shape(const FileSizes& sizes) {
  Btree2Header shape;
  shape.type = kBtree2SharedMessage;
  shape.record_size = static_cast<std::uint16_t>(shared_record_size(sizes));
  return shape;
}

}  // namespace

SharedIndex::SharedIndex(const SharedMessageIndexHeader& header, const FileSizes& sizes)
    : header_(header), sizes_(sizes) {}

Result<std::unique_ptr<SharedIndex>> SharedIndex::read(FileBytes& file, const FileSizes& sizes,
                                                       const SharedMessageIndexHeader& header) {
  std::unique_ptr<SharedIndex> index(new SharedIndex(header, sizes));
  if (header.heap_address != kUndefinedAddress) {
    PCIO_ASSIGN(index->heap_, HeapImage::read(file, sizes, header.heap_address, &index->owner_));
    if (index->heap_->is_filtered())
      return PCIO_ERROR(HEAP, UNSUPPORTED,
                        "a heap of shared messages with filters can be read, but not changed");
    if (index->heap_->header().id_length != kHeapShape.id_length)
      return PCIO_ERROR(HEAP, BADVALUE, "ids of a heap of shared messages have another length");
  }
  index->heap_bytes_ = index->owner_.bytes();
  if (header.index_address != kUndefinedAddress)
    PCIO_TRY(header.is_tree ? index->read_tree(file) : index->read_list(file));
  index->index_bytes_ = index->owner_.bytes() - index->heap_bytes_;
  if (!header.is_tree) index->index_bytes_ = shared_list_size(header.list_max, sizes);
  return index;
}

Status SharedIndex::enter(const SharedMessageRecord& record) {
  if (records_.size() >= kMostMessages)
    return PCIO_ERROR(SOHM, BADVALUE,
                      "an index of shared messages has more than the table of the file can count");
  if (record.in_heap) {
    if (!heap_) return PCIO_ERROR(SOHM, BADVALUE, "an index of shared messages has no heap");
    PCIO_TRY(heap_->claim(record.heap_id));
  }
  const Place place = records_.emplace(record.hash, record);
  if (record.in_heap && !by_id_.emplace(record.heap_id, place).second)
    return PCIO_ERROR(SOHM, BADVALUE, "an index of shared messages has a message twice");
  return Status();
}

Status SharedIndex::read_list(FileBytes& file) {
  const ByteRange place{header_.index_address, shared_list_size(header_.list_max, sizes_)};
  if (!owner_.adopt(place)) return PCIO_ERROR(SOHM, BADVALUE, "blocks of shared messages overlap");
  PCIO_ASSIGN(auto bytes, file.block(place.offset, place.size, "list of shared messages"));
  PCIO_ASSIGN(auto records, decode_shared_list(bytes, header_, sizes_));
  for (const SharedMessageRecord& record : records) PCIO_TRY(enter(record));
  return Status();
}

Status SharedIndex::read_tree(FileBytes& file) {
  auto decode = [&](ConstBytes bytes) -> Result<TreeRecord> {
    PCIO_ASSIGN(SharedMessageRecord record, decode_shared_record(bytes, sizes_));
    PCIO_TRY(enter(record));
    return tree_record(record);
  };
  PCIO_ASSIGN(RecordTree tree, RecordTree::read(file, tree_shape(sizes_), sizes_,
                                                header_.index_address, decode, &owner_));
  tree_.emplace(std::move(tree));
  return Status();
}

SharedIndex::Place SharedIndex::find(const std::array<std::byte, 8>& heap_id) {
  const auto found = by_id_.find(heap_id);
  return found == by_id_.end() ? records_.end() : found->second;
}

Result<std::vector<std::byte>> SharedIndex::body(FileBytes& file,
                                                 const SharedMessageRecord& record) const {
  PCIO_ASSIGN(auto body, heap_->object(record.heap_id));
  if (!body.empty()) return body;
  PCIO_ASSIGN(FractalHeapReader reader,
              FractalHeapReader::open(file, sizes_, header_.heap_address));
  return reader.object(record.heap_id);
}

/// Of two messages with one hash the order is that of their places; that never is so in practice.
RecordKey SharedIndex::key_of(const SharedMessageRecord& record) const {
  RecordKey key;
  key.number = record.hash;
  if (record.in_heap)
    key.name.assign(reinterpret_cast<const char*>(record.heap_id.data()), record.heap_id.size());
  else
    key.name = "in header " + std::to_string(record.header_address);
  return key;
}

Result<TreeRecord> SharedIndex::tree_record(const SharedMessageRecord& record) const {
  TreeRecord made;
  made.key = key_of(record);
  ByteWriter out;
  FieldWriter fields(out, sizes_);
  encode_shared_record(record, sizes_, fields);
  PCIO_TRY(fields.check("record of a shared message"));
  std::copy(out.view().begin(), out.view().end(), made.bytes.begin());
  return made;
}

Status SharedIndex::changed_record(const SharedMessageRecord& record) {
  changed_ = true;
  if (!tree_) return Status();
  PCIO_ASSIGN(TreeRecord made, tree_record(record));
  tree_->put(std::move(made));
  return Status();
}

Status SharedIndex::put_into_heap(SharedMessageRecord* record, ConstBytes body, FileSpace& space) {
  if (!heap_) heap_ = std::make_unique<HeapImage>(kHeapShape, sizes_);
  PCIO_ASSIGN(auto id, heap_->add(body, &owner_, space));
  record->in_heap = true;
  std::copy_n(id.begin(), std::min(id.size(), record->heap_id.size()), record->heap_id.begin());
  return Status();
}

Result<SharedIndex::Place> SharedIndex::add(std::uint32_t hash, ConstBytes body, FileSpace& space) {
  if (records_.size() >= kMostMessages)
    return PCIO_ERROR(SOHM, NOSPACE, "an index of shared messages is full");
  SharedMessageRecord record;
  record.hash = hash;
  changed_ = true;
  PCIO_TRY(put_into_heap(&record, body, space));
  const Place place = records_.emplace(hash, record);
  by_id_.emplace(record.heap_id, place);
  PCIO_TRY(changed_record(record));
  return place;
}

Status SharedIndex::move_into_heap(Place place, ConstBytes body, FileSpace& space) {
  SharedMessageRecord record = place->second;
  PCIO_TRY(put_into_heap(&record, body, space));
  record.reference_count = 1;
  record.message_type = 0;
  record.message_index = 0;
  record.header_address = kUndefinedAddress;
  if (tree_) tree_->erase(key_of(place->second), &owner_);
  place->second = record;
  by_id_.emplace(record.heap_id, place);
  return changed_record(record);
}

void SharedIndex::set_count(Place place, std::uint32_t references) {
  place->second.reference_count = references;
  // A record that was encoded before can be so again.
  static_cast<void>(changed_record(place->second));
}

Status SharedIndex::remove(Place place) {
  const SharedMessageRecord record = place->second;
  changed_ = true;
  if (tree_) tree_->erase(key_of(record), &owner_);
  by_id_.erase(record.heap_id);
  records_.erase(place);
  return record.in_heap ? heap_->remove(record.heap_id, &owner_) : Status();
}

Status SharedIndex::make_tree() {
  tree_.emplace(tree_shape(sizes_), sizes_);
  for (const auto& [hash, record] : records_) {
    PCIO_ASSIGN(TreeRecord made, tree_record(record));
    tree_->put(std::move(made));
  }
  return Status();
}

void SharedIndex::drop_everything() {
  owner_.drop_all();
  heap_.reset();
  tree_.reset();
  header_.is_tree = header_.list_max == 0;
  header_.index_address = header_.heap_address = kUndefinedAddress;
}

/// List or tree, as the number of messages and the form that there is want it.
Status SharedIndex::plan_form(FileSpace& space) {
  const std::size_t count = records_.size();
  const bool had_list = !header_.is_tree && header_.index_address != kUndefinedAddress;
  const ByteRange list{header_.index_address, shared_list_size(header_.list_max, sizes_)};
  if (count > header_.list_max && !tree_) {
    if (had_list) owner_.drop(list);
    PCIO_TRY(make_tree());
  } else if (tree_ && count < header_.tree_min && count <= header_.list_max) {
    tree_->drop(&owner_);
    tree_.reset();
  } else if (!tree_ && had_list) {
    return Status();
  }
  header_.is_tree = tree_.has_value();
  if (tree_) {
    PCIO_TRY(tree_->place(&owner_, space));
    header_.index_address = tree_->address();
    return Status();
  }
  PCIO_ASSIGN(header_.index_address, owner_.take(list.size, space));
  return Status();
}

Status SharedIndex::plan(FileSpace& space, BlockSet* blocks) {
  if (!changed_) return Status();
  header_.count = static_cast<std::uint16_t>(records_.size());
  if (records_.empty()) {
    drop_everything();
    owner_.settle(space);
    return Status();
  }
  PCIO_TRY(plan_form(space));
  // Where nothing was shared but in headers there is a heap all the same.
  if (!heap_) heap_ = std::make_unique<HeapImage>(kHeapShape, sizes_);
  PCIO_TRY(heap_->place(&owner_, space));
  header_.heap_address = heap_->address();
  heap_->add_blocks(blocks);
  if (tree_) {
    tree_->add_blocks(blocks);
  } else {
    std::vector<SharedMessageRecord> records;
    for (const auto& [hash, record] : records_) records.push_back(record);
    blocks->push_back({{header_.index_address, shared_list_size(header_.list_max, sizes_)},
                       [this, records = std::move(records)](ByteWriter& out) {
                         return encode_shared_list(records, header_.list_max, sizes_, out);
                       }});
  }
  owner_.settle(space);
  return Status();
}

void SharedIndex::mark_committed() {
  changed_ = false;
  if (heap_) heap_->mark_committed();
  if (tree_) tree_->mark_committed();
  owner_.mark_committed();
}

}  // namespace pcio
