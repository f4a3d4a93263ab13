// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: reading of version 2 B-trees.

#include "storage/dense/tree_walk.hpp"

#include <set>

#include "base/checked.hpp"

namespace pcio {

namespace {

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
    if (!fits_inside(total_, header_.node_size, file_.all_bytes()))
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

Result<Btree2Header> read_btree2_header(FileBytes& file, const FileSizes& sizes,
                                        FileAddress address) {
  PCIO_ASSIGN(auto bytes,
              file.block(address, btree2_header_size(sizes), "version 2 B-tree header"));
  PCIO_ASSIGN(Btree2Header header, decode_btree2_header(bytes, sizes));
  if (!Btree2Geometry(header, sizes).valid())
    return PCIO_ERROR(BTREE, BADVALUE, "version 2 B-tree has nodes too small for its records");
  return header;
}

Result<std::uint64_t> btree2_bytes(FileBytes& file, const FileSizes& sizes, FileAddress address) {
  PCIO_ASSIGN(Btree2Header header, read_btree2_header(file, sizes, address));
  const std::function<Status(ConstBytes)> nothing = [](ConstBytes) { return Status(); };
  Btree2Walker walker(file, sizes, header, nothing);
  PCIO_TRY(walker.node(header.root, header.depth));
  return btree2_header_size(sizes) + walker.bytes();
}

Status walk_btree2(FileBytes& file, const FileSizes& sizes, FileAddress address, unsigned type,
                   const std::function<Status(ConstBytes)>& visit) {
  PCIO_ASSIGN(Btree2Header header, read_btree2_header(file, sizes, address));
  if (header.type != type)
    return PCIO_ERROR(BTREE, BADTYPE, "version 2 B-tree holds records of another kind");
  return Btree2Walker(file, sizes, header, visit).node(header.root, header.depth);
}

}  // namespace pcio
