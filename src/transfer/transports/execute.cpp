// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: execute_direct.
//
// Pieces are grouped while they follow each other in the file and fit the staging buffer. A group of
// one piece, or a large piece, moves straight between the application's buffer and the store.

#include "transfer/transports/execute.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace pcio {

namespace {

/// From here on packing costs more than the call it saves. Bytes.
constexpr std::uint64_t kStraightBytes = std::uint64_t{256} * 1024;
/// A gap that is read over rather than jumped over. Bytes: about what a call costs in copying.
constexpr std::uint64_t kReadOverGap = 4096;
/// What is converted, or read to be scattered, stays in the cache between the file and the
/// application's buffer. Bytes.
constexpr std::size_t kCachedBytes = std::size_t{256} << 10;

/// Bytes to a place at or before their own. Single elements without a call.
template <std::size_t kBytes>
inline void move_known(std::byte* to, const std::byte* from) {
  std::array<std::byte, kBytes> kept;
  std::memcpy(kept.data(), from, kBytes);
  std::memcpy(to, kept.data(), kBytes);
}
inline void move_down(std::byte* to, const std::byte* from, std::size_t n) {
  switch (n) {
    case 1: *to = *from; return;
    case 2: move_known<2>(to, from); return;
    case 4: move_known<4>(to, from); return;
    case 8: move_known<8>(to, from); return;
    case 16: move_known<16>(to, from); return;
    default: std::memmove(to, from, n);
  }
}

class Executor {
 public:
  Executor(Direction direction, ElementMover& mover, ByteTarget& store, std::size_t staging_bytes)
      : direction_(direction),
        mover_(mover),
        store_(store),
        changes_(mover.form().changes()),
        size_(mover.form().file_size),
        gap_(direction == Direction::kRead && store.has_gaps_to_read() ? kReadOverGap : 0),
        capacity_(std::max<std::uint64_t>(changes_ || direction == Direction::kRead
                                              ? std::min(staging_bytes, kCachedBytes)
                                              : staging_bytes,
                                          size_)) {}

  Status run(PieceSource& source) {
    std::vector<FilePiece> pieces;
    for (;;) {
      pieces.clear();
      PCIO_TRY(source.next(pieces, kPiecesAtOnce));
      if (pieces.empty()) return flush();
      PCIO_TRY(add_all(pieces));
    }
  }

  Status run(std::span<const FilePiece> pieces) {
    PCIO_TRY(add_all(pieces));
    return flush();
  }

 private:
  [[nodiscard]] bool reads() const { return direction_ == Direction::kRead; }

  Status add_all(std::span<const FilePiece> pieces) {
    for (const FilePiece& piece : pieces) {
      if (follows(piece)) {
        group_.push_back(piece);
        end_ = piece.address + piece.count * size_;
        continue;
      }
      if (piece.count == 0) continue;
      if (!changes_ && mover_.file_bytes(piece) >= kStraightBytes) {
        PCIO_TRY(flush());
        PCIO_TRY(move_straight(piece));
      } else {
        PCIO_TRY(add(piece));
      }
    }
    return Status();
  }

  /// True for a small piece that the group takes whole, behind its end: nearly all of them where there are many.
  [[nodiscard]] bool follows(const FilePiece& piece) const {
    const std::uint64_t bytes = piece.count * size_;
    return piece.address - end_ <= gap_ && piece.count > 0 && bytes < kStraightBytes &&
           !group_.empty() && piece.address + bytes - start_ <= capacity_;
  }

  /// True where the group can go on with a piece that begins at `address`. Repeated elements of a
  /// read begin before the group's end.
  [[nodiscard]] bool continues(FileAddress address) const {
    if (address < start_) return false;
    return gap_ > 0 ? address <= end_ + gap_ : address == end_;
  }

  Status add(FilePiece piece) {
    const std::uint64_t size = size_;
    while (piece.count > 0) {
      if (!group_.empty() &&
          (!continues(piece.address) || piece.address + size - start_ > capacity_))
        PCIO_TRY(flush());
      if (group_.empty()) start_ = end_ = piece.address;
      const std::uint64_t room = (capacity_ - (piece.address - start_)) / size;
      const std::uint64_t n = std::min(piece.count, room);
      repeats_ = repeats_ || piece.address < end_;
      group_.push_back({piece.address, piece.memory_element, n});
      end_ = std::max(end_, piece.address + n * size);
      piece = {piece.address + n * size, piece.memory_element + n, piece.count - n};
    }
    return Status();
  }

  Status move_straight(const FilePiece& piece) {
    const std::size_t n = mover_.file_bytes(piece);
    if (reads()) return store_.read(piece.address, Bytes(mover_.in_place(piece), n));
    return store_.write(piece.address, ConstBytes(mover_.in_place(piece), n));
  }

  Status flush() {
    if (group_.empty()) return Status();
    Status status;
    if (group_.size() == 1 && !changes_) {
      status = move_straight(group_.front());
    } else {
      // Their size is only what the file says.
      if (!store_.holds(start_, end_ - start_))
        return PCIO_ERROR(IO, READERROR,
                          "elements of " + std::to_string(mover_.form().file_size) +
                              " bytes at address " + std::to_string(start_) +
                              " are outside the file");
      if (image_.size() < end_ - start_) image_.resize(end_ - start_);
      Bytes image(image_.data(), end_ - start_);
      status = reads() ? read_group(image) : write_group(image);
    }
    group_.clear();
    repeats_ = false;
    return status;
  }

  Status write_group(Bytes image) {
    // Members that the memory type lacks keep what the file has.
    if (mover_.form().needs_background()) PCIO_TRY(store_.read(start_, image));
    PCIO_TRY(mover_.pack(group_, image));
    return store_.write(start_, image);
  }

  Status read_group(Bytes image) {
    PCIO_TRY(store_.read(start_, image));
    // What is selected again is needed again, so it is taken from the image as it is.
    if (!changes_ || repeats_) return mover_.pick(group_, start_, image.data());
    // The mover wants packed elements: gaps are squeezed out.
    std::uint64_t packed = 0;
    for (const FilePiece& piece : group_) {
      const std::uint64_t at = piece.address - start_;
      const std::uint64_t n = mover_.file_bytes(piece);
      if (at != packed) move_down(image.data() + packed, image.data() + at, n);
      packed += n;
    }
    return mover_.unpack(image.first(packed), group_);
  }

  Direction direction_;
  ElementMover& mover_;
  ByteTarget& store_;
  const bool changes_;
  const std::uint64_t size_;  // of an element in the file
  const std::uint64_t gap_;   // that is read over
  std::uint64_t capacity_;
  std::vector<FilePiece> group_;
  FileAddress start_ = 0;
  FileAddress end_ = 0;
  bool repeats_ = false;
  std::vector<std::byte> image_;
};

}  // namespace

Status execute_direct(Direction direction, PieceSource& source, ElementMover& mover,
                      ByteTarget& store, std::size_t staging_bytes) {
  return Executor(direction, mover, store, staging_bytes).run(source);
}

Status execute_pieces(Direction direction, std::span<const FilePiece> pieces, ElementMover& mover,
                      ByteTarget& store) {
  std::uint64_t bytes = 1;
  for (const FilePiece& piece : pieces) bytes = std::max(bytes, mover.file_bytes(piece));
  return Executor(direction, mover, store, std::max<std::uint64_t>(bytes, std::uint64_t{4} << 20))
      .run(pieces);
}

}  // namespace pcio
