// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: read_pieces.

#include "transfer/pieces/read_pieces.hpp"

#include <cstring>
#include <memory>
#include <new>

namespace pcio {

namespace {

/// No whole page lies in such a gap: nothing comes from the storage that would not come anyway. Bytes.
constexpr std::uint64_t kLargestGap = 4095;
constexpr std::uint64_t kTogether = std::uint64_t{64} << 10;

}  // namespace

Status read_pieces(std::span<const FilePiece> pieces, std::uint64_t element_size, Bytes packed,
                   ByteTarget& target) {
  const auto end_of = [&](const FilePiece& piece) {
    return piece.address + piece.count * element_size;
  };
  std::unique_ptr<std::byte[]> together;
  bool joins = target.has_gaps_to_read();
  std::uint64_t at = 0;
  for (std::size_t first = 0; first < pieces.size();) {
    const FileAddress start = pieces[first].address;
    std::size_t last = first;
    while (joins && last + 1 < pieces.size() && pieces[last + 1].address >= end_of(pieces[last]) &&
           pieces[last + 1].address - end_of(pieces[last]) <= kLargestGap &&
           end_of(pieces[last + 1]) - start <= kTogether)
      ++last;
    if (last > first && !together) {
      together.reset(new (std::nothrow) std::byte[kTogether]);
      joins = together != nullptr;
      if (!joins) last = first;
    }
    const std::uint64_t size = end_of(pieces[last]) - start;
    const bool alone = last == first;
    const Bytes read = alone ? packed.subspan(at, size) : Bytes(together.get(), size);
    PCIO_TRY(target.read(start, read));
    for (; first <= last; ++first) {
      const std::uint64_t bytes = pieces[first].count * element_size;
      if (!alone && bytes > 0)
        std::memcpy(packed.data() + at, read.data() + (pieces[first].address - start), bytes);
      at += bytes;
    }
  }
  return Status();
}

}  // namespace pcio
