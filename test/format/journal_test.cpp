// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: window superblocks and journals: golden numbers, and that no damage is believed.

#include "format/journal.hpp"

#include <gtest/gtest.h>

#include "base/checksum.hpp"

namespace pcio {
namespace {

std::vector<std::byte> superblock_bytes(unsigned version, std::uint64_t end, unsigned width = 8) {
  Superblock block;
  block.version = version;
  block.sizes = {width, width};
  block.end_of_file = end;
  block.root_header = 96;
  block.root.header_address = 96;
  ByteWriter out;
  EXPECT_TRUE(encode_superblock(block, out).ok());
  return std::move(out).take();
}

SuperblockShape shape_of(const std::vector<std::byte>& bytes) {
  auto shape = superblock_shape(bytes);
  EXPECT_TRUE(shape.has_value());
  return *shape;
}

TEST(WindowSuperblock, IsOneByteWithoutAndFiveWithAChecksum) {
  for (unsigned version = 0; version <= 3; ++version) {
    const auto committed = superblock_bytes(version, 1000);
    const SuperblockShape shape = shape_of(committed);
    EXPECT_EQ(shape.size, committed.size());
    const auto window = make_window(shape, committed);
    int differ = 0;
    for (std::size_t i = 0; i < window.size(); ++i) differ += window[i] != committed[i];
    EXPECT_TRUE(version <= 1 ? differ == 1 : differ <= 5) << version;
    EXPECT_FALSE(is_window(shape, committed));
    EXPECT_TRUE(is_window(shape, window));
    EXPECT_TRUE(checksum_fits(shape, window));
    auto decoded = decode_superblock(window);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(decoded->end_of_file, (std::uint64_t{1} << 62) + 1000);
  }
}

TEST(WindowSuperblock, NarrowAddressesHaveALowerBit) {
  const auto committed = superblock_bytes(0, 1000, 4);
  const SuperblockShape shape = shape_of(committed);
  EXPECT_EQ(decode_superblock(make_window(shape, committed))->end_of_file,
            (std::uint64_t{1} << 30) + 1000);
  EXPECT_TRUE(can_open_window(shape, (1U << 30) - 1));
  EXPECT_FALSE(can_open_window(shape, 1U << 30));
}

TEST(WindowSuperblock, CutWritesAreTornAndStrangersAreNot) {
  for (unsigned version = 0; version <= 3; ++version) {
    const auto previous = superblock_bytes(version, 0x1234),
               next = superblock_bytes(version, 0x567890);
    const SuperblockShape shape = shape_of(previous);
    const auto window = make_window(shape, previous);
    EXPECT_EQ(match_superblock(shape, previous, previous, next), SuperblockMatch::kPrevious);
    EXPECT_EQ(match_superblock(shape, window, previous, next), SuperblockMatch::kWindow);
    EXPECT_EQ(match_superblock(shape, next, previous, next), SuperblockMatch::kNext);
    const auto other = superblock_bytes(version, 0x4321);
    EXPECT_EQ(match_superblock(shape, other, previous, next), SuperblockMatch::kOther);
    for (std::size_t cut = 1; cut < window.size(); ++cut) {
      auto torn = window;
      std::copy_n(next.begin(), cut, torn.begin());
      const SuperblockMatch match = match_superblock(shape, torn, previous, next);
      EXPECT_TRUE(match == SuperblockMatch::kTorn || torn == window || torn == next)
          << version << " cut at " << cut;
      // What a reader without a journal makes of it: refused, or whole.
      auto decoded = decode_superblock(torn);
      if (torn != next) {
        EXPECT_TRUE(!decoded || decoded->end_of_file >= std::uint64_t{1} << 62);
      }
      torn[20] ^= std::byte{0x10};  // a byte of nobody
      EXPECT_EQ(match_superblock(shape, torn, previous, next), SuperblockMatch::kOther);
    }
  }
}

struct Made {
  SuperblockShape shape;
  std::uint64_t file_size;
  std::vector<std::byte> bytes;
  Journal journal;
};

Made make_journal() {
  Made made;
  made.journal.previous = superblock_bytes(2, 800);
  made.journal.next = superblock_bytes(2, 1000);
  made.shape = shape_of(made.journal.next);
  for (int i = 0; i < 50; ++i) made.journal.data.push_back(static_cast<std::byte>(i));
  made.journal.entries = {{{100, 20}, 0}, {{120, 10}, 0}, {{500, 20}, 0}};
  made.file_size = 1000 + journal_size(3, 50, made.shape.size);
  made.journal.trailer.file_size = made.file_size;
  made.journal.trailer.stamp = {{1, 2}, 3};
  seal_journal(made.shape, &made.journal);
  made.bytes = encode_journal(made.journal);
  return made;
}

Result<Journal> decode(const Made& made, ConstBytes bytes, std::uint64_t file_size) {
  const std::size_t end = bytes.size() - kJournalTrailerSize;
  PCIO_ASSIGN(JournalTrailer trailer, decode_journal_trailer(bytes.subspan(end), file_size));
  if (trailer.start != file_size - bytes.size()) return PCIO_ERROR(FILE, BADVALUE, "start");
  return decode_journal(trailer, made.shape, bytes.first(end));
}

TEST(Journal, ComesBack) {
  const Made made = make_journal();
  EXPECT_EQ(made.bytes.size(), journal_size(3, 50, made.shape.size));
  EXPECT_EQ(made.bytes.size(), 50U + 3 * 24 + 2 * 48 + 128);
  auto back = decode(made, made.bytes, made.file_size);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->trailer, made.journal.trailer);
  EXPECT_EQ(back->entries, made.journal.entries);
  EXPECT_EQ(back->data, made.journal.data);
  EXPECT_EQ(back->previous, made.journal.previous);
  EXPECT_EQ(back->next, made.journal.next);
  EXPECT_EQ(back->trailer.start, 1000U);
}

TEST(Journal, NoChangedByteIsBelieved) {
  const Made made = make_journal();
  for (std::size_t i = 0; i < made.bytes.size(); ++i)
    for (unsigned flip : {0x01U, 0x80U, 0xffU}) {
      auto damaged = made.bytes;
      damaged[i] ^= static_cast<std::byte>(flip);
      EXPECT_FALSE(decode(made, damaged, made.file_size).has_value()) << i;
    }
}

TEST(Journal, AnotherFileSizeIsNotBelieved) {
  const Made made = make_journal();
  const ConstBytes trailer = ConstBytes(made.bytes).last(kJournalTrailerSize);
  for (std::uint64_t size : {made.file_size - 1, made.file_size + 1, made.file_size + 4096}) {
    EXPECT_FALSE(decode_journal_trailer(trailer, size).has_value());
    EXPECT_FALSE(decode(made, made.bytes, size).has_value());
  }
}

/// Whole journals that a stranger made: every checksum fits, and what they say must not be done.
TEST(Journal, HostileOnesAreRefused) {
  auto refused = [](auto&& change) {
    Made made = make_journal();
    change(made.journal);
    seal_journal(made.shape, &made.journal);
    made.bytes = encode_journal(made.journal);
    return !decode(made, made.bytes, made.file_size).has_value();
  };
  EXPECT_FALSE(refused([](Journal&) {}));
  EXPECT_TRUE(refused([](Journal& j) { j.entries[0].range.offset = 10; })) << "the superblock";
  EXPECT_TRUE(refused([](Journal& j) { j.entries[2].range.offset = 990; })) << "the journal";
  EXPECT_TRUE(refused([](Journal& j) { j.entries[2].range.offset = ~std::uint64_t{0} - 5; }));
  EXPECT_TRUE(refused([](Journal& j) { j.entries[1].range.offset = 119; })) << "overlapping";
  EXPECT_TRUE(refused([](Journal& j) { std::swap(j.entries[0], j.entries[2]); })) << "order";
  EXPECT_TRUE(refused([](Journal& j) { j.next = superblock_bytes(2, 1001); })) << "end of file";
  EXPECT_TRUE(refused([](Journal& j) { j.trailer.base = 2000; }));
}

TEST(Journal, HugeNumbersInTheTrailerAreRefused) {
  const Made made = make_journal();
  ASSERT_GE(made.bytes.size(), kJournalTrailerSize);
  for (std::size_t field = 0; field < 9; ++field)
    for (std::uint64_t value :
         {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1} << 60}) {
      ByteWriter out;
      out.bytes(ConstBytes(made.bytes).last(kJournalTrailerSize).first(kJournalTrailerSize - 4));
      out.patch(16 + 8 * field, value, 8);
      out.u32(lookup3(out.view()));
      auto trailer = decode_journal_trailer(out.view(), made.file_size);
      // Sequence and id are any numbers.
      if (field < 5 || field > 7) {
        EXPECT_FALSE(trailer.has_value()) << field;
      }
    }
}

}  // namespace
}  // namespace pcio
