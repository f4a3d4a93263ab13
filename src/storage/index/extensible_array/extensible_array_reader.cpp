// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/extensible_array: reading of extensible arrays.

#include "storage/index/extensible_array/extensible_array_reader.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/checked.hpp"
#include "storage/index/extensible_array/extensible_array_updater.hpp"

namespace pcio {

namespace {

/// Bytes of pages read in one go.
constexpr std::uint64_t kBytesPerRead = 1 << 20;

/// Data block `block` of secondary block `secondary`; its elements have the numbers `first` and so on.
struct DataBlockPlace {
  unsigned secondary = 0;
  std::uint64_t block = 0;
  FileAddress address = kUndefinedAddress;
  std::uint64_t first = 0;
};

class ExtensibleArray final : public IndexReader {
 public:
  explicit ExtensibleArray(const ExtensibleArrayContext& context)
      : context_(context), geometry_(context.header, context.sizes) {}

  Status load(std::uint64_t first, std::uint64_t end, ChunkSink& sink) override {
    PCIO_TRY(read_index_block(&sink));
    if (!index_block_) return Status();
    for (unsigned s = 0; s < geometry_.secondary_count(); ++s) {
      const SecondaryBlockShape shape = geometry_.shape(s);
      const std::uint64_t base = in_index_block() + shape.first_element;
      const std::uint64_t behind = base + shape.data_blocks * shape.block_elements;
      if (end <= base) break;
      if (first < behind)
        PCIO_TRY(load_secondary(s, std::max(first, base), std::min(end, behind), sink));
    }
    return Status();
  }

  Status collect_blocks(ChunkSink& sink, std::vector<ByteRange>* blocks) override {
    blocks->push_back({context_.header_address, extensible_array_header_size(context_.sizes)});
    PCIO_TRY(read_index_block(&sink));
    if (!index_block_) return Status();
    blocks->push_back({context_.header.index_block_address, geometry_.index_block_size()});
    for (unsigned s = 0; s < geometry_.secondary_count(); ++s) {
      PCIO_ASSIGN(auto addresses, data_blocks(s, sink));
      if (s >= geometry_.direct_secondaries() && !addresses.empty())
        blocks->push_back({secondary_address(s), geometry_.secondary_block_size(s)});
      for (FileAddress address : addresses)
        if (address != kUndefinedAddress)
          blocks->push_back({address, geometry_.data_block_size(s)});
    }
    return Status();
  }

  std::shared_ptr<IndexUpdater> updater(const ChunkNumbering& numbering) override {
    if (!index_block_) return nullptr;
    ExtensibleArrayBlocks blocks;
    for (auto& [number, block] : secondaries_)
      blocks.secondaries.emplace(
          number, ExtensibleArrayBlocks::Secondary{secondary_address(number), std::move(block)});
    blocks.index_block = std::move(*index_block_);
    blocks.index_block.elements.clear();
    return std::make_shared<ExtensibleArrayUpdater>(context_, numbering, std::move(blocks));
  }

 private:
  [[nodiscard]] std::uint64_t in_index_block() const {
    return context_.header.parameters.index_elements;
  }
  [[nodiscard]] FileAddress secondary_address(unsigned s) const {
    return index_block_->secondary_blocks[s - geometry_.direct_secondaries()];
  }

  Status read_index_block(ChunkSink* sink) {
    const FileAddress address = context_.header.index_block_address;
    if (index_block_ || address == kUndefinedAddress) return Status();
    PCIO_ASSIGN(auto bytes, sink->file().block(address, geometry_.index_block_size(),
                                               "index block of an extensible array"));
    PCIO_ASSIGN(index_block_, decode_extensible_array_index_block(bytes, context_));
    PCIO_TRY(sink->add(0, index_block_->elements));
    sink->know(0, in_index_block());
    return Status();
  }

  /// The secondary block, read once; nothing where there is none.
  Result<const ExtensibleArraySecondaryBlock*> secondary(unsigned s, ChunkSink& sink) {
    if (auto it = secondaries_.find(s); it != secondaries_.end()) return &it->second;
    const FileAddress address = secondary_address(s);
    if (address == kUndefinedAddress)
      return static_cast<const ExtensibleArraySecondaryBlock*>(nullptr);
    const std::uint64_t size = geometry_.secondary_block_size(s);
    PCIO_TRY(budget_.spend(size, sink.file()));
    PCIO_ASSIGN(auto bytes,
                sink.file().block(address, size, "secondary block of an extensible array"));
    PCIO_ASSIGN(auto block, decode_extensible_array_secondary_block(bytes, context_, s));
    return &secondaries_.emplace(s, std::move(block)).first->second;
  }

  /// Addresses of all data blocks of a secondary block; none where it does not exist.
  Result<std::span<const FileAddress>> data_blocks(unsigned s, ChunkSink& sink) {
    const SecondaryBlockShape shape = geometry_.shape(s);
    if (s < geometry_.direct_secondaries())
      return std::span<const FileAddress>(index_block_->data_blocks)
          .subspan(static_cast<std::size_t>(shape.first_data_block),
                   static_cast<std::size_t>(shape.data_blocks));
    PCIO_ASSIGN(const ExtensibleArraySecondaryBlock* block, secondary(s, sink));
    if (block == nullptr) return std::span<const FileAddress>();
    return std::span<const FileAddress>(block->data_blocks);
  }

  Status load_secondary(unsigned s, std::uint64_t first, std::uint64_t end, ChunkSink& sink) {
    PCIO_ASSIGN(auto addresses, data_blocks(s, sink));
    const SecondaryBlockShape shape = geometry_.shape(s);
    const std::uint64_t base = in_index_block() + shape.first_element;
    for (std::uint64_t b = (first - base) / shape.block_elements;
         b < addresses.size() && base + b * shape.block_elements < end; ++b) {
      const DataBlockPlace place{s, b, addresses[static_cast<std::size_t>(b)],
                                 base + b * shape.block_elements};
      if (place.address == kUndefinedAddress ||
          sink.knows(place.first, place.first + shape.block_elements))
        continue;
      PCIO_TRY(check_place(place));
      PCIO_TRY(geometry_.page_count(s) == 0 ? load_block(place, sink)
                                            : load_pages(place, first, end, sink));
    }
    return Status();
  }

  /// A block has one place in the array; what it says of that is not enough, for writers differ in it,
  /// and heads of blocks with pages are read once.
  Status check_place(const DataBlockPlace& place) {
    const std::pair which(place.secondary, place.block);
    const auto known = places_.emplace(place.address, which).first;
    if (known->second == which) return Status();
    return PCIO_ERROR(DATASET, BADVALUE, "an extensible array lists a data block twice");
  }

  Status load_block(const DataBlockPlace& place, ChunkSink& sink) {
    const std::uint64_t size = geometry_.data_block_size(place.secondary);
    PCIO_TRY(budget_.spend(size, sink.file()));
    PCIO_ASSIGN(auto bytes,
                sink.file().block(place.address, size, "data block of an extensible array"));
    PCIO_ASSIGN(auto elements,
                decode_extensible_array_data_block(bytes, context_, place.secondary, place.block));
    PCIO_TRY(sink.add(place.first, elements));
    sink.know(place.first, place.first + elements.size());
    return Status();
  }

  /// The pages of a data block that hold numbers in [first, end).
  Status load_pages(const DataBlockPlace& place, std::uint64_t first, std::uint64_t end,
                    ChunkSink& sink) {
    PCIO_TRY(check_head(place, sink));
    const std::uint64_t length = geometry_.page_elements();
    const std::uint64_t pages = geometry_.page_count(place.secondary);
    std::uint64_t page = first > place.first ? (first - place.first) / length : 0;
    const std::uint64_t behind = std::min(pages, ceil_div(end - place.first, length));
    const std::uint64_t page_bytes = chunk_page_size(length, context_.format);
    while (page < behind) {
      std::uint64_t count = 0;
      while (page + count < behind && count * page_bytes < kBytesPerRead &&
             has_page(place, page + count) && !knows_page(place, page + count, sink))
        ++count;
      if (count > 0) PCIO_TRY(read_pages(place, page, count, sink));
      page += std::max<std::uint64_t>(count, 1);
    }
    return Status();
  }

  [[nodiscard]] bool knows_page(const DataBlockPlace& place, std::uint64_t page,
                                const ChunkSink& sink) const {
    const std::uint64_t first = place.first + page * geometry_.page_elements();
    return sink.knows(first, first + geometry_.page_elements());
  }

  /// Data blocks that the index block lists have no bitmap; they have no pages with the parameters
  /// that anybody uses.
  [[nodiscard]] bool has_page(const DataBlockPlace& place, std::uint64_t page) const {
    if (place.secondary < geometry_.direct_secondaries()) return true;
    return page_bit(secondaries_.at(place.secondary).bitmap,
                    place.block * geometry_.page_count(place.secondary) + page);
  }

  Status check_head(const DataBlockPlace& place, ChunkSink& sink) {
    if (!checked_.insert(place.address).second) return Status();
    const std::uint64_t size = geometry_.data_block_size(place.secondary);
    PCIO_TRY(budget_.spend(size, sink.file()));
    PCIO_ASSIGN(auto bytes,
                sink.file().block(place.address, geometry_.data_block_head(place.secondary),
                                  "data block of an extensible array"));
    return detail::to_status(
        decode_extensible_array_data_block(bytes, context_, place.secondary, place.block));
  }

  Status read_pages(const DataBlockPlace& place, std::uint64_t page, std::uint64_t count,
                    ChunkSink& sink) {
    const std::uint64_t start = geometry_.page_offset(place.secondary, page);
    const std::uint64_t length = geometry_.page_elements();
    const std::uint64_t step = chunk_page_size(length, context_.format);
    PCIO_ASSIGN(auto bytes, sink.file().block(place.address + start, count * step,
                                              "page of an extensible array"));
    for (std::uint64_t i = 0; i < count; ++i) {
      PCIO_ASSIGN(auto elements,
                  decode_chunk_page(ConstBytes(bytes).subspan(static_cast<std::size_t>(i * step)),
                                    length, context_.format));
      const std::uint64_t first = place.first + (page + i) * length;
      PCIO_TRY(sink.add(first, elements));
      sink.know(first, first + length);
    }
    return Status();
  }

  ExtensibleArrayContext context_;
  ExtensibleArrayGeometry geometry_;
  std::optional<ExtensibleArrayIndexBlock> index_block_;
  std::map<unsigned, ExtensibleArraySecondaryBlock> secondaries_;
  // Data blocks that were met, and which they are: number of the secondary block, and in it.
  std::map<FileAddress, std::pair<unsigned, std::uint64_t>> places_;
  std::set<FileAddress> checked_;  // data blocks whose head was read
  BlockBudget budget_;
};

}  // namespace

Result<std::unique_ptr<IndexReader>> open_extensible_array(FileBytes& file,
                                                           const ChunkIndexShape& shape,
                                                           FileAddress address,
                                                           std::uint64_t chunk_bytes) {
  ExtensibleArrayContext context;
  context.sizes = shape.sizes;
  context.header_address = address;
  context.format = shape.elements(chunk_bytes);
  PCIO_ASSIGN(auto bytes,
              file.block(address, extensible_array_header_size(shape.sizes), "extensible array"));
  PCIO_ASSIGN(context.header, decode_extensible_array_header(bytes, context.format, shape.sizes));
  return std::unique_ptr<IndexReader>(std::make_unique<ExtensibleArray>(context));
}

}  // namespace pcio
