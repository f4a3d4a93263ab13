// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: the pieces of one rank on their way through the windows of an exchange.

#pragma once

#include <span>
#include <vector>

#include "transfer/piece_source.hpp"

namespace pcio {

/// The pieces of a window that go to one owner.
struct QueuePart {
  std::uint64_t slice = 0;
  std::size_t first = 0;  ///< range in the queue's cut pieces
  std::size_t last = 0;
};

/// A bounded look-ahead over a source whose pieces don't overlap. Threads: one thread.
class ExchangeQueue {
 public:
  ExchangeQueue(PieceSource& source, std::uint64_t element_size)
      : source_(source), element_size_(element_size) {}

  /// At most about `pieces` pieces are held; in one window this rank sends no more than `budget`
  /// bytes of payload and sections. May throw bad_alloc.
  void reserve(std::uint64_t pieces, std::uint64_t budget);
  /// Takes more from the source. Errors: the source's.
  Status refill();
  /// Address of the next piece; all ones where nothing is left.
  [[nodiscard]] FileAddress first() const;
  /// A window up to here fits the budget and holds no piece that the queue does not have yet.
  [[nodiscard]] FileAddress safe_end() const;
  /// Takes the elements that begin before `end` out of the queue, cut where they begin in another
  /// slice of `slice` bytes from `start`.
  void take_window(FileAddress start, std::uint64_t slice, FileAddress end,
                   std::vector<QueuePart>* parts);
  [[nodiscard]] std::span<const FilePiece> pieces(const QueuePart& part) const {
    return std::span<const FilePiece>(cut_).subspan(part.first, part.last - part.first);
  }
  /// Drops everything: this rank has failed.
  void give_up();

 private:
  PieceSource& source_;
  std::uint64_t element_size_;
  std::uint64_t most_pieces_ = 0;
  std::uint64_t budget_ = 0;
  bool exhausted_ = false;
  std::vector<FilePiece> waiting_;
  std::size_t head_ = 0;
  std::vector<FilePiece> cut_;
};

}  // namespace pcio
