// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Variable-length elements: what each form looks like, what fails, what is given back. Random types
// against a model are in sequence_campaign_test.cpp.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "type/convert.hpp"
#include "type/fake_heap.hpp"
#include "type/native_types.hpp"

namespace pcio {
namespace {

using test::FakeHeap;
using test::FakeMemory;
using Data = std::vector<std::byte>;

struct Counted {
  std::size_t length = 0;
  void* first = nullptr;
};

Datatype int_type() { return native_type(NativeKind::NATIVE_INT); }
Datatype short_type() { return native_type(NativeKind::NATIVE_SHORT); }

Conversion way(const Datatype& from, const Datatype& to, const SequencePlaces& places) {
  ConvertOptions options;
  options.sequences = places;
  auto made = Conversion::make(from, to, options);
  EXPECT_TRUE(made) << made.error().message();
  return *made;
}

template <class T>
Data bytes_of(const T& values) {
  Data out(sizeof values);
  std::memcpy(out.data(), &values, sizeof values);
  return out;
}

template <class T>
T load(const Data& data, std::size_t at = 0) {
  T value;
  std::memcpy(&value, data.data() + at, sizeof value);
  return value;
}

TEST(Sequences, StringsGoToTheHeapAndBack) {
  const std::array<const char*, 4> texts = {nullptr, "", "abc", "x"};
  const Datatype memory = Datatype::vlen_string();
  const Datatype file = memory.file_form(8);
  ASSERT_EQ(file.size(), 16U);
  FakeHeap heap;
  const Data in = bytes_of(texts);
  Data stored(4 * 16, std::byte{0x77});
  ASSERT_TRUE(way(memory, file, {nullptr, &heap, nullptr}).run(in.data(), stored.data(), 4).ok());
  // As libhdf5: nothing for a null string, an object of no bytes for an empty one, none with its NUL.
  EXPECT_EQ(Data(stored.begin(), stored.begin() + 16), Data(16));
  EXPECT_EQ(load<std::uint32_t>(stored, 16), 0U);
  EXPECT_EQ(load<std::uint32_t>(stored, 28), 1U);
  EXPECT_EQ(load<std::uint32_t>(stored, 32), 3U);
  ASSERT_EQ(heap.objects.size(), 3U);
  EXPECT_EQ(heap.objects[1].size(), 0U);
  EXPECT_EQ(heap.objects[2].size(), 3U);

  FakeMemory memory_calls;
  SequenceMemory given(memory_calls.calls());
  Data out(4 * 8);
  ASSERT_TRUE(way(file, memory, {&heap, nullptr, &given}).run(stored.data(), out.data(), 4).ok());
  given.keep();
  EXPECT_EQ(load<char*>(out, 0), nullptr);
  EXPECT_STREQ(load<char*>(out, 8), "");
  EXPECT_STREQ(load<char*>(out, 16), "abc");
  EXPECT_STREQ(load<char*>(out, 24), "x");
  EXPECT_EQ(given.bytes(), 1U + 4U + 2U);
  release_sequences(memory, out.data(), 4, memory_calls.calls());
  EXPECT_TRUE(memory_calls.out.empty());
  EXPECT_EQ(memory_calls.wrong, 0U);
  EXPECT_EQ(out, Data(4 * 8));
}

TEST(Sequences, BasesAreConverted) {
  std::array<std::int32_t, 3> numbers = {1, -70000, 3};
  const std::array<Counted, 3> in = {Counted{3, numbers.data()}, Counted{0, numbers.data()},
                                     Counted{2, nullptr}};
  const Datatype from = Datatype::vlen(int_type());
  const Datatype to = Datatype::vlen(short_type()).file_form(4);
  ASSERT_EQ(to.size(), 12U);
  FakeHeap heap;
  Data stored(3 * 12, std::byte{0x77});
  ASSERT_TRUE(
      way(from, to, {nullptr, &heap, nullptr}).run(bytes_of(in).data(), stored.data(), 3).ok());
  ASSERT_EQ(heap.objects.size(), 1U);
  EXPECT_EQ(load<std::int16_t>(heap.objects[1], 2), -32768);
  EXPECT_EQ(Data(stored.begin() + 12, stored.end()), Data(24));
}

TEST(Sequences, TextIsASequenceOfUnsignedCharacters) {
  const std::array<const char*, 1> text = {"a\xc8"};
  SequenceMemory given;
  Data out(16);
  ASSERT_TRUE(way(Datatype::vlen_string(), Datatype::vlen(int_type()), {nullptr, nullptr, &given})
                  .run(bytes_of(text).data(), out.data(), 1)
                  .ok());
  ASSERT_EQ(load<std::size_t>(out), 2U);
  const auto* numbers = load<int*>(out, 8);
  EXPECT_EQ(numbers[0], 'a');
  EXPECT_EQ(numbers[1], 0xc8);
}

TEST(Sequences, EqualTypesInMemoryAreCopiedToTheGround) {
  std::array<std::int32_t, 2> numbers = {5, 6};
  Counted inner{2, numbers.data()};
  const Counted outer{1, &inner};
  const Datatype type = Datatype::vlen(Datatype::vlen(int_type()));
  SequenceMemory given;
  Data out(16);
  ASSERT_TRUE(
      way(type, type, {nullptr, nullptr, &given}).run(bytes_of(outer).data(), out.data(), 1).ok());
  const auto* copy = load<Counted*>(out, 8);
  EXPECT_NE(static_cast<const void*>(copy), &inner);
  EXPECT_NE(copy->first, inner.first);
  EXPECT_EQ(static_cast<std::int32_t*>(copy->first)[1], 6);
}

TEST(Sequences, NoWayWhereBasesHaveNone) {
  SequenceMemory given;
  ConvertOptions options;
  options.sequences.memory = &given;
  const Datatype text = Datatype::vlen_string();
  EXPECT_FALSE(Conversion::make(text, Datatype::string(8), options));
  EXPECT_FALSE(Conversion::make(Datatype::string(8), text, options));
  EXPECT_FALSE(Conversion::make(Datatype::vlen(Datatype::string(8)), text, options));
  EXPECT_FALSE(Conversion::make(int_type(), Datatype::vlen(int_type()), options));
  // Nor where it is not said who gives memory.
  EXPECT_FALSE(Conversion::make(text, text));
}

TEST(Sequences, HostileElementsAreRefused) {
  FakeHeap heap;
  FakeMemory memory;
  SequenceMemory given(memory.calls());
  const Datatype file = Datatype::vlen(int_type()).file_form(8);
  const Conversion read = way(file, Datatype::vlen(int_type()), {&heap, nullptr, &given});
  std::array<std::byte, 16> id{};
  ASSERT_TRUE(heap.put(Data(8), Bytes(id).subspan(4)).ok());
  Data out(16);
  for (const std::uint32_t count : {3U, 0x7fffffffU, 0xffffffffU}) {
    std::memcpy(id.data(), &count, 4);
    EXPECT_FALSE(read.run(id.data(), out.data(), 1).ok()) << count;
  }
  // An address of 0 is nothing, whatever stands beside it.
  std::memset(id.data() + 4, 0, 8);
  EXPECT_TRUE(read.run(id.data(), out.data(), 1).ok());
  EXPECT_EQ(out, Data(16));
  // A size that no number holds.
  const Datatype huge = *Datatype::array(Datatype::opaque(0xffffffff), {0x7fffffff});
  id[4] = std::byte{1};
  const Conversion big =
      way(Datatype::vlen(huge).file_form(8), Datatype::vlen(huge), {&heap, nullptr, &given});
  EXPECT_FALSE(big.run(id.data(), out.data(), 1).ok());
  std::vector<SequenceMap::Use> uses;
  EXPECT_FALSE(SequenceMap(Datatype::vlen(huge).file_form(8)).collect(id, &uses).ok());
  EXPECT_FALSE(SequenceMap(file).collect(ConstBytes(id).first(15), &uses).ok());
  EXPECT_TRUE(memory.out.empty());
}

TEST(Sequences, LongerThanTheFileCanSayIsRefused) {
  const Counted in{std::size_t{1} << 32, const_cast<char*>("x")};
  FakeHeap heap;
  Data out(16);
  const Datatype type = Datatype::vlen(native_type(NativeKind::NATIVE_SCHAR));
  EXPECT_FALSE(way(type, type.file_form(8), {nullptr, &heap, nullptr})
                   .run(bytes_of(in).data(), out.data(), 1)
                   .ok());
}

}  // namespace
}  // namespace pcio
