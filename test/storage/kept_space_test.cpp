// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: the list of free space that a file keeps names no byte that is in use.

#include <gtest/gtest.h>

#include "format/header_layout.hpp"
#include "storage/objects/message_codec.hpp"
#include "support/file_session.hpp"
#include "support/live_ranges.hpp"

namespace pcio {
namespace {

using namespace test;

/// The file-space message of early writers: smaller than the one that replaces it.
HeaderMessage old_space_info(const FileSpaceInfoMessage& info, const FileSizes& sizes) {
  return must(make_message(kMessageFileSpaceInfo, 0, [&](ByteWriter& out) {
    FieldWriter fields(out, sizes);
    fields.u8(0);
    fields.u8(1);
    fields.length(info.threshold);
    for (std::size_t i = 0; i < 6; ++i) fields.address(info.managers[i]);
    return fields.check("test");
  }));
}

/// Puts it into the file, in a header that has no byte to spare.
void make_older(DiskImage* image) {
  FilePtr file = must(open_session(make_disk(*image), OpenMode::kReadOnly));
  FileStore& store = file->store();
  StoredObjectPtr extension =
      must(store.objects().object(store.context().superblock.extension_address));
  ObjectHeader header = extension->header;
  const FileSpaceInfoMessage info = store.superblock_store().space_info();
  for (HeaderMessage& message : header.messages)
    if (message.type == kMessageFileSpaceInfo) message = old_space_info(info, store.sizes());
  HeaderLayout layout = must(layout_header(header, store.sizes(), {}));
  ASSERT_EQ(layout.pieces.size(), 1U);
  auto bytes = must(
      encode_header_piece(header, layout, 0, std::span(&extension->address, 1), store.sizes()));
  ASSERT_LT(bytes.size() + 60, extension->chunks[0].size);
  std::copy(bytes.begin(), bytes.end(),
            image->begin() + static_cast<std::ptrdiff_t>(extension->address));
  must(close_session(file));
}

TEST(KeptSpace, AMessageThatGrowsTakesNothingThatIsListedAsFree) {
  OpenWith with;
  with.create.strategy = FileSpaceStrategy::kFreeSpaceAggregators;
  with.create.persist_free_space = true;
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
  for (int i = 0; i < 4; ++i)
    must(write_all(must(add_dataset(file, "/d" + std::to_string(i), {.dims = {300}})),
                   std::vector<std::int32_t>(300, i)));
  must(flush_session(file));
  must(remove_link(must(place(file, "/d1"))));
  must(close_session(file));
  make_older(disk.get());

  file = must(open_session(disk, OpenMode::kReadWrite, with));
  EXPECT_GE(file->store().space().free_bytes(), 1200U);
  must(add_attribute(must(find(file, "/d0")), "a", {1}));
  must(close_session(file));

  file = must(open_session(disk, OpenMode::kReadWrite, with));
  const auto live = must(LiveRanges(file->store()).collect());
  const auto free = file->store().space().free_ranges();
  EXPECT_GE(file->store().space().free_bytes(), 600U);
  for (const FreeRange& one : free)
    for (const ByteRange& used : live)
      EXPECT_TRUE(one.range.end() <= used.offset || used.end() <= one.range.offset)
          << one.range.offset << "+" << one.range.size << " is free, " << used.offset << "+"
          << used.size << " is in use";
  must(close_session(file));
}

}  // namespace
}  // namespace pcio
