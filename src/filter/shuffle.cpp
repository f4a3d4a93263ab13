// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: shuffle: byte k of all elements lies together.
//
// A transposition of n x size bytes. Done in blocks of elements that stay in the first cache, and
// with the usual sizes as constants, so that the compiler unrolls and vectorizes.

#include <algorithm>
#include <cstring>

#include "filter/standard_filters.hpp"

namespace pcio {

namespace {

/// Elements of a block.
constexpr std::size_t kBlock = 1024;

/// `size` is a constant where this is inlined with one.
inline void scatter_bytes(const std::byte* in, std::byte* out, std::size_t n, std::size_t size) {
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    std::size_t count = std::min(kBlock, n - begin);
    for (std::size_t k = 0; k < size; ++k) {
      const std::byte* from = in + begin * size + k;
      std::byte* to = out + k * n + begin;
      for (std::size_t i = 0; i < count; ++i) to[i] = from[i * size];
    }
  }
}

inline void gather_bytes(const std::byte* in, std::byte* out, std::size_t n, std::size_t size) {
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    std::size_t count = std::min(kBlock, n - begin);
    for (std::size_t k = 0; k < size; ++k) {
      const std::byte* from = in + k * n + begin;
      std::byte* to = out + begin * size + k;
      for (std::size_t i = 0; i < count; ++i) to[i * size] = from[i];
    }
  }
}

using Mover = void (*)(const std::byte*, std::byte*, std::size_t, std::size_t);

Status shuffle_with(const FilterCall& call, Mover move) {
  std::size_t bytes = call.in.size();
  PCIO_TRY(call.out.discard_and_resize(bytes));
  std::size_t size = call.spec.values.empty() ? 1 : call.spec.values[0];
  std::size_t n = size <= 1 ? 0 : bytes / size;
  if (n > 1) {
    move(call.in.data(), call.out.data(), n, size);
  } else {
    n = 0;
  }
  std::memcpy(call.out.data() + n * size, call.in.data() + n * size, bytes - n * size);
  return Status();
}

}  // namespace

Status encode_shuffle(const FilterCall& call) {
  return shuffle_with(call, [](const std::byte* in, std::byte* out, std::size_t n, std::size_t size) {
    switch (size) {
      case 2:
        return scatter_bytes(in, out, n, 2);
      case 4:
        return scatter_bytes(in, out, n, 4);
      case 8:
        return scatter_bytes(in, out, n, 8);
      default:
        return scatter_bytes(in, out, n, size);
    }
  });
}

Status decode_shuffle(const FilterCall& call) {
  return shuffle_with(call, [](const std::byte* in, std::byte* out, std::size_t n, std::size_t size) {
    switch (size) {
      case 2:
        return gather_bytes(in, out, n, 2);
      case 4:
        return gather_bytes(in, out, n, 4);
      case 8:
        return gather_bytes(in, out, n, 8);
      default:
        return gather_bytes(in, out, n, size);
    }
  });
}

}  // namespace pcio
