// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: planning of extensible arrays.

#include <algorithm>

#include "base/checked.hpp"
#include "storage/extensible_array_store.hpp"

namespace pcio {

namespace {

/// Bytes of pages encoded in one go.
constexpr std::uint64_t kBytesPerBlock = 1 << 20;

}  // namespace

Result<std::shared_ptr<const ExtensibleArrayPlan>> ExtensibleArrayPlan::make(
    const ChunkIndex& index, const ChunkIndexShape& shape) {
  PCIO_ASSIGN(ChunkNumbering numbering, shape.numbering(index.grid()));
  ExtensibleArrayHeader header;
  const ChunkElementFormat elements = shape.elements(index.chunk_bytes());
  header.client = elements.client();
  header.element_size = static_cast<unsigned>(elements.size());
  header.parameters = shape.layout.extensible_array;
  if (!ExtensibleArrayGeometry(header, shape.sizes).valid())
    return PCIO_ERROR(EARRAY, BADVALUE, "parameters of an extensible array are not possible");
  std::shared_ptr<ExtensibleArrayPlan> plan(
      new ExtensibleArrayPlan(index, shape, std::move(numbering), header));
  Status noted;
  for_each_numbered(index, plan->numbering_, [&](std::uint64_t first, std::uint64_t end) {
    if (noted.ok()) noted = plan->note(first, end);
  });
  PCIO_TRY(std::move(noted));
  plan->place();
  return std::shared_ptr<const ExtensibleArrayPlan>(std::move(plan));
}

ExtensibleArrayPlan::ExtensibleArrayPlan(const ChunkIndex& index, const ChunkIndexShape& shape,
                                         ChunkNumbering numbering,
                                         const ExtensibleArrayHeader& header)
    : shape_(shape),
      numbering_(std::move(numbering)),
      reader_(index, numbering_),
      elements_(shape.elements(index.chunk_bytes())),
      header_(header),
      geometry_(header, shape.sizes) {}

/// There are chunks with the numbers [first, end): the blocks and pages that list them exist.
Status ExtensibleArrayPlan::note(std::uint64_t first, std::uint64_t end) {
  header_.max_index_set = std::max(header_.max_index_set, end);
  while (first < end) {
    const auto at = geometry_.locate(first);
    if (!at)
      return PCIO_ERROR(EARRAY, NOSPACE, "the dataset has more chunks than its index can list");
    if (at->in_index_block) {
      ++first;
      continue;
    }
    const SecondaryBlockShape shape = geometry_.shape(at->secondary);
    const std::uint64_t count = std::min(end - first, shape.block_elements - at->element);
    DataBlock& block = secondaries_[at->secondary].data_blocks[at->data_block];
    block.number = at->data_block;
    // There is no bitmap for the pages of data blocks that the index block lists.
    if (at->secondary < geometry_.direct_secondaries())
      block.pages.add(0, geometry_.page_count(at->secondary));
    else if (geometry_.page_count(at->secondary) > 0)
      block.pages.add(at->element / geometry_.page_elements(),
                      (at->element + count - 1) / geometry_.page_elements() + 1);
    first += count;
  }
  return Status();
}

/// Addresses for all blocks, and the counts of the header.
void ExtensibleArrayPlan::place() {
  total_ = extensible_array_header_size(shape_.sizes) + geometry_.index_block_size();
  header_.elements = header_.parameters.index_elements;
  for (auto& [number, secondary] : secondaries_) {
    secondary.offset = total_;
    if (number >= geometry_.direct_secondaries()) {
      const std::uint64_t size = geometry_.secondary_block_size(number);
      ++header_.secondary_blocks;
      header_.secondary_block_bytes += size;
      total_ += size;
    }
    const std::uint64_t size = geometry_.data_block_size(number);
    for (auto& [n, block] : secondary.data_blocks) {
      block.offset = total_;
      total_ += size;
      ++header_.data_blocks;
      header_.data_block_bytes += size;
      header_.elements += geometry_.shape(number).block_elements;
    }
  }
}

std::uint64_t ExtensibleArrayPlan::first_of(unsigned secondary, std::uint64_t block) const {
  const SecondaryBlockShape shape = geometry_.shape(secondary);
  return header_.parameters.index_elements + shape.first_element + block * shape.block_elements;
}

ExtensibleArrayContext ExtensibleArrayPlan::context(FileAddress address) const {
  return {header_, address, elements_, shape_.sizes};
}

/// The header and the index block behind it.
Status ExtensibleArrayPlan::encode_header(FileAddress address, ByteWriter& out) const {
  ExtensibleArrayHeader header = header_;
  header.index_block_address = address + extensible_array_header_size(shape_.sizes);
  PCIO_TRY(encode_extensible_array_header(header, shape_.sizes, out));
  ExtensibleArrayIndexBlock block;
  block.elements.resize(header_.parameters.index_elements);
  reader_.read(0, block.elements);
  block.data_blocks.assign(geometry_.index_data_addresses(), kUndefinedAddress);
  block.secondary_blocks.assign(geometry_.index_secondary_addresses(), kUndefinedAddress);
  for (const auto& [number, secondary] : secondaries_) {
    if (number >= geometry_.direct_secondaries()) {
      block.secondary_blocks[number - geometry_.direct_secondaries()] = address + secondary.offset;
      continue;
    }
    const auto first = static_cast<std::size_t>(geometry_.shape(number).first_data_block);
    for (const auto& [n, data] : secondary.data_blocks)
      block.data_blocks[first + static_cast<std::size_t>(n)] = address + data.offset;
  }
  return encode_extensible_array_index_block(block, context(address), out);
}

Status ExtensibleArrayPlan::encode_secondary(FileAddress address, unsigned number,
                                             ByteWriter& out) const {
  const Secondary& secondary = secondaries_.at(number);
  ExtensibleArraySecondaryBlock block;
  block.bitmap.resize(static_cast<std::size_t>(geometry_.bitmap_size(number)));
  block.data_blocks.assign(static_cast<std::size_t>(geometry_.shape(number).data_blocks),
                           kUndefinedAddress);
  for (const auto& [n, data] : secondary.data_blocks) {
    block.data_blocks[static_cast<std::size_t>(n)] = address + data.offset;
    for (const auto& [first, end] : data.pages.intervals())
      for (std::uint64_t page = first; page < end; ++page)
        set_page_bit(block.bitmap, n * geometry_.page_count(number) + page);
  }
  return encode_extensible_array_secondary_block(block, context(address), number, out);
}

/// A data block; of one with pages the head.
Status ExtensibleArrayPlan::encode_block(FileAddress address, unsigned secondary,
                                         const DataBlock& block, ByteWriter& out) const {
  std::vector<ChunkElement> elements;
  if (geometry_.page_count(secondary) == 0) {
    elements.resize(static_cast<std::size_t>(geometry_.shape(secondary).block_elements));
    reader_.read(first_of(secondary, block.number), elements);
  }
  return encode_extensible_array_data_block(elements, context(address), secondary, block.number,
                                            out);
}

/// `pages`: number of the first one, and how many.
Status ExtensibleArrayPlan::encode_pages(unsigned secondary, const DataBlock& block,
                                         ByteRange pages, ByteWriter& out) const {
  const std::uint64_t length = geometry_.page_elements();
  std::vector<ChunkElement> page(static_cast<std::size_t>(length));
  for (std::uint64_t n = pages.offset; n < pages.end(); ++n) {
    reader_.read(first_of(secondary, block.number) + n * length, page);
    PCIO_TRY(encode_chunk_page(page, elements_, out));
  }
  return Status();
}

void ExtensibleArrayPlan::add_blocks(const std::shared_ptr<const ExtensibleArrayPlan>& plan,
                                     FileAddress address, unsigned secondary, BlockSet* set) const {
  const Secondary& blocks = secondaries_.at(secondary);
  if (secondary >= geometry_.direct_secondaries())
    set->push_back({{address + blocks.offset, geometry_.secondary_block_size(secondary)},
                    [plan, address, secondary](ByteWriter& out) {
                      return plan->encode_secondary(address, secondary, out);
                    }});
  const bool paged = geometry_.page_count(secondary) > 0;
  const std::uint64_t head =
      paged ? geometry_.data_block_head(secondary) : geometry_.data_block_size(secondary);
  const std::uint64_t page = chunk_page_size(geometry_.page_elements(), elements_);
  const std::uint64_t most = std::max<std::uint64_t>(1, kBytesPerBlock / page);
  for (const auto& [number, data] : blocks.data_blocks) {
    set->push_back({{address + data.offset, head},
                    [plan, address, secondary, &block = data](ByteWriter& out) {
                      return plan->encode_block(address, secondary, block, out);
                    }});
    for (const auto& [first_page, end] : data.pages.intervals()) {
      for (std::uint64_t first = first_page; first < end; first += most) {
        const ByteRange pages{first, std::min(most, end - first)};
        const std::uint64_t start = data.offset + geometry_.page_offset(secondary, first);
        set->push_back({{address + start, pages.size * page},
                        [plan, secondary, &block = data, pages](ByteWriter& out) {
                          return plan->encode_pages(secondary, block, pages, out);
                        }});
      }
    }
  }
}

BlockSet ExtensibleArrayPlan::blocks(const std::shared_ptr<const ExtensibleArrayPlan>& plan,
                                     FileAddress address) {
  BlockSet set;
  const std::uint64_t size = extensible_array_header_size(plan->shape_.sizes) +
                             plan->geometry_.index_block_size();
  set.push_back({{address, size},
                 [plan, address](ByteWriter& out) { return plan->encode_header(address, out); }});
  for (const auto& [number, secondary] : plan->secondaries_)
    plan->add_blocks(plan, address, number, &set);
  return set;
}

}  // namespace pcio
