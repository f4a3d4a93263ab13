// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: reading and planning of fixed arrays.

#include "storage/fixed_array_store.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Bytes encoded or read in one go.
constexpr std::uint64_t kBytesPerBlock = 1 << 20;
/// The bitmap of pages is kept in memory.
constexpr std::uint64_t kLargestHead = 1 << 30;

class FixedArray final : public StoredIndex {
 public:
  FixedArray(const FixedArrayHeader& header, FileAddress address, const FileSizes& sizes,
             const ChunkElementFormat& elements)
      : header_(header),
        address_(address),
        sizes_(sizes),
        elements_(elements),
        geometry_(header, sizes) {}

  Status load(std::uint64_t first, std::uint64_t end, ChunkSink& sink) override {
    if (header_.block_address == kUndefinedAddress) return Status();
    end = std::min(end, header_.count);
    if (!block_) PCIO_TRY(read_block(sink));
    if (!geometry_.paged() || first >= end) return Status();
    const std::uint64_t behind = (end - 1) / geometry_.page_elements() + 1;
    for (std::uint64_t page = first / geometry_.page_elements(); page < behind;) {
      std::uint64_t count = 0;
      while (page + count < behind && count * page_bytes() < kBytesPerBlock &&
             page_bit(block_->bitmap, page + count) && !knows(page + count, sink))
        ++count;
      if (count > 0) PCIO_TRY(read_pages(page, count, sink));
      page += std::max<std::uint64_t>(count, 1);
    }
    return Status();
  }

  Status collect_blocks(ChunkSink& sink, std::vector<ByteRange>* blocks) override {
    static_cast<void>(sink);
    blocks->push_back({address_, fixed_array_header_size(sizes_)});
    if (header_.block_address != kUndefinedAddress)
      blocks->push_back({header_.block_address, *geometry_.block_size()});
    return Status();
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
    if (!fits_inside(header_.block_address, *geometry_.block_size(), sink.file().end()))
      return PCIO_ERROR(FARRAY, TRUNCATED, "a fixed array lies outside the file");
    PCIO_ASSIGN(auto bytes, sink.file().block(header_.block_address, size, "fixed array"));
    PCIO_ASSIGN(block_, decode_fixed_array_block(bytes, header_, address_, elements_, sizes_));
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
    PCIO_ASSIGN(auto bytes, sink.file().block(header_.block_address + start, size,
                                              "page of a fixed array"));
    for (std::uint64_t n = page; n <= last; ++n) {
      const auto at = static_cast<std::size_t>(geometry_.page_offset(n) - start);
      const std::uint64_t length = geometry_.elements_in_page(n);
      PCIO_ASSIGN(auto elements, decode_chunk_page(ConstBytes(bytes).subspan(at), length, elements_));
      const std::uint64_t first = n * geometry_.page_elements();
      PCIO_TRY(sink.add(first, elements));
      sink.know(first, first + length);
    }
    return Status();
  }

  FixedArrayHeader header_;
  FileAddress address_;
  FileSizes sizes_;
  ChunkElementFormat elements_;
  FixedArrayGeometry geometry_;
  std::optional<FixedArrayBlock> block_;
};

}  // namespace

Result<std::unique_ptr<StoredIndex>> open_fixed_array(FileBytes& file,
                                                      const ChunkIndexShape& shape,
                                                      const ChunkNumbering& numbering,
                                                      FileAddress address,
                                                      std::uint64_t chunk_bytes) {
  PCIO_ASSIGN(auto bytes,
              file.block(address, fixed_array_header_size(shape.sizes), "fixed array"));
  const ChunkElementFormat elements = shape.elements(chunk_bytes);
  PCIO_ASSIGN(FixedArrayHeader header, decode_fixed_array_header(bytes, elements, shape.sizes));
  if (header.count < numbering.count())
    return PCIO_ERROR(FARRAY, BADVALUE, "a fixed array is too short for its dataset");
  return std::unique_ptr<StoredIndex>(
      std::make_unique<FixedArray>(header, address, shape.sizes, elements));
}

Result<std::shared_ptr<const FixedArrayPlan>> FixedArrayPlan::make(const ChunkIndex& index,
                                                                   const ChunkIndexShape& shape) {
  PCIO_ASSIGN(ChunkNumbering numbering, shape.numbering(index.grid()));
  FixedArrayHeader header;
  const ChunkElementFormat elements = shape.elements(index.chunk_bytes());
  header.client = elements.client();
  header.element_size = static_cast<unsigned>(elements.size());
  header.page_bits = shape.layout.fixed_array.page_bits;
  if (header.page_bits == 0 || header.page_bits > 32)
    return PCIO_ERROR(FARRAY, BADVALUE, "page size of a fixed array is not possible");
  header.count = numbering.count();
  const FixedArrayGeometry geometry(header, shape.sizes);
  if (!geometry.block_size() || geometry.head_size() > kLargestHead)
    return PCIO_ERROR(FARRAY, NOSPACE, "the dataset can have more chunks than a fixed array can list");
  return std::shared_ptr<const FixedArrayPlan>(
      new FixedArrayPlan(index, shape, std::move(numbering), header));
}

FixedArrayPlan::FixedArrayPlan(const ChunkIndex& index, const ChunkIndexShape& shape,
                               ChunkNumbering numbering, const FixedArrayHeader& header)
    : shape_(shape),
      numbering_(std::move(numbering)),
      reader_(index, numbering_),
      elements_(shape.elements(index.chunk_bytes())),
      header_(header),
      geometry_(header, shape.sizes) {
  if (!geometry_.paged()) return;
  const std::uint64_t length = geometry_.page_elements();
  for_each_numbered(index, numbering_, [&](std::uint64_t first, std::uint64_t end) {
    pages_.add(first / length, (end - 1) / length + 1);
  });
}

std::uint64_t FixedArrayPlan::total_bytes() const {
  return fixed_array_header_size(shape_.sizes) + *geometry_.block_size();
}

/// Header and head of the block; without pages all elements.
Status FixedArrayPlan::encode_head(FileAddress address, ByteWriter& out) const {
  FixedArrayHeader header = header_;
  header.block_address = address + fixed_array_header_size(shape_.sizes);
  PCIO_TRY(encode_fixed_array_header(header, shape_.sizes, out));
  FixedArrayBlock block;
  if (geometry_.paged()) {
    block.bitmap.resize(static_cast<std::size_t>(geometry_.bitmap_size()));
    for (const auto& [first, end] : pages_.intervals())
      for (std::uint64_t page = first; page < end; ++page) set_page_bit(block.bitmap, page);
  } else {
    block.elements.resize(static_cast<std::size_t>(header_.count));
    reader_.read(0, block.elements);
  }
  return encode_fixed_array_block(block, header, address, elements_, out);
}

Status FixedArrayPlan::encode_pages(std::uint64_t first, std::uint64_t count,
                                    ByteWriter& out) const {
  std::vector<ChunkElement> page;
  for (std::uint64_t n = first; n < first + count; ++n) {
    page.resize(static_cast<std::size_t>(geometry_.elements_in_page(n)));
    reader_.read(n * geometry_.page_elements(), page);
    PCIO_TRY(encode_chunk_page(page, elements_, out));
  }
  return Status();
}

BlockSet FixedArrayPlan::blocks(const std::shared_ptr<const FixedArrayPlan>& plan,
                                FileAddress address) {
  BlockSet set;
  const FixedArrayGeometry& geometry = plan->geometry_;
  const std::uint64_t header = fixed_array_header_size(plan->shape_.sizes);
  const std::uint64_t head = geometry.paged() ? geometry.head_size() : *geometry.block_size();
  set.push_back({{address, header + head},
                 [plan, address](ByteWriter& out) { return plan->encode_head(address, out); }});
  const std::uint64_t page = geometry.page_elements() * plan->elements_.size() + 4;
  const std::uint64_t most = std::max<std::uint64_t>(1, kBytesPerBlock / page);
  for (const auto& [first_page, end] : plan->pages_.intervals()) {
    for (std::uint64_t first = first_page; first < end; first += most) {
      const std::uint64_t count = std::min(most, end - first);
      const std::uint64_t last = first + count - 1;
      const std::uint64_t start = geometry.page_offset(first);
      const std::uint64_t size = geometry.page_offset(last) - start +
                                 chunk_page_size(geometry.elements_in_page(last), plan->elements_);
      set.push_back({{address + header + start, size}, [plan, first, count](ByteWriter& out) {
                       return plan->encode_pages(first, count, out);
                     }});
    }
  }
  return set;
}

}  // namespace pcio
