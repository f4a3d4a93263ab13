// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: room in a vector before something changes.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pcio {

/// So many elements more are added without asking for memory. It grows as it does by itself.
template <class T>
void make_room(std::vector<T>& vector, std::size_t more) {
  if (vector.capacity() - vector.size() < more)
    vector.reserve(std::max(vector.size() + more, 2 * vector.capacity()));
}

}  // namespace pcio
