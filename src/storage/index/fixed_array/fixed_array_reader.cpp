// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/fixed_array: reading and planning of fixed arrays.

#include "storage/index/fixed_array/fixed_array_reader.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "storage/index/fixed_array/fixed_array_updater.hpp"

namespace pcio {

namespace {

class FixedArray final : public IndexReader {
 public:
  FixedArray(const FixedArrayHeader& header, FileAddress address, const ChunkIndexShape& shape,
             const ChunkElementFormat& elements)
      : header_(header),
        address_(address),
        shape_(shape),
        elements_(elements),
        geometry_(header, shape.sizes) {}

  Status load(std::uint64_t first, std::uint64_t end, ChunkSink& sink) override {
    if (header_.block_address == kUndefinedAddress) return Status();
    end = std::min(end, header_.count);
    if (!block_) PCIO_TRY(read_block(sink));
    if (!geometry_.paged() || first >= end) return Status();
    const std::uint64_t behind = (end - 1) / geometry_.page_elements() + 1;
    for (std::uint64_t page = first / geometry_.page_elements(); page < behind;) {
      std::uint64_t count = 0;
      while (page + count < behind && count * page_bytes() < kIndexBytesAtOnce &&
             page_bit(block_->bitmap, page + count) && !knows(page + count, sink))
        ++count;
      if (count > 0) PCIO_TRY(read_pages(page, count, sink));
      page += std::max<std::uint64_t>(count, 1);
    }
    return Status();
  }

  Status collect_blocks(ChunkSink& sink, std::vector<ByteRange>* blocks) override {
    static_cast<void>(sink);
    blocks->push_back({address_, fixed_array_header_size(shape_.sizes)});
    if (header_.block_address != kUndefinedAddress)
      blocks->push_back({header_.block_address, *geometry_.block_size()});
    return Status();
  }

  std::shared_ptr<IndexUpdater> updater(const ChunkNumbering& numbering) override {
    if (!block_ || header_.count != numbering.count()) return nullptr;
    return std::make_shared<FixedArrayUpdater>(shape_, numbering, elements_, header_, address_,
                                               std::move(block_->bitmap));
  }

 private:
  [[nodiscard]] std::uint64_t page_bytes() const {
    return geometry_.page_elements() * elements_.size() + 4;
  }
  [[nodiscard]] bool knows(std::uint64_t page, const ChunkSink& sink) const {
    const std::uint64_t first = page * geometry_.page_elements();
    return sink.knows(first, first + geometry_.elements_in_page(page));
  }

  /// The head with the bitmap, or all elements where there are no pages.
  Status read_block(ChunkSink& sink) {
    const std::uint64_t size = geometry_.paged() ? geometry_.head_size() : *geometry_.block_size();
    if (!sink.file().holds(header_.block_address, *geometry_.block_size()))
      return PCIO_ERROR(FARRAY, TRUNCATED, "a fixed array lies outside the file");
    PCIO_ASSIGN(auto bytes, sink.file().block(header_.block_address, size, "fixed array"));
    PCIO_ASSIGN(block_,
                decode_fixed_array_block(bytes, header_, address_, elements_, shape_.sizes));
    if (geometry_.paged()) return Status();
    PCIO_TRY(sink.add(0, block_->elements));
    block_->elements = {};
    sink.know(0, header_.count);
    return Status();
  }

  Status read_pages(std::uint64_t page, std::uint64_t count, ChunkSink& sink) {
    const std::uint64_t last = page + count - 1;
    const std::uint64_t start = geometry_.page_offset(page);
    const std::uint64_t size = geometry_.page_offset(last) - start +
                               chunk_page_size(geometry_.elements_in_page(last), elements_);
    PCIO_ASSIGN(auto bytes,
                sink.file().block(header_.block_address + start, size, "page of a fixed array"));
    for (std::uint64_t n = page; n <= last; ++n) {
      const auto at = static_cast<std::size_t>(geometry_.page_offset(n) - start);
      const std::uint64_t length = geometry_.elements_in_page(n);
      PCIO_ASSIGN(auto elements,
                  decode_chunk_page(ConstBytes(bytes).subspan(at), length, elements_));
      const std::uint64_t first = n * geometry_.page_elements();
      PCIO_TRY(sink.add(first, elements));
      sink.know(first, first + length);
    }
    return Status();
  }

  FixedArrayHeader header_;
  FileAddress address_;
  ChunkIndexShape shape_;
  ChunkElementFormat elements_;
  FixedArrayGeometry geometry_;
  std::optional<FixedArrayBlock> block_;
};

}  // namespace

Result<std::unique_ptr<IndexReader>> open_fixed_array(FileBytes& file, const ChunkIndexShape& shape,
                                                      const ChunkNumbering& numbering,
                                                      FileAddress address,
                                                      std::uint64_t chunk_bytes) {
  PCIO_ASSIGN(auto bytes, file.block(address, fixed_array_header_size(shape.sizes), "fixed array"));
  const ChunkElementFormat elements = shape.elements(chunk_bytes);
  PCIO_ASSIGN(FixedArrayHeader header, decode_fixed_array_header(bytes, elements, shape.sizes));
  if (header.count < numbering.count())
    return PCIO_ERROR(FARRAY, BADVALUE, "a fixed array is too short for its dataset");
  return std::unique_ptr<IndexReader>(
      std::make_unique<FixedArray>(header, address, shape, elements));
}

}  // namespace pcio
