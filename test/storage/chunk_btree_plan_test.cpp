// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: chunk B-trees planned, encoded and read again.

#include "storage/index/btree1/chunk_btree_plan.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck.h>

#include "support/disk_driver.hpp"
#include "support/pick.hpp"

namespace pcio {
namespace {

using namespace test;

struct Tree : LooseFile {
  FileAddress root = kUndefinedAddress;
};

Status read_chunk_btree(FileBytes& file, const ChunkBtreeShape& shape, FileAddress root,
                        ChunkForm form, ChunkIndex* index, std::vector<ByteRange>* owned) {
  ChunkLoader loader(open_chunk_btree(shape, root, form),
                     *ChunkNumbering::row_major(index->grid().grid()), form, NumberedBy::kToday);
  return loader.load_all(file, index, owned);
}

/// Writes the tree of `index` behind `end`, block by block, and checks each block's size and place.
void write_tree(Tree& tree, const ChunkIndex& index, const ChunkBtreeShape& shape,
                FileAddress end) {
  auto plan = std::make_shared<ChunkBtreePlan>(index, shape);
  std::uint64_t total = plan->bytes();
  tree.resize(end + total);
  if (total == 0) return;
  tree.root = plan->root_at(end);
  FileAddress next = end;
  for (DirtyBlock& block : plan->blocks(end)) {
    RC_ASSERT(block.range.offset == next);
    ByteWriter out;
    RC_ASSERT(block.encode(out).ok());
    RC_ASSERT(out.size() == block.range.size);
    RC_ASSERT(tree.bytes.write(next, out.view()).ok());
    next = block.range.end();
  }
  RC_ASSERT(next == end + total);
}

Dims random_dims(unsigned ndims, std::uint64_t most) {
  Dims dims(ndims);
  for (auto& n : dims) n = test::pick<std::uint64_t>(1, most);
  return dims;
}

TEST(ChunkBtree, ReadsWhatWasWritten) {
  EXPECT_TRUE(rc::check([] {
    auto ndims = test::pick(1U, 6U);
    Dims chunk = random_dims(ndims, 4);
    Dims dims = random_dims(ndims, ndims < 3 ? 90 : 12);
    ChunkBtreeShape shape{{8, 8}, *rc::gen::element(1U, 2U, 32U), chunk, 4};
    ChunkGrid grid = *ChunkGrid::make(dims, chunk);
    std::uint64_t bytes = grid.chunk_elements() * 4;
    auto form = *rc::gen::element(ChunkForm::kPlain, ChunkForm::kFiltered);
    ChunkIndex index(grid, bytes);
    int sparse = test::pick(1, 9);
    FileAddress end = 96;
    for (ChunkOrdinal i = 0; i < grid.count(); ++i) {
      if (test::pick(0, 8) >= sparse) continue;
      std::uint64_t size = form == ChunkForm::kPlain ? bytes : 1 + i % 50;
      RC_ASSERT((form == ChunkForm::kPlain
                     ? index.add(i, end)
                     : index.add_filtered(i, {end, size, static_cast<std::uint32_t>(i % 8)}))
                    .ok());
      end += size + i % 3;
    }
    Tree tree;
    write_tree(tree, index, shape, end);
    if (index.allocated_count() == 0) return;
    ChunkIndex read(grid, bytes);
    std::vector<ByteRange> owned;
    RC_ASSERT(read_chunk_btree(tree.bytes, shape, tree.root, form, &read, &owned).ok());
    RC_ASSERT(read.runs() == index.runs());
    RC_ASSERT(read.filtered_chunks().count() == index.filtered_chunks().count());
    for (const auto& [ordinal, want] : index.filtered_chunks()) {
      RC_ASSERT(read.filtered(ordinal) == std::optional(want));
    }
    std::uint64_t total = 0;
    for (const ByteRange& range : owned) total += range.size;
    RC_ASSERT(total == tree.disk->size() - end);
  }));
}

/// Keys of a node ascend and bound what is below; siblings are chained; the last key is beyond.
TEST(ChunkBtree, KeysBoundTheChunksBelow) {
  ChunkBtreeShape shape{{8, 8}, 1, {2, 3}, 8};
  ChunkGrid grid = *ChunkGrid::make({40, 40}, shape.chunk);
  ChunkIndex index(grid, 48);
  for (ChunkOrdinal i = 0; i < grid.count(); i += 3) ASSERT_TRUE(index.add(i, 96 + 48 * i).ok());
  Tree tree;
  write_tree(tree, index, shape, 96 + 48 * grid.count());
  std::map<unsigned, FileAddress> last_of_level;
  std::vector<std::uint64_t> before;
  std::function<void(FileAddress, std::vector<std::uint64_t>)> walk =
      [&](FileAddress address, const std::vector<std::uint64_t>& high) {
        auto bytes = *tree.bytes.block(address, chunk_btree_node_size(1, 2, shape.sizes), "node");
        ChunkBtreeNode node = *decode_chunk_btree_node(bytes, shape.sizes, 1, 2);
        auto [last, first_of_level] = last_of_level.try_emplace(node.level, kUndefinedAddress);
        ASSERT_EQ(node.left, last->second);
        last->second = address;
        for (std::size_t i = 0; i < node.children.size(); ++i) {
          std::vector<std::uint64_t> from(node.offset(i).begin(), node.offset(i).end());
          std::vector<std::uint64_t> to(node.offset(i + 1).begin(), node.offset(i + 1).end());
          ASSERT_LT(from, to);
          ASSERT_TRUE(high.empty() || to <= high);
          if (node.level > 0) {
            walk(node.children[i], to);
          } else {
            ASSERT_LT(before, to);
            before = from;
          }
        }
      };
  walk(tree.root, {});
}

TEST(ChunkBtree, DamagedBytesAreErrors) {
  ChunkBtreeShape shape{{8, 8}, 2, {2, 3}, 8};
  ChunkGrid grid = *ChunkGrid::make({20, 20}, shape.chunk);
  ChunkIndex index(grid, 48);
  for (ChunkOrdinal i = 0; i < grid.count(); ++i) ASSERT_TRUE(index.add(i, 96 + 48 * i).ok());
  EXPECT_TRUE(rc::check([&] {
    Tree tree;
    FileAddress end = 96 + 48 * grid.count();
    write_tree(tree, index, shape, end);
    int hits = test::pick(1, 5);
    for (int i = 0; i < hits; ++i)
      (*tree.disk)[test::pick<std::size_t>(end, tree.disk->size())] =
          *rc::gen::element(std::byte{0}, std::byte{1}, std::byte{0x7F}, std::byte{0xFF});
    ChunkIndex read(grid, 48);
    std::vector<ByteRange> owned;
    Status status =
        read_chunk_btree(tree.bytes, shape, tree.root, ChunkForm::kPlain, &read, &owned);
    RC_ASSERT(read.allocated_count() <= grid.count());
    for (const IndexRun& run : read.runs())
      RC_ASSERT(run.address + run.count * 48 <= tree.disk->size());
    static_cast<void>(status);
  }));
}

TEST(ChunkBtree, RefusesACycle) {
  ChunkBtreeShape shape{{8, 8}, 1, {1}, 4};
  ChunkBtreeNode node;
  node.ndims = 1;
  node.level = 1;
  std::uint64_t zero[] = {0, 0};
  std::uint64_t one[] = {1, 0};
  node.add_key(4, 0, zero);
  node.add_key(0, 0, one);
  node.children = {0};
  ByteWriter out;
  ASSERT_TRUE(encode_chunk_btree_node(node, shape.sizes, 1, out).ok());
  Tree tree;
  tree.disk->assign(out.view().begin(), out.view().end());
  tree.space = FileSpace(tree.disk->size());
  ChunkIndex read(*ChunkGrid::make({8}, {1}), 4);
  std::vector<ByteRange> owned;
  EXPECT_FALSE(read_chunk_btree(tree.bytes, shape, 0, ChunkForm::kPlain, &read, &owned).ok());
}

}  // namespace
}  // namespace pcio
