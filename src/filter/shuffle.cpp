// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: shuffle: byte k of all elements lies together.
//
// A transposition of n x size bytes. Elements of 2, 4, 8 or 16 bytes go 16 at a time through vector
// registers; others in blocks of elements that stay in the first cache.

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "filter/standard_filters.hpp"

namespace pcio {

namespace {

/// Elements of a block, and of a step of the vector forms.
constexpr std::size_t kTransposed = 1024;
constexpr std::size_t kLanes = 16;

using Lane = unsigned char __attribute__((vector_size(kLanes)));

inline Lane zip_low(Lane a, Lane b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
inline Lane zip_high(Lane a, Lane b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                 31);
}

/// f(0), f(1) ... f(kTimes - 1), the numbers being constants. Loops in their place are left as loops
/// by compilers asked for moderate optimization; the vectors then go through memory, six times as slow.
template <std::size_t kTimes, class F>
[[gnu::always_inline]] inline void unrolled(F&& f) {
  [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) __attribute__((always_inline)) {
    (f(std::integral_constant<std::size_t, kIndex>()), ...);
  }
  (std::make_index_sequence<kTimes>());
}

/// Interleaves the first half of all bytes with the second half, `kTimes` times. Each time rotates
/// the bits of a byte's position by one, so that rows and columns change places after as many times
/// as the number of rows or of columns has bits.
template <std::size_t kSize, unsigned kTimes>
[[gnu::always_inline]] inline void perfect_shuffle(Lane (&v)[kSize]) {
  unrolled<kTimes>([&](auto) __attribute__((always_inline)) {
    Lane mixed[kSize];
    unrolled<kSize / 2>([&](auto i) __attribute__((always_inline)) {
      mixed[2 * i] = zip_low(v[i], v[i + kSize / 2]);
      mixed[2 * i + 1] = zip_high(v[i], v[i + kSize / 2]);
    });
    unrolled<kSize>([&](auto i) __attribute__((always_inline)) { v[i] = mixed[i]; });
  });
}

/// As scatter_bytes for the first elements. Result: how many those are.
template <std::size_t kSize>
std::size_t scatter_lanes(const std::byte* in, std::byte* out, std::size_t n) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    Lane v[kSize];
    unrolled<kSize>([&](auto k) __attribute__((always_inline)) {
      std::memcpy(&v[k], in + i * kSize + k * kLanes, kLanes);
    });
    perfect_shuffle<kSize, std::bit_width(kLanes - 1)>(v);
    unrolled<kSize>([&](auto k) __attribute__((always_inline)) {
      std::memcpy(out + k * n + i, &v[k], kLanes);
    });
  }
  return i;
}

template <std::size_t kSize>
std::size_t gather_lanes(const std::byte* in, std::byte* out, std::size_t n) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    Lane v[kSize];
    unrolled<kSize>([&](auto k) __attribute__((always_inline)) {
      std::memcpy(&v[k], in + k * n + i, kLanes);
    });
    perfect_shuffle<kSize, std::bit_width(kSize - 1)>(v);
    unrolled<kSize>([&](auto k) __attribute__((always_inline)) {
      std::memcpy(out + i * kSize + k * kLanes, &v[k], kLanes);
    });
  }
  return i;
}

/// What scatter_lanes or gather_lanes leave.
struct Rest {
  std::size_t begin;
  std::size_t n;
  std::size_t size;
};

/// From element `rest.begin` on.
inline void scatter_bytes(const std::byte* in, std::byte* out, const Rest& rest) {
  for (std::size_t begin = rest.begin; begin < rest.n; begin += kTransposed) {
    std::size_t count = std::min(kTransposed, rest.n - begin);
    for (std::size_t k = 0; k < rest.size; ++k) {
      const std::byte* from = in + begin * rest.size + k;
      std::byte* to = out + k * rest.n + begin;
      for (std::size_t i = 0; i < count; ++i) to[i] = from[i * rest.size];
    }
  }
}

inline void gather_bytes(const std::byte* in, std::byte* out, const Rest& rest) {
  for (std::size_t begin = rest.begin; begin < rest.n; begin += kTransposed) {
    std::size_t count = std::min(kTransposed, rest.n - begin);
    for (std::size_t k = 0; k < rest.size; ++k) {
      const std::byte* from = in + k * rest.n + begin;
      std::byte* to = out + begin * rest.size + k;
      for (std::size_t i = 0; i < count; ++i) to[i * rest.size] = from[i];
    }
  }
}

void scatter(const std::byte* in, std::byte* out, std::size_t n, std::size_t size) {
  std::size_t done = size == 2    ? scatter_lanes<2>(in, out, n)
                     : size == 4  ? scatter_lanes<4>(in, out, n)
                     : size == 8  ? scatter_lanes<8>(in, out, n)
                     : size == 16 ? scatter_lanes<16>(in, out, n)
                                  : 0;
  scatter_bytes(in, out, {done, n, size});
}

void gather(const std::byte* in, std::byte* out, std::size_t n, std::size_t size) {
  std::size_t done = size == 2    ? gather_lanes<2>(in, out, n)
                     : size == 4  ? gather_lanes<4>(in, out, n)
                     : size == 8  ? gather_lanes<8>(in, out, n)
                     : size == 16 ? gather_lanes<16>(in, out, n)
                                  : 0;
  gather_bytes(in, out, {done, n, size});
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
  if (bytes > n * size)
    copy_bytes(call.out.data() + n * size, call.in.data() + n * size, bytes - n * size);
  return Status();
}

}  // namespace

/// libhdf5 gives no size of an element to shuffle of variable-length data, which it then leaves out of each
/// chunk; it doesn't read chunks that it was part of.
Status encode_shuffle(const FilterCall& call) {
  if (call.spec.values.size() != 1 || call.spec.values[0] == 0)
    return PCIO_ERROR(PLINE, BADVALUE, "shuffle without the size of an element");
  return shuffle_with(call, scatter);
}

Status decode_shuffle(const FilterCall& call) { return shuffle_with(call, gather); }

}  // namespace pcio
