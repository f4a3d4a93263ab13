// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: every chunk index with structure planned, encoded and read again, whole and by
// parts.

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <set>
#include <string>

#include "format/extensible_array.hpp"
#include "storage/index/chunk_index_store.hpp"
#include "storage/index/model/chunk_sequence.hpp"
#include "support/disk_driver.hpp"
#include "support/pick.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr FileAddress kStart = 96;

/// A dataset's chunks, and the file that its index was written to.
struct Written {
  ChunkIndexShape shape;
  std::optional<ChunkIndex> index;
  LooseFile file;
  FileAddress root = kUndefinedAddress;
  ByteRange structure;

  void write(FileAddress end) {
    auto plan = plan_chunk_index(*index, shape);
    RC_ASSERT(plan.has_value());
    structure = {end, (*plan)->bytes()};
    // Bytes that no block covers must not matter.
    file.resize(end + (*plan)->bytes());
    std::fill(file.disk->begin(), file.disk->end(), std::byte{0xA5});
    if ((*plan)->bytes() == 0) return;
    root = (*plan)->root_at(end);
    std::map<FileAddress, std::uint64_t> taken;
    for (DirtyBlock& block : (*plan)->blocks(end)) {
      ByteWriter out;
      const Status encoded = block.encode(out);
      if (!encoded.ok()) RC_FAIL(encoded.message());
      RC_ASSERT(out.size() == block.range.size);
      RC_ASSERT(block.range.offset >= end && block.range.end() <= end + (*plan)->bytes());
      RC_ASSERT(taken.emplace(block.range.offset, block.range.end()).second);
      RC_ASSERT(file.bytes.write(block.range.offset, out.view()).ok());
    }
    FileAddress before = 0;
    for (auto [first, last] : taken) {
      RC_ASSERT(first >= before);
      before = last;
    }
  }
};

void choose_parameters(LayoutMessage& layout) {
  if (test::pick(0, 3) == 0) return;
  layout.fixed_array.page_bits = test::pick(1U, 11U);
  layout.extensible_array = {test::pick(24U, 33U), test::pick(0U, 6U), 1U << test::pick(1, 4),
                             1U << test::pick(0, 5), test::pick(1U, 10U)};
  layout.btree2.node_size = *rc::gen::element(64U, 128U, 300U, 2048U);
}

/// Chunks here and there, in runs and alone.
FileAddress fill_index(ChunkIndex& index, ChunkForm form) {
  FileAddress end = kStart;
  const int density = test::pick(0, 4);
  bool there = true;
  for (ChunkOrdinal i = 0; i < index.grid().count(); ++i) {
    if (density < 3 && test::pick(0, 8) == 0) there = !there;
    if (density > 0 && !there) continue;
    const std::uint64_t size = form == ChunkForm::kPlain ? index.chunk_bytes() : 1 + i % 50;
    Status added =
        form == ChunkForm::kPlain
            ? index.add(i, end)
            : index.add_filtered(i, {end, size, static_cast<std::uint32_t>(i % 70 / 64)});
    RC_ASSERT(added.ok());
    end += size + (density == 2 ? i % 3 : 0);
  }
  return end;
}

void make(Written& written, ChunkIndexKind kind, std::uint64_t most_chunks) {
  const unsigned least = kind == ChunkIndexKind::kBtree2 ? 2 : 1;
  auto ndims = test::pick(least, 4U);
  Dims chunk(ndims), dims(ndims), max(ndims);
  std::uint64_t left = most_chunks;
  for (unsigned d = 0; d < ndims; ++d) {
    chunk[d] = test::pick<std::uint64_t>(1, 4);
    const std::uint64_t chunks = d + 1 == ndims ? left : test::pick<std::uint64_t>(1, 1 + left);
    left = std::max<std::uint64_t>(1, left / chunks);
    dims[d] = test::pick<std::uint64_t>(1, chunks * chunk[d] + 1);
    max[d] = dims[d] + test::pick<std::uint64_t>(0, ndims == 1 ? 2000 : 9);
  }
  const unsigned unlimited = kind == ChunkIndexKind::kBtree2            ? 2
                             : kind == ChunkIndexKind::kExtensibleArray ? 1
                                                                        : 0;
  for (unsigned n = 0, d = test::pick(0U, ndims); n < unlimited; ++n, d = (d + 1) % ndims)
    max[d] = kUnlimited;
  ChunkIndexShape& shape = written.shape;
  shape.sizes = {*rc::gen::element(4U, 8U), *rc::gen::element(4U, 8U)};
  shape.internal_k = *rc::gen::element(1U, 2U, 32U);
  shape.max_dims = max;
  shape.layout.cls = LayoutClass::kChunked;
  shape.layout.chunk_dims = chunk;
  shape.layout.element_size = 4;
  shape.layout.index = kind;
  choose_parameters(shape.layout);
  shape.form = *rc::gen::element(ChunkForm::kPlain, ChunkForm::kFiltered);
  ChunkGrid grid = *ChunkGrid::make(dims, chunk);
  written.index.emplace(grid, grid.chunk_elements() * 4);
  written.write(fill_index(*written.index, shape.form));
}

void check_equal(const ChunkIndex& have, const ChunkIndex& want) {
  RC_ASSERT(have.runs() == want.runs());
  RC_ASSERT(have.filtered_chunks().count() == want.filtered_chunks().count());
  for (const auto& [ordinal, chunk] : want.filtered_chunks()) {
    RC_ASSERT(have.filtered(ordinal) == std::optional(chunk));
  }
}

std::uint64_t total(const std::vector<ByteRange>& ranges) {
  std::uint64_t bytes = 0;
  for (const ByteRange& range : ranges) bytes += range.size;
  return bytes;
}

Box random_box(const Dims& grid) {
  Box box{Dims(grid.size()), Dims(grid.size())};
  for (unsigned d = 0; d < grid.size(); ++d) {
    box.start[d] = test::pick<std::uint64_t>(0, grid[d]);
    box.count[d] =
        test::pick<std::uint64_t>(0, std::min<std::uint64_t>(4, grid[d] - box.start[d]) + 1);
  }
  return box;
}

/// Looks chunks up box by box, then the rest; what was asked for must be right at once.
void check_parts(Written& written) {
  ChunkIndex read(written.index->grid(), written.index->chunk_bytes());
  auto loader = open_chunk_index(written.file.bytes, written.shape, written.root, &read);
  RC_ASSERT(loader.has_value());
  const int boxes = test::pick(0, 6);
  for (int i = 0; i < boxes; ++i) {
    const Box box = random_box(read.grid().grid());
    RC_ASSERT((*loader)->load(written.file.bytes, box, &read).ok());
    for_each_position(box.count, [&](const Dims& at) {
      Dims coords = at;
      for (unsigned d = 0; d < coords.size(); ++d) coords[d] += box.start[d];
      const ChunkOrdinal ordinal = read.grid().ordinal(coords);
      RC_ASSERT(read.address_of(ordinal) == written.index->address_of(ordinal));
      RC_ASSERT(read.filtered(ordinal) == written.index->filtered(ordinal));
    });
  }
  std::vector<ByteRange> blocks;
  RC_ASSERT((*loader)->load_all(written.file.bytes, &read, &blocks).ok());
  check_equal(read, *written.index);
  RC_ASSERT(blocks == std::vector<ByteRange>{written.structure});
}

void check_kind(ChunkIndexKind kind) {
  EXPECT_TRUE(rc::check([kind] {
    Written written;
    make(written, kind, *rc::gen::element<std::uint64_t>(3, 40, 600, 3000));
    if (written.root != kUndefinedAddress) check_parts(written);
  }));
}

TEST(ChunkIndexes, Version1TreesReadWhatWasWritten) { check_kind(ChunkIndexKind::kBtree1); }
TEST(ChunkIndexes, FixedArraysReadWhatWasWritten) { check_kind(ChunkIndexKind::kFixedArray); }
TEST(ChunkIndexes, ExtensibleArraysReadWhatWasWritten) {
  check_kind(ChunkIndexKind::kExtensibleArray);
}
TEST(ChunkIndexes, Version2TreesReadWhatWasWritten) { check_kind(ChunkIndexKind::kBtree2); }

/// One chunk of very many: what is read is a few blocks.
void check_lookup_cost(ChunkIndexKind kind, const Dims& max, std::uint64_t most_bytes) {
  Written written;
  ChunkIndexShape& shape = written.shape;
  shape.max_dims = max;
  shape.layout.cls = LayoutClass::kChunked;
  shape.layout.chunk_dims = {1, 1};
  shape.layout.element_size = 1;
  shape.layout.index = kind;
  ChunkGrid grid = *ChunkGrid::make({1, 1000000}, {1, 1});
  written.index.emplace(grid, 1);
  written.index->add_run({0, 1000000, kStart});
  written.write(kStart + 1000000);
  ChunkIndex read(grid, 1);
  const std::uint64_t before = written.file.driver.counters().bytes_read;
  auto loader = open_chunk_index(written.file.bytes, shape, written.root, &read);
  ASSERT_TRUE(loader.has_value());
  ASSERT_TRUE((*loader)->load(written.file.bytes, {{0, 777777}, {1, 3}}, &read).ok());
  EXPECT_EQ(read.address_of(777778), kStart + 777778);
  const std::uint64_t took = written.file.driver.counters().bytes_read - before;
  EXPECT_LE(took, most_bytes);
  // What is known is not read again.
  ASSERT_TRUE((*loader)->load(written.file.bytes, {{0, 777777}, {1, 3}}, &read).ok());
  EXPECT_EQ(written.file.driver.counters().bytes_read - before, took);
}

TEST(ChunkIndexes, OneChunkCostsAFewBlocks) {
  check_lookup_cost(ChunkIndexKind::kBtree1, {1, 1000000}, 20000);
  check_lookup_cost(ChunkIndexKind::kFixedArray, {1, 1000000}, 20000);
  check_lookup_cost(ChunkIndexKind::kExtensibleArray, {1, kUnlimited}, 20000);
  check_lookup_cost(ChunkIndexKind::kBtree2, {kUnlimited, kUnlimited}, 20000);
}

/// Nothing may crash, hang or list what can't be.
void check_damage(ChunkIndexKind kind) {
  EXPECT_TRUE(rc::check([kind] {
    Written written;
    make(written, kind, *rc::gen::element<std::uint64_t>(40, 600));
    if (written.root == kUndefinedAddress) return;
    const int hits = test::pick(1, 6);
    for (int i = 0; i < hits; ++i)
      (*written.file
            .disk)[test::pick<std::size_t>(written.structure.offset, written.structure.end())] =
          *rc::gen::element(std::byte{0}, std::byte{1}, std::byte{0x7F}, std::byte{0xFF});
    ChunkIndex read(written.index->grid(), written.index->chunk_bytes());
    auto loader = open_chunk_index(written.file.bytes, written.shape, written.root, &read);
    if (!loader) return;
    std::vector<ByteRange> blocks;
    static_cast<void>((*loader)->load(written.file.bytes, random_box(read.grid().grid()), &read));
    Status status = (*loader)->load_all(written.file.bytes, &read, &blocks);
    RC_ASSERT(read.allocated_count() <= read.grid().count());
    const std::uint64_t end = written.file.disk->size();
    for (const IndexRun& run : read.runs())
      RC_ASSERT(run.address + run.count * read.chunk_bytes() <= end);
    // Version 2 structures have checksums: what can be read is right.
    if (status.ok() && kind != ChunkIndexKind::kBtree1) check_equal(read, *written.index);
    if (status.ok()) RC_ASSERT(total(blocks) <= end);
  }));
}

TEST(ChunkIndexes, DamagedTreesAreErrors) { check_damage(ChunkIndexKind::kBtree1); }
TEST(ChunkIndexes, DamagedFixedArraysAreErrors) { check_damage(ChunkIndexKind::kFixedArray); }
TEST(ChunkIndexes, DamagedExtensibleArraysAreErrors) {
  check_damage(ChunkIndexKind::kExtensibleArray);
}
TEST(ChunkIndexes, DamagedVersion2TreesAreErrors) { check_damage(ChunkIndexKind::kBtree2); }

/// An extensible array of 900 chunks whose blocks are small, so that it has all kinds of them.
struct SmallBlocks {
  Written written;
  ExtensibleArrayContext context;

  explicit SmallBlocks(unsigned page_bits) {
    ChunkIndexShape& shape = written.shape;
    shape.max_dims = {kUnlimited};
    shape.layout.cls = LayoutClass::kChunked;
    shape.layout.chunk_dims = {1};
    shape.layout.element_size = 4;
    shape.layout.index = ChunkIndexKind::kExtensibleArray;
    shape.layout.extensible_array = {32, 4, 4, 4, page_bits};
    written.index.emplace(*ChunkGrid::make({900}, {1}), 4);
    written.index->add_run({0, 900, kStart});
    written.write(kStart + 3600);
    context.sizes = shape.sizes;
    context.header_address = written.root;
    context.format = shape.elements(4);
    const std::size_t size = extensible_array_header_size(shape.sizes);
    context.header =
        *decode_extensible_array_header(bytes(written.root, size), context.format, shape.sizes);
  }
  ConstBytes bytes(FileAddress at, std::uint64_t size) const {
    return ConstBytes(*written.file.disk).subspan(at, size);
  }
  void write(FileAddress at, const ByteWriter& out) {
    ASSERT_TRUE(written.file.bytes.write(at, out.view()).ok());
  }
  /// Reads all; true if that was refused.
  bool is_refused() {
    ChunkIndex read(written.index->grid(), 4);
    auto loader = open_chunk_index(written.file.bytes, written.shape, written.root, &read);
    if (!loader) return true;
    std::vector<ByteRange> blocks;
    if (!(*loader)->load_all(written.file.bytes, &read, &blocks).ok()) return true;
    // Else everything must be as it was.
    EXPECT_EQ(read.runs(), written.index->runs());
    return false;
  }
};

/// One block that an array lists at two places, for each pair of neighbours in all its lists.
TEST(ChunkIndexes, AnExtensibleArrayListsNoBlockTwice) {
  unsigned in_index = 0, in_secondary = 0, paged = 0, secondaries = 0;
  for (const unsigned page_bits : {3U, 10U}) {
    SmallBlocks array(page_bits);
    EXPECT_FALSE(array.is_refused());
    const ExtensibleArrayGeometry geometry(array.context.header, array.context.sizes);
    const FileAddress root = array.context.header.index_block_address;
    const auto index = *decode_extensible_array_index_block(
        array.bytes(root, geometry.index_block_size()), array.context);
    auto try_index = [&](const ExtensibleArrayIndexBlock& changed) {
      ByteWriter out, back;
      ASSERT_TRUE(encode_extensible_array_index_block(changed, array.context, out).ok());
      ASSERT_TRUE(encode_extensible_array_index_block(index, array.context, back).ok());
      array.write(root, out);
      EXPECT_TRUE(array.is_refused());
      array.write(root, back);
    };
    for (std::size_t i = 1; i < index.data_blocks.size(); ++i) {
      auto changed = index;
      if (changed.data_blocks[i] == kUndefinedAddress) continue;
      changed.data_blocks[i] = changed.data_blocks[i - 1];
      try_index(changed);
      ++in_index;
    }
    for (std::size_t n = 0; n < index.secondary_blocks.size(); ++n) {
      const FileAddress at = index.secondary_blocks[n];
      if (at == kUndefinedAddress) continue;
      if (n > 0) {
        auto changed = index;
        changed.secondary_blocks[n] = changed.secondary_blocks[n - 1];
        try_index(changed);
        ++secondaries;
      }
      const unsigned s = geometry.direct_secondaries() + static_cast<unsigned>(n);
      const auto block = *decode_extensible_array_secondary_block(
          array.bytes(at, geometry.secondary_block_size(s)), array.context, s);
      for (std::size_t i = 1; i < block.data_blocks.size(); ++i) {
        if (block.data_blocks[i] == kUndefinedAddress) continue;
        auto changed = block;
        changed.data_blocks[i] = changed.data_blocks[i - 1];
        ByteWriter out, back;
        ASSERT_TRUE(encode_extensible_array_secondary_block(changed, array.context, s, out).ok());
        ASSERT_TRUE(encode_extensible_array_secondary_block(block, array.context, s, back).ok());
        array.write(at, out);
        EXPECT_TRUE(array.is_refused()) << "secondary block " << s << ", data block " << i;
        array.write(at, back);
        ++(geometry.page_count(s) > 0 ? paged : in_secondary);
      }
    }
    EXPECT_FALSE(array.is_refused());
  }
  std::printf(
      "blocks listed twice: %u in the index block, %u in secondary blocks, %u with pages, "
      "%u secondary blocks\n",
      in_index, in_secondary, paged, secondaries);
  EXPECT_GT(std::min({in_index, in_secondary, paged, secondaries}), 0U);
}

TEST(ChunkIndexes, AreChosenAsHdf5Chooses) {
  using enum ChunkIndexKind;
  const std::uint64_t any = kUnlimited;
  EXPECT_EQ(choose_chunk_index({{4, 4}, {4, 4}, {4, 4}}), kSingleChunk);
  EXPECT_EQ(choose_chunk_index({{4, 4}, {4, 4}, {4, 4}, true, true}), kSingleChunk);
  EXPECT_EQ(choose_chunk_index({{2, 4}, {4, 4}, {4, 4}}), kFixedArray);
  EXPECT_EQ(choose_chunk_index({{4, 4}, {4, 4}, {2, 4}}), kFixedArray);
  EXPECT_EQ(choose_chunk_index({{4, 4}, {4, 4}, {2, 4}, true, true}), kImplicit);
  EXPECT_EQ(choose_chunk_index({{4, 4}, {4, any}, {4, 4}, true, true}), kExtensibleArray);
  EXPECT_EQ(choose_chunk_index({{4, 4}, {any, any}, {4, 4}, true, true}), kBtree2);
  for (const bool at_once : {false, true})
    for (const Dims& most : {Dims{4, 4}, Dims{4, any}, Dims{any, any}})
      EXPECT_EQ(choose_chunk_index({{4, 4}, most, {2, 4}, false, at_once}), kBtree1);
}

TEST(ChunkIndexes, OfEveryKindThatTheLayoutMessageKnowsAreRegisteredOnce) {
  std::set<ChunkIndexKind> kinds;
  for (const ChunkIndexClass* cls : chunk_index_classes()) {
    EXPECT_TRUE(kinds.insert(cls->kind).second);
    EXPECT_EQ(&chunk_index_class(cls->kind), cls);
    EXPECT_TRUE(cls->suits != nullptr && cls->open != nullptr && cls->plan != nullptr);
  }
  for (unsigned kind = 0; kind < 256; ++kind) {
    const auto one = static_cast<ChunkIndexKind>(kind);
    EXPECT_EQ(std::string(chunk_index_name(one)) != "unknown chunk index", kinds.count(one) == 1)
        << kind;
  }
}

TEST(ChunkWalk, VisitsWhatIsThere) {
  EXPECT_TRUE(rc::check([] {
    ChunkGrid grid = *ChunkGrid::make({test::pick<std::uint64_t>(1, 3000)}, {1});
    ChunkIndex index(grid, 8);
    fill_index(index, *rc::gen::element(ChunkForm::kPlain, ChunkForm::kFiltered));
    std::vector<ChunkOrdinal> want;
    for (ChunkOrdinal i = 0; i < grid.count(); ++i)
      if (index.address_of(i) != kUndefinedAddress || index.filtered(i)) want.push_back(i);
    if (want.empty()) return;
    const ChunkSequence sequence(index);
    RC_ASSERT(sequence.count() == want.size());
    const auto from = test::pick<std::size_t>(0, want.size());
    ChunkWalk walk = sequence.walk_from(from);
    for (std::size_t n = from; n < want.size(); ++n, walk.next()) {
      RC_ASSERT(!walk.at_end() && walk.ordinal() == want[n]);
      const auto filtered = index.filtered(want[n]);
      RC_ASSERT(walk.chunk() == filtered.value_or(FilteredChunk{index.address_of(want[n]), 8, 0}));
    }
    RC_ASSERT(walk.at_end());
  }));
}

}  // namespace
}  // namespace pcio
