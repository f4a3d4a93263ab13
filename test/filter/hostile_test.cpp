// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: damaged chunks and parameters: an error or an image of the right size, bounded memory.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "filter/pipeline.hpp"
#include "filter/standard_filters.hpp"
#include "support/pick.hpp"

namespace pcio {
namespace {

using Buffer = std::vector<std::byte>;

/// Parameters that belong to an image of `elements` numbers of 4 bytes.
FilterSpec sound_stage(int id, unsigned elements) {
  FilterSpec stage;
  stage.id = id;
  switch (id) {
    case kFilterDeflate: stage.values = {6}; break;
    case kFilterShuffle: stage.values = {4}; break;
    case kFilterSzip: stage.values = {169, 8, 32, std::clamp(elements, 1U, 1024U)}; break;
    case kFilterNbit:
      stage.values = {21, 0, elements / 3, 3, 12, 3, 0, 1, 4, 0, 17, 0, 5, 4, 5, 10, 1, 2, 1, 9, 2};
      break;
    case kFilterScaleOffset:
      stage.values = {2, 0, elements, 0, 4, 1, 0, 1};
      stage.values.resize(20);
      break;
    default: break;
  }
  return stage;
}

Buffer random_bytes(std::size_t n, int kinds) {
  Buffer bytes(n);
  for (std::byte& b : bytes) b = static_cast<std::byte>(test::pick(0, kinds));
  return bytes;
}

unsigned wild_number() {
  switch (test::pick(0, 4)) {
    case 0: return test::pick(0U, 5U);
    case 1: return test::pick(0U, 200U);
    case 2: return 0xFFFFFFFFU - test::pick(0U, 3U);
    default: return 1U << test::pick(0, 32);
  }
}

void spoil(FilterSpec* stage) {
  int hits = test::pick(0, 3);
  for (int i = 0; i < hits && !stage->values.empty(); ++i)
    stage->values[test::pick<std::size_t>(0, stage->values.size())] = wild_number();
  if (test::pick(0, 6) == 0)
    stage->values.resize(test::pick<std::size_t>(0, stage->values.size() + 3), wild_number());
}

void spoil(Buffer* bytes) {
  int hits = test::pick(0, 4);
  for (int i = 0; i < hits && !bytes->empty(); ++i) {
    // Headers stand in front.
    std::size_t end =
        test::pick(0, 2) == 0 ? std::min<std::size_t>(bytes->size(), 21) : bytes->size();
    (*bytes)[test::pick<std::size_t>(0, end)] = static_cast<std::byte>(test::pick(0, 256));
  }
  if (test::pick(0, 4) == 0) bytes->resize(test::pick<std::size_t>(0, bytes->size() + 8));
}

TEST(HostileChunks, AreErrorsOrImagesOfTheRightSize) {
  int decoded_well = 0, refused = 0;
  const bool fine = rc::check([&] {
    const int id = test::pick(1, 7);
    const auto elements = 3 * test::pick(1U, 200U);
    FilterPipeline pipeline{sound_stage(id, elements)};
    Buffer image = random_bytes(std::size_t{4} * elements, *rc::gen::element(1, 3, 256));
    auto stored = encode_chunk(pipeline, image);
    Buffer bytes = stored ? stored->bytes : random_bytes(test::pick<std::size_t>(0, 100), 256);
    spoil(&bytes);
    spoil(&pipeline[0]);
    auto decoded = decode_chunk(pipeline, bytes, 0, image.size());
    decoded ? ++decoded_well : ++refused;
    if (decoded) RC_ASSERT(decoded->size() == image.size());
    // Encoding with such parameters must be as safe.
    auto again = encode_chunk(pipeline, image);
    if (again) RC_ASSERT(!again->bytes.empty());
  });
  EXPECT_TRUE(fine);
  EXPECT_GT(decoded_well, 10);
  EXPECT_GT(refused, 10);
}

TEST(HostileChunks, OfNothingButNoise) {
  EXPECT_TRUE(rc::check([] {
    FilterPipeline pipeline;
    for (int i = test::pick(1, 4); i > 0; --i) {
      pipeline.push_back(sound_stage(test::pick(1, 7), 300));
      spoil(&pipeline.back());
    }
    Buffer bytes = random_bytes(test::pick<std::size_t>(0, 400), 256);
    auto decoded = decode_chunk(pipeline, bytes, test::pick(0U, 8U), 1200);
    if (decoded) RC_ASSERT(decoded->size() == 1200U);
  }));
}

TEST(HostileChunks, ClaimNoMemoryThatTheyCantFill) {
  // Each claims exabytes or at least gigabytes by its parameters or header.
  const Buffer small(64, std::byte{0xFF});
  FilterSpec nbit = sound_stage(kFilterNbit, 0xFFFFFFFFU);
  nbit.values[2] = 0xFFFFFFFFU;
  EXPECT_FALSE(decode_chunk({nbit}, small, 0, std::uint64_t{0xFFFFFFFF} * 12));
  FilterSpec so = sound_stage(kFilterScaleOffset, 0xFFFFFFFFU);
  EXPECT_FALSE(decode_chunk({so}, small, 0, std::uint64_t{0xFFFFFFFF} * 4));
  FilterSpec szip = sound_stage(kFilterSzip, 100);
  EXPECT_FALSE(decode_chunk({szip}, small, 0, 400));
  FilterSpec deflate = sound_stage(kFilterDeflate, 100);
  EXPECT_FALSE(decode_chunk({deflate}, small, 0, std::uint64_t{1} << 60));
}

/// Members that share their bytes, each a compound of no bits: the image needs no bytes, and the work has no end.
TEST(HostileChunks, AskForNoMoreWorkThanTheirBytes) {
  constexpr unsigned kMembers = 400, kSize = 4 * kMembers;
  FilterSpec nbit;
  nbit.id = kFilterNbit;
  nbit.values = {0, 0, 1, 3, kSize, kMembers};
  for (unsigned i = 0; i < kMembers; ++i)
    nbit.values.insert(nbit.values.end(), {0, 2, kSize, 3, 1, 0});
  nbit.values[0] = static_cast<unsigned>(nbit.values.size());
  EXPECT_FALSE(decode_chunk({nbit}, Buffer(8), 0, kSize));
  nbit.values = {0, 0, 1, 3, kSize, 1, 0, 2, kSize, 3, 1, 0};
  nbit.values[0] = static_cast<unsigned>(nbit.values.size());
  EXPECT_TRUE(decode_chunk({nbit}, Buffer(8), 0, kSize));
}

TEST(HostileChunks, AreNoLargerThanChunksCanBe) {
  for (int id : {kFilterNbit, kFilterScaleOffset}) {
    const FilterPipeline pipeline{sound_stage(id, 300)};
    EXPECT_TRUE(check_image_size(pipeline, 100, 0, 0xFFFFFFFF).ok());
    EXPECT_FALSE(check_image_size(pipeline, 100, 0, std::uint64_t{1} << 62).ok());
  }
}

TEST(HostileChunks, NestNoDeeperThanTypesDo) {
  FilterSpec deep;
  deep.id = kFilterNbit;
  deep.values = {0, 0, 1};
  for (int i = 0; i < 10000; ++i) deep.values.insert(deep.values.end(), {2, 4});
  deep.values.insert(deep.values.end(), {1, 4, 0, 17, 0});
  deep.values[0] = static_cast<unsigned>(deep.values.size());
  EXPECT_FALSE(decode_chunk({deep}, Buffer(4), 0, 4));
}

TEST(ForeignFilters, AreNotBelievedBeyondTheirMemory) {
  FilterClass liar;
  liar.id = 500;
  liar.name = "liar";
  liar.encodes = liar.decodes = true;
  liar.foreign = [](unsigned, std::size_t, const unsigned*, std::size_t, std::size_t* room,
                    void**) -> std::size_t {
    *room = std::size_t{1} << 40;
    return std::size_t{1} << 40;
  };
  ASSERT_TRUE(register_filter(liar).ok());
  FilterSpec stage;
  stage.id = 500;
  auto decoded = decode_chunk({stage}, Buffer(16), 0, 16);
  ASSERT_FALSE(decoded.has_value());
  EXPECT_TRUE(unregister_filter(500).ok());
}

#if defined(__GLIBC__)
/// A batch of small chunks may be kept: each in no more memory than it says.
TEST(ForeignFilters, LeaveNoMoreMemoryThanWhatTheyMade) {
  FilterClass small;
  small.id = 500;
  small.name = "small";
  small.encodes = small.decodes = true;
  small.foreign = [](unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*,
                     void**) { return bytes / 16; };
  ASSERT_TRUE(register_filter(small).ok());
  FilterSpec stage;
  stage.id = 500;
  for (const std::size_t bytes : {std::size_t{16} << 10, std::size_t{16} << 20}) {
    Buffer image(bytes);
    for (std::size_t i = 0; i < bytes; ++i) image[i] = static_cast<std::byte>(i % 251);
    FilterScratch scratch;
    const auto made = encode_chunk({stage}, image, scratch);
    ASSERT_TRUE(made.has_value());
    ASSERT_EQ(made->bytes.size(), bytes / 16);
    EXPECT_TRUE(std::equal(made->bytes.begin(), made->bytes.end(), image.begin()));
    EXPECT_LE(malloc_usable_size(const_cast<std::byte*>(made->bytes.data())), bytes / 16 * 5 / 4);
  }
  EXPECT_TRUE(unregister_filter(500).ok());
}
#endif

TEST(FilterOptions, SwitchTheChecksumOffAndAskTheProgram) {
  FilterSpec sum;
  sum.id = kFilterFletcher32;
  Buffer image(16, std::byte{5}), out(16);
  auto stored = encode_chunk({sum}, image);
  ASSERT_TRUE(stored.has_value());
  stored->bytes[3] = std::byte{6};
  FilterScratch scratch;
  EXPECT_FALSE(decode_chunk({sum}, stored->bytes, 0, out, scratch).ok());
  FilterOptions options;
  options.checksum = ChecksumCheck::kDisable;
  EXPECT_TRUE(decode_chunk({sum}, stored->bytes, 0, out, scratch, options).ok());
  EXPECT_EQ(out[3], std::byte{6});
  // The program says: go on without the filter. Of the 20 bytes that are left the image has the first, as under libhdf5.
  options.checksum = ChecksumCheck::kEnable;
  int asked = 0;
  options.failure.data = &asked;
  options.failure.function =
      reinterpret_cast<void (*)()>(+[](int filter, void*, std::size_t size, void* data) -> int {
        *static_cast<int*>(data) += filter + static_cast<int>(size);
        return 1;
      });
  out[4] = std::byte{0};
  EXPECT_TRUE(decode_chunk({sum}, stored->bytes, 0, out, scratch, options).ok());
  EXPECT_EQ(asked, 23);
  EXPECT_EQ(out[4], std::byte{5});
  // A mandatory filter that fails on the way out: stored without it.
  FilterSpec level;
  level.id = kFilterDeflate;
  level.values = {77};
  EXPECT_FALSE(encode_chunk({level}, image, scratch).has_value());
  auto without = encode_chunk({level}, image, scratch, options);
  ASSERT_TRUE(without.has_value());
  EXPECT_EQ(without->mask, 1U);
}

}  // namespace
}  // namespace pcio
