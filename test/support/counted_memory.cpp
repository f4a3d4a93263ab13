// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: operator new that counts by owner.

#include "support/counted_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace pcio::test::memory {

namespace {

struct Owner {
  std::uint64_t live = 0;
  std::uint64_t peak = 0;
  std::uint64_t allocations = 0;
};

/// Before each block. Blocks of an earlier begin() must not be subtracted, so it carries the time.
struct alignas(16) Header {
  std::uint64_t size;
  std::uint32_t owner;
  std::uint32_t epoch;
};

Owner* owners = nullptr;  // from malloc: operator new must not need itself
std::uint64_t owner_count = 0;
std::uint64_t current = kNobody;
std::uint64_t failing = kNobody;
std::uint64_t fail_at = 0;
bool once = false;
bool failed = false;
std::uint32_t epoch = 0;

bool fails_now() {
  if (current != failing || owners[current].allocations < fail_at) return false;
  failed = true;
  if (once) failing = kNobody;
  return true;
}

void* take(std::size_t size) {
  const bool counts = current < owner_count;
  if (counts && fails_now()) return nullptr;
  auto* const header = static_cast<Header*>(std::malloc(sizeof(Header) + size));
  if (header == nullptr) return nullptr;
  *header = {size, static_cast<std::uint32_t>(current), counts ? epoch : 0};
  if (counts) {
    Owner& owner = owners[current];
    ++owner.allocations;
    owner.live += size;
    owner.peak = std::max(owner.peak, owner.live);
  }
  return header + 1;
}

void give_back(void* block) {
  if (block == nullptr) return;
  Header* const header = static_cast<Header*>(block) - 1;
  if (header->epoch != 0 && header->epoch == epoch && header->owner < owner_count)
    owners[header->owner].live -= header->size;
  std::free(header);
}

}  // namespace

void begin(std::uint64_t count) {
  end();
  owners = static_cast<Owner*>(std::calloc(count, sizeof(Owner)));
  owner_count = owners != nullptr ? count : 0;
  ++epoch;
}

void attribute_to(std::uint64_t owner) { current = owner; }

void fail_from(std::uint64_t owner, std::uint64_t nth) {
  failing = owner;
  fail_at = owners[owner].allocations + nth;
  once = false;
}

void fail_once(std::uint64_t owner, std::uint64_t nth) {
  fail_from(owner, nth);
  once = true;
}

bool has_failed() { return failed; }

std::uint64_t peak(std::uint64_t owner) { return owners[owner].peak; }
std::uint64_t allocations(std::uint64_t owner) { return owners[owner].allocations; }

void end() {
  std::free(owners);
  owners = nullptr;
  owner_count = 0;
  current = kNobody;
  failing = kNobody;
  failed = false;
}

}  // namespace pcio::test::memory

void* operator new(std::size_t size) {
  void* const block = pcio::test::memory::take(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return pcio::test::memory::take(size);
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return operator new(size, tag);
}
void operator delete(void* block) noexcept { pcio::test::memory::give_back(block); }
void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
void operator delete[](void* block) noexcept { operator delete(block); }
void operator delete[](void* block, std::size_t) noexcept { operator delete(block); }
