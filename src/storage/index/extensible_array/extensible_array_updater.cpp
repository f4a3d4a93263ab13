// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/extensible_array: ExtensibleArrayUpdater out of line.

#include "storage/index/extensible_array/extensible_array_updater.hpp"

#include <algorithm>

namespace pcio {

Result<std::shared_ptr<ExtensibleArrayUpdater>> ExtensibleArrayUpdater::make(
    const ChunkIndex& index, const ChunkIndexShape& shape, ChunkNumbering numbering) {
  ExtensibleArrayContext context;
  context.sizes = shape.sizes;
  context.format = shape.elements(index.chunk_bytes());
  ExtensibleArrayHeader& header = context.header;
  header.client = context.format.client();
  header.element_size = static_cast<unsigned>(context.format.size());
  header.parameters = shape.layout.extensible_array;
  header.elements = header.parameters.index_elements;
  const ExtensibleArrayGeometry geometry(header, shape.sizes);
  if (!geometry.valid())
    return PCIO_ERROR(EARRAY, BADVALUE, "parameters of an extensible array are not possible");
  ExtensibleArrayBlocks blocks;
  blocks.index_block.data_blocks.assign(geometry.index_data_addresses(), kUndefinedAddress);
  blocks.index_block.secondary_blocks.assign(geometry.index_secondary_addresses(),
                                             kUndefinedAddress);
  auto array =
      std::make_shared<ExtensibleArrayUpdater>(context, std::move(numbering), std::move(blocks));
  array->header_ = array->index_block_ = true;
  Status noted;
  for_each_numbered(index, array->numbering_, [&](std::uint64_t first, std::uint64_t end) {
    if (noted.ok()) noted = array->note(first, end);
  });
  PCIO_TRY(std::move(noted));
  return array;
}

ExtensibleArrayUpdater::ExtensibleArrayUpdater(ExtensibleArrayContext context,
                                               ChunkNumbering numbering,
                                               ExtensibleArrayBlocks blocks)
    : context_(std::move(context)),
      numbering_(std::move(numbering)),
      geometry_(context_.header, context_.sizes),
      blocks_(std::move(blocks)) {}

FileAddress& ExtensibleArrayUpdater::address_of(const BlockKey& key) {
  const auto& [secondary, number] = key;
  if (direct(secondary))
    return blocks_.index_block.data_blocks[static_cast<std::size_t>(
        geometry_.shape(secondary).first_data_block + number)];
  return blocks_.secondaries.at(secondary).block.data_blocks[static_cast<std::size_t>(number)];
}

/// Chunks with the numbers [first, end) changed: the blocks and pages that list them are written, and
/// made where there are none yet.
Status ExtensibleArrayUpdater::note(std::uint64_t first, std::uint64_t end) {
  if (end > context_.header.max_index_set) {
    context_.header.max_index_set = end;
    header_ = true;
  }
  while (first < end) {
    const auto at = geometry_.locate(first);
    if (!at)
      return PCIO_ERROR(EARRAY, NOSPACE, "the dataset has more chunks than its index can list");
    if (at->in_index_block) {
      index_block_ = true;
      ++first;
      continue;
    }
    const std::uint64_t count =
        std::min(end - first, geometry_.shape(at->secondary).block_elements - at->element);
    note_block(*at, count);
    first += count;
  }
  return Status();
}

/// Elements of one data block.
void ExtensibleArrayUpdater::note_block(const ExtensibleArrayPlace& at, std::uint64_t count) {
  if (!direct(at.secondary)) note_secondary(at.secondary);
  const BlockKey key{at.secondary, at.data_block};
  DataBlock& block = data_blocks_[key];
  const std::uint64_t pages = geometry_.page_count(at.secondary);
  if (address_of(key) == kUndefinedAddress) {
    header_ = block.head = true;
    if (direct(at.secondary))
      index_block_ = true;
    else
      secondaries_.insert(at.secondary);
    // There is no bitmap for the pages of data blocks that the index block lists.
    if (direct(at.secondary)) block.pages.add(0, pages);
  }
  if (pages == 0) {
    block.head = true;
    return;
  }
  const std::uint64_t low = at.element / geometry_.page_elements();
  const std::uint64_t high = (at.element + count - 1) / geometry_.page_elements() + 1;
  block.pages.add(low, high);
  if (direct(at.secondary)) return;
  std::vector<std::byte>& bitmap = blocks_.secondaries.at(at.secondary).block.bitmap;
  for (std::uint64_t page = at.data_block * pages + low; page < at.data_block * pages + high;
       ++page) {
    if (page_bit(bitmap, page)) continue;
    set_page_bit(bitmap, page);
    secondaries_.insert(at.secondary);
  }
}

/// The secondary block exists afterwards, perhaps without a place.
void ExtensibleArrayUpdater::note_secondary(unsigned number) {
  const auto [it, added] = blocks_.secondaries.try_emplace(number);
  if (!added) return;
  ExtensibleArraySecondaryBlock& block = it->second.block;
  block.bitmap.resize(static_cast<std::size_t>(geometry_.bitmap_size(number)));
  block.data_blocks.assign(static_cast<std::size_t>(geometry_.shape(number).data_blocks),
                           kUndefinedAddress);
  secondaries_.insert(number);
  header_ = index_block_ = true;
}

Result<IndexUpdater::Cost> ExtensibleArrayUpdater::mark(const ChunkIndex& index,
                                                        const IntervalSet& numbers) {
  static_cast<void>(index);
  for (const auto& [first, end] : numbers.intervals()) PCIO_TRY(note(first, end));
  return cost();
}

std::uint64_t ExtensibleArrayUpdater::marked_bytes(const BlockKey& key,
                                                   const DataBlock& block) const {
  const unsigned secondary = key.first;
  std::uint64_t bytes = 0;
  if (block.head)
    bytes += geometry_.page_count(secondary) > 0 ? geometry_.data_block_head(secondary)
                                                 : geometry_.data_block_size(secondary);
  for (const auto& [first, end] : block.pages.intervals())
    bytes += (end - first) * chunk_page_size(geometry_.page_elements(), context_.format);
  return bytes;
}

IndexUpdater::Cost ExtensibleArrayUpdater::cost() const {
  Cost cost;
  auto count = [&](FileAddress address, std::uint64_t changed, std::uint64_t whole) {
    if (address == kUndefinedAddress)
      cost.added += whole;
    else
      cost.changed += changed;
  };
  const std::uint64_t header = extensible_array_header_size(context_.sizes);
  const std::uint64_t index_block = geometry_.index_block_size();
  if (header_) count(context_.header_address, header, header);
  if (index_block_) count(context_.header.index_block_address, index_block, index_block);
  for (unsigned number : secondaries_) {
    const std::uint64_t size = geometry_.secondary_block_size(number);
    count(blocks_.secondaries.at(number).address, size, size);
  }
  // A data block is allocated with room for all its pages.
  for (const auto& [key, data] : data_blocks_)
    count(address_of(key), marked_bytes(key, data), geometry_.data_block_size(key.first));
  return cost;
}

std::uint64_t ExtensibleArrayUpdater::bytes() const {
  return extensible_array_header_size(context_.sizes) + geometry_.index_block_size() +
         context_.header.secondary_block_bytes + context_.header.data_block_bytes;
}

void ExtensibleArrayUpdater::place_block(const BlockKey& key, FileAddress* at) {
  FileAddress& address = address_of(key);
  if (address != kUndefinedAddress) return;
  address = *at;
  const std::uint64_t size = geometry_.data_block_size(key.first);
  *at += size;
  ++context_.header.data_blocks;
  context_.header.data_block_bytes += size;
  context_.header.elements += geometry_.shape(key.first).block_elements;
}

void ExtensibleArrayUpdater::place(FileAddress address) {
  if (context_.header_address == kUndefinedAddress) {
    context_.header_address = address;
    address += extensible_array_header_size(context_.sizes);
    context_.header.index_block_address = address;
    address += geometry_.index_block_size();
  }
  auto next = secondaries_.begin();
  auto place_secondary = [&](unsigned number) {
    ExtensibleArrayBlocks::Secondary& secondary = blocks_.secondaries.at(number);
    if (secondary.address != kUndefinedAddress) return;
    secondary.address = address;
    blocks_.index_block.secondary_blocks[number - geometry_.direct_secondaries()] = address;
    const std::uint64_t size = geometry_.secondary_block_size(number);
    address += size;
    ++context_.header.secondary_blocks;
    context_.header.secondary_block_bytes += size;
  };
  for (const auto& [key, data] : data_blocks_) {
    for (; next != secondaries_.end() && *next <= key.first; ++next) place_secondary(*next);
    place_block(key, &address);
  }
}

void ExtensibleArrayUpdater::mark_committed() {
  header_ = index_block_ = false;
  secondaries_.clear();
  data_blocks_.clear();
}

/// Number of the first element of a data block.
std::uint64_t ExtensibleArrayUpdater::first_of(const BlockKey& key) const {
  const SecondaryBlockShape shape = geometry_.shape(key.first);
  return context_.header.parameters.index_elements + shape.first_element +
         key.second * shape.block_elements;
}

Status ExtensibleArrayUpdater::encode_index_block(const ElementReader& reader,
                                                  ByteWriter& out) const {
  ExtensibleArrayIndexBlock block = blocks_.index_block;
  block.elements.resize(context_.header.parameters.index_elements);
  reader.read(0, block.elements);
  return encode_extensible_array_index_block(block, context_, out);
}

/// A data block; of one with pages the head.
Status ExtensibleArrayUpdater::encode_block(const ElementReader& reader, const BlockKey& key,
                                            ByteWriter& out) const {
  std::vector<ChunkElement> elements;
  if (geometry_.page_count(key.first) == 0) {
    elements.resize(static_cast<std::size_t>(geometry_.shape(key.first).block_elements));
    reader.read(first_of(key), elements);
  }
  return encode_extensible_array_data_block(elements, context_, key.first, key.second, out);
}

/// `pages`: number of the first one, and how many.
Status ExtensibleArrayUpdater::encode_pages(const ElementReader& reader, const BlockKey& key,
                                            ByteRange pages, ByteWriter& out) const {
  const std::uint64_t length = geometry_.page_elements();
  std::vector<ChunkElement> page(static_cast<std::size_t>(length));
  for (std::uint64_t n = pages.offset; n < pages.end(); ++n) {
    reader.read(first_of(key) + n * length, page);
    PCIO_TRY(encode_chunk_page(page, context_.format, out));
  }
  return Status();
}

void ExtensibleArrayUpdater::add_blocks(const Reader& reader, const BlockKey& key,
                                        const DataBlock& data, BlockSet* set) const {
  const bool paged = geometry_.page_count(key.first) > 0;
  const FileAddress address = address_of(key);
  if (data.head)
    set->push_back({{address, paged ? geometry_.data_block_head(key.first)
                                    : geometry_.data_block_size(key.first)},
                    [self = shared_from_this(), reader, key](ByteWriter& out) {
                      return self->encode_block(*reader, key, out);
                    }});
  const std::uint64_t page = chunk_page_size(geometry_.page_elements(), context_.format);
  const std::uint64_t most = std::max<std::uint64_t>(1, kIndexBytesAtOnce / page);
  for (const auto& [first_page, end] : data.pages.intervals()) {
    for (std::uint64_t first = first_page; first < end; first += most) {
      const ByteRange pages{first, std::min(most, end - first)};
      set->push_back({{address + geometry_.page_offset(key.first, first), pages.size * page},
                      [self = shared_from_this(), reader, key, pages](ByteWriter& out) {
                        return self->encode_pages(*reader, key, pages, out);
                      }});
    }
  }
}

BlockSet ExtensibleArrayUpdater::blocks(const ChunkIndex& index) const {
  BlockSet set;
  auto self = shared_from_this();
  auto reader = std::make_shared<const ElementReader>(index, numbering_);
  if (header_)
    set.push_back({{context_.header_address, extensible_array_header_size(context_.sizes)},
                   [self](ByteWriter& out) {
                     return encode_extensible_array_header(self->context_.header,
                                                           self->context_.sizes, out);
                   }});
  if (index_block_)
    set.push_back(
        {{context_.header.index_block_address, geometry_.index_block_size()},
         [self, reader](ByteWriter& out) { return self->encode_index_block(*reader, out); }});
  for (unsigned number : secondaries_)
    set.push_back({{blocks_.secondaries.at(number).address, geometry_.secondary_block_size(number)},
                   [self, number](ByteWriter& out) {
                     return encode_extensible_array_secondary_block(
                         self->blocks_.secondaries.at(number).block, self->context_, number, out);
                   }});
  for (const auto& [key, data] : data_blocks_) add_blocks(reader, key, data, &set);
  return set;
}

}  // namespace pcio
