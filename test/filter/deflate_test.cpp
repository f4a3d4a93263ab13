// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: deflate beside zlib, both ways: every level, every small size, data of many kinds.

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <thread>
#include <vector>

#include "filter/fast_deflate.hpp"
#include "filter/pipeline.hpp"

namespace pcio {
namespace {

using Buffer = std::vector<std::byte>;

enum class Kind { kZeros, kRuns, kFewLetters, kNoise, kRepeats, kPlanes, kCount };

/// Numbers that are the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 33;
  }

 private:
  std::uint64_t state_;
};

Buffer make_data(Kind kind, std::size_t size, std::uint64_t seed) {
  Random random(seed);
  Buffer data(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t r = random.next();
    std::uint64_t value = 0;
    switch (kind) {
      case Kind::kRuns: value = i / 23; break;
      case Kind::kFewLetters: value = r % 7; break;
      case Kind::kNoise: value = r; break;
      case Kind::kRepeats:
        value = i < 50 || r % 16 == 0 ? r : std::to_integer<std::uint64_t>(data[i - 50 + r % 3]);
        break;
      // As shuffled numbers are: each eighth is noisier.
      case Kind::kPlanes: value = r & ((std::uint64_t{1} << (8 * i / size)) - 1); break;
      default: break;
    }
    data[i] = static_cast<std::byte>(value);
  }
  return data;
}

FilterPipeline deflate(unsigned level, unsigned flags = 0) {
  FilterSpec spec;
  spec.id = kFilterDeflate;
  spec.values = {level};
  spec.flags = flags;
  return {spec};
}

Buffer zlib_deflate(const Buffer& data, int level) {
  uLongf size = compressBound(data.size());
  Buffer out(size);
  EXPECT_EQ(compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                      reinterpret_cast<const Bytef*>(data.data()), data.size(), level),
            Z_OK);
  out.resize(size);
  return out;
}

/// Whether zlib makes exactly `data` of it, and uses all of it.
bool zlib_inflates(ConstBytes stream, const Buffer& data) {
  Buffer out(data.size() + 1);
  uLongf size = out.size();
  uLong used = stream.size();
  const int result = uncompress2(reinterpret_cast<Bytef*>(out.data()), &size,
                                 reinterpret_cast<const Bytef*>(stream.data()), &used);
  out.resize(size);
  return result == Z_OK && used == stream.size() && out == data;
}

void expect_both_ways(Kind kind, std::size_t size, unsigned level) {
  SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind) << ", " << size
                                  << " bytes, level " << level);
  const Buffer data = make_data(kind, size, size + level);
  const auto ours = encode_chunk(deflate(level), data);
  ASSERT_TRUE(ours.has_value());
  EXPECT_EQ(ours->mask, 0U);
  EXPECT_TRUE(zlib_inflates(ours->bytes, data));
  const auto back = decode_chunk(deflate(level), ours->bytes, 0, size);
  ASSERT_TRUE(back.has_value());
  EXPECT_TRUE(*back == data);
  const auto theirs =
      decode_chunk(deflate(level), zlib_deflate(data, static_cast<int>(level)), 0, size);
  ASSERT_TRUE(theirs.has_value());
  EXPECT_TRUE(*theirs == data);
}

TEST(Deflate, EveryLevelAndSmallSizeBothWays) {
  for (unsigned level = 0; level <= 9; ++level)
    for (int kind = 0; kind < static_cast<int>(Kind::kCount); ++kind)
      for (std::size_t size = 0; size <= 5000; size += size < 140 ? 1 : size / 7)
        expect_both_ways(static_cast<Kind>(kind), size, level);
}

TEST(Deflate, LargeChunksBothWays) {
  for (int kind = 0; kind < static_cast<int>(Kind::kCount); ++kind)
    for (std::size_t size : {std::size_t{65534}, std::size_t{65535}, std::size_t{65536},
                             std::size_t{131070}, std::size_t{1} << 20, std::size_t{3000001}})
      for (unsigned level : {0U, 1U, 2U, 6U})
        expect_both_ways(static_cast<Kind>(kind), size, level);
}

TEST(Deflate, RefusesParametersThatAreNone) {
  EXPECT_FALSE(encode_chunk(deflate(10), Buffer(8)).has_value());
  FilterPipeline none = deflate(1);
  none[0].values.clear();
  EXPECT_FALSE(encode_chunk(none, Buffer(8)).has_value());
}

/// Files must not get larger because they are made faster: by 5 % at most, or a fiftieth of data that
/// nearly vanishes.
TEST(Deflate, FirstLevelIsNotWorseThanThatOfZlib) {
  for (int kind = 0; kind < static_cast<int>(Kind::kCount); ++kind) {
    // libdeflate makes 9 % of these bytes, zlib 2 %.
    if (kind == static_cast<int>(Kind::kRuns) && !has_fast_deflate()) continue;
    const Buffer data = make_data(static_cast<Kind>(kind), std::size_t{1} << 20, 5);
    const auto ours = encode_chunk(deflate(1), data);
    ASSERT_TRUE(ours.has_value());
    const std::size_t theirs = zlib_deflate(data, 1).size();
    EXPECT_LE(ours->bytes.size(), theirs + std::max(theirs / 20, data.size() / 50)) << kind;
  }
}

/// Masks of chunks that were written anew by libhdf5 are not to be trusted.
TEST(Deflate, IsNeverSkipped) {
  int enlarged = 0;
  for (unsigned level : {1U, 6U})
    for (int kind = 0; kind < static_cast<int>(Kind::kCount); ++kind)
      for (std::size_t size = 1; size <= 70000; size += 1 + size / 3) {
        const Buffer data = make_data(static_cast<Kind>(kind), size, size);
        const auto ours = encode_chunk(deflate(level, kFilterOptional), data);
        ASSERT_TRUE(ours.has_value());
        EXPECT_EQ(ours->mask, 0U);
        EXPECT_TRUE(zlib_inflates(ours->bytes, data));
        EXPECT_LE(ours->bytes.size(), size + size / 1000 + 32);
        if (ours->bytes.size() > size) ++enlarged;
      }
  EXPECT_GT(enlarged, 50);
}

/// One stream into exactly `room` bytes with guards behind them. Result: as deflate_fast.
std::size_t into_room(const Buffer& data, std::size_t room) {
  Buffer out(room + 64, std::byte{0xA7});
  const std::size_t made = deflate_fast(data, Bytes(out).first(room));
  EXPECT_LE(made, room);
  EXPECT_TRUE(std::all_of(out.begin() + static_cast<std::ptrdiff_t>(room), out.end(),
                          [](std::byte b) { return b == std::byte{0xA7}; }))
      << data.size() << " bytes into " << room;
  if (made > 0) {
    EXPECT_TRUE(zlib_inflates(ConstBytes(out).first(made), data));
  }
  return made;
}

TEST(FastDeflate, IsThereOrLeavesItToOthers) {
  const Buffer data = make_data(Kind::kRuns, 1000, 1);
  EXPECT_EQ(into_room(data, most_fast_deflated(data.size())) > 0, has_fast_deflate());
}

TEST(FastDeflate, TheBoundIsAlwaysEnough) {
  if (!has_fast_deflate()) return;
  for (int kind = 0; kind < static_cast<int>(Kind::kCount); ++kind) {
    for (std::size_t size = 0; size <= 3000; size += size < 300 ? 1 : 37)
      EXPECT_GT(into_room(make_data(static_cast<Kind>(kind), size, 1), most_fast_deflated(size)),
                0U);
    for (std::size_t blocks : {1U, 2U, 3U, 16U})
      for (std::size_t more : {0U, 1U, 2U}) {
        const std::size_t size = blocks * 65535 - 1 + more;
        EXPECT_GT(into_room(make_data(static_cast<Kind>(kind), size, 2), most_fast_deflated(size)),
                  0U);
      }
  }
}

TEST(FastDeflate, NeverWritesBehindItsRoom) {
  if (!has_fast_deflate()) return;
  int made = 0, refused = 0;
  for (int kind = 0; kind < static_cast<int>(Kind::kCount); ++kind)
    for (std::size_t size : {0U, 1U, 7U, 30U, 64U, 200U, 1000U, 5000U, 70000U}) {
      const Buffer data = make_data(static_cast<Kind>(kind), size, 3);
      const std::size_t most = most_fast_deflated(size);
      const std::size_t needs = into_room(data, most);
      const std::size_t step = std::max<std::size_t>(1, most / 200);
      for (std::size_t room = 0; room < most; room += step)
        ++(into_room(data, room) > 0 ? made : refused);
      // Around what it needs, byte by byte.
      for (std::size_t room = needs > 20 ? needs - 20 : 0; room < needs + 20; ++room)
        ++(into_room(data, room) > 0 ? made : refused);
    }
  EXPECT_GT(made, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(FastDeflate, ThreadsDoNotMeet) {
  if (!has_fast_deflate()) return;
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&wrong, t] {
      for (std::size_t i = 0; i < 200; ++i) {
        const Buffer data = make_data(static_cast<Kind>(1 + (t + i) % 5), 500 + 997 * (i % 20), t);
        Buffer out(most_fast_deflated(data.size()));
        const std::size_t made = deflate_fast(data, out);
        if (made == 0 || !zlib_inflates(ConstBytes(out).first(made), data)) ++wrong[t];
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace pcio
