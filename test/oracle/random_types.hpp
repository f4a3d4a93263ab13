// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random datatypes with a model of their bytes, for the campaign of random files.
// Room: test/oracle, public C API only. The model knows how a value looks in a type without
// asking the library under test, so that what a file holds can be predicted.

#ifndef PCIO_TEST_ORACLE_RANDOM_TYPES_HPP
#define PCIO_TEST_ORACLE_RANDOM_TYPES_HPP

#include <cstddef>
#include <cstdint>
#include <hdf5.h>
#include <string>
#include <utility>
#include <vector>

namespace oracle {

/// SplitMix64: the same numbers on every machine, unlike the standard library's distributions. Or a
/// list of choices made elsewhere, then zeros: zero is always the plainest choice, so that a list
/// can be shrunk to the least file that shows a fault.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}
  explicit Rng(std::vector<std::uint64_t> choices) : choices_(std::move(choices)), chosen_(true) {}
  std::uint64_t next();
  /// A number in [0, bound); bound 0 gives 0.
  std::uint64_t below(std::uint64_t bound) { return bound == 0 ? 0 : next() % bound; }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low + 1)));
  }
  bool chance(unsigned percent) { return below(100) >= 100 - percent; }

 private:
  std::uint64_t state_ = 0;
  std::vector<std::uint64_t> choices_;
  std::size_t at_ = 0;
  bool chosen_ = false;
};

/// Mixes two numbers into one, for values that depend on a place.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

enum class Kind { kInteger, kFloat, kString, kEnum, kArray, kCompound, kOpaque, kBitfield };
constexpr int kKinds = 8;
const char* kind_name(Kind kind);

/// A datatype as the generator sees it.
struct TypeModel {
  Kind kind = Kind::kInteger;
  std::size_t size = 4;
  bool big_endian = false;
  bool is_signed = true;
  bool whole_range = false;  // every bit pattern is used; only where nothing is converted
  bool nonnegative = false;  // values must fit an unsigned type somewhere
  unsigned precision = 0;    // 0: all bits
  unsigned bit_offset = 0;
  int string_pad = 0;
  std::size_t text_size = 0;       // strings: characters that fit the file's and the memory's type
  std::vector<hsize_t> dims;       // arrays
  std::vector<std::string> names;  // enum and compound members
  std::vector<std::size_t> offsets;     // compound members
  std::vector<std::size_t> identities;  // compound members: the place in the file's type
  std::vector<TypeModel> parts;         // base type or members
  std::string tag;                      // opaque

  std::size_t array_count() const;
};

/// A random type; `depth` bounds nesting. Compounds have at most five members.
TypeModel random_type(Rng& rng, int depth);
TypeModel random_type_of(Rng& rng, Kind kind, int depth);

/// A type for memory that the library must convert from and to `file`.
TypeModel memory_variant(Rng& rng, const TypeModel& file);

/// Lets integers use their whole range; only right if memory and file types are one.
void use_whole_range(TypeModel& type);

/// The library's id of the type, to be closed by the caller; negative when refused.
hid_t make_type(const TypeModel& type);

/// Writes the value drawn from `seed` in the shape of `type`.
void encode(const TypeModel& type, std::uint64_t seed, std::uint8_t* out);

using Hash = std::uint64_t;
constexpr Hash kHashStart = 14695981039346656037ULL;

/// FNV-1a over what is value and not padding between members, as listall does it.
Hash hash_value(const TypeModel& type, Hash hash, const std::uint8_t* bytes);

/// Whether two values are equal, padding between members left out.
bool same_value(const TypeModel& type, const std::uint8_t* a, const std::uint8_t* b);

}  // namespace oracle

#endif
