// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: random selections, layouts, types and buffer sizes against arrays of elements.

#include <algorithm>
#include <array>
#include <cstdio>
#include <gtest/gtest.h>
#include <numeric>
#include <rapidcheck.h>

#include "support/file_session.hpp"
#include "support/pick.hpp"
#include "transfer/call/one_run_transfer.hpp"

namespace pcio {
namespace {

using namespace test;

/// A selection, and the row-major numbers of its elements in the order of transfer.
struct Chosen {
  Dataspace space;
  std::vector<std::size_t> order;
};

std::size_t number_of(const Dims& dims, const Dims& at) {
  std::size_t n = 0;
  for (unsigned d = 0; d < dims.size(); ++d) n = n * dims[d] + at[d];
  return n;
}

RegularSlab random_slab(const Dims& dims) {
  RegularSlab slab;
  unsigned n = dims.size();
  slab.start = slab.stride = slab.count = slab.block = Dims(n);
  for (unsigned d = 0; d < n; ++d) {
    slab.start[d] = pick<std::uint64_t>(0, dims[d]);
    slab.block[d] = pick<std::uint64_t>(1, std::min<std::uint64_t>(4, dims[d] - slab.start[d] + 1));
    if (slab.start[d] + slab.block[d] > dims[d]) slab.block[d] = dims[d] - slab.start[d];
    slab.stride[d] = slab.block[d] + pick<std::uint64_t>(0, 3);
    std::uint64_t room = (dims[d] - slab.start[d] - slab.block[d]) / slab.stride[d] + 1;
    slab.count[d] = pick<std::uint64_t>(1, room + 1);
  }
  return slab;
}

bool slab_contains(const RegularSlab& slab, const Dims& at) {
  for (unsigned d = 0; d < at.size(); ++d) {
    if (at[d] < slab.start[d]) return false;
    std::uint64_t from = at[d] - slab.start[d];
    if (from / slab.stride[d] >= slab.count[d] || from % slab.stride[d] >= slab.block[d])
      return false;
  }
  return true;
}

Chosen choose_slabs(const Dims& dims) {
  Chosen chosen{must(Dataspace::simple(dims)), {}};
  std::vector<RegularSlab> slabs;
  int n = pick(1, 4);
  for (int i = 0; i < n; ++i) {
    slabs.push_back(random_slab(dims));
    must(chosen.space.selection().select_hyperslab(dims, i == 0 ? SelectOp::kSet : SelectOp::kOr,
                                                   slabs.back()));
  }
  for_each_position(dims, [&](const Dims& at) {
    if (std::any_of(slabs.begin(), slabs.end(),
                    [&](const RegularSlab& slab) { return slab_contains(slab, at); }))
      chosen.order.push_back(number_of(dims, at));
  });
  return chosen;
}

Chosen choose_points(const Dims& dims) {
  Chosen chosen{must(Dataspace::simple(dims)), {}};
  std::vector<std::uint64_t> coords;
  auto n = pick<std::uint64_t>(1, 20);
  for (std::uint64_t i = 0; i < n; ++i) {
    Dims at(dims.size());
    for (unsigned d = 0; d < dims.size(); ++d) at[d] = pick<std::uint64_t>(0, dims[d]);
    coords.insert(coords.end(), at.begin(), at.end());
    chosen.order.push_back(number_of(dims, at));
  }
  must(chosen.space.selection().select_points(dims, SelectOp::kSet, coords.data(), n));
  return chosen;
}

/// A part of one row, or several whole rows: elements that follow each other, mostly.
Chosen choose_box(const Dims& dims) {
  Chosen chosen{must(Dataspace::simple(dims)), {}};
  Box box{Dims(dims.size()), Dims(dims.size(), 1)};
  const unsigned cut = pick(0, 3) == 0 ? pick(0U, dims.size()) : dims.size() - 1;
  for (unsigned d = 0; d < dims.size(); ++d) {
    if (d <= cut) box.start[d] = pick<std::uint64_t>(0, dims[d]);
    const std::uint64_t room = dims[d] - box.start[d];
    if (d > cut) box.count[d] = room;
    if (d == cut)
      box.count[d] =
          pick<std::uint64_t>(1, (pick(0, 3) == 0 ? room : std::min<std::uint64_t>(room, 3)) + 1);
  }
  must(chosen.space.select_box(box));
  for_each_position(dims, [&](const Dims& at) {
    if (box.contains(at)) chosen.order.push_back(number_of(dims, at));
  });
  return chosen;
}

Chosen choose(const Dims& dims) {
  switch (pick(0, 10)) {
    case 6:
    case 7:
    case 8:
    case 9: return choose_box(dims);
    case 0: {
      Chosen all{must(Dataspace::simple(dims)), std::vector<std::size_t>(*dims.volume())};
      std::iota(all.order.begin(), all.order.end(), std::size_t{0});
      return all;
    }
    case 1: return choose_points(dims);
    default: return choose_slabs(dims);
  }
}

/// Memory for `n` elements: in a row, or spread out.
Chosen choose_memory(std::size_t n) {
  const std::uint64_t step = pick(0, 3) == 0 ? pick<std::uint64_t>(1, 4) : 1;
  auto before = pick<std::uint64_t>(0, 3);
  Dims dims{before + n * step};
  Chosen chosen{must(Dataspace::simple(dims)), {}};
  RegularSlab slab{{before}, {step}, {n}, {1}};
  must(chosen.space.selection().select_hyperslab(dims, SelectOp::kSet, slab));
  for (std::size_t i = 0; i < n; ++i) chosen.order.push_back(before + i * step);
  return chosen;
}

struct Scene {
  FilePtr file;
  Location data;
  Dims dims;
  std::vector<std::int32_t> model;
};

Scene make_scene() {
  Scene scene;
  auto ndims = pick(1U, 4U);
  scene.dims = Dims(ndims);
  DatasetSpec spec;
  spec.chunk = Dims(ndims);
  for (unsigned d = 0; d < ndims; ++d) {
    scene.dims[d] = pick<std::uint64_t>(1, ndims == 1 ? 200 : 12);
    spec.chunk[d] = pick<std::uint64_t>(1, std::min<std::uint64_t>(9, scene.dims[d]) + 1);
  }
  spec.dims = scene.dims;
  int layout = pick(0, 4);
  if (layout < 2) spec.chunk = Dims();
  spec.compact = layout == 0;
  spec.alloc = spec.compact ? AllocTime::kDefault
                            : *rc::gen::element(AllocTime::kDefault, AllocTime::kEarly);
  if (pick(0, 2) == 0) spec.fill = -9;
  scene.file = must(open_session(make_disk(), OpenMode::kTruncate));
  scene.data = must(add_dataset(scene.file, "/d", spec));
  scene.model.assign(*scene.dims.volume(), spec.fill.value_or(0));
  return scene;
}

/// How often transfer_one_run() took what; by direction, and whether the dataset is chunked.
struct ShortWays {
  std::array<std::array<int, 2>, 2> taken{};
  int declined = 0;
};
ShortWays short_ways;

/// The same by the short way, where it takes it: the same elements, and the same report.
template <class T>
void transfer_shortly(Scene& scene, const TransferRequest& request, std::vector<T>& buffer,
                      const std::vector<T>& wanted, TransferReport* report) {
  const PlainRequest plain{request.direction,     request.memory_type, &request.file_space,
                           &request.memory_space, request.props,       request.buffer};
  const std::vector<T> before = buffer;
  Status done;
  if (!transfer_one_run(scene.file->store(), scene.data.object, plain, report, &done)) {
    ++short_ways.declined;
    *report = TransferReport();
    RC_ASSERT(buffer == before);
    return;
  }
  RC_ASSERT(done.ok());
  RC_ASSERT(buffer == wanted);
  buffer = before;
  const bool writes = request.direction == Direction::kWrite;
  ++short_ways.taken[writes ? 1 : 0][scene.data.object->dataset->chunked() ? 1 : 0];
}

template <class T>
void transfer_once(Scene& scene, const Datatype& type, std::int32_t first) {
  Chosen file = choose(scene.dims);
  Chosen memory = choose_memory(file.order.size());
  std::vector<T> buffer(memory.space.npoints(), T{55});
  TransferRequest request;
  request.direction = *rc::gen::element(Direction::kRead, Direction::kWrite);
  request.memory_type = type;
  request.memory_space = memory.space;
  request.file_space = file.space;
  request.buffer = reinterpret_cast<std::byte*>(buffer.data());
  request.props.buffer_size = *rc::gen::element<std::size_t>(1, 8, 100, 1 << 20);
  std::vector<T> wanted = buffer;
  if (request.direction == Direction::kWrite) {
    for (std::size_t i = 0; i < file.order.size(); ++i) {
      buffer[memory.order[i]] = static_cast<T>(first + static_cast<std::int32_t>(i));
      scene.model[file.order[i]] = first + static_cast<std::int32_t>(i);
    }
    wanted = buffer;
  } else {
    for (std::size_t i = 0; i < file.order.size(); ++i)
      wanted[memory.order[i]] = static_cast<T>(scene.model[file.order[i]]);
  }
  TransferReport report, by_short_way;
  transfer_shortly(scene, request, buffer, wanted, &by_short_way);
  Status status = transfer_dataset(scene.file->store(), scene.data.object, request, &report,
                                   {"H5Dwrite", "/d"}, Status());
  RC_ASSERT(status.ok());
  by_short_way.nanoseconds = report.nanoseconds;
  RC_ASSERT(!by_short_way.used || by_short_way == report);
  RC_ASSERT(buffer == wanted);
  RC_ASSERT(report.succeeded && report.bytes_selected == 4 * file.order.size());
}

Datatype integer(std::size_t size) {
  return Datatype::integer(size, ByteOrder::kLittle, SignScheme::kTwosComplement);
}

TEST(Transfer, MovesTheSelectedElements) {
  EXPECT_TRUE(rc::check([] {
    Scene scene = make_scene();
    int steps = pick(1, 10);
    for (int i = 0; i < steps; ++i) {
      std::int32_t first = 300 * (i + 1);
      switch (pick(0, 7)) {
        case 0: transfer_once<std::int16_t>(scene, integer(2), first); break;
        case 1: transfer_once<std::int64_t>(scene, integer(8), first); break;
        case 2:
          transfer_once<double>(scene, Datatype::ieee_double(ByteOrder::kLittle), first);
          break;
        default: transfer_once<std::int32_t>(scene, int32(), first);
      }
      if (pick(0, 4) == 0) must(flush_session(scene.file));
    }
    RC_ASSERT(must(read_all(scene.data)) == scene.model);
    scene.data = Location();
    must(close_session(scene.file));
  }));
  const auto& taken = short_ways.taken;
  std::printf(
      "short ways: contiguous read %d, written %d; chunked read %d, written %d; declined %d\n",
      taken[0][0], taken[1][0], taken[0][1], taken[1][1], short_ways.declined);
  for (const auto& by_layout : taken)
    for (const int n : by_layout) EXPECT_GT(n, 0);
  EXPECT_GT(short_ways.declined, 0);
}

TransferRequest whole_request(const Scene& scene, Direction direction,
                              std::vector<std::int32_t>& buffer) {
  TransferRequest request;
  request.direction = direction;
  request.memory_type = int32();
  request.file_space = request.memory_space = must(Dataspace::simple(scene.dims));
  request.buffer = reinterpret_cast<std::byte*>(buffer.data());
  return request;
}

class TransferErrors : public testing::Test {
 protected:
  void SetUp() override {
    scene_.dims = {4, 4};
    scene_.file = must(open_session(make_disk(), OpenMode::kTruncate));
    scene_.data = must(add_dataset(scene_.file, "/d", {.dims = {4, 4}}));
  }
  Status run(const TransferRequest& request, const Status& checked = Status()) {
    return transfer_dataset(scene_.file->store(), scene_.data.object, request, &report_,
                            {"H5Dwrite", "/d"}, checked);
  }
  Scene scene_;
  std::vector<std::int32_t> buffer_ = std::vector<std::int32_t>(16);
  TransferReport report_;
};

TEST_F(TransferErrors, CountsThatDiffer) {
  TransferRequest request = whole_request(scene_, Direction::kWrite, buffer_);
  request.memory_space = must(Dataspace::simple({15}));
  EXPECT_FALSE(run(request).ok());
  EXPECT_FALSE(report_.succeeded);
}

TEST_F(TransferErrors, NoBuffer) {
  TransferRequest request = whole_request(scene_, Direction::kWrite, buffer_);
  request.buffer = nullptr;
  EXPECT_FALSE(run(request).ok());
  must(request.file_space.select_box({{0, 0}, {0, 0}}));
  must(request.memory_space.select_box({{0, 0}, {0, 0}}));
  EXPECT_TRUE(run(request).ok());
}

TEST_F(TransferErrors, SelectionsOutsideTheExtent) {
  TransferRequest request = whole_request(scene_, Direction::kRead, buffer_);
  request.file_space = must(Dataspace::simple({5, 4}));
  must(request.file_space.select_box({{1, 0}, {4, 4}}));
  EXPECT_FALSE(run(request).ok());
  request.file_space = must(Dataspace::simple({15}));
  EXPECT_FALSE(run(request).ok());
  // As many elements as there are, all of them: everything.
  request.file_space = must(Dataspace::simple({16}));
  EXPECT_TRUE(run(request).ok());
}

TEST_F(TransferErrors, TypesWithoutAWayBetweenThem) {
  TransferRequest request = whole_request(scene_, Direction::kRead, buffer_);
  request.memory_type = Datatype::string(4);
  EXPECT_FALSE(run(request).ok());
}

TEST_F(TransferErrors, WhatTheCallerFound) {
  TransferRequest request = whole_request(scene_, Direction::kWrite, buffer_);
  Status found = PCIO_ERROR(ARGS, BADVALUE, "found before");
  EXPECT_EQ(run(request, found).message(), "found before");
}

}  // namespace
}  // namespace pcio
