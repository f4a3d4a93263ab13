// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: chunks filtered by plain code and by the pipeline, in every order, and back.

#include "filter/pipeline.hpp"

#include <gtest/gtest.h>
#include <libdeflate.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <cstring>

#include "base/bytes.hpp"
#include "base/checksum.hpp"
#include "format/test_bytes.hpp"
#include "support/pick.hpp"

namespace pcio {
namespace {

using Buffer = std::vector<std::byte>;

/// Option bits of szip: how pixels lie in memory.
constexpr unsigned kLsb = 8, kMsb = 16;

Buffer deflate(const Buffer& data, int level) {
  libdeflate_compressor* codec = libdeflate_alloc_compressor(level);
  Buffer out(libdeflate_zlib_compress_bound(codec, data.size()));
  out.resize(libdeflate_zlib_compress(codec, data.data(), data.size(), out.data(), out.size()));
  libdeflate_free_compressor(codec);
  return out;
}

Buffer shuffle(const Buffer& data, std::size_t size) {
  Buffer out = data;
  std::size_t n = data.size() / size;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < size; ++k) out[k * n + i] = data[i * size + k];
  return out;
}

Buffer add_fletcher32(const Buffer& data) {
  ByteWriter out;
  out.bytes(data);
  out.u32(fletcher32(data));
  return std::move(out).take();
}

Buffer encode(const FilterPipeline& pipeline, Buffer data, std::uint32_t mask) {
  for (std::size_t i = 0; i < pipeline.size(); ++i) {
    if ((mask >> i & 1) != 0) continue;
    if (pipeline[i].id == kFilterDeflate) data = deflate(data, 6);
    if (pipeline[i].id == kFilterShuffle) data = shuffle(data, pipeline[i].values[0]);
    if (pipeline[i].id == kFilterFletcher32) data = add_fletcher32(data);
  }
  return data;
}

FilterSpec stage(int id, unsigned value = 0) {
  FilterSpec spec;
  spec.id = id;
  spec.values = {value};
  return spec;
}

FilterPipeline random_pipeline() {
  FilterPipeline pipeline;
  int n = test::pick(0, 5);
  for (int i = 0; i < n; ++i) {
    int id = test::pick(1, 4);
    unsigned size = *rc::gen::element(1U, 2U, 4U, 7U, 8U, 16U);
    pipeline.push_back(stage(id, id == kFilterDeflate ? size % 10 : size));
  }
  return pipeline;
}

Buffer random_image() {
  Buffer image(test::pick<std::size_t>(1, 400));
  int kinds = *rc::gen::element(1, 2, 255);
  for (std::byte& b : image) b = static_cast<std::byte>(test::pick(0, kinds));
  return image;
}

TEST(FilterPipeline, UndoesEveryOrderAndMask) {
  EXPECT_TRUE(rc::check([] {
    FilterPipeline pipeline = random_pipeline();
    Buffer image = random_image();
    auto mask = test::pick<std::uint32_t>(0, 1U << pipeline.size());
    auto decoded = decode_chunk(pipeline, encode(pipeline, image, mask), mask, image.size());
    RC_ASSERT(decoded.has_value());
    RC_ASSERT(*decoded == image);
  }));
}

TEST(FilterPipeline, EncodesWhatItDecodes) {
  EXPECT_TRUE(rc::check([] {
    FilterPipeline pipeline = random_pipeline();
    for (FilterSpec& spec : pipeline) spec.flags = test::pick(0U, 2U);
    Buffer image = random_image();
    auto encoded = encode_chunk(pipeline, image);
    RC_ASSERT(encoded.has_value());
    // Bytes that plain code gives with the same stages left out.
    for (std::size_t i = 0; i < pipeline.size(); ++i)
      if ((encoded->mask >> i & 1) != 0) RC_ASSERT(pipeline[i].flags == kFilterOptional);
    auto decoded = decode_chunk(pipeline, encoded->bytes, encoded->mask, image.size());
    RC_ASSERT(decoded.has_value());
    RC_ASSERT(*decoded == image);
    if (std::none_of(pipeline.begin(), pipeline.end(),
                     [](const FilterSpec& spec) { return spec.id == kFilterDeflate; }))
      RC_ASSERT(encoded->bytes == encode(pipeline, image, 0));
  }));
}

TEST(FilterPipeline, SkipsOptionalSzipThatWinsNothing) {
  Buffer noise(1024);
  std::uint32_t x = 1;
  for (std::byte& b : noise) b = static_cast<std::byte>((x = x * 1664525 + 1013904223) >> 24);
  FilterSpec szip = stage(kFilterSzip);
  // What libhdf5 stores for 256 elements of 4 bytes: NN, little-endian, raw; pixels, bits, per line.
  szip.values = {141, 8, 32, 256};
  szip.flags = kFilterOptional;
  auto skipped = encode_chunk({stage(kFilterShuffle, 4), szip}, noise);
  ASSERT_TRUE(skipped.has_value());
  EXPECT_EQ(skipped->mask, 2U);
  EXPECT_EQ(skipped->bytes, shuffle(noise, 4));
  szip.flags = 0;
  EXPECT_FALSE(encode_chunk({szip}, noise).has_value());
}

/// The coder would lose bits of the others, too.
TEST(FilterPipeline, SzipTakesNoPixelsWithBitsOutsideTheirPrecision) {
  for (const unsigned order : {kLsb, kMsb}) {
    FilterSpec szip = stage(kFilterSzip);
    szip.values = {128 + 32 + order, 8, 12, 32};
    Buffer image(64);
    for (std::size_t i = 0; i < image.size(); ++i)
      image[i] = static_cast<std::byte>((i % 2 == 1) == (order == kLsb) ? i % 16 : i);
    auto stored = encode_chunk({szip}, image);
    ASSERT_TRUE(stored.has_value());
    EXPECT_EQ(decode_chunk({szip}, stored->bytes, 0, image.size()).value(), image);
    image[order == kLsb ? 33 : 32] = std::byte{0xF3};
    EXPECT_FALSE(encode_chunk({szip}, image).has_value());
    szip.flags = kFilterOptional;
    stored = encode_chunk({szip}, image);
    ASSERT_TRUE(stored.has_value());
    EXPECT_EQ(stored->mask, 1U);
    EXPECT_EQ(stored->bytes, image);
  }
}

// What libhdf5 1.10.8 stored: behind scale-offset szip had 61 bytes, as pixels of 2. This library doesn't make
// such chunks.
TEST(FilterPipeline, DecodesSzipOfImagesThatEndInsideAPixel) {
  FilterSpec scale = stage(kFilterScaleOffset), szip = stage(kFilterSzip);
  scale.values.assign(20, 0);
  scale.values[0] = scale.values[4] = 2;
  scale.values[2] = 20;
  szip.values = {169, 8, 16, 20};
  const FilterPipeline pipeline{stage(kFilterShuffle, 2), scale, szip};
  const Buffer stored = test::hex(
      "3d 00 00 00 30 01 00 12 3f 98 07 80 00 00 00 77 00 62 e1 ff 7f 46 8f da d1 c9 74 7a 09 fa "
      "e6 e7 "
      "08 0d b1 f0 00 00 00 00 00 00 00 04 80 7b 22 17 f5 81 81 ff 80 80 00 34 03 f8 c0 00 00 00 "
      "00 20 ");
  const unsigned expected[20] = {119, 30, 29, 511, 511, 240, 185, 135, 12,  116,
                                 73,  36, 57, 91,  80,  511, 15,  31,  219, 123};
  const auto image = decode_chunk(pipeline, stored, 0, 40);
  ASSERT_TRUE(image) << image.error().message();
  for (std::size_t i = 0; i < 20; ++i)  // 9 bits from bit 1
    EXPECT_EQ(std::to_integer<unsigned>((*image)[2 * i]) +
                  256 * std::to_integer<unsigned>((*image)[2 * i + 1]),
              2 * expected[i]);
  // Of pixels of 4 bytes the end is lost: it is zero, and the rest is there.
  Buffer whole(188);
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<std::byte>(i / 32);
  szip.values = {141, 8, 32, 42};
  auto encoded = encode_chunk({szip}, whole);
  ASSERT_TRUE(encoded);
  encoded->bytes[0] = std::byte{189};
  const auto more = decode_chunk({szip}, encoded->bytes, 0, 189);
  ASSERT_TRUE(more) << more.error().message();
  whole.push_back(std::byte{0});
  EXPECT_EQ(*more, whole);
}

// What libhdf5 1.10.8 reads where szip of 2 bits has dropped all of scale-offset's header: zeros.
TEST(FilterPipeline, ScaleOffsetWithoutALeastValueIsZero) {
  FilterSpec scale = stage(kFilterScaleOffset);
  scale.values.assign(20, 0);
  scale.values[0] = scale.values[4] = 2;
  scale.values[2] = 20;
  const auto image = decode_chunk({scale}, Buffer(24), 0, 40);
  ASSERT_TRUE(image) << image.error().message();
  EXPECT_EQ(*image, Buffer(40));
}

// N-bit that has nothing to pack leaves elements, which scale-offset takes.
TEST(FilterPipeline, ScaleOffsetComesBehindNbitThatCopies) {
  FilterSpec nbit = stage(kFilterNbit), scale = stage(kFilterScaleOffset);
  nbit.values = {8, 1, 2, 1, 4, 0, 32, 0};
  scale.values.assign(20, 0);
  scale.values[0] = 2;
  scale.values[2] = 2;
  scale.values[4] = 4;
  nbit.flags = scale.flags = kFilterOptional;
  const Buffer image(8, std::byte{1});
  auto copied = encode_chunk({nbit, scale}, image);
  ASSERT_TRUE(copied);
  EXPECT_EQ(copied->mask, 0U);
  nbit.values[1] = 0;
  nbit.values[6] = 16;
  auto packed = encode_chunk({nbit, scale}, image);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->mask, 2U);
}

TEST(FilterPipeline, AMandatoryFilterThatIsMissingIsNamed) {
  FilterSpec blosc = stage(32001);
  EXPECT_FALSE(check_encodable({blosc}).ok());
  EXPECT_FALSE(encode_chunk({blosc}, Buffer(4)).has_value());
  blosc.flags = kFilterOptional;
  EXPECT_TRUE(check_encodable({blosc}).ok());
  auto skipped = encode_chunk({blosc}, Buffer(4));
  ASSERT_TRUE(skipped.has_value());
  EXPECT_EQ(skipped->mask, 1U);
}

TEST(FilterPipeline, DamageIsAnErrorOrHarmless) {
  EXPECT_TRUE(rc::check([] {
    FilterPipeline pipeline = random_pipeline();
    Buffer image = random_image();
    Buffer stored = encode(pipeline, image, 0);
    int hits = test::pick(0, 4);
    for (int i = 0; i < hits && !stored.empty(); ++i)
      stored[test::pick<std::size_t>(0, stored.size())] ^= std::byte{0x10};
    stored.resize(test::pick<std::size_t>(0, stored.size() + 3));
    auto decoded = decode_chunk(pipeline, stored, 0, image.size());
    if (decoded) RC_ASSERT(decoded->size() == image.size());
  }));
}

TEST(FilterPipeline, AChecksumFindsEveryFlippedBit) {
  FilterPipeline pipeline{stage(kFilterFletcher32)};
  Buffer image(64, std::byte{3});
  Buffer stored = encode(pipeline, image, 0);
  for (std::size_t bit = 0; bit < 8 * stored.size(); ++bit) {
    Buffer damaged = stored;
    damaged[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    EXPECT_FALSE(decode_chunk(pipeline, damaged, 0, image.size()).has_value()) << bit;
  }
  // Each half of the checksum with its bytes swapped is what some old files hold.
  std::swap(stored[64], stored[65]);
  std::swap(stored[66], stored[67]);
  EXPECT_TRUE(decode_chunk(pipeline, stored, 0, image.size()).has_value());
}

TEST(FilterPipeline, TakesTheFirstBytesOfLongerChunksAndRefusesShorterOnes) {
  Buffer image(1000);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::byte>(i * i % 251);
  for (const FilterPipeline& pipeline :
       {FilterPipeline{}, FilterPipeline{stage(kFilterDeflate)},
        FilterPipeline{stage(kFilterShuffle, 1), stage(kFilterDeflate),
                       stage(kFilterFletcher32)}}) {
    Buffer stored = encode(pipeline, image, 0);
    for (const std::size_t bytes : {1000U, 999U, 400U, 1U}) {
      auto decoded = decode_chunk(pipeline, stored, 0, bytes);
      ASSERT_TRUE(decoded.has_value()) << bytes;
      EXPECT_TRUE(std::equal(decoded->begin(), decoded->end(), image.begin()));
      EXPECT_EQ(decoded->size(), bytes);
      FilterScratch scratch;
      Buffer into(bytes + 1, std::byte{77});
      EXPECT_TRUE(decode_chunk(pipeline, stored, 0, Bytes(into).first(bytes), scratch).ok());
      EXPECT_TRUE(std::equal(into.begin(), into.end() - 1, image.begin()));
      EXPECT_EQ(into.back(), std::byte{77});
    }
    EXPECT_FALSE(decode_chunk(pipeline, stored, 0, 1001).has_value());
  }
  // A few kilobytes that would be many megabytes.
  const FilterPipeline deflated{stage(kFilterDeflate)};
  EXPECT_FALSE(decode_chunk(deflated, encode(deflated, Buffer(std::size_t{40} << 20), 0), 0, 1000));
}

/// What it makes of a chunk may be of any size, whatever comes behind it.
TEST(FilterPipeline, UndoesForeignFiltersThatMakeChunksLarger) {
  FilterClass grow;
  grow.id = 500;
  grow.name = "grow";
  grow.encodes = grow.decodes = true;
  grow.foreign = [](unsigned flags, std::size_t, const unsigned* values, std::size_t bytes,
                    std::size_t* room, void** buffer) -> std::size_t {
    if ((flags & kFilterReverse) != 0) return bytes / values[0];
    *room = bytes * values[0];
    *buffer = std::realloc(*buffer, *room);
    for (unsigned i = 1; i < values[0]; ++i)
      std::memcpy(static_cast<char*>(*buffer) + i * bytes, *buffer, bytes);
    return *room;
  };
  ASSERT_TRUE(register_filter(grow).ok());
  FilterSpec szip = stage(kFilterSzip);
  szip.values = {32, 8, 32, 32};  // nearest neighbours
  Buffer image(10000);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::byte>(i % 251);
  for (const unsigned times : {2U, 5U, 4000U})
    for (const FilterPipeline& pipeline :
         {FilterPipeline{stage(500, times), stage(kFilterDeflate, 6)},
          FilterPipeline{stage(500, times), stage(kFilterShuffle, 4), stage(kFilterDeflate, 1),
                         stage(kFilterFletcher32)},
          FilterPipeline{stage(kFilterShuffle, 4), stage(500, times), szip}}) {
      auto stored = encode_chunk(pipeline, image);
      ASSERT_TRUE(stored.has_value());
      auto decoded = decode_chunk(pipeline, stored->bytes, stored->mask, image.size());
      ASSERT_TRUE(decoded.has_value()) << times << " " << decoded.error().message();
      EXPECT_TRUE(*decoded == image);
    }
  // Without it nobody knows why a chunk should be so large.
  const FilterPipeline pipeline{stage(500, 4000), stage(kFilterDeflate, 6)};
  auto stored = encode_chunk(pipeline, image);
  EXPECT_TRUE(unregister_filter(500).ok());
  auto decoded = decode_chunk(pipeline, stored->bytes, 0, image.size());
  ASSERT_FALSE(decoded.has_value());
  EXPECT_NE(decoded.error().message().find("larger"), std::string::npos);
}

TEST(FilterPipeline, TakesMemoryForWhatIsThereOnly) {
  // Exabytes were not allocated where this returns.
  FilterPipeline pipeline{stage(kFilterDeflate)};
  Buffer stored = encode(pipeline, Buffer(100), 0);
  EXPECT_FALSE(decode_chunk(pipeline, stored, 0, std::size_t{1} << 60).has_value());
  EXPECT_FALSE(decode_chunk(FilterPipeline(), stored, 0, std::size_t{1} << 60).has_value());
}

TEST(FilterPipeline, InflatesMoreThanTheFirstGuess) {
  FilterPipeline pipeline{stage(kFilterDeflate)};
  Buffer image(std::size_t{50} << 20, std::byte{1});
  auto decoded = decode_chunk(pipeline, encode(pipeline, image, 0), 0, image.size());
  ASSERT_TRUE(decoded.has_value());
  EXPECT_TRUE(*decoded == image);
}

TEST(FilterPipeline, NamesWhatItCantUndo) {
  FilterSpec blosc = stage(32001);
  auto without_name = decode_chunk(FilterPipeline{blosc}, Buffer(4), 0, 4);
  ASSERT_FALSE(without_name.has_value());
  EXPECT_NE(without_name.error().message().find("32001"), std::string::npos);
  blosc.name = "blosc";
  auto named = decode_chunk(FilterPipeline{blosc}, Buffer(4), 0, 4);
  ASSERT_FALSE(named.has_value());
  EXPECT_NE(named.error().message().find("blosc"), std::string::npos);
  EXPECT_TRUE(decode_chunk(FilterPipeline{blosc}, Buffer(4), 1, 4).has_value());
}

/// 17 bits of each number count; where another filter has turned the bytes all of them do.
TEST(Pipeline, BitsAreLeftOutOfElementsOnly) {
  FilterSpec nbit = stage(kFilterNbit);
  nbit.flags = kFilterOptional;
  nbit.values = {8, 0, 16, 1, 4, 0, 17, 0};
  FilterSpec scale = stage(kFilterScaleOffset);
  scale.flags = kFilterOptional;
  Buffer image;
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned byte : {i * 37 % 256, i * 91 % 256, i % 2, 0U})
      image.push_back(static_cast<std::byte>(byte));
  auto alone = encode_chunk({nbit}, image);
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->mask, 0U);
  EXPECT_LT(alone->bytes.size(), image.size());
  for (const FilterSpec& second : {nbit, scale}) {
    auto made = encode_chunk({stage(kFilterShuffle, 4), second}, image);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->mask, 2U);
    auto back =
        decode_chunk({stage(kFilterShuffle, 4), second}, made->bytes, made->mask, image.size());
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, image);
  }
  nbit.flags = 0;
  auto refused = encode_chunk({stage(kFilterShuffle, 4), nbit}, image);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("put it first"), std::string::npos);
}

}  // namespace
}  // namespace pcio
