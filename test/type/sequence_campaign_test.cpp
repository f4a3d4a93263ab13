// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random variable-length types against sequence_model: every way between memory and heaps, every call
// of heap and memory failing once, the uses that SequenceMap finds. PCIO_CASES, PCIO_LONG.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>

#include "type/convert.hpp"
#include "type/sequence_model.hpp"

namespace pcio::test {
namespace {

using Data = std::vector<std::byte>;
using Bins = std::map<std::string, unsigned long>;

/// Elements of one type, in memory or in a heap.
struct Side {
  Datatype type;
  bool in_file = false;
  FakeHeap heap;
  Data data;
  FakeHeap* place() { return in_file ? &heap : nullptr; }
};

class Case {
 public:
  Case(std::uint64_t seed, Bins& bins) : random_(seed), bins_(bins) {
    do shape_ = random_shape(random_, 1 + random_.below(4));
    while (!shape_.varies());
    for (unsigned n = 1 + random_.below(6); n > 0; --n)
      values_.push_back(random_value(random_, shape_));
  }

  void play() {
    make(from_, false);
    make(to_, true);
    from_.data.resize(values_.size() * from_.type.size());
    for (std::size_t i = 0; i < values_.size(); ++i)
      store(from_.type, values_[i], from_.place(), from_.data.data() + i * from_.type.size());
    ++bins_[std::string(from_.in_file ? "heap" : "memory") + " to " +
            (to_.in_file ? "heap" : "memory")];
    ++bins_["levels " + std::to_string(std::min(shape_.levels(), 3U))];
    const unsigned long calls = convert();
    check_values();
    if (from_.in_file) check_uses();
    if (calls > 0) fail_at(random_.below(static_cast<unsigned>(calls)));
    if (!from_.in_file)
      release_sequences(from_.type, from_.data.data(), values_.size(), SequenceMemoryCalls());
  }

 private:
  void make(Side& side, bool may_lack_members) {
    side.type = random_type(random_, shape_, may_lack_members);
    side.in_file = random_.chance(50);
    if (side.in_file) side.type = side.type.file_form(random_.chance(20) ? 4 : 8);
  }

  Status run(SequenceMemory& given) {
    ConvertOptions options;
    options.sequences = {from_.place(), to_.place(), &given};
    PCIO_ASSIGN(const Conversion way, Conversion::make(from_.type, to_.type, options));
    to_.data.assign(values_.size() * to_.type.size(), std::byte{0xee});
    return way.run(from_.data.data(), to_.data.data(), values_.size());
  }

  /// Calls of heaps and memory that the conversion made.
  unsigned long convert() {
    constexpr long kMany = 1L << 40;
    from_.heap.left = to_.heap.left = memory_.left = kMany;
    SequenceMemory given(memory_.calls());
    const Status ran = run(given);
    EXPECT_TRUE(ran.ok()) << ran.message();
    given.keep();
    EXPECT_EQ(given.bytes(), memory_.bytes);
    calls_ = {kMany - from_.heap.left, kMany - to_.heap.left, kMany - memory_.left};
    from_.heap.left = to_.heap.left = memory_.left = -1;
    return static_cast<unsigned long>(calls_[0] + calls_[1] + calls_[2]);
  }

  void check_values() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Value found = load(to_.type, to_.place(), to_.data.data() + i * to_.type.size());
      EXPECT_TRUE(same(to_.type, values_[i], found)) << "element " << i;
    }
    if (to_.in_file) return;
    release_sequences(to_.type, to_.data.data(), values_.size(), memory_.calls());
    EXPECT_TRUE(memory_.out.empty()) << memory_.out.size() << " not freed";
    EXPECT_EQ(memory_.wrong, 0U);
  }

  /// Uses at all levels as the model finds them, each before those inside it.
  void find_uses(const Datatype& type, const std::byte* at,
                 std::vector<std::pair<std::uint32_t, std::size_t>>* uses) {
    if (type.is_fixed()) return;
    if (type.type_class() == TypeClass::kCompound) {
      std::map<std::size_t, const CompoundMember*> by_offset;
      for (const CompoundMember& member : type.members()) by_offset[member.offset] = &member;
      for (const auto& [offset, member] : by_offset) find_uses(member->type, at + offset, uses);
    } else if (type.type_class() == TypeClass::kArray) {
      for (std::size_t i = 0; i < type.size(); i += type.node().super->size())
        find_uses(*type.node().super, at + i, uses);
    } else if (const std::uint32_t number = FakeHeap::number({at + 4, type.size() - 4});
               number != 0) {
      const Data& object = from_.heap.objects.at(number);
      uses->emplace_back(number, object.size());
      const Datatype& base = *type.node().super;
      for (std::size_t i = 0; !base.is_fixed() && i < object.size(); i += base.size())
        find_uses(base, object.data() + i, uses);
    }
  }

  void collect(const SequenceMap& map, ConstBytes elements,
               std::vector<std::pair<std::uint32_t, std::size_t>>* uses) {
    std::vector<SequenceMap::Use> found;
    EXPECT_TRUE(map.collect(elements, &found).ok());
    for (const SequenceMap::Use& use : found) {
      const std::uint32_t number = FakeHeap::number(use.heap_id);
      uses->emplace_back(number, use.size);
      if (use.inside != nullptr) collect(*use.inside, from_.heap.objects.at(number), uses);
    }
  }

  void check_uses() {
    std::vector<std::pair<std::uint32_t, std::size_t>> expected;
    std::vector<std::pair<std::uint32_t, std::size_t>> found;
    for (std::size_t i = 0; i < values_.size(); ++i)
      find_uses(from_.type, from_.data.data() + i * from_.type.size(), &expected);
    collect(SequenceMap(from_.type), from_.data, &found);
    EXPECT_EQ(found, expected);
    ++bins_["uses"];
  }

  /// The same again with one call failing: nothing stays given out.
  void fail_at(unsigned long call) {
    const std::array<long*, 3> left = {&from_.heap.left, &to_.heap.left, &memory_.left};
    static constexpr const char* kNames[] = {"failed get", "failed put", "failed allocation"};
    for (unsigned i = 0; i < 3; ++i) {
      if (call >= static_cast<unsigned long>(calls_[i])) {
        call -= static_cast<unsigned long>(calls_[i]);
        continue;
      }
      *left[i] = static_cast<long>(call);
      ++bins_[kNames[i]];
      break;
    }
    {
      SequenceMemory given(memory_.calls());
      EXPECT_FALSE(run(given).ok());
    }
    EXPECT_TRUE(memory_.out.empty()) << memory_.out.size() << " not taken back";
    EXPECT_EQ(memory_.wrong, 0U);
    if (!to_.in_file) clear_sequences(to_.type, to_.data.data(), values_.size());
    if (!to_.in_file) release_sequences(to_.type, to_.data.data(), values_.size(), memory_.calls());
    EXPECT_EQ(memory_.wrong, 0U);
  }

  Random random_;
  Bins& bins_;
  Shape shape_;
  std::vector<Value> values_;
  Side from_;
  Side to_;
  FakeMemory memory_;
  std::array<long, 3> calls_{};
};

TEST(SequenceCampaign, RandomTypesLikeTheirModel) {
  const char* asked = std::getenv("PCIO_CASES");
  const bool more = std::getenv("PCIO_LONG") != nullptr;
  const unsigned long cases = asked != nullptr ? std::strtoul(asked, nullptr, 10)
                              : more           ? 200000
                                               : 4000;
  Bins bins;
  unsigned long seed = 1;
  for (; seed <= cases && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Case(seed, bins).play();
  }
  std::printf("sequences: seeds 1 to %lu:", seed - 1);
  for (const char* bin :
       {"memory to memory", "memory to heap", "heap to memory", "heap to heap", "levels 1",
        "levels 2", "levels 3", "uses", "failed get", "failed put", "failed allocation"}) {
    std::printf(" %s %lu,", bin, bins[bin]);
    EXPECT_TRUE(bins[bin] > 0 || cases < 1000) << "no case of " << bin;
  }
  std::printf(" failures %d\n", testing::Test::HasFailure() ? 1 : 0);
}

/// Small numbers above all, so that some of them are counts and heap ids.
std::byte hostile_byte(Random& random) {
  if (random.chance(70)) return std::byte{0};
  return static_cast<std::byte>(random.chance(80) ? random.below(5) : random.below(256));
}

/// Bytes that nobody wrote: an error or a value, never more memory than the heap has bytes for.
TEST(SequenceCampaign, RandomBytesDoNoHarm) {
  unsigned refused = 0;
  unsigned taken = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Datatype memory = random_type(random, random_shape(random, 3), false);
    if (memory.is_fixed()) continue;
    const Datatype file = memory.file_form(8);
    FakeHeap heap;
    Data bytes(64);
    std::array<std::byte, 12> id{};
    for (unsigned i = 0; i < 4; ++i) {
      for (std::byte& b : bytes) b = hostile_byte(random);
      ASSERT_TRUE(heap.put(bytes, id).ok());
    }
    Data elements(file.size());
    for (std::byte& b : elements) b = hostile_byte(random);
    FakeMemory calls;
    {
      SequenceMemory given(calls.calls());
      ConvertOptions options;
      options.sequences = {&heap, nullptr, &given};
      const auto way = Conversion::make(file, memory, options);
      ASSERT_TRUE(way);
      Data out(memory.size());
      (way->run(elements.data(), out.data(), 1).ok() ? taken : refused) += 1;
      EXPECT_LE(given.bytes(), (heap.gets + 1) * 1024);
    }
    EXPECT_TRUE(calls.out.empty());
    std::vector<SequenceMap::Use> uses;
    static_cast<void>(SequenceMap(file).collect(elements, &uses));
  }
  EXPECT_GT(refused, 100U);
  EXPECT_GT(taken, 100U);
}

}  // namespace
}  // namespace pcio::test
