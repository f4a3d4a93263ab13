// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: files with damaged bytes are read and changed without a crash and without taking
// more memory than they deserve. Worth running under the sanitizers.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/resource.h>

#include "storage/objects/message_codec.hpp"
#include "support/file_session.hpp"
#include "support/pick.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr std::uint64_t kMostElements = 100000;

/// Reads whatever can be reached; damage may have made cycles of groups.
void visit(const Location& group, unsigned depth, unsigned* budget) {
  auto names = ordered_names(group, IndexBy::kName, IterOrder::kNative);
  if (!names || depth == 0) return;
  for (const std::string& name : *names) {
    if (*budget == 0) return;
    --*budget;
    auto child = find_object(group, name);
    if (!child) continue;
    static_cast<void>(attributes_of(*child));
    static_cast<void>(object_info(*child));
    if (child->object->kind() == ObjectKind::kGroup) visit(*child, depth - 1, budget);
    auto state = child->file->store().datasets().state(child->object);
    if (state && (*state)->extent.npoints() <= kMostElements) static_cast<void>(read_all(*child));
    if (state) static_cast<void>(allocation_state(child->file->store(), child->object));
  }
}

/// What a program that trusts the file might do to it.
void change(const FilePtr& file) {
  Location root = root_of(file);
  auto names = ordered_names(root, IndexBy::kName, IterOrder::kNative);
  if (!names) return;
  for (const std::string& name : *names) {
    auto child = find_object(root, name);
    if (child) {
      static_cast<void>(add_attribute(*child, "new", {1, 2, 3}));
      auto state = file->store().datasets().state(child->object);
      if (state && (*state)->extent.npoints() <= kMostElements) {
        static_cast<void>(write_all(*child, std::vector<std::int32_t>(static_cast<std::size_t>(
                                                (*state)->extent.npoints()))));
        static_cast<void>(set_extent(*child, Dims((*state)->extent.ndims(), 3)));
      }
    }
    if (pick(0, 2) == 0) static_cast<void>(remove_link({root, name}));
  }
  static_cast<void>(add_group(file, "/added"));
  static_cast<void>(add_dataset(file, "/more", {.dims = {50}, .chunk = {7}}));
}

DiskImage sound_file(LibraryVersion format) {
  Disk disk = make_disk();
  OpenWith with;
  with.access.low_bound = format;
  FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
  for (int i = 0; i < 10; ++i) {
    must(detail::to_status(add_group(file, "/g" + std::to_string(i))));
    must(detail::to_status(add_group(file, "/g" + std::to_string(i) + "/inner")));
  }
  must(add_soft_link(must(place(file, "/soft")), "/g1/inner", {}));
  Location plain = must(add_dataset(file, "/plain", {.dims = {40}}));
  must(write_all(plain, std::vector<std::int32_t>(40, 1)));
  must(add_attribute(plain, "a", {1, 2}));
  Location chunked =
      must(add_dataset(file, "/chunked", {.dims = {20, 20}, .max = {40, 40}, .chunk = {3, 3}}));
  must(write_all(chunked, std::vector<std::int32_t>(400, 2)));
  Location early =
      must(add_dataset(file, "/early", {.dims = {20}, .chunk = {3}, .alloc = AllocTime::kEarly}));
  must(write_all(early, std::vector<std::int32_t>(20, 3)));
  must(detail::to_status(add_dataset(file, "/compact", {.dims = {5}, .compact = true})));
  must(close_session(file));
  return *disk;
}

void check_damaged(const DiskImage& sound) {
  DiskImage image = sound;
  int hits = pick(1, 12);
  for (int i = 0; i < hits; ++i) {
    std::size_t at = pick<std::size_t>(0, image.size());
    std::byte value = *rc::gen::element(std::byte{0}, std::byte{1}, std::byte{4}, std::byte{0x7F},
                                        std::byte{0x80}, std::byte{0xFF});
    // Whole words too: addresses and lengths near the end of all numbers.
    std::size_t n = *rc::gen::element<std::size_t>(1, 1, 4, 8);
    for (std::size_t k = at; k < std::min(at + n, image.size()); ++k) image[k] = value;
  }
  if (pick(0, 6) == 0) image.resize(pick<std::size_t>(0, image.size()));
  unsigned budget = 200;
  if (auto file = open_session(make_disk(image), OpenMode::kReadOnly)) {
    visit(root_of(*file), 8, &budget);
    RC_ASSERT(close_session(*file).ok());
  }
  Disk disk = make_disk(image);
  if (auto file = open_session(disk, OpenMode::kReadWrite)) {
    change(*file);
    if (!close_session(*file).ok()) (*file)->store().abandon();
    budget = 200;
    budget = 200;
  }
  if (auto file = open_session(disk, OpenMode::kReadOnly)) {
    budget = 200;
    visit(root_of(*file), 8, &budget);
    RC_ASSERT(close_session(*file).ok());
  }
}

TEST(Damage, NeverCrashes) {
  for (LibraryVersion format : {LibraryVersion::kEarliest, LibraryVersion::kV110}) {
    DiskImage sound = sound_file(format);
    EXPECT_TRUE(rc::check([&] {
      for (int i = 0; i < 10; ++i) check_damaged(sound);
    }));
  }
#if !defined(__SANITIZE_ADDRESS__)
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 512 * 1024) << "KiB";
#endif
}

/// The state of a dataset is taken from messages that contradict each other.
class BadDataset : public testing::Test {
 protected:
  void SetUp() override {
    file_ = must(open_session(disk_, OpenMode::kTruncate));
    data_ = must(add_dataset(file_, "/d", {.dims = {4}, .max = {8}, .chunk = {4}}));
    must(flush_session(file_));
  }
  void TearDown() override { file_->store().abandon(); }
  /// As if it had just been read from the file.
  Result<DatasetState*> reload() {
    data_.object->dataset.reset();
    return file_->store().datasets().state(data_.object);
  }
  void put_space(const Dataspace& space) {
    data_.object->put(must(encode_space(file_->store().context(), space)));
  }
  void put_layout(const LayoutMessage& layout) {
    data_.object->put(must(encode_layout(file_->store().context(), layout)));
  }
  Disk disk_ = make_disk();
  FilePtr file_;
  Location data_;
};

TEST_F(BadDataset, ChunksOfAScalar) {
  put_space(Dataspace::scalar());
  EXPECT_FALSE(reload().has_value());
  put_space(Dataspace::null());
  EXPECT_FALSE(reload().has_value());
}

TEST_F(BadDataset, ChunksOfAnotherNumberOfDimensions) {
  put_space(must(Dataspace::simple({2, 2})));
  EXPECT_FALSE(reload().has_value());
}

TEST_F(BadDataset, AnImplicitIndexThatTheFileHasNoRoomFor) {
  Dims most{std::uint64_t{1} << 40, 4};
  put_space(must(Dataspace::simple({std::uint64_t{1} << 40, 2}, &most)));
  LayoutMessage layout;
  layout.cls = LayoutClass::kChunked;
  layout.index = ChunkIndexKind::kImplicit;
  layout.chunk_dims = {1, 1};
  layout.element_size = 4;
  layout.address = 0;
  put_layout(layout);
  ASSERT_TRUE(reload().has_value());
  EXPECT_FALSE(file_->store().datasets().load_chunk_index(data_.object).ok());
}

TEST_F(BadDataset, ASingleChunkOutsideTheFile) {
  put_space(must(Dataspace::simple({4})));
  LayoutMessage layout;
  layout.cls = LayoutClass::kChunked;
  layout.index = ChunkIndexKind::kSingleChunk;
  layout.chunk_dims = {4};
  layout.element_size = 4;
  layout.address = std::uint64_t{1} << 50;
  put_layout(layout);
  ASSERT_TRUE(reload().has_value());
  EXPECT_FALSE(file_->store().datasets().load_chunk_index(data_.object).ok());
}

TEST_F(BadDataset, ContiguousDataShorterThanTheExtent) {
  LayoutMessage layout;
  layout.cls = LayoutClass::kContiguous;
  layout.address = 96;
  layout.size = 8;
  put_layout(layout);
  EXPECT_FALSE(reload().has_value());
}

TEST(Cycles, OfSoftLinksEnd) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  must(add_soft_link(must(place(file, "/a")), "/b", {}));
  must(add_soft_link(must(place(file, "/b")), "a", {}));
  must(add_soft_link(must(place(file, "/self")), "self/self/self", {}));
  EXPECT_FALSE(find(file, "/a").has_value());
  EXPECT_FALSE(find(file, "/self").has_value());
  must(close_session(file));
}

TEST(Cycles, OfGroupsAreWalkedOnce) {
  // Twenty groups in a row, each with two links to the next: a million ways to the last one.
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  std::string path = "/g";
  must(detail::to_status(add_group(file, path)));
  for (int i = 0; i < 30; ++i) {
    Location next = must(add_group(file, path + "/x"));
    must(add_hard_link(must(place(file, path + "/y")), next, {}));
    path += "/x";
  }
  must(add_hard_link(must(place(file, path + "/back")), must(find(file, "/g")), {}));
  EXPECT_FALSE(transfer_link(must(place(file, "/g")), must(place(file, path + "/in")),
                             LinkTransfer::kMove, {})
                   .ok());
  EXPECT_TRUE(
      transfer_link(must(place(file, "/g")), must(place(file, "/h")), LinkTransfer::kMove, {})
          .ok());
  must(close_session(file));
}

}  // namespace
}  // namespace pcio
