// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: which value differs.

#include "agree/compared_values.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace pcio {

namespace {

/// All values of one rank, each ended by a zero byte. On the stack: nothing is allocated while others wait.
constexpr std::size_t kAllBytes = 8192;
/// Longer values are compared in full (by their hashes) but told in part.
constexpr std::size_t kValueBytes = 256;
using AllValues = std::array<char, kAllBytes>;

/// Shown in place of control characters, which file names may have.
char printable(char c) { return static_cast<unsigned char>(c) < ' ' ? '?' : c; }

/// The beginning of `value`; bytes that were written.
std::size_t put(const std::string& value, char* out, std::size_t room) {
  const std::size_t n = std::min({value.size(), kValueBytes - 1, room});
  std::transform(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(n), out, printable);
  return n;
}

void put_all(const NamedValues& values, AllValues* out) {
  out->fill('\0');
  std::size_t at = 0;
  for (const NamedValue& one : values) {
    if (at + 1 >= out->size()) return;
    at += put(one.value, out->data() + at, out->size() - 1 - at) + 1;
  }
}

/// The n-th value in `all`; empty where it was cut off.
std::string_view value_in(const AllValues& all, std::size_t n) {
  std::size_t at = 0;
  for (; n > 0 && at < all.size(); --n) at += std::strlen(all.data() + at) + 1;
  return at < all.size() ? std::string_view(all.data() + at) : std::string_view();
}

}  // namespace

std::uint64_t hash_values(const NamedValues& values) {
  std::uint64_t hash = values.size();
  for (const NamedValue& one : values) hash = hash_text(one.value, hash_text(one.name, hash));
  return hash;
}

Status name_difference(Coordinator& coordinator, const CallName& name, const NamedValues& mine) {
  AllValues own, first;
  put_all(mine, &own);
  first = own;
  PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(first)), 0));
  std::uint64_t lowest = kNoRank;  // number of the value, rank
  for (std::size_t i = mine.size(); i-- > 0;)
    if (value_in(own, i) != value_in(first, i))
      lowest = std::uint64_t{i} << 32 | static_cast<std::uint64_t>(coordinator.rank());
  PCIO_TRY(coordinator.allreduce_min({&lowest, 1}));
  if (lowest == kNoRank)
    return PCIO_ERROR(PLIST, BADVALUE,
                      to_string(name) + ": the ranks pass lists that differ in a long value");
  const std::size_t which = lowest >> 32;
  const int rank = static_cast<int>(lowest & 0xFFFFFFFF);
  std::array<char, kValueBytes> other{};
  if (coordinator.rank() == rank) put(mine[which].value, other.data(), other.size() - 1);
  PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(other)), rank));
  std::string text = to_string(name) + ": " + std::string(mine[which].name) + " differs: ";
  text.append(value_in(first, which)).append(" on rank 0, ").append(other.data());
  return PCIO_ERROR(PLIST, BADVALUE, text + " on rank " + std::to_string(rank));
}

}  // namespace pcio
