// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: counts what operator new gives out. The sanitizers have a limit of their own.

#include "limits.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace fuzz {

namespace {

std::ptrdiff_t live = 0, peak = 0;
bool limited = false;

}  // namespace

void begin_memory_limit() {
  live = peak = 0;
  limited = true;
}

std::ptrdiff_t end_memory_limit() {
  limited = false;
  return live;
}

std::ptrdiff_t peak_memory() { return peak; }

#if !defined(__SANITIZE_ADDRESS__)
namespace {

void* take(std::size_t size) {
  if (limited && (size > kMostMemory || live + static_cast<std::ptrdiff_t>(size) >
                                            static_cast<std::ptrdiff_t>(kMostMemory))) {
    limited = false;
    std::fprintf(stderr, "allocation of %zu bytes beside %td others\n", size, live);
    std::abort();
  }
  void* const block = std::malloc(size);
  if (block == nullptr) return nullptr;
  live += static_cast<std::ptrdiff_t>(malloc_usable_size(block));
  peak = std::max(peak, live);
  return block;
}

void* take_or_throw(std::size_t size) {
  void* const block = take(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void give_back(void* block) {
  if (block == nullptr) return;
  live -= static_cast<std::ptrdiff_t>(malloc_usable_size(block));
  std::free(block);
}

}  // namespace
#endif

}  // namespace fuzz

#if !defined(__SANITIZE_ADDRESS__)
void* operator new(std::size_t size) { return fuzz::take_or_throw(size); }
void* operator new[](std::size_t size) { return fuzz::take_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return fuzz::take(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return fuzz::take(size); }
void operator delete(void* block) noexcept { fuzz::give_back(block); }
void operator delete(void* block, std::size_t) noexcept { fuzz::give_back(block); }
void operator delete[](void* block) noexcept { fuzz::give_back(block); }
void operator delete[](void* block, std::size_t) noexcept { fuzz::give_back(block); }
#endif
