// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: metadata cache images through commits that fail.

#include <gtest/gtest.h>

#include "format/extension_messages.hpp"
#include "support/failed_scene.hpp"

namespace pcio {
namespace {

using namespace test;

/// An image with one entry.
std::vector<std::byte> image_of(ByteRange range, ConstBytes bytes) {
  ByteWriter out;
  out.text("MDCI");
  out.u16(0);
  out.u64(4 + 2 + 8 + 4 + 30 + bytes.size() + 4);
  out.u32(1);
  out.uint(0, 8);
  out.u16(0);
  out.u32(0);
  out.u64(range.offset);
  out.u64(range.size);
  out.bytes(bytes);
  append_checksum(out, 0);
  return std::move(out).take();
}

/// A file where the header of a group with an attribute is in a cache image only.
DiskImage file_with_image() {
  OpenWith with = newest();
  with.create.symbol_leaf_k = 8;
  const Disk disk = make_disk();
  const FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
  FileStore& store = file->store();
  const Location group = must(add_group(file, "/g"));
  must(add_attribute(group, "a", {5}));
  must(flush_session(file));
  const ByteRange header = group.object->chunks[0];
  const auto block =
      image_of(header, must(store.bytes().block(header.offset, header.size, "header")));
  CacheImageMessage message;
  message.size = block.size();
  message.address = must(store.space().allocate(message.size, SpaceUse::kMetadata));
  must(store.bytes().write(message.address, block));
  ByteWriter body;
  must(encode_cache_image_message(message, store.sizes(), body));
  const StoredObjectPtr extension = store.superblock_store().extension();
  extension->put({.type = kMessageCacheImage, .body = std::move(body).take()});
  store.objects().touch(extension);
  must(close_session(file));
  std::fill_n(disk->begin() + static_cast<std::ptrdiff_t>(header.offset), header.size,
              std::byte{0xEE});
  return *disk;
}

/// As long as the journal alone has what the image had.
TEST(CacheImages, CountUntilACommitIsInPlace) {
  const DiskImage image = file_with_image();
  const Values five{5};
  int in_window = 0;
  for (std::uint64_t write = 1;; ++write) {
    SCOPED_TRACE(write);
    const Disk disk = make_disk(image);
    const auto plan = std::make_shared<FaultPlan>();
    FilePtr file =
        must(open_session(fault_settings(disk_settings(disk), plan), OpenMode::kReadWrite));
    must(add_attribute(root_of(file), "b", {6}));
    *plan = FaultPlan();
    plan->fail_write = write;
    const Status flushed = flush_session(file);
    *plan = FaultPlan();
    if (!flushed.ok() && file->store().writer().is_in_window()) {
      ++in_window;
      const auto group = find(file, "/g");
      ASSERT_TRUE(group) << group.error().message();
      EXPECT_EQ(must(attributes_of(*group))["a"], five);
    }
    must(close_session(file));
    file = must(open_session(disk, OpenMode::kReadOnly));
    EXPECT_EQ(must(attributes_of(must(find(file, "/g"))))["a"], five);
    EXPECT_EQ(must(attributes_of(root_of(file))).size(), 1U);
    must(close_session(file));
    if (flushed.ok()) break;
  }
  EXPECT_GT(in_window, 0);
}

}  // namespace
}  // namespace pcio
