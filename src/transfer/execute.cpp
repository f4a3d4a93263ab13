// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: execute_pieces.
//
// Pieces are taken in batches that fit the staging buffers. A piece that is alone in its stretch of
// the file, or large, moves straight between the application's buffer and the store.

#include "transfer/execute.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace pcio {

namespace {

/// Above this size packing costs more than the call it saves. Bytes.
constexpr std::uint64_t kDirectBytes = 256 * 1024;

class Executor {
 public:
  Executor(Direction direction, const ElementForm& form, std::byte* buffer, PieceStore& store)
      : direction_(direction), form_(form), buffer_(buffer), store_(store) {
    std::size_t widest = std::max({form.file_size, form.memory_size, std::size_t{1}});
    batch_elements_ = std::max<std::uint64_t>(1, form.staging_bytes / widest);
  }

  Status run(std::span<const FilePiece> pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].count == 0) continue;
      if (goes_direct(pieces, i)) {
        PCIO_TRY(flush());
        PCIO_TRY(move_direct(pieces[i]));
      } else {
        PCIO_TRY(add(pieces[i]));
      }
    }
    return flush();
  }

 private:
  [[nodiscard]] std::uint64_t file_end(const FilePiece& p) const {
    return p.address + p.count * form_.file_size;
  }

  [[nodiscard]] bool goes_direct(std::span<const FilePiece> pieces, std::size_t i) const {
    if (form_.converts()) return false;
    if (pieces[i].count * form_.file_size >= kDirectBytes) return true;
    bool joins_before = i > 0 && file_end(pieces[i - 1]) == pieces[i].address;
    bool joins_after = i + 1 < pieces.size() && file_end(pieces[i]) == pieces[i + 1].address;
    return !joins_before && !joins_after;
  }

  std::byte* memory(std::uint64_t element) { return buffer_ + element * form_.memory_size; }

  Status move_direct(const FilePiece& piece) {
    std::size_t n = piece.count * form_.file_size;
    if (direction_ == Direction::kWrite)
      return store_.write(piece.address, ConstBytes(memory(piece.memory_element), n));
    return store_.read(piece.address, Bytes(memory(piece.memory_element), n));
  }

  /// Puts a piece, or parts of it, into the current batch.
  Status add(FilePiece piece) {
    while (piece.count > 0) {
      if (batch_count_ == batch_elements_) PCIO_TRY(flush());
      std::uint64_t n = std::min(piece.count, batch_elements_ - batch_count_);
      batch_.push_back({piece.address, piece.memory_element, n});
      batch_count_ += n;
      piece = {piece.address + n * form_.file_size, piece.memory_element + n, piece.count - n};
    }
    return Status();
  }

  Status flush() {
    if (batch_.empty()) return Status();
    packed_.resize(batch_count_ * form_.memory_size);
    if (form_.converts()) converted_.resize(batch_count_ * form_.file_size);
    Status status = direction_ == Direction::kWrite ? write_batch() : read_batch();
    batch_.clear();
    batch_count_ = 0;
    return status;
  }

  Status write_batch() {
    gather();
    if (!form_.converts()) return stored(packed_, Direction::kWrite);
    // Members that the memory type lacks keep what the file has.
    // Gaps between members are zero, so that equal data give equal files.
    if (form_.conversion->needs_background())
      PCIO_TRY(stored(converted_, Direction::kRead));
    else
      std::fill(converted_.begin(), converted_.end(), std::byte{0});
    PCIO_TRY(form_.conversion->run(packed_.data(), converted_.data(), batch_count_));
    return stored(converted_, Direction::kWrite);
  }

  Status read_batch() {
    if (!form_.converts()) {
      PCIO_TRY(stored(packed_, Direction::kRead));
    } else {
      PCIO_TRY(stored(converted_, Direction::kRead));
      if (form_.conversion->needs_background()) gather();
      PCIO_TRY(form_.conversion->run(converted_.data(), packed_.data(), batch_count_));
    }
    scatter();
    return Status();
  }

  void gather() {
    std::byte* to = packed_.data();
    for (const FilePiece& p : batch_) {
      std::size_t n = p.count * form_.memory_size;
      std::memcpy(to, memory(p.memory_element), n);
      to += n;
    }
  }

  void scatter() {
    const std::byte* from = packed_.data();
    for (const FilePiece& p : batch_) {
      std::size_t n = p.count * form_.memory_size;
      std::memcpy(memory(p.memory_element), from, n);
      from += n;
    }
  }

  /// Moves the batch between `image` (packed, file form) and the store, joined where the file is.
  Status stored(std::vector<std::byte>& image, Direction direction) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < batch_.size();) {
      FileAddress address = batch_[i].address;
      std::size_t n = 0;
      for (; i < batch_.size() && batch_[i].address == address + n; ++i)
        n += batch_[i].count * form_.file_size;
      Bytes part = Bytes(image).subspan(at, n);
      PCIO_TRY(direction == Direction::kWrite ? store_.write(address, part)
                                              : store_.read(address, part));
      at += n;
    }
    return Status();
  }

  Direction direction_;
  const ElementForm& form_;
  std::byte* buffer_;
  PieceStore& store_;
  std::uint64_t batch_elements_;
  std::uint64_t batch_count_ = 0;
  std::vector<FilePiece> batch_;
  std::vector<std::byte> packed_;     // memory form
  std::vector<std::byte> converted_;  // file form
};

}  // namespace

Status execute_pieces(Direction direction, std::span<const FilePiece> pieces,
                      const ElementForm& form, std::byte* buffer, PieceStore& store) {
  return Executor(direction, form, buffer, store).run(pieces);
}

void fill_pieces(std::span<const FilePiece> pieces, ConstBytes element, std::byte* buffer) {
  for (const FilePiece& p : pieces) {
    std::byte* to = buffer + p.memory_element * element.size();
    for (std::uint64_t i = 0; i < p.count; ++i, to += element.size())
      std::memcpy(to, element.data(), element.size());
  }
}

}  // namespace pcio
