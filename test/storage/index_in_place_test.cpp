// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: chunk indexes brought up to date in place: what is in the file after each of many
// changes, and what a flush writes in a loop that appends.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "format/btree2.hpp"
#include "format/extensible_array.hpp"
#include "storage/index/btree1/chunk_btree_plan.hpp"
#include "storage/index/model/chunk_elements.hpp"
#include "storage/index/chunk_index_store.hpp"
#include "support/file_session.hpp"
#include "support/pick.hpp"
#include "support/trace_driver.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr FileAddress kStart = 96;

/// An index of a file that holds nothing else, changed and written in turns.
class Life {
 public:
  explicit Life(ChunkIndexKind kind) {
    const bool extensible = kind == ChunkIndexKind::kExtensibleArray;
    const bool tree = kind == ChunkIndexKind::kBtree1 || kind == ChunkIndexKind::kBtree2;
    const unsigned ndims = test::pick(1U, 4U);
    Dims chunk(ndims), max(ndims);
    most_ = Dims(ndims);
    std::uint64_t left = *rc::gen::element<std::uint64_t>(30, 500, 3000);
    for (unsigned d = 0; d < ndims; ++d) {
      chunk[d] = test::pick<std::uint64_t>(1, 4);
      const std::uint64_t chunks = d + 1 == ndims ? left : test::pick<std::uint64_t>(1, 1 + left);
      left = std::max<std::uint64_t>(1, left / chunks);
      max[d] = most_[d] = chunks * chunk[d];
    }
    if (extensible) max[test::pick(0U, ndims)] = kUnlimited;
    if (tree) max = Dims(ndims, kUnlimited);
    shape_.layout.btree2.node_size = *rc::gen::element(64U, 300U, 2048U);
    shape_.internal_k = *rc::gen::element(1U, 2U, 8U);
    shape_.sizes = {*rc::gen::element(4U, 8U), *rc::gen::element(4U, 8U)};
    shape_.max_dims = max;
    shape_.layout.cls = LayoutClass::kChunked;
    shape_.layout.chunk_dims = chunk;
    shape_.layout.element_size = 4;
    shape_.layout.index = kind;
    shape_.layout.fixed_array.page_bits = test::pick(1U, 8U);
    if (test::pick(0, 3) > 0)
      shape_.layout.extensible_array = {test::pick(16U, 33U), test::pick(0U, 6U),
                                        1U << test::pick(1, 4), 1U << test::pick(0, 5),
                                        test::pick(1U, 10U)};
    shape_.form = *rc::gen::element(ChunkForm::kPlain, ChunkForm::kFiltered);
    ChunkGrid grid = *ChunkGrid::make(random_dims(), chunk);
    index_.emplace(grid, grid.chunk_elements() * 4);
  }

  void change() {
    switch (test::pick(0, 4)) {
      case 0:
        for (const ByteRange& range : index_->resize(*ChunkGrid::make(random_dims(), chunk())))
          space_.release(range);
        break;
      default:
        for (int n = *rc::gen::element(1, 3, 40); n > 0; --n) change_chunks();
    }
  }

  /// As a commit does it, in place wherever that is possible.
  void write() {
    if (!placed_ || !index_->changes() || index_->allocated_count() == 0) return write_anew();
    IndexUpdater::Cost cost = must(placed_->mark(*index_, index_->changes()->numbers()));
    if (cost.changed > file_.disk->size()) return write_anew();  // a leaf is empty
    if (cost.added > 0) {
      const FileAddress address = must(space_.allocate(cost.added, SpaceUse::kMetadata));
      placed_->place(address);
      structure_.push_back({address, cost.added});
    }
    root_ = placed_->root();
    put(placed_->blocks(*index_), cost.changed + cost.added);
    settle();
    ++in_place;
    if (cost.added > 0) ++added;
  }

  /// Both what is in memory and what a reader finds must go on well.
  void check() {
    if (root_ == kUndefinedAddress) return;
    ChunkIndex read(index_->grid(), index_->chunk_bytes());
    auto loader = must(open_chunk_index(file_.bytes, shape_, root_, &read));
    std::vector<ByteRange> blocks;
    must(loader->load_all(file_.bytes, &read, &blocks));
    RC_ASSERT(read.runs() == index_->runs());
    RC_ASSERT(read.filtered_chunks().count() == index_->filtered_chunks().count());
    for (const auto& [ordinal, chunk] : index_->filtered_chunks())
      RC_ASSERT(read.filtered(ordinal) == std::optional(chunk));
    std::vector<ByteRange> mine = structure_;
    join_ranges(&mine);
    RC_ASSERT(blocks == mine);
    if (shape_.layout.index == ChunkIndexKind::kExtensibleArray) check_header();
    if (shape_.layout.index == ChunkIndexKind::kBtree1) check_tree();
    if (shape_.layout.index == ChunkIndexKind::kBtree2) {
      const auto header = must(decode_btree2_header(
          must(file_.bytes.block(root_, btree2_header_size(shape_.sizes), "header")),
          shape_.sizes));
      RC_ASSERT(header.root.total == index_->allocated_count());
      check_totals(header, header.root, header.depth);
    }
    if (test::pick(0, 3) != 0) return;
    // From here on with what the file says.
    placed_ = loader->place(&read);
    RC_ASSERT(placed_ != nullptr);
    *index_ = std::move(read);
    ++reopened;
  }

  int in_place = 0, added = 0, reopened = 0;

 private:
  [[nodiscard]] const Dims& chunk() const { return shape_.layout.chunk_dims; }
  Dims random_dims() {
    Dims dims(most_.size());
    for (unsigned d = 0; d < dims.size(); ++d)
      dims[d] = test::pick<std::uint64_t>(most_[d] / 2, most_[d] + 1);
    return dims;
  }

  void change_chunks() {
    const std::uint64_t count = index_->grid().count();
    if (count == 0) return;
    const std::uint64_t first = test::pick<std::uint64_t>(0, count);
    const std::uint64_t n =
        test::pick<std::uint64_t>(1, std::min<std::uint64_t>(20, count - first) + 1);
    if (shape_.form == ChunkForm::kPlain) {
      const OrdinalInterval chunks{first, n};
      RC_ASSERT(index_->allocate_listed({&chunks, 1}, space_, SpaceUse::kRawData).has_value());
      return;
    }
    for (ChunkOrdinal i = first; i < first + n; ++i) {
      if (test::pick(0, 5) == 0) {
        index_->remove_filtered(i);
        continue;
      }
      const std::uint64_t size = test::pick<std::uint64_t>(1, 50);
      const FileAddress at = must(space_.allocate(size, SpaceUse::kRawData));
      index_->put_filtered(i, {at, size, test::pick(0U, 2U)});
    }
  }

  /// What libhdf5 believes: nothing behind the highest index, and these sizes.
  void check_header() {
    const ChunkElementFormat format = shape_.elements(index_->chunk_bytes());
    const std::size_t size = extensible_array_header_size(shape_.sizes);
    const auto header = must(decode_extensible_array_header(
        must(file_.bytes.block(root_, size, "header")), format, shape_.sizes));
    const ExtensibleArrayGeometry geometry(header, shape_.sizes);
    std::uint64_t bytes =
        size + geometry.index_block_size() + header.secondary_block_bytes + header.data_block_bytes;
    for (const ByteRange& range : structure_) bytes -= range.size;
    RC_ASSERT(bytes == 0U);
    std::uint64_t highest = 0;
    for_each_numbered(*index_, must(number_chunks(shape_, index_->grid())),
                      [&](std::uint64_t, std::uint64_t end) { highest = std::max(highest, end); });
    RC_ASSERT(header.max_index_set >= highest);
  }

  /// What libhdf5 believes: neighbours name each other, keys ascend and bound what is below.
  void check_tree() {
    const ChunkBtreeShape shape = btree_shape(shape_);
    const std::uint64_t size =
        chunk_btree_node_size(shape.internal_k, shape.chunk.size(), shape.sizes);
    using Key = std::vector<std::uint64_t>;
    struct Child {
      FileAddress address;
      Key from, to;
    };
    const Key least(shape.chunk.size() + 1), most(shape.chunk.size() + 1, ~std::uint64_t{0});
    std::vector<Child> level{{root_, least, most}};
    while (!level.empty()) {
      std::vector<Child> below;
      for (std::size_t n = 0; n < level.size(); ++n) {
        const ChunkBtreeNode node =
            must(decode_chunk_btree_node(must(file_.bytes.block(level[n].address, size, "node")),
                                         shape.sizes, shape.internal_k, shape.chunk.size()));
        RC_ASSERT(node.left == (n > 0 ? level[n - 1].address : kUndefinedAddress));
        RC_ASSERT(node.right == (n + 1 < level.size() ? level[n + 1].address : kUndefinedAddress));
        auto key = [&](std::size_t i) {
          auto offset = node.offset(i);
          return Key(offset.begin(), offset.end());
        };
        RC_ASSERT(key(0) >= level[n].from && key(node.children.size()) <= level[n].to);
        for (std::size_t i = 0; i < node.children.size(); ++i) {
          RC_ASSERT(key(i) < key(i + 1));
          if (node.level > 0) below.push_back({node.children[i], key(i), key(i + 1)});
        }
      }
      level = std::move(below);
    }
  }

  /// Counts fit, and no node is so empty that a deletion could not cope.
  void check_totals(const Btree2Header& header, const Btree2Pointer& node, unsigned depth) {
    const Btree2Node stored =
        must(decode_btree2_node(must(file_.bytes.block(node.address, header.node_size, "node")),
                                header, depth, node.count, shape_.sizes));
    const std::uint64_t most = Btree2Geometry(header, shape_.sizes).max_records(depth);
    RC_ASSERT(node.count > 0U);
    if (depth < header.depth && most >= 10)
      RC_ASSERT(node.count * 100 >= most * (header.merge_percent - 10U));
    std::uint64_t total = node.count;
    for (const Btree2Pointer& child : stored.children) {
      total += child.total;
      check_totals(header, child, depth - 1);
    }
    RC_ASSERT(total == node.total);
  }

  void write_anew() {
    for (const ByteRange& range : structure_) space_.release(range);
    structure_.clear();
    placed_.reset();
    index_->unfollow();
    root_ = kUndefinedAddress;
    const IndexPlanPtr plan = must(plan_chunk_index(*index_, shape_));
    if (plan->bytes() == 0) return;
    const FileAddress address = must(space_.allocate(plan->bytes(), SpaceUse::kMetadata));
    root_ = plan->root_at(address);
    structure_ = {{address, plan->bytes()}};
    put(plan->blocks(address), plan->bytes());
    placed_ = plan->updater_at(address);
    RC_ASSERT(placed_ != nullptr);
    index_->follow(must(number_chunks(shape_, index_->grid())),
                   chunk_index_class(shape_.layout.index).numbered_by);
    settle();
  }

  void settle() {
    placed_->mark_committed();
    index_->clear_changes();
    space_.committed();
  }

  /// Blocks lie inside the index and apart; bytes that no block covers must not matter.
  void put(BlockSet blocks, std::uint64_t most) {
    const std::size_t before = file_.disk->size();
    file_.resize(std::max<std::uint64_t>(before, space_.end_of_allocation()));
    std::fill(file_.disk->begin() + static_cast<std::ptrdiff_t>(before), file_.disk->end(),
              std::byte{0xA5});
    std::uint64_t bytes = 0;
    std::map<FileAddress, std::uint64_t> taken;
    for (const DirtyBlock& block : blocks) {
      ByteWriter out;
      must(block.encode(out));
      RC_ASSERT(out.size() == block.range.size);
      bool inside = false;
      for (const ByteRange& range : structure_)
        inside = inside || (block.range.offset >= range.offset && block.range.end() <= range.end());
      RC_ASSERT(inside);
      RC_ASSERT(taken.emplace(block.range.offset, block.range.end()).second);
      must(file_.bytes.write(block.range.offset, out.view()));
      bytes += out.size();
    }
    FileAddress end = 0;
    for (auto [first, last] : taken) {
      RC_ASSERT(first >= end);
      end = last;
    }
    RC_ASSERT(bytes <= most);
  }

  ChunkIndexShape shape_;
  Dims most_;
  std::optional<ChunkIndex> index_;
  std::shared_ptr<IndexUpdater> placed_;
  std::vector<ByteRange> structure_;
  FileAddress root_ = kUndefinedAddress;
  FileSpace space_{kStart};
  LooseFile file_;
};

void live(ChunkIndexKind kind) {
  int in_place = 0, added = 0, reopened = 0;
  EXPECT_TRUE(rc::check([&] {
    Life life(kind);
    for (int turn = 0; turn < 12; ++turn) {
      life.change();
      life.write();
      life.check();
    }
    in_place += life.in_place;
    added += life.added;
    reopened += life.reopened;
  }));
  std::printf("in place %d, with new blocks %d, reopened %d\n", in_place, added, reopened);
  EXPECT_GT(in_place, 200);
  EXPECT_GT(reopened, 20);
  EXPECT_GT(added, kind == ChunkIndexKind::kFixedArray ? -1 : 20);
}

TEST(IndexInPlace, FixedArraysHoldWhatChanged) { live(ChunkIndexKind::kFixedArray); }
TEST(IndexInPlace, ExtensibleArraysHoldWhatChanged) { live(ChunkIndexKind::kExtensibleArray); }

TEST(IndexInPlace, Version2TreesHoldWhatChanged) { live(ChunkIndexKind::kBtree2); }
TEST(IndexInPlace, Version1TreesHoldWhatChanged) { live(ChunkIndexKind::kBtree1); }

/// A dataset with chunks of one element that grows at its end.
struct Grown {
  FilePtr file;
  Location data;

  Grown(const FilePtr& in, const Dims& max) : file(in) {
    Dims dims = max, chunk = max;
    for (unsigned d = 0; d < max.size(); ++d) {
      chunk[d] = 1;
      if (d == 0 || max[d] == kUnlimited) dims[d] = 1;
    }
    data = must(add_dataset(file, "/d", {.dims = dims, .max = max, .chunk = chunk, .fill = -1}));
    must(flush_session(file));
  }
  void grow_to(std::uint64_t n) const {
    Dims dims = must(file->store().datasets().state(data.object))->extent.dims();
    const std::uint64_t before = dims[0];
    dims[0] = n;
    must(set_extent(data, dims));
    Box box = Box::whole(dims);
    box.start[0] = before;
    box.count[0] = n - before;
    std::vector<std::int32_t> values(static_cast<std::size_t>(*box.count.volume()));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<std::int32_t>(before + i);
    must(move_elements(data, Direction::kWrite, &box, values.data()));
  }
};

/// What a reader of the file finds: the first element was never written.
void check_grown(const DiskImage& image, std::uint64_t n) {
  const Listing seen = must(list_image(image));
  const std::string& line = seen.at("/d");
  std::string want = line.substr(0, line.find(':') + 1) + " -1 ";
  for (std::uint64_t i = 1; i < n; ++i) want += std::to_string(i) + " ";
  EXPECT_TRUE(line == want) << n << " elements";
}

/// A flush that changes an index in place fails in each of its writes, and is repeated.
void check_retries(const Dims& max, LibraryVersion format) {
  OpenWith with;
  with.access.low_bound = format;
  for (unsigned n = 1;; ++n) {
    Disk disk = make_disk();
    auto plan = std::make_shared<FaultPlan>();
    Grown grown(
        must(open_session(fault_settings(disk_settings(disk), plan), OpenMode::kTruncate, with)),
        max);
    grown.grow_to(3000);
    must(flush_session(grown.file));
    const std::uint64_t size = disk->size();
    grown.grow_to(3100);
    *plan = FaultPlan();
    plan->fail_write = n;
    const bool failed = !flush_session(grown.file).ok();
    *plan = FaultPlan();
    if (failed) {
      EXPECT_TRUE(flush_session(grown.file).ok()) << "retry after write " << n;
      check_grown(*disk, 3100);
      grown.grow_to(3110);
    }
    must(close_session(grown.file));
    check_grown(*disk, failed ? 3110 : 3100);
    EXPECT_LE(disk->size(), size + 40000) << "after write " << n;
    if (failed) continue;
    EXPECT_GT(n, 4U);
    return;
  }
}

TEST(IndexInPlace, AFlushThatFailedIsRepeated) {
  check_retries({kUnlimited}, LibraryVersion::kV110);
  check_retries({5000}, LibraryVersion::kV110);
  check_retries({kUnlimited, kUnlimited}, LibraryVersion::kV110);
  check_retries({kUnlimited}, LibraryVersion::kEarliest);
}

/// What flushes write in a loop that appends.
class Appends {
 public:
  explicit Appends(const Dims& max, LibraryVersion format = LibraryVersion::kV110) {
    with_.access.low_bound = format;
    grown_.emplace(must(open_session(trace_settings(disk_, trace_), OpenMode::kTruncate, with_)),
                   max);
  }
  ~Appends() { must(close_session(grown_->file)); }

  void grow_to(std::uint64_t n) { grown_->grow_to(n); }

  struct Written {
    std::uint64_t bytes = 0, calls = 0;
  };
  Written flush() {
    trace_->ops.clear();
    must(flush_session(grown_->file));
    Written sum;
    for (const TraceOp& op : trace_->ops) {
      sum.bytes += op.bytes.size();
      ++sum.calls;
    }
    return sum;
  }
  /// The most that one of `n` appends of one chunk writes.
  Written most_of(std::uint64_t from, std::uint64_t n) {
    grow_to(from);
    flush();
    Written most;
    for (std::uint64_t i = 1; i <= n; ++i) {
      grow_to(from + i);
      const Written one = flush();
      most.bytes = std::max(most.bytes, one.bytes);
      most.calls = std::max(most.calls, one.calls);
    }
    std::printf("appends behind %llu chunks: at most %llu bytes and %llu calls a flush\n",
                static_cast<unsigned long long>(from), static_cast<unsigned long long>(most.bytes),
                static_cast<unsigned long long>(most.calls));
    return most;
  }
  void check(std::uint64_t n) { check_grown(*disk_, n); }
  [[nodiscard]] std::uint64_t file_size() const { return disk_->size(); }

 private:
  std::shared_ptr<Trace> trace_ = std::make_shared<Trace>();
  Disk disk_ = make_disk();
  OpenWith with_;
  std::optional<Grown> grown_;
};

/// A page of 1,024 elements is 8 KiB, four nodes of a tree too; they are written to the journal and
/// in place, and so are a few smaller blocks. Where a page is the first of a data block its
/// secondary block is among them, whose size is that of the square root of the array.
constexpr std::uint64_t kMostBytes = 3 * 8192;
constexpr std::uint64_t kMostCalls = 12;

void check_appends(const Dims& max, std::initializer_list<std::uint64_t> sizes,
                   LibraryVersion format = LibraryVersion::kV110) {
  Appends appends(max, format);
  std::uint64_t last = 0;
  for (std::uint64_t size : sizes) {
    const Appends::Written most = appends.most_of(size, 60);
    EXPECT_LE(most.bytes, kMostBytes);
    EXPECT_LE(most.calls, kMostCalls);
    last = size + 60;
  }
  appends.check(last);
}

TEST(IndexInPlace, AFlushDoesNotGrowWithAnExtensibleArray) {
  check_appends({kUnlimited}, {100, 1000, 10000, 40000, 140000, 300000});
}
TEST(IndexInPlace, AFlushDoesNotGrowWithAFixedArray) {
  check_appends({200000}, {100, 2000, 20000, 199000});
}

TEST(IndexInPlace, AFlushDoesNotGrowWithATree) {
  check_appends({kUnlimited}, {1000, 10000, 140000}, LibraryVersion::kEarliest);
  check_appends({kUnlimited, kUnlimited}, {1000, 10000, 140000});
}

TEST(IndexInPlace, AFileOfManyFlushesHoldsOneIndex) {
  Appends appends({kUnlimited});
  for (std::uint64_t n = 2; n <= 3000; ++n) {
    appends.grow_to(n);
    appends.flush();
  }
  appends.check(3000);
  // 4 bytes of data and 8 of index a chunk, room that the array takes in advance, a journal.
  EXPECT_LE(appends.file_size(), 3000U * 12 * 2 + 8192);
}

}  // namespace
}  // namespace pcio
