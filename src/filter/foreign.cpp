// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: the call of a foreign filter.

#include "filter/foreign.hpp"

#include <algorithm>
#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace pcio {

namespace {

/// Bytes that the memory really has, where the system tells: plugins (lz4 of Debian) put a larger
/// buffer in place and leave the size that they were given.
std::size_t room_of(void* buffer, std::size_t claimed) {
#if defined(__GLIBC__)
  static_cast<void>(claimed);
  return malloc_usable_size(buffer);
#else
  return buffer == nullptr ? claimed : SIZE_MAX;  // nothing is known
#endif
}

/// What a filter made small lies in memory for what it was given: whoever keeps it keeps no more than it says, or a
/// batch of small chunks would hold as many large ones.
void* without_rest(void* buffer, std::size_t made, std::size_t claimed) {
  if (room_of(buffer, claimed) - made <= made / 4) return buffer;
  void* less = std::realloc(buffer, made);
  return less == nullptr ? buffer : less;
}

}  // namespace

Status run_foreign(const FilterClass& filter, unsigned flags, const FilterCall& call) {
  // Some filters read the buffer though they are given nothing; malloc(0) may give null.
  std::size_t room = std::max<std::size_t>(call.in.size(), 1);
  void* buffer = std::malloc(room);
  if (buffer == nullptr) return PCIO_ERROR(RESOURCE, NOSPACE, "no memory for a foreign filter");
  copy_bytes(static_cast<std::byte*>(buffer), call.in.data(), call.in.size());
  std::size_t capacity = room;
  const auto& values = call.spec.values;
  std::size_t made = filter.foreign(call.spec.flags | flags, values.size(), values.data(),
                                    call.in.size(), &capacity, &buffer);
  if (made == 0 || buffer == nullptr || made > room_of(buffer, capacity)) {
    std::free(buffer);
    if (made == 0)
      return PCIO_ERROR(PLINE, CANTFILTER, "the filter's function returned 0 (failure)");
    return PCIO_ERROR(PLINE, CANTFILTER,
                      "the filter's function returned " + std::to_string(made) +
                          " bytes, more than there is memory for");
  }
  call.out.adopt(without_rest(buffer, made, capacity), made, made);
  return Status();
}

}  // namespace pcio
