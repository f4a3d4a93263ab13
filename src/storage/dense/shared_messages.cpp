// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: SharedMessages out of line.

#include "storage/dense/shared_messages.hpp"

#include "format/message_types.hpp"
#include "storage/dense/heap_reader.hpp"

namespace pcio {

void SharedMessages::make(FileAddress table, std::vector<SharedMessageIndexHeader> indexes) {
  table_ = table;
  indexes_ = std::move(indexes);
  images_.resize(indexes_.size());
  is_new_ = true;
}

Status SharedMessages::open(FileBytes& file, const FileSizes& sizes,
                            const SharedTableMessage& table) {
  PCIO_ASSIGN(auto bytes,
              file.block(table.table_address, shared_table_size(table.index_count, sizes),
                         "table of shared messages"));
  PCIO_ASSIGN(indexes_, decode_shared_table(bytes, table.index_count, sizes));
  table_ = table.table_address;
  images_.resize(indexes_.size());
  return Status();
}

/// Old fill values are with the new ones.
std::size_t SharedMessages::number_of(unsigned type) const {
  if (type == kMessageFillValueOld) type = kMessageFillValue;
  for (std::size_t i = 0; i < indexes_.size(); ++i)
    if (type < 16 && (indexes_[i].message_types >> type & 1) != 0) return i;
  return indexes_.size();
}

Result<std::vector<std::byte>> SharedMessages::body(FileBytes& file, const FileSizes& sizes,
                                                    unsigned type, ConstBytes heap_id) {
  const std::size_t number = number_of(type);
  if (number == indexes_.size() || indexes_[number].heap_address == kUndefinedAddress)
    return PCIO_ERROR(SOHM, NOTFOUND,
                      "the file has no heap of shared messages for a " + message_name(type));
  // Opened anew for each: the next commit of another program's may have moved its blocks.
  PCIO_ASSIGN(FractalHeapReader heap,
              FractalHeapReader::open(file, sizes, indexes_[number].heap_address));
  return heap.object(heap_id);
}

Result<SharedIndex*> SharedMessages::index(FileBytes& file, const FileSizes& sizes, unsigned type) {
  const std::size_t number = number_of(type);
  if (number == indexes_.size()) return nullptr;
  if (!images_[number]) {
    PCIO_ASSIGN(images_[number], SharedIndex::read(file, sizes, indexes_[number]));
  }
  return images_[number].get();
}

Status SharedMessages::read_indexes(FileBytes& file, const FileSizes& sizes) {
  for (std::size_t i = 0; i < indexes_.size(); ++i)
    if (!images_[i]) {
      PCIO_ASSIGN(images_[i], SharedIndex::read(file, sizes, indexes_[i]));
    }
  return Status();
}

Result<std::vector<ByteRange>> SharedMessages::ranges(FileBytes& file,
                                                      const FileSizes& sizes) const {
  std::vector<ByteRange> all;
  if (!any()) return all;
  all.push_back({table_, shared_table_size(static_cast<unsigned>(indexes_.size()), sizes)});
  for (const SharedMessageIndexHeader& header : indexes_) {
    PCIO_ASSIGN(const auto index, SharedIndex::read(file, sizes, header));
    const std::vector<ByteRange> ranges = index->ranges();
    all.insert(all.end(), ranges.begin(), ranges.end());
  }
  return all;
}

Status SharedMessages::visit_committed(
    FileBytes& file, const FileSizes& sizes, unsigned type,
    const std::function<Status(const SharedIndex&)>& visit) const {
  const std::size_t number = number_of(type);
  if (images_[number] && !images_[number]->is_changed()) return visit(*images_[number]);
  // What a plan has changed is not in the file yet.
  PCIO_ASSIGN(const auto index, SharedIndex::read(file, sizes, indexes_[number]));
  return visit(*index);
}

void SharedMessages::let_go(const SharedRefs& refs) {
  gone_.insert(gone_.end(), refs.header.begin(), refs.header.end());
  gone_.insert(gone_.end(), refs.dense.begin(), refs.dense.end());
}

void SharedMessages::begin_plan(FileSpace& space) {
  is_planned_ = gone_counted_ = false;
  for (std::unique_ptr<SharedIndex>& image : images_) {
    if (!image || !image->is_changed()) continue;
    image->restore(space);
    image.reset();
  }
}

Status SharedMessages::plan(const FileSizes& sizes, FileSpace& space, BlockSet* blocks) {
  planned_ = indexes_;
  is_planned_ = true;
  for (std::size_t i = 0; i < images_.size(); ++i) {
    if (!images_[i]) continue;
    PCIO_TRY(images_[i]->plan(space, blocks));
    planned_[i] = images_[i]->header();
  }
  if (!is_new_ && planned_ == indexes_) return Status();
  blocks->push_back(
      {{table_, shared_table_size(static_cast<unsigned>(planned_.size()), sizes)},
       [this, sizes](ByteWriter& out) { return encode_shared_table(planned_, sizes, out); }});
  return Status();
}

void SharedMessages::mark_committed() {
  if (!is_planned_) return;
  is_planned_ = false;
  indexes_ = planned_;
  for (const std::unique_ptr<SharedIndex>& image : images_)
    if (image) image->mark_committed();
  if (gone_counted_) {
    gone_.clear();
    removed_.clear();
  }
  is_new_ = false;
}

}  // namespace pcio
