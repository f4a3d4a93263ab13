// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: reading of fractal heaps.

#include "storage/dense/heap_reader.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "filter/pipeline.hpp"
#include "format/free_space.hpp"
#include "storage/dense/tree_walk.hpp"

namespace pcio {

namespace {

/// Header messages can't be longer, and nothing else is kept in these heaps; bytes.
constexpr std::uint64_t kMostObjectBytes = std::uint64_t{64} << 20;
/// Direct blocks that are kept in memory; bytes.
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{16} << 20;

}  // namespace

FilterPipeline heap_pipeline(const FractalHeapHeader& header) {
  FilterPipeline filters;
  for (const FilterDescription& stage : header.filters) {
    FilterSpec spec;
    spec.id = stage.id;
    spec.flags = stage.flags;
    spec.values.assign(stage.client_data.begin(), stage.client_data.end());
    spec.name = stage.name;
    filters.push_back(std::move(spec));
  }
  return filters;
}

Result<std::uint64_t> fractal_heap_bytes(FileBytes& file, const FileSizes& sizes,
                                         FileAddress address) {
  PCIO_ASSIGN(FractalHeapReader heap, FractalHeapReader::open(file, sizes, address));
  const FractalHeapHeader& header = heap.header();
  PCIO_ASSIGN(std::uint64_t total, heap.indirect_bytes());
  total += heap.header_bytes() + header.allocated_space + header.huge_size;
  if (header.huge_index_address != kUndefinedAddress) {
    PCIO_ASSIGN(std::uint64_t index, btree2_bytes(file, sizes, header.huge_index_address));
    total += index;
  }
  if (header.free_space_address == kUndefinedAddress) return total;
  PCIO_ASSIGN(auto bytes, file.block(header.free_space_address, free_space_header_size(sizes),
                                     "free-space manager"));
  PCIO_ASSIGN(FreeSpaceHeader space, decode_free_space_header(bytes, sizes));
  return total + free_space_header_size(sizes) + space.list_allocated;
}

Result<FractalHeapReader> FractalHeapReader::open(FileBytes& file, const FileSizes& sizes,
                                                  FileAddress address) {
  PCIO_ASSIGN(auto bytes,
              file.block(address, fractal_heap_header_size(sizes), "fractal heap header"));
  PCIO_ASSIGN(std::size_t size, fractal_heap_header_size(bytes, sizes));
  if (size > bytes.size()) {
    PCIO_ASSIGN(bytes, file.block(address, size, "fractal heap header"));
  }
  FractalHeapContext context;
  PCIO_ASSIGN(context.header, decode_fractal_heap_header(bytes, sizes));
  context.header_address = address;
  context.sizes = sizes;
  FractalHeapReader reader(file, std::move(context));
  reader.header_bytes_ = size;
  if (!reader.geometry_.valid())
    return PCIO_ERROR(HEAP, BADVALUE, "fractal heap has an impossible doubling table");
  return reader;
}

Result<const std::vector<FractalHeapChild>*> FractalHeapReader::children_of(FileAddress address,
                                                                            std::uint64_t base,
                                                                            unsigned rows) {
  auto known = children_.find(address);
  if (known == children_.end()) {
    PCIO_ASSIGN(auto bytes, file_->block(address, geometry_.indirect_block_size(rows),
                                         "fractal heap indirect block"));
    PCIO_ASSIGN(auto children, decode_fractal_indirect_block(bytes, context_, base, rows));
    known = children_.emplace(address, std::move(children)).first;
  }
  return &known->second;
}

/// Goes down the doubling table; each step is into a smaller block, so damage can't make it
/// endless.
Result<FractalHeapReader::Block> FractalHeapReader::find_block(std::uint64_t offset) {
  const FractalHeapHeader& header = context_.header;
  if (header.root_rows == 0)
    return Block{header.root_address, 0, header.start_block_size, header.filtered_root_size,
                 header.filtered_root_mask};
  FileAddress address = header.root_address;
  std::uint64_t base = 0;
  unsigned rows = header.root_rows;
  for (;;) {
    PCIO_ASSIGN(const auto* listed, children_of(address, base, rows));
    const auto& children = *listed;
    auto place = geometry_.locate(offset, base, rows);
    if (!place) return PCIO_ERROR(HEAP, BADRANGE, "fractal heap id leads outside the heap");
    std::size_t number = std::size_t{place->row} * geometry_.width() + place->column;
    if (number >= children.size() || children[number].address == kUndefinedAddress)
      return PCIO_ERROR(HEAP, BADRANGE, "fractal heap id leads to a block that is not there");
    address = children[number].address;
    if (place->row < geometry_.direct_rows())
      return Block{address, place->block_offset, place->block_size, children[number].filtered_size,
                   children[number].filter_mask};
    base = place->block_offset;
    rows = geometry_.rows_of_child(place->row);
  }
}

Result<std::uint64_t> FractalHeapReader::indirect_bytes() {
  std::uint64_t total = 0;
  if (context_.header.root_rows > 0)
    PCIO_TRY(add_indirect({context_.header.root_address, 0, 0}, context_.header.root_rows, &total));
  return total;
}

/// Each step is into a smaller block; together they can't be larger than the file.
Status FractalHeapReader::add_indirect(const Block& block, unsigned rows, std::uint64_t* total) {
  const std::size_t size = geometry_.indirect_block_size(rows);
  if (!fits_inside(*total, size, file_->all_bytes()))
    return PCIO_ERROR(HEAP, BADVALUE, "blocks of a fractal heap are larger than the file");
  *total += size;
  PCIO_ASSIGN(auto bytes, file_->block(block.address, size, "fractal heap indirect block"));
  PCIO_ASSIGN(auto children, decode_fractal_indirect_block(bytes, context_, block.offset, rows));
  for (std::size_t i = 0; i < children.size(); ++i) {
    const auto row = static_cast<unsigned>(i / geometry_.width());
    if (row < geometry_.direct_rows() || children[i].address == kUndefinedAddress) continue;
    const std::uint64_t offset = block.offset + geometry_.row_offset(row) +
                                 i % geometry_.width() * geometry_.block_size(row);
    PCIO_TRY(add_indirect({children[i].address, offset, 0}, geometry_.rows_of_child(row), total));
  }
  return Status();
}

/// The bytes of a direct block behind its filters.
Result<std::vector<std::byte>> FractalHeapReader::direct_block(const Block& block) {
  const bool filtered = !context_.header.filters.empty();
  PCIO_ASSIGN(auto bytes, file_->block(block.address, filtered ? block.stored : block.size,
                                       "fractal heap direct block"));
  if (!filtered) return bytes;
  return decode_chunk(heap_pipeline(context_.header), bytes, block.mask, block.size);
}

Result<const FractalHeapReader::ReadBlock*> FractalHeapReader::block_with(std::uint64_t offset) {
  auto known = blocks_.upper_bound(offset);
  if (known != blocks_.begin()) {
    --known;
    if (offset - known->first < known->second.block.size) return &known->second;
  }
  PCIO_ASSIGN(Block found, find_block(offset));
  PCIO_ASSIGN(auto bytes, direct_block(found));
  PCIO_TRY(check_fractal_direct_block(bytes, context_, found.offset));
  if (kept_ > kMostKeptBytes) {
    blocks_.clear();
    kept_ = 0;
  }
  kept_ += bytes.size();
  return &blocks_.insert_or_assign(found.offset, ReadBlock{found, std::move(bytes)}).first->second;
}

Result<std::vector<std::byte>> FractalHeapReader::managed(std::uint64_t offset,
                                                          std::uint64_t length) {
  PCIO_ASSIGN(const ReadBlock* read, block_with(offset));
  const Block& block = read->block;
  if (offset < block.offset || !fits_inside(offset - block.offset, length, block.size))
    return PCIO_ERROR(HEAP, BADRANGE, "object of a fractal heap crosses its block");
  auto part = ConstBytes(read->bytes).subspan(offset - block.offset, length);
  return std::vector<std::byte>(part.begin(), part.end());
}

/// Where the huge objects are whose ids are keys; read once.
Result<HugeObjectRecord> FractalHeapReader::find_huge(std::uint64_t key) {
  if (!huge_) {
    huge_.emplace();
    const unsigned type =
        context_.header.filters.empty() ? kBtree2HugeIndirect : kBtree2HugeIndirectFiltered;
    PCIO_TRY(walk_btree2(*file_, context_.sizes, context_.header.huge_index_address, type,
                         [&](ConstBytes bytes) -> Status {
                           ByteReader reader(bytes);
                           HugeObjectRecord record =
                               decode_huge_object_record(reader, type, context_.sizes);
                           PCIO_TRY(reader.check("huge object record"));
                           huge_->emplace(record.id, record);
                           return Status();
                         }));
  }
  const auto found = huge_->find(key);
  if (found == huge_->end())
    return PCIO_ERROR(HEAP, NOTFOUND, "a huge object of a fractal heap is not in its index");
  return found->second;
}

Result<std::vector<std::byte>> FractalHeapReader::huge(const FractalHeapId& id) {
  HugeObjectRecord place{id.address, id.file_size, id.filter_mask, id.memory_size, 0};
  const bool filtered = !context_.header.filters.empty();
  if (!fractal_ids_are_direct(context_.header, context_.sizes)) {
    PCIO_ASSIGN(place, find_huge(id.key));
  }
  if (std::max(place.size, filtered ? place.memory_size : 0) > kMostObjectBytes)
    return PCIO_ERROR(HEAP, BADSIZE, "object of a fractal heap is larger than 64 MiB");
  PCIO_ASSIGN(auto bytes, file_->block(place.address, place.size, "huge object of a fractal heap"));
  if (!filtered) return bytes;
  return decode_chunk(heap_pipeline(context_.header), bytes, place.filter_mask, place.memory_size);
}

Result<std::vector<std::byte>> FractalHeapReader::object(ConstBytes id) {
  PCIO_ASSIGN(FractalHeapId decoded, decode_fractal_heap_id(id, context_.header, context_.sizes));
  if (decoded.kind == FractalIdKind::kTiny) return std::move(decoded.tiny);
  Result<std::vector<std::byte>> found = decoded.kind == FractalIdKind::kHuge
                                             ? huge(decoded)
                                             : managed(decoded.offset, decoded.length);
  if (!found) return found;
  // Nor do objects: each is asked for once, so together they are no larger than the file.
  if (context_.header.filters.empty() && !fits_inside(given_, found->size(), file_->all_bytes()))
    return PCIO_ERROR(HEAP, BADVALUE, "objects of a fractal heap are larger than the file");
  given_ += found->size();
  return found;
}

}  // namespace pcio
