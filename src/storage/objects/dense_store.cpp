// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: reading of dense storage.

#include "storage/objects/dense_store.hpp"

#include <set>

#include "base/checked.hpp"
#include "format/btree2_records.hpp"
#include "format/free_space.hpp"

namespace pcio {

namespace {

/// Header messages can't be longer, and nothing else is kept in these heaps; bytes.
constexpr std::uint64_t kMostObjectBytes = std::uint64_t{64} << 20;

class Btree2Walker {
 public:
  Btree2Walker(FileBytes& file, const FileSizes& sizes, const Btree2Header& header,
               const std::function<Status(ConstBytes)>& visit)
      : file_(file), sizes_(sizes), header_(header), visit_(visit) {}

  Status node(const Btree2Pointer& pointer, unsigned depth) {
    if (pointer.count == 0) return Status();
    if (!seen_.insert(pointer.address).second)
      return PCIO_ERROR(BTREE, BADVALUE, "version 2 B-tree visits a node twice");
    // Nodes of a sound file don't overlap, which bounds what a damaged one can ask for.
    if (!fits_inside(total_, header_.node_size, file_.end()))
      return PCIO_ERROR(BTREE, BADVALUE,
                        "version 2 B-tree has more nodes than the file has room for");
    total_ += header_.node_size;
    PCIO_ASSIGN(auto bytes,
                file_.block(pointer.address, header_.node_size, "version 2 B-tree node"));
    PCIO_ASSIGN(Btree2Node node, decode_btree2_node(bytes, header_, depth, pointer.count, sizes_));
    for (std::uint64_t i = 0; i < pointer.count; ++i) {
      if (depth > 0) PCIO_TRY(this->node(node.children[i], depth - 1));
      PCIO_TRY(
          visit_(ConstBytes(node.records).subspan(i * header_.record_size, header_.record_size)));
    }
    return depth > 0 ? this->node(node.children[pointer.count], depth - 1) : Status();
  }
  [[nodiscard]] std::uint64_t bytes() const { return total_; }

 private:
  FileBytes& file_;
  const FileSizes& sizes_;
  const Btree2Header& header_;
  const std::function<Status(ConstBytes)>& visit_;
  std::set<FileAddress> seen_;
  std::uint64_t total_ = 0;  // bytes of nodes so far
};

}  // namespace

namespace {

Result<Btree2Header> read_btree2_header(FileBytes& file, const FileSizes& sizes,
                                        FileAddress address) {
  PCIO_ASSIGN(auto bytes,
              file.block(address, btree2_header_size(sizes), "version 2 B-tree header"));
  PCIO_ASSIGN(Btree2Header header, decode_btree2_header(bytes, sizes));
  if (!Btree2Geometry(header, sizes).valid())
    return PCIO_ERROR(BTREE, BADVALUE, "version 2 B-tree has nodes too small for its records");
  return header;
}

}  // namespace

Result<std::uint64_t> btree2_bytes(FileBytes& file, const FileSizes& sizes, FileAddress address) {
  PCIO_ASSIGN(Btree2Header header, read_btree2_header(file, sizes, address));
  const std::function<Status(ConstBytes)> nothing = [](ConstBytes) { return Status(); };
  Btree2Walker walker(file, sizes, header, nothing);
  PCIO_TRY(walker.node(header.root, header.depth));
  return btree2_header_size(sizes) + walker.bytes();
}

Result<std::uint64_t> fractal_heap_bytes(FileBytes& file, const FileSizes& sizes,
                                         FileAddress address) {
  PCIO_ASSIGN(FractalHeapReader heap, FractalHeapReader::open(file, sizes, address));
  const FractalHeapHeader& header = heap.header();
  PCIO_ASSIGN(std::uint64_t total, heap.indirect_bytes());
  total += fractal_heap_header_size(sizes) + header.allocated_space + header.huge_size;
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

Status walk_btree2(FileBytes& file, const FileSizes& sizes, FileAddress address, unsigned type,
                   const std::function<Status(ConstBytes)>& visit) {
  PCIO_ASSIGN(Btree2Header header, read_btree2_header(file, sizes, address));
  if (header.type != type)
    return PCIO_ERROR(BTREE, BADTYPE, "version 2 B-tree holds records of another kind");
  return Btree2Walker(file, sizes, header, visit).node(header.root, header.depth);
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
  if (!context.header.filters.empty())
    return PCIO_ERROR(HEAP, UNSUPPORTED, "fractal heap with filters is not supported yet");
  context.header_address = address;
  context.sizes = sizes;
  FractalHeapReader reader(file, std::move(context));
  if (!reader.geometry_.valid())
    return PCIO_ERROR(HEAP, BADVALUE, "fractal heap has an impossible doubling table");
  return reader;
}

/// Goes down the doubling table; each step is into a smaller block, so damage can't make it
/// endless.
Result<FractalHeapReader::Block> FractalHeapReader::find_block(std::uint64_t offset) {
  const FractalHeapHeader& header = context_.header;
  if (header.root_rows == 0) return Block{header.root_address, 0, header.start_block_size};
  FileAddress address = header.root_address;
  std::uint64_t base = 0;
  unsigned rows = header.root_rows;
  for (;;) {
    PCIO_ASSIGN(auto bytes, file_->block(address, geometry_.indirect_block_size(rows),
                                         "fractal heap indirect block"));
    PCIO_ASSIGN(auto children, decode_fractal_indirect_block(bytes, context_, base, rows));
    auto place = geometry_.locate(offset, base, rows);
    if (!place) return PCIO_ERROR(HEAP, BADRANGE, "fractal heap id leads outside the heap");
    std::size_t number = std::size_t{place->row} * geometry_.width() + place->column;
    if (number >= children.size() || children[number].address == kUndefinedAddress)
      return PCIO_ERROR(HEAP, BADRANGE, "fractal heap id leads to a block that is not there");
    address = children[number].address;
    if (place->row < geometry_.direct_rows())
      return Block{address, place->block_offset, place->block_size};
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
  if (!fits_inside(*total, size, file_->end()))
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

Result<std::vector<std::byte>> FractalHeapReader::managed(std::uint64_t offset,
                                                          std::uint64_t length) {
  bool here = block_.address != kUndefinedAddress && offset >= block_.offset &&
              offset - block_.offset < block_.size;
  if (!here) {
    PCIO_ASSIGN(Block found, find_block(offset));
    PCIO_ASSIGN(bytes_, file_->block(found.address, found.size, "fractal heap direct block"));
    PCIO_TRY(check_fractal_direct_block(bytes_, context_, found.offset));
    block_ = found;
  }
  if (offset < block_.offset || !fits_inside(offset - block_.offset, length, block_.size))
    return PCIO_ERROR(HEAP, BADRANGE, "object of a fractal heap crosses its block");
  auto part = ConstBytes(bytes_).subspan(offset - block_.offset, length);
  return std::vector<std::byte>(part.begin(), part.end());
}

Result<std::vector<std::byte>> FractalHeapReader::huge(const FractalHeapId& id) {
  FileAddress address = id.address;
  std::uint64_t size = id.file_size;
  if (!fractal_ids_are_direct(context_.header, context_.sizes)) {
    auto find = [&](ConstBytes record) -> Status {
      ByteReader reader(record);
      HugeObjectRecord huge =
          decode_huge_object_record(reader, kBtree2HugeIndirect, context_.sizes);
      if (huge.id == id.key) address = huge.address, size = huge.size;
      return reader.check("huge object record");
    };
    PCIO_TRY(walk_btree2(*file_, context_.sizes, context_.header.huge_index_address,
                         kBtree2HugeIndirect, find));
  }
  if (size > kMostObjectBytes)
    return PCIO_ERROR(HEAP, BADSIZE, "object of a fractal heap is larger than 64 MiB");
  return file_->block(address, size, "huge object of a fractal heap");
}

Result<std::vector<std::byte>> FractalHeapReader::object(ConstBytes id) {
  PCIO_ASSIGN(FractalHeapId decoded, decode_fractal_heap_id(id, context_.header, context_.sizes));
  if (decoded.kind == FractalIdKind::kTiny) return std::move(decoded.tiny);
  Result<std::vector<std::byte>> found = decoded.kind == FractalIdKind::kHuge
                                             ? huge(decoded)
                                             : managed(decoded.offset, decoded.length);
  if (!found) return found;
  // Nor do objects: each is asked for once, so together they are no larger than the file.
  if (!fits_inside(given_, found->size(), file_->end()))
    return PCIO_ERROR(HEAP, BADVALUE, "objects of a fractal heap are larger than the file");
  given_ += found->size();
  return found;
}

Result<LinkTable> read_dense_links(FileBytes& file, const FileSizes& sizes,
                                   const LinkInfoMessage& info) {
  PCIO_ASSIGN(FractalHeapReader heap, FractalHeapReader::open(file, sizes, info.heap_address));
  LinkTable table;
  table.next_creation_order = info.max_creation_order;
  auto add = [&](ConstBytes bytes) -> Status {
    ByteReader reader(bytes);
    LinkRecord record = decode_link_record(reader, kBtree2LinkName);
    PCIO_TRY(reader.check("link record"));
    PCIO_ASSIGN(auto object, heap.object(record.heap_id));
    ByteReader link_reader(object);
    PCIO_ASSIGN(LinkMessage link, decode_link_message(link_reader, sizes));
    if (table.links.contains(link.name))
      return PCIO_ERROR(SYM, BADVALUE, "group lists the name \"" + link.name + "\" twice");
    table.links.insert(table.links.end(), std::move(link));
    return Status();
  };
  PCIO_TRY(walk_btree2(file, sizes, info.name_index_address, kBtree2LinkName, add));
  return table;
}

Result<std::vector<HeaderMessage>> read_dense_attributes(FileBytes& file, const FileSizes& sizes,
                                                         const AttributeInfoMessage& info) {
  PCIO_ASSIGN(FractalHeapReader heap, FractalHeapReader::open(file, sizes, info.heap_address));
  std::vector<HeaderMessage> messages;
  auto add = [&](ConstBytes bytes) -> Status {
    ByteReader reader(bytes);
    AttributeRecord record = decode_attribute_record(reader, kBtree2AttributeName);
    PCIO_TRY(reader.check("attribute record"));
    HeaderMessage message;
    message.type = kMessageAttribute;
    message.flags = record.message_flags;
    message.creation_order = static_cast<std::uint16_t>(record.creation_order);
    if ((record.message_flags & kMessageShared) != 0)
      return PCIO_ERROR(ATTR, UNSUPPORTED,
                        "an attribute is in the file's shared message table, which is not "
                        "supported yet");
    PCIO_ASSIGN(message.body, heap.object(record.heap_id));
    messages.push_back(std::move(message));
    return Status();
  };
  PCIO_TRY(walk_btree2(file, sizes, info.name_index_address, kBtree2AttributeName, add));
  return messages;
}

}  // namespace pcio
