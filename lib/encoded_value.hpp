// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the shape of H5?encode: how many bytes, or the bytes where there is room for them.

#pragma once

#include <cstring>

#include "base/bytes.hpp"
#include "lib/text_argument.hpp"

namespace pcio {

/// Copies `bytes` to `buffer` where that is not NULL and holds them all; else sets `*size` to what they
/// need, and leaves it alone where they were copied, as libhdf5 does. Errors: ARGS BADVALUE where `size` is
/// NULL.
inline Status store_encoded(ConstBytes bytes, void* buffer, std::size_t* size) {
  PCIO_TRY(need_pointer(size, "nalloc"));
  if (buffer != nullptr && *size >= bytes.size() && !bytes.empty())
    std::memcpy(buffer, bytes.data(), bytes.size());
  else
    *size = bytes.size();
  return Status();
}

}  // namespace pcio
