// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: LastResort.

#include "plan/marking_memory.hpp"

#include <algorithm>
#include <array>
#include <sched.h>

#include "base/library_lock.hpp"

namespace pcio::marking {

struct LastResort::Place {
  const ThreadCalls* thread;
  unsigned uses;
  std::array<std::uint64_t, kLastResortWords> words;
};

namespace {

/// Null outside of calls, where nothing shares the library.
const ThreadCalls* calling_thread() {
  const ThreadCalls* thread = detail::known_calls;
  return thread != nullptr && thread->depth > 0 ? thread : nullptr;
}

}  // namespace

/// The one that it has, or a free one; null where all are other threads'.
LastResort::Place* LastResort::place_for_this_thread() {
  static std::array<Place, kThreads> places;  // touched only when used
  const ThreadCalls* const thread = calling_thread();
  auto found = std::find_if(places.begin(), places.end(),
                            [&](const Place& p) { return p.uses > 0 && p.thread == thread; });
  if (found == places.end())
    found = std::find_if(places.begin(), places.end(), [](const Place& p) { return p.uses == 0; });
  if (found == places.end()) return nullptr;
  found->thread = thread;
  return &*found;
}

std::span<std::uint64_t> LastResort::words(std::size_t count) {
  while (place_ == nullptr) {
    place_ = place_for_this_thread();
    if (place_ != nullptr) {
      ++place_->uses;
    } else {
      const LibraryPause others_go_on;
      sched_yield();
    }
  }
  return std::span(place_->words).first(count);
}

LastResort::~LastResort() {
  if (place_ != nullptr) --place_->uses;
}

}  // namespace pcio::marking
