// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: the pieces of one rank on their way through the stretches of an exchange.

#pragma once

#include <span>
#include <vector>

#include "transfer/transports/file_stretch.hpp"
#include "transfer/pieces/piece_source.hpp"
#include "transfer/transports/sections.hpp"

namespace pcio {

/// The pieces of a stretch that go to one owner.
struct QueuePart {
  std::uint64_t slice = 0;
  std::size_t first = 0;  ///< range of the cut pieces
  std::size_t last = 0;
};

/// This rank's pieces of one stretch, cut at its slices; parts ascend.
struct StretchCut {
  std::vector<QueuePart> parts;
  std::vector<FilePiece> all;
  [[nodiscard]] std::span<const FilePiece> pieces(const QueuePart& part) const {
    return std::span<const FilePiece>(all).subspan(part.first, part.last - part.first);
  }
  void clear() {
    parts.clear();
    all.clear();
  }
};

/// What a rank's bytes in one stretch cost it: sections always, payload where it is sent.
enum class PayloadCost : std::uint8_t { kCounts, kFree };

/// Bytes for each owner that a stretch may cost beyond the budget: sections are cut at slices.
inline constexpr std::uint64_t kCutSlack = 4 * sizeof(Section);

/// A bounded look-ahead over a source. Threads: one thread.
class ExchangeQueue {
 public:
  ExchangeQueue(PieceSource& source, std::uint64_t element_size)
      : source_(source), element_size_(element_size) {}

  /// At most about `pieces` pieces are held; what this rank has in one stretch costs no more than
  /// `budget` bytes.
  void limit(std::uint64_t pieces, std::uint64_t budget, PayloadCost payload);
  /// Takes more from the source. Errors: the source's.
  Status refill();
  /// Address of the next piece; all ones where nothing is left.
  [[nodiscard]] FileAddress first() const;
  /// Behind the last piece; 0 where nothing is left, all ones where there may be more than the queue has.
  [[nodiscard]] FileAddress last() const;
  /// A stretch up to here fits the budget and holds no piece that the queue does not have yet.
  [[nodiscard]] FileAddress safe_end() const;
  /// Adds to bytes[slice] what take_stretch() would take for it, if the budget goes so far.
  void count_bytes(const FileStretch& stretch, std::span<std::uint64_t> bytes) const;
  /// Takes the elements that begin in the stretch out of the queue, as far as the budget goes: only
  /// elements that a read selects very often are left for a stretch of their own.
  Status take_stretch(const FileStretch& stretch, StretchCut* cut);
  /// Drops everything: this rank has failed.
  void stop();

 private:
  PieceSource& source_;
  std::uint64_t element_size_;
  std::uint64_t most_pieces_ = 0;
  std::uint64_t budget_ = 0;
  bool exhausted_ = false;
  std::vector<FilePiece> held_;
  std::size_t head_ = 0;
  PayloadCost payload_ = PayloadCost::kCounts;
};

}  // namespace pcio
