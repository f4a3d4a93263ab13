// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: ExchangeQueue.

#include "transfer/exchange_queue.hpp"

#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "transfer/sections.hpp"

namespace pcio {

namespace {

constexpr FileAddress kNever = std::numeric_limits<FileAddress>::max();
constexpr std::size_t kPiecesAtOnce = 4096;

/// What sections cost, without making them.
class SectionCost {
 public:
  /// Bytes of the section that a piece begins; 0 where it goes into the one before.
  std::uint64_t of(FileAddress address, std::uint64_t length) {
    const bool follows = count_ > 0 && address == last_ + length_;
    const bool repeats = count_ > 0 && length == length_ &&
                         (count_ == 1 || address - last_ == stride_);
    if (follows && count_ == 1) {
      length_ += length;
      return 0;
    }
    if (repeats) {
      stride_ = address - last_;
      last_ = address;
      ++count_;
      return 0;
    }
    last_ = address;
    length_ = length;
    count_ = 1;
    return sizeof(Section);
  }

 private:
  FileAddress last_ = 0;
  std::uint64_t length_ = 0;
  std::uint64_t stride_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace

void ExchangeQueue::reserve(std::uint64_t pieces, std::uint64_t budget) {
  most_pieces_ = std::max<std::uint64_t>(pieces / 2, kPiecesAtOnce);
  budget_ = budget;
}

Status ExchangeQueue::refill() {
  if (head_ > 0) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  std::uint64_t bytes = 0;
  for (const FilePiece& piece : waiting_) bytes += piece.count * element_size_;
  while (!exhausted_ && bytes < budget_ && waiting_.size() < most_pieces_) {
    const std::size_t before = waiting_.size();
    PCIO_TRY(source_.next(waiting_, kPiecesAtOnce));
    exhausted_ = waiting_.size() == before;
    for (std::size_t i = before; i < waiting_.size(); ++i)
      bytes += waiting_[i].count * element_size_;
  }
  return Status();
}

FileAddress ExchangeQueue::first() const {
  return head_ < waiting_.size() ? waiting_[head_].address : kNever;
}

FileAddress ExchangeQueue::safe_end() const {
  SectionCost cost;
  std::uint64_t used = 0;
  for (std::size_t i = head_; i < waiting_.size(); ++i) {
    const FilePiece& piece = waiting_[i];
    const std::uint64_t bytes = piece.count * element_size_;
    const std::uint64_t header = cost.of(piece.address, bytes);
    if (used + header + bytes > budget_) {
      const std::uint64_t room = budget_ - std::min(budget_, used + header);
      // The budget holds at least one element, so the window always moves on.
      return piece.address + room / element_size_ * element_size_;
    }
    used += header + bytes;
  }
  if (exhausted_ || waiting_.empty()) return kNever;
  return waiting_.back().address + waiting_.back().count * element_size_;
}

void ExchangeQueue::take_window(FileAddress start, std::uint64_t slice, FileAddress end,
                                std::vector<QueuePart>* parts) {
  cut_.clear();
  while (head_ < waiting_.size() && waiting_[head_].address < end) {
    FilePiece& piece = waiting_[head_];
    const std::uint64_t number = (piece.address - start) / slice;
    const FileAddress border = std::min(end, start + (number + 1) * slice);
    const std::uint64_t n =
        std::min(piece.count, ceil_div(border - piece.address, element_size_));
    if (parts->empty() || parts->back().slice != number)
      parts->push_back({number, cut_.size(), cut_.size()});
    cut_.push_back({piece.address, piece.memory_element, n});
    parts->back().last = cut_.size();
    piece = {piece.address + n * element_size_, piece.memory_element + n, piece.count - n};
    if (piece.count == 0) ++head_;
  }
}

void ExchangeQueue::give_up() {
  exhausted_ = true;
  waiting_.clear();
  head_ = 0;
}

}  // namespace pcio
