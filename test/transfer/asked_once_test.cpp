// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Letters of several ranks as one that asks for each byte once, beside a table of bytes.

#include "transfer/transports/asked_once.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <set>

namespace pcio {
namespace {

using Buffer = std::vector<std::byte>;
/// Slice and offset.
using Place = std::pair<std::uint64_t, std::uint64_t>;

constexpr std::uint64_t kSlice = 700;

/// What is in the file there.
std::byte value_at(const Place& place) {
  return static_cast<std::byte>((place.first * 131 + place.second * 7 + place.second / 256) % 251);
}

struct Asker {
  Buffer letter, reply;
  std::vector<Place> places;
};

/// Ascending ranges of some slices, as an exchange folds them.
Asker make_asker(std::mt19937_64& random, std::uint64_t sparse) {
  Asker asker;
  std::vector<LetterHead> heads;
  std::vector<Section> sections;
  for (std::uint32_t slice = 0; slice < 5; ++slice) {
    if (random() % 3 == 0) continue;
    SectionBuilder builder;
    const bool strided = random() % 2 == 0;
    const std::uint64_t step = 1 + random() % sparse, length = 1 + random() % 9;
    for (std::uint64_t at = random() % 50; at + length <= kSlice;
         at += length + (strided ? step : random() % sparse)) {
      builder.add(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(length));
      for (std::uint64_t i = 0; i < length; ++i) asker.places.emplace_back(slice, at + i);
    }
    heads.push_back({slice, static_cast<std::uint32_t>(builder.sections().size())});
    sections.insert(sections.end(), builder.sections().begin(), builder.sections().end());
  }
  const std::uint64_t count = heads.size();
  asker.letter.resize(letter_heads(count) + sections.size() * sizeof(Section));
  std::memcpy(asker.letter.data(), &count, sizeof count);
  std::memcpy(asker.letter.data() + letter_heads(0), heads.data(), count * sizeof(LetterHead));
  std::memcpy(asker.letter.data() + letter_heads(count), sections.data(),
              sections.size() * sizeof(Section));
  asker.reply.resize(asker.places.size());
  return asker;
}

/// As an owner answers: all that is asked for, in the order of the letter.
std::set<Place> answer(AskedOnce& asked) {
  std::set<Place> places;
  std::uint64_t at = 0;
  static_cast<void>(
      SliceLetter(asked.request())
          .for_each([&](std::uint32_t slice, std::span<const Section> sections, ConstBytes) {
            for (const Section& s : sections)
              for (std::uint64_t i = 0; i < s.count; ++i)
                for (std::uint64_t j = 0; j < s.length; ++j) {
                  const Place place(slice, s.offset + i * s.stride + j);
                  EXPECT_TRUE(places.insert(place).second) << "asked for twice";
                  asked.place()[at++] = value_at(place);
                }
            return Status();
          }));
  EXPECT_EQ(at, asked.place().size());
  return places;
}

TEST(AskedOnce, EachByteComesOnceAndReachesAllThatWantIt) {
  std::mt19937_64 random(31);
  std::uint64_t shared = 0, apart = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<Asker> askers;
    const std::uint64_t sparse = round % 3 == 0 ? 400 : 12;
    for (std::uint64_t n = 1 + random() % 6; n > 0; --n)
      askers.push_back(make_asker(random, sparse));
    std::set<Place> wanted;
    std::uint64_t bytes = 0, letters = 0;
    AskedOnce asked;
    for (Asker& asker : askers) {
      asked.add(asker.letter, asker.reply.data());
      wanted.insert(asker.places.begin(), asker.places.end());
      bytes += asker.places.size();
      letters += asker.letter.size();
    }
    constexpr std::uint64_t kAny = std::uint64_t{1} << 60;
    const bool once = asked.settle(kAny, kAny);
    // No more is sent than as the letters are, and nothing is made of those that repeat nothing.
    if (once) {
      EXPECT_LT(asked.request().size() + wanted.size(), letters + bytes);
    }
    if (wanted.size() == bytes) {
      EXPECT_FALSE(once);
    }
    ++(once ? shared : apart);
    if (!once) continue;
    EXPECT_EQ(answer(asked), wanted);
    asked.hand_out();
    for (const Asker& asker : askers)
      for (std::size_t i = 0; i < asker.places.size(); ++i)
        ASSERT_EQ(asker.reply[i], value_at(asker.places[i])) << "round " << round;
  }
  EXPECT_GT(shared, 20U);
  EXPECT_GT(apart, 4U);
}

TEST(AskedOnce, IsNotLongerThanItMayBe) {
  std::mt19937_64 random(32);
  std::vector<Asker> askers;
  for (int i = 0; i < 3; ++i) askers.push_back(make_asker(random, 12));
  const auto settles = [&](std::uint64_t most, std::uint64_t most_answer, AskedOnce* asked) {
    for (Asker& asker : askers) asked->add(asker.letter, asker.reply.data());
    return asked->settle(most, most_answer);
  };
  AskedOnce free;
  constexpr std::uint64_t kAny = std::uint64_t{1} << 60;
  ASSERT_TRUE(settles(kAny, kAny, &free));
  const std::uint64_t most = free.request().size(), answer = free.place().size();
  AskedOnce fits, too_long, too_much;
  EXPECT_TRUE(settles(most, answer, &fits));
  EXPECT_FALSE(settles(most - 1, answer, &too_long));
  EXPECT_FALSE(settles(most, answer - 1, &too_much));
}

}  // namespace
}  // namespace pcio
