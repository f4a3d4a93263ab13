// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: ids, bytes, checksums, statuses.

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/checked.hpp"
#include "base/checksum.hpp"
#include "base/handle_table.hpp"
#include "base/repeat.hpp"
#include "base/stream_copy.hpp"

namespace pcio {
namespace {

ConstBytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

Status fails_twice() {
  auto inner = []() -> Result<int> { return PCIO_ERROR(ARGS, BADVALUE, "inner"); };
  PCIO_TRY(inner());
  return Status();
}

TEST(Status, CarriesFramesInnermostFirst) {
  Status status = fails_twice();
  ASSERT_FALSE(status.ok());
  status.push(PCIO_FRAME(DATASET, CANTINIT, "outer"));
  ASSERT_EQ(status.frames().size(), 2U);
  EXPECT_EQ(status.message(), "inner");
  EXPECT_EQ(status.frames()[1].text, "outer");
  EXPECT_EQ(status.frames()[0].minor, Minor::BADVALUE);
}

TEST(Status, SuccessStaysEmpty) {
  Status status;
  status.push(PCIO_FRAME(ARGS, BADVALUE, "ignored"));
  EXPECT_TRUE(status.ok());
  EXPECT_TRUE(status.frames().empty());
}

TEST(Status, JoinsFailures) {
  Status status;
  status.join(Status());
  EXPECT_TRUE(status.ok());
  status.join(fails_twice());
  status.join(Status());
  EXPECT_EQ(status.frames().size(), 1U);
  status.join(Status(PCIO_FRAME(FILE, CANTCLOSEFILE, "another")));
  ASSERT_EQ(status.frames().size(), 2U);
  EXPECT_EQ(status.message(), "inner");
  EXPECT_EQ(status.frames()[1].text, "another");
}

TEST(Status, AssignMovesTheValueOrLeaves) {
  auto use = [](Result<std::string> given) -> Result<std::size_t> {
    PCIO_ASSIGN(std::string text, std::move(given));
    return text.size();
  };
  EXPECT_EQ(*use(std::string("four")), 4U);
  EXPECT_FALSE(use(tl::unexpected<Status>(fails_twice())));
}

TEST(ByteReader, StaysBadAfterATruncatedRead) {
  ByteReader reader(bytes_of("\x01\x02\x03"));
  EXPECT_EQ(reader.u16(), 0x0201);
  EXPECT_EQ(reader.u32(), 0U);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.u8(), 0U);
  EXPECT_FALSE(reader.check("thing").ok());
}

TEST(ByteReader, ReadsUndefinedAddressesOfAnyWidth) {
  ByteReader reader(bytes_of("\xff\xff\xff\xff\xfe\xff"));
  EXPECT_EQ(reader.address(4), kUndefinedAddress);
  EXPECT_EQ(reader.address(2), 0xfffeU);
}

TEST(ByteReader, NeedsTheNulOfAString) {
  ByteReader with(bytes_of(std::string_view("ab\0c", 4)));
  EXPECT_EQ(with.c_string(), "ab");
  EXPECT_EQ(with.position(), 3U);
  ByteReader without(bytes_of("abc"));
  without.c_string();
  EXPECT_FALSE(without.ok());
}

TEST(ByteWriter, WritesLittleEndianAndPatches) {
  ByteWriter out;
  out.u32(0);
  out.text("x");
  out.pad_to(4);
  out.patch(1, 0xBEEF, 2);
  ByteReader in(out.view());
  EXPECT_EQ(in.u32(), 0xBEEF00U);
  EXPECT_EQ(out.size(), 8U);
}

TEST(Checked, FindsOverflow) {
  EXPECT_FALSE(checked_add<std::uint64_t>(~0ULL, 1));
  EXPECT_FALSE(checked_mul<std::uint64_t>(1ULL << 32, 1ULL << 32));
  EXPECT_TRUE(fits_inside(10, 0, 10));
  EXPECT_FALSE(fits_inside(11, 0, 10));
  EXPECT_FALSE(fits_inside(1, ~0ULL, 10));
  EXPECT_EQ(ceil_div(10U, 3U), 4U);
  EXPECT_EQ(bytes_needed(255), 1U);
  EXPECT_EQ(bytes_needed(256), 2U);
}

// Known answers of hashlittle() from its author's own self test.
TEST(Checksum, Lookup3KnownAnswers) {
  EXPECT_EQ(lookup3({}), 0xdeadbeefU);
  EXPECT_EQ(lookup3({}, 0xdeadbeefU), 0xbd5b7ddeU);
  EXPECT_EQ(lookup3(bytes_of("Four score and seven years ago")), 0x17770551U);
  EXPECT_EQ(lookup3(bytes_of("Four score and seven years ago"), 1), 0xcd628161U);
}

/// Word by word, each sum folded at once.
std::uint32_t plain_fletcher32(ConstBytes data) {
  const auto fold = [](std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16); };
  std::uint32_t sum1 = 0, sum2 = 0;
  for (std::size_t i = 0; i < data.size(); i += 2) {
    const auto low = i + 1 < data.size() ? std::to_integer<std::uint32_t>(data[i + 1]) : 0;
    sum1 = fold(sum1 + (std::to_integer<std::uint32_t>(data[i]) << 8 | low));
    sum2 = fold(sum2 + sum1);
  }
  return sum2 << 16 | sum1;
}

TEST(Checksum, Fletcher32IsThatOfSingleWords) {
  std::uint32_t state = 1;
  for (std::size_t n = 0; n < 1800; ++n)
    for (int kind = 0; kind < 3; ++kind) {
      std::vector<std::byte> data(n, std::byte{kind == 0 ? std::uint8_t{0xff} : std::uint8_t{0}});
      if (kind == 2)
        for (std::byte& b : data)
          b = std::byte(static_cast<std::uint8_t>((state = state * 1664525U + 1013904223U) >> 24));
      ASSERT_EQ(fletcher32(data), plain_fletcher32(data)) << n << " bytes, kind " << kind;
    }
}

struct Thing : HandleObject {
  int number = 0;
};

TEST(HandleTable, RefusesClosedStaleAndForeignIds) {
  HandleTable table;
  HandleId id = *table.add(3, std::make_shared<Thing>());
  EXPECT_TRUE(table.find(id));
  EXPECT_EQ(table.type_of(id), 3U);
  std::shared_ptr<HandleObject> last;
  EXPECT_EQ(*table.decrement(id, &last), 0);
  EXPECT_NE(last, nullptr);
  EXPECT_FALSE(table.find(id));
  HandleId again = *table.add(3, std::make_shared<Thing>());
  EXPECT_NE(id, again) << "a slot is reused under a new generation";
  EXPECT_FALSE(table.find(id));
  for (HandleId bad : {HandleId{0}, HandleId{-1}, HandleId{42}, again ^ (HandleId{1} << 56),
                       again + (HandleId{1} << 32)})
    EXPECT_FALSE(table.find(bad)) << bad;
}

TEST(HandleTable, CountsReferencesAndIds) {
  HandleTable table;
  HandleId id = *table.add(5, std::make_shared<Thing>());
  EXPECT_EQ(*table.increment(id), 2);
  std::shared_ptr<HandleObject> last;
  EXPECT_EQ(*table.decrement(id, &last), 1);
  EXPECT_EQ(last, nullptr);
  EXPECT_EQ(table.count(5), 1U);
  EXPECT_EQ(table.ids(5), std::vector<HandleId>{id});
  EXPECT_EQ(*table.decrement(id, &last), 0);
  EXPECT_EQ(table.count(5), 0U);
  table.restore(id, last);
  EXPECT_TRUE(table.find(id));
  EXPECT_EQ(*table.references(id), 1);
}

// Every size of element around what a copy takes at most, whole and cut at the end, from the start and
// behind what is there.
TEST(RepeatElement, FillsAllAndGoesOnBehindWhatIsThere) {
  for (std::size_t size : {1, 3, 8, 1000, 32767, 32768, 40000}) {
    std::vector<std::byte> element(size);
    for (std::size_t i = 0; i < size; ++i) element[i] = static_cast<std::byte>(i * 11 + 3);
    for (std::size_t length :
         {std::size_t{0}, std::size_t{2}, size, 3 * size + 1, 100000 / size * size}) {
      std::vector<std::byte> expected(length);
      for (std::size_t i = 0; i < length; ++i) expected[i] = element[i % size];
      std::vector<std::byte> to(length, std::byte{0xee});
      repeat_element(element, to);
      ASSERT_EQ(to, expected) << length << " bytes of an element of " << size;
      to.resize(length / size * size);
      const std::size_t have = to.size();
      to.resize(have + 5 * size, std::byte{0xee});
      repeat_element(element, to, have);
      for (std::size_t i = 0; i < to.size(); ++i) ASSERT_EQ(to[i], element[i % size]) << i;
    }
  }
  std::vector<std::byte> zeros(9, std::byte{1});
  repeat_element({}, zeros);
  EXPECT_EQ(zeros, std::vector<std::byte>(9));
}

// Every length up to a few lines, from every alignment to every alignment, with nothing beside it
// touched.
TEST(StreamCopy, CopiesWhatIsAskedAndNothingElse) {
  constexpr std::size_t kLongest = 400;
  std::vector<std::byte> from(kLongest + 64);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 + 1);
  for (std::size_t shift = 0; shift < 64; shift += 5) {
    for (std::size_t offset = 0; offset < 64; ++offset) {
      for (std::size_t n = 0; n <= kLongest; n += n < 140 ? 1 : 13) {
        std::vector<std::byte> expected(kLongest + 192, std::byte{0xee});
        std::vector<std::byte> to = expected;
        std::memcpy(expected.data() + offset, from.data() + shift, n);
        stream_copy(to.data() + offset, from.data() + shift, n);
        finish_streaming();
        ASSERT_EQ(to, expected) << n << " bytes from " << shift << " to " << offset;
      }
    }
  }
}

}  // namespace
}  // namespace pcio
