// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A heap and a memory for tests of variable-length conversions: both fail when told to, and say what
// was forgotten.

#ifndef PCIO_TEST_TYPE_FAKE_HEAP_HPP
#define PCIO_TEST_TYPE_FAKE_HEAP_HPP

#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "type/sequence_heap.hpp"
#include "type/sequences.hpp"

namespace pcio::test {

/// Objects by number; a heap id is an address of 0x1000 and the number.
class FakeHeap final : public SequenceHeap {
 public:
  Result<ConstBytes> get(ConstBytes heap_id, std::uint64_t size) override {
    if (left-- == 0) return PCIO_ERROR(HEAP, READERROR, "told to fail");
    const auto found = objects.find(number(heap_id));
    if (size == 0 || found == objects.end() || found->second.size() < size)
      return PCIO_ERROR(HEAP, NOTFOUND, "no such object");
    ++gets;
    // The bytes of the last call become worthless: who kept them shows it.
    for (std::byte& b : given_) b = std::byte{0xdd};
    given_ = found->second;
    given_.resize(size);
    return ConstBytes(given_);
  }

  Status put(ConstBytes bytes, Bytes heap_id) override {
    if (left-- == 0) return PCIO_ERROR(HEAP, WRITEERROR, "told to fail");
    const std::uint32_t index = ++last_;
    objects[index].assign(bytes.begin(), bytes.end());
    std::memset(heap_id.data(), 0, heap_id.size());
    heap_id[1] = std::byte{0x10};
    for (unsigned i = 0; i < 4; ++i)
      heap_id[heap_id.size() - 4 + i] = static_cast<std::byte>(index >> 8 * i);
    return {};
  }

  static std::uint32_t number(ConstBytes heap_id) {
    std::uint32_t index = 0;
    for (unsigned i = 4; i-- > 0;)
      index = index << 8 | std::to_integer<std::uint32_t>(heap_id[heap_id.size() - 4 + i]);
    return index;
  }

  std::map<std::uint32_t, std::vector<std::byte>> objects;
  std::uint64_t gets = 0;
  long left = -1;  ///< calls until one fails; below 0: none does

 private:
  std::vector<std::byte> given_;
  std::uint32_t last_ = 0;
};

/// malloc that knows what it gave out.
class FakeMemory {
 public:
  SequenceMemoryCalls calls() { return {&allocate, this, &release, this}; }

  std::set<void*> out;
  std::uint64_t bytes = 0;
  unsigned wrong = 0;  ///< frees of what was not given out
  long left = -1;      ///< allocations until one fails; below 0: none does

 private:
  static void* allocate(std::size_t size, void* data) {
    auto& self = *static_cast<FakeMemory*>(data);
    if (self.left-- == 0) return nullptr;
    void* memory = std::malloc(size);
    std::memset(memory, 0xab, size);
    self.out.insert(memory);
    self.bytes += size;
    return memory;
  }
  static void release(void* memory, void* data) {
    auto& self = *static_cast<FakeMemory*>(data);
    if (self.out.erase(memory) == 0)
      ++self.wrong;
    else
      std::free(memory);
  }
};

}  // namespace pcio::test

#endif
