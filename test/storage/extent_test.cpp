// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: extents that grow and shrink, against an array of elements.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "storage/index/chunk_index_store.hpp"
#include "support/file_session.hpp"
#include "support/live_ranges.hpp"
#include "support/pick.hpp"

namespace pcio {
namespace {

using namespace test;

/// All elements that the maximum dimensions allow; those outside the extent hold the fill value.
class ExtentModel {
 public:
  ExtentModel(const Dims& dims, const Dims& max, std::int32_t fill)
      : dims_(dims), max_(max), fill_(fill), data_(*max.volume(), fill) {}

  void resize(const Dims& dims) {
    dims_ = dims;
    for_each_position(max_, [&](const Dims& at) {
      for (unsigned d = 0; d < at.size(); ++d)
        if (at[d] >= dims_[d]) return static_cast<void>(data_[number(at)] = fill_);
    });
  }
  void write(const Box& box, std::int32_t first) {
    for_each_position(box.count, [&](const Dims& at) {
      Dims where = at;
      for (unsigned d = 0; d < at.size(); ++d) where[d] += box.start[d];
      data_[number(where)] = first++;
    });
  }
  [[nodiscard]] std::vector<std::int32_t> all() const {
    std::vector<std::int32_t> values;
    for_each_position(dims_, [&](const Dims& at) { values.push_back(data_[number(at)]); });
    return values;
  }
  [[nodiscard]] const Dims& dims() const { return dims_; }

 private:
  [[nodiscard]] std::size_t number(const Dims& at) const {
    std::size_t n = 0;
    for (unsigned d = 0; d < at.size(); ++d) n = n * max_[d] + at[d];
    return n;
  }
  Dims dims_;
  Dims max_;
  std::int32_t fill_;
  std::vector<std::int32_t> data_;
};

Dims random_dims(const Dims& most) {
  Dims dims(most.size());
  for (unsigned d = 0; d < dims.size(); ++d) dims[d] = test::pick<std::uint64_t>(0, most[d] + 1);
  return dims;
}

Box random_box(const Dims& dims) {
  Box box{Dims(dims.size()), Dims(dims.size())};
  for (unsigned d = 0; d < dims.size(); ++d) {
    box.start[d] = test::pick<std::uint64_t>(0, dims[d] + 1);
    box.count[d] = test::pick<std::uint64_t>(0, dims[d] - box.start[d] + 1);
  }
  return box;
}

struct Case {
  LibraryVersion format = LibraryVersion::kEarliest;
  bool fixed = false;      ///< born with its maximum size: indexes without structure
  unsigned unlimited = 0;  ///< dimensions
};

/// Small pages, blocks and nodes, so that small datasets have all of them.
void choose_parameters(LayoutMessage& layout) {
  layout.fixed_array.page_bits = test::pick(1U, 11U);
  layout.extensible_array = {test::pick(10U, 33U), test::pick(0U, 6U), 1U << test::pick(1, 4),
                             1U << test::pick(0, 5), 0};
  layout.extensible_array.page_bits = test::pick(1U, 10U);
  layout.btree2.node_size = *rc::gen::element(64U, 128U, 300U, 2048U);
}

void check_sizes(const Case& kind) {
  auto ndims = test::pick(std::max(1U, kind.unlimited), 4U);
  Dims max(ndims), chunk(ndims);
  for (unsigned d = 0; d < ndims; ++d) {
    max[d] = test::pick<std::uint64_t>(1, ndims == 1 ? 40 : 10);
    chunk[d] = test::pick<std::uint64_t>(1, max[d] + 1);
  }
  std::int32_t fill = *rc::gen::element(0, 9);
  DatasetSpec spec{.dims = kind.fixed ? max : random_dims(max), .max = max, .chunk = chunk};
  for (unsigned n = 0, d = test::pick(0U, ndims); n < kind.unlimited; ++n, d = (d + 1) % ndims)
    spec.max[d] = kUnlimited;
  if (test::pick(0, 2) == 0 || fill != 0) spec.fill = fill;
  spec.alloc =
      kind.fixed ? AllocTime::kEarly : *rc::gen::element(AllocTime::kDefault, AllocTime::kEarly);
  OpenWith with;
  with.access.low_bound = kind.format;
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
  Location data = must(add_dataset(file, "/d", spec));
  LayoutMessage& layout = data.object->dataset->layout;
  if (chunk_index_class(layout.index).has_structure && test::pick(0, 2) == 0)
    choose_parameters(layout);
  ExtentModel model(spec.dims, max, fill);
  std::int32_t next = 100;
  int steps = test::pick(1, 14);
  for (int i = 0; i < steps; ++i) {
    int what = test::pick(0, 8);
    if (what < 3) {
      Box box = random_box(model.dims());
      std::vector<std::int32_t> values(*box.volume());
      for (std::size_t k = 0; k < values.size(); ++k)
        values[k] = next + static_cast<std::int32_t>(k);
      must(move_elements(data, Direction::kWrite, &box, values.data()));
      model.write(box, next);
      next += 1000;
    } else if (what < 6) {
      Dims dims = random_dims(max);
      must(set_extent(data, dims));
      model.resize(dims);
    } else if (what == 6) {
      must(flush_session(file));
    } else {
      data = Location();
      must(close_session(file));
      file.reset();
      // Bounds of a later session must not change what the dataset is.
      with.access.low_bound = *rc::gen::element(LibraryVersion::kEarliest, LibraryVersion::kV110);
      file = must(open_session(disk, OpenMode::kReadWrite, with));
      data = must(find(file, "/d"));
    }
    RC_ASSERT(must(read_all(data)) == model.all());
  }
  must(flush_session(file));
  auto live = LiveRanges(file->store()).collect();
  RC_ASSERT(live.has_value());
  data = Location();
  must(close_session(file));
}

/// A file may ask for nodes of gigabytes: a tree of two chunks is small nevertheless, and is read.
TEST(ChangeExtent, NodesOfATreeAreNotAsLargeAsAFileAsks) {
  OpenWith with;
  with.access.low_bound = LibraryVersion::kV110;
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
  const DatasetSpec spec{.dims = {4, 4}, .max = {kUnlimited, kUnlimited}, .chunk = {2, 4}};
  Location data = must(add_dataset(file, "/d", spec));
  data.object->dataset->layout.btree2.node_size = 1U << 30;
  std::vector<std::int32_t> values(16, 7);
  const Box all{Dims{0, 0}, Dims{4, 4}};
  must(move_elements(data, Direction::kWrite, &all, values.data()));
  must(flush_session(file));
  EXPECT_LT(file->store().space().end_of_allocation(), std::uint64_t{4} << 20);
  data = Location();
  must(close_session(file));
  file = must(open_session(disk, OpenMode::kReadWrite, with));
  data = must(find(file, "/d"));
  EXPECT_EQ(must(read_all(data)), values);
  data = Location();
  must(close_session(file));
}

TEST(ChangeExtent, CutElementsReadAsTheFillValue) {
  EXPECT_TRUE(rc::check([] { check_sizes({}); }));
}
TEST(ChangeExtent, CutElementsReadAsTheFillValueInLateFormats) {
  EXPECT_TRUE(rc::check([] { check_sizes({LibraryVersion::kV110}); }));
}
TEST(ChangeExtent, ChunksOfAnImplicitIndexKeepTheirPlaces) {
  EXPECT_TRUE(rc::check([] { check_sizes({LibraryVersion::kV110, true}); }));
}

TEST(ChangeExtent, KeepsExtensibleArrays) {
  EXPECT_TRUE(rc::check([] { check_sizes({LibraryVersion::kV110, false, 1}); }));
}
TEST(ChangeExtent, KeepsVersion2Trees) {
  EXPECT_TRUE(rc::check([] { check_sizes({LibraryVersion::kV110, false, 2}); }));
}

TEST(ChangeExtent, FailuresChangeNothing) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  DatasetSpec spec{.dims = {6}, .max = {kUnlimited}, .chunk = {4}, .alloc = AllocTime::kEarly};
  Location data = must(add_dataset(file, "/d", spec));
  must(write_all(data, {1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(set_extent(data, {std::uint64_t{1} << 61}).ok());
  EXPECT_FALSE(set_extent(data, {6, 6}).ok());
  EXPECT_EQ(must(read_all(data)), (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}));
  Location fixed = must(add_dataset(file, "/fixed", {.dims = {4}}));
  EXPECT_FALSE(set_extent(fixed, {2}).ok());
  Location most = must(add_dataset(file, "/most", {.dims = {4}, .max = {8}, .chunk = {4}}));
  EXPECT_FALSE(set_extent(most, {9}).ok());
  must(close_session(file));
}

TEST(ChangeExtent, FilteredChunksThatWouldBeCutAreRefusedByName) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  Location data = must(add_dataset(file, "/d", {.dims = {20}, .max = {40}, .chunk = {4}}));
  DatasetState& state = *data.object->dataset;
  FilterSpec deflate;
  deflate.id = 1;
  state.filters = {deflate};
  for (ChunkOrdinal i = 0; i < 5; ++i)
    ASSERT_TRUE(
        state.index->add_filtered(i, {*file->store().space().allocate(8, SpaceUse::kRawData), 8, 0})
            .ok());
  state.mark_index_changed();
  Status refused = set_extent(data, {10});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.message().find("deflate"), std::string::npos);
  EXPECT_EQ(state.extent.dims(), Dims({20}));
  EXPECT_TRUE(set_extent(data, {12}).ok());
  EXPECT_EQ(state.index->filtered_chunks().count(), 3U);
  file->store().abandon();
}

}  // namespace
}  // namespace pcio
