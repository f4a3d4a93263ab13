// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: pieces that are read together against bytes in memory, and how many calls that takes.

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "transfer/pieces/read_pieces.hpp"

namespace pcio {
namespace {

/// Bytes in memory; counts calls, and the largest of them. Behind `end` nothing can be read.
class CountedBytes final : public ByteTarget {
 public:
  explicit CountedBytes(std::size_t size, bool gaps = true) : bytes(size), gaps_(gaps) {
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + (i >> 8));
  }
  Status read(FileAddress address, Bytes into) override {
    ++calls;
    largest = std::max(largest, into.size());
    if (address + into.size() > bytes.size()) return PCIO_ERROR(IO, READERROR, "behind the end");
    std::memcpy(into.data(), bytes.data() + address, into.size());
    return Status();
  }
  Status write(FileAddress, ConstBytes) override { return PCIO_ERROR(IO, WRITEERROR, "no"); }
  [[nodiscard]] bool has_gaps_to_read() const override { return gaps_; }

  std::vector<std::byte> bytes;
  int calls = 0;
  std::size_t largest = 0;

 private:
  bool gaps_;
};

std::vector<std::byte> wanted(const CountedBytes& from, const std::vector<FilePiece>& pieces,
                              std::uint64_t size) {
  std::vector<std::byte> all;
  for (const FilePiece& piece : pieces)
    for (std::uint64_t i = 0; i < piece.count * size; ++i)
      all.push_back(from.bytes[piece.address + i]);
  return all;
}

TEST(ReadPieces, GivesTheBytesOfEach) {
  std::mt19937 random(3);
  int joined = 0, alone = 0;
  for (int round = 0; round < 500; ++round) {
    const std::uint64_t size = 1 + random() % 50;
    std::vector<FilePiece> pieces;
    std::uint64_t at = random() % 100;
    while (pieces.size() < 40) {
      const std::uint64_t count = random() % 6;
      pieces.push_back({at, 0, count});
      at += count * size + (random() % 3 == 0 ? random() % 9000 : random() % 300);
    }
    CountedBytes file(at, round % 4 != 0);
    const std::vector<std::byte> expected = wanted(file, pieces, size);
    std::vector<std::byte> found(expected.size());
    ASSERT_TRUE(read_pieces(pieces, size, found, file).ok());
    ASSERT_EQ(found, expected) << "round " << round;
    ASSERT_LE(file.largest, std::size_t{64} << 10);
    (file.calls < 40 ? joined : alone) += 1;
    ASSERT_TRUE(round % 4 != 0 || file.calls == 40);
  }
  EXPECT_GT(joined, 300);
  EXPECT_GT(alone, 100);
}

TEST(ReadPieces, OneCallForManyThatLieNear) {
  std::vector<FilePiece> pieces;
  for (std::uint64_t i = 0; i < 1000; ++i) pieces.push_back({i * 64, i, 1});
  CountedBytes file(64000);
  std::vector<std::byte> found(16000);
  ASSERT_TRUE(read_pieces(pieces, 16, found, file).ok());
  EXPECT_EQ(found, wanted(file, pieces, 16));
  EXPECT_EQ(file.calls, 1);
}

/// A page between them is not read for nothing, and a large piece goes where it belongs.
TEST(ReadPieces, AsManyCallsAsThereArePagesBetween) {
  const std::vector<FilePiece> pieces = {{0, 0, 8}, {8 + 4096, 0, 8}, {16 + 4096, 0, 100000}};
  CountedBytes file(200000);
  std::vector<std::byte> found(100016);
  ASSERT_TRUE(read_pieces(pieces, 1, found, file).ok());
  EXPECT_EQ(found, wanted(file, pieces, 1));
  EXPECT_EQ(file.calls, 3);
}

TEST(ReadPieces, AFailureIsTold) {
  const std::vector<FilePiece> pieces = {{0, 0, 8}, {20, 0, 8}};
  CountedBytes file(25);
  std::vector<std::byte> found(16);
  EXPECT_FALSE(read_pieces(pieces, 1, found, file).ok());
}

}  // namespace
}  // namespace pcio
