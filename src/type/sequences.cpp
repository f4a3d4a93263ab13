// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: variable-length parts of elements; see sequences.hpp.

#include "type/sequences.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/checked.hpp"
#include "type/type_node.hpp"

namespace pcio {

namespace detail {

bool is_null_heap_id(ConstBytes id) {
  constexpr std::size_t kIndexSize = 4;
  if (id.size() <= kIndexSize) return true;
  // Nearly all.
  if (std::uint64_t address = 0; id.size() == sizeof address + kIndexSize) {
    std::memcpy(&address, id.data(), sizeof address);
    return address == 0;
  }
  const ConstBytes address = id.first(id.size() - kIndexSize);
  return std::all_of(address.begin(), address.end(), [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace detail

void SequenceMemoryCalls::release(void* memory) const {
  if (free != nullptr)
    free(memory, free_data);
  else
    std::free(memory);
}

Result<std::byte*> SequenceMemory::allocate(std::size_t size) {
  std::byte* const memory = try_allocate(size);
  if (memory == nullptr)
    return PCIO_ERROR(
        RESOURCE, NOSPACE,
        "no memory for a variable-length element of " + std::to_string(size) + " bytes");
  return memory;
}

void SequenceMemory::release_all() noexcept {
  for (void* memory : given_) calls_.release(memory);
  given_.clear();
}

namespace {

/// Calls visit(type, element) for the outermost variable-length parts of `n` packed elements.
template <class Visit>
void for_each_sequence(const Datatype& type, std::byte* elements, std::size_t n,
                       const Visit& visit) {
  if (type.is_fixed()) return;
  const TypeNode& node = type.node();
  for (std::size_t i = 0; i < n; ++i) {
    std::byte* at = elements + i * node.size;
    if (node.cls == TypeClass::kVlen) {
      visit(type, at);
      continue;
    }
    for (const CompoundMember& member : node.members)
      for_each_sequence(member.type, at + member.offset, 1, visit);
    if (node.cls == TypeClass::kArray)
      for_each_sequence(*node.super, at, node.size / node.super->size(), visit);
  }
}

}  // namespace

void release_sequences(const Datatype& memory_type, std::byte* elements, std::size_t n,
                       const SequenceMemoryCalls& calls) {
  for_each_sequence(memory_type, elements, n, [&calls](const Datatype& type, std::byte* at) {
    std::size_t length = 1;
    void* memory = nullptr;
    const bool text = type.is_variable_string();
    if (!text) std::memcpy(&length, at, sizeof length);
    std::memcpy(&memory, at + (text ? 0 : sizeof length), sizeof memory);
    if (length == 0 || memory == nullptr) return;
    if (!text)
      release_sequences(*type.node().super, static_cast<std::byte*>(memory), length, calls);
    calls.release(memory);
    std::memset(at, 0, type.size());
  });
}

void clear_sequences(const Datatype& memory_type, std::byte* elements, std::size_t n) {
  for_each_sequence(memory_type, elements, n,
                    [](const Datatype& type, std::byte* at) { std::memset(at, 0, type.size()); });
}

bool refers_to_heap(const Datatype& file_type, const std::byte* element) {
  if (file_type.is_fixed()) return false;
  const TypeNode& node = file_type.node();
  if (node.cls == TypeClass::kCompound)
    return std::any_of(node.members.begin(), node.members.end(), [&](const CompoundMember& member) {
      return refers_to_heap(member.type, element + member.offset);
    });
  if (node.cls != TypeClass::kArray)
    return !detail::is_null_heap_id({element + kSequenceCountSize, node.size - kSequenceCountSize});
  for (std::size_t at = 0; at < node.size; at += node.super->size())
    if (refers_to_heap(*node.super, element + at)) return true;
  return false;
}

SequenceMap::SequenceMap(const Datatype& file_type) : element_size_(file_type.size()) {
  add(file_type, 0);
  std::sort(parts_.begin(), parts_.end(),
            [](const Part& a, const Part& b) { return a.offset < b.offset; });
}

void SequenceMap::add(const Datatype& type, std::size_t offset) {
  if (type.is_fixed()) return;
  const TypeNode& node = type.node();
  for (const CompoundMember& member : node.members) add(member.type, offset + member.offset);
  if (node.cls == TypeClass::kCompound) return;
  Part part;
  part.offset = offset;
  part.step = node.super->size();
  if (node.cls == TypeClass::kArray) {
    part.count = node.size / part.step;
    part.contents.emplace_back(*node.super);
  } else {
    part.step = node.size;
    part.id_size = node.size - kSequenceCountSize;
    part.base_size = node.variable_string ? 1 : node.super->size();
    if (!node.super->is_fixed()) part.contents.emplace_back(*node.super);
  }
  parts_.push_back(std::move(part));
}

Status SequenceMap::collect(ConstBytes elements, std::vector<Use>* out) const {
  if (elements.size() % element_size_ != 0)
    return PCIO_ERROR(DATATYPE, BADVALUE, "variable-length elements are cut off");
  for (std::size_t at = 0; at < elements.size(); at += element_size_)
    for (const Part& part : parts_) PCIO_TRY(collect_part(part, elements.data() + at, out));
  return {};
}

Status SequenceMap::collect_part(const Part& part, const std::byte* at, std::vector<Use>* out) {
  at += part.offset;
  if (part.id_size == 0) return part.contents.front().collect({at, part.count * part.step}, out);
  const std::uint32_t count = load_sequence_count(at);
  const ConstBytes id{at + kSequenceCountSize, part.id_size};
  // An empty string has an object, too.
  if (detail::is_null_heap_id(id)) return {};
  const auto size = checked_mul<std::uint64_t>(count, part.base_size);
  if (!size) return PCIO_ERROR(DATATYPE, BADVALUE, "size of a variable-length element overflows");
  out->push_back({id, *size, part.contents.empty() ? nullptr : &part.contents.front()});
  return {};
}

}  // namespace pcio
