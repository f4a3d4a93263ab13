// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: what the parts of the fuzzer share: files as bytes, and numbers that follow from a seed.

#ifndef PCIO_TEST_FUZZ_FUZZ_HPP
#define PCIO_TEST_FUZZ_FUZZ_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fuzz {

using Image = std::vector<unsigned char>;

/// A sound file, or what became of one.
struct NamedImage {
  std::string name;
  Image bytes;
};

/// The same numbers from the same seed on every machine (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  /// 0 to n - 1; 0 for n = 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(next() % n); }
  /// True once in n times.
  bool one_in(std::size_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

/// Of bytes, for summaries.
inline std::uint64_t hash_of(const Image& bytes, std::uint64_t h = 0xCBF29CE484222325U) {
  for (unsigned char byte : bytes) h = (h ^ byte) * 0x100000001B3U;
  return h;
}

}  // namespace fuzz

#endif
