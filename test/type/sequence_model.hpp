// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random types with variable-length parts, and a model that writes and reads their elements one part at
// a time, by the words of the format specification and of hvl_t.

#ifndef PCIO_TEST_TYPE_SEQUENCE_MODEL_HPP
#define PCIO_TEST_TYPE_SEQUENCE_MODEL_HPP

#include <random>
#include <string>
#include <vector>

#include "type/datatype.hpp"
#include "type/fake_heap.hpp"

namespace pcio::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  unsigned below(unsigned bound) { return static_cast<unsigned>(engine_() % bound); }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::mt19937_64 engine_;
};

/// What a type is made of, whatever sizes, orders and places its numbers have.
struct Shape {
  enum class Kind { kNumber, kFixedText, kText, kSequence, kArray, kCompound };
  Kind kind = Kind::kNumber;
  unsigned count = 1;        // elements of an array
  std::vector<Shape> parts;  // base, or members
  [[nodiscard]] bool varies() const;
  /// Sequences inside each other.
  [[nodiscard]] unsigned levels() const;
};
Shape random_shape(Random& random, unsigned depth);

/// One element. Members of a compound that a type lacks are not looked at.
struct Value {
  int number = 0;
  std::string text;
  bool is_null = false;  // a text that is not there
  std::vector<Value> parts;
};
Value random_value(Random& random, const Shape& shape);

/// A type in memory form; members are named by their place in the shape.
Datatype random_type(Random& random, const Shape& shape, bool may_lack_members);

/// Writes `value` at `at`; with a heap in file form, else with malloc.
void store(const Datatype& type, const Value& value, FakeHeap* heap, std::byte* at);
/// What is there. Members that the type lacks are left out.
Value load(const Datatype& type, FakeHeap* heap, const std::byte* at);
/// Equal in all that `type` has.
bool same(const Datatype& type, const Value& a, const Value& b);

}  // namespace pcio::test

#endif
