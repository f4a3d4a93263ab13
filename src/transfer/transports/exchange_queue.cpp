// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: ExchangeQueue.

#include "transfer/transports/exchange_queue.hpp"

#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "transfer/transports/sections.hpp"

namespace pcio {

namespace {

constexpr FileAddress kNever = std::numeric_limits<FileAddress>::max();

/// What sections cost, without making them.
class SectionCost {
 public:
  /// Bytes of the section that a piece begins; 0 where it goes into the one before.
  std::uint64_t of(FileAddress address, std::uint64_t length) {
    const bool follows = count_ > 0 && address == last_ + length_;
    const bool repeats =
        count_ > 0 && length == length_ && (count_ == 1 || address - last_ == stride_);
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

void ExchangeQueue::limit(std::uint64_t pieces, std::uint64_t budget, PayloadCost payload) {
  most_pieces_ = std::max<std::uint64_t>(pieces, kPiecesAtOnce);
  budget_ = budget;
  payload_ = payload;
}

Status ExchangeQueue::refill() {
  if (head_ > 0) {
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  while (!exhausted_ && held_.size() < most_pieces_) {
    const std::size_t before = held_.size();
    PCIO_TRY(source_.next(held_, std::min<std::size_t>(kPiecesAtOnce, most_pieces_ - before)));
    exhausted_ = held_.size() == before;
  }
  return Status();
}

FileAddress ExchangeQueue::first() const {
  return head_ < held_.size() ? held_[head_].address : kNever;
}

FileAddress ExchangeQueue::last() const {
  if (!exhausted_) return kNever;
  if (head_ == held_.size()) return 0;
  return held_.back().address + held_.back().count * element_size_;
}

FileAddress ExchangeQueue::safe_end() const {
  SectionCost cost;
  std::uint64_t used = 0;
  for (std::size_t i = head_; i < held_.size(); ++i) {
    const FilePiece& piece = held_[i];
    const std::uint64_t bytes = piece.count * element_size_;
    const std::uint64_t header = cost.of(piece.address, bytes);
    const std::uint64_t payload = payload_ == PayloadCost::kCounts ? bytes : 0;
    if (used + header + payload > budget_) {
      const std::uint64_t room = budget_ - std::min(budget_, used + header);
      const std::uint64_t fits = payload > 0 ? room / element_size_ * element_size_ : 0;
      // A stretch has at least one address, also where one element alone costs too much.
      return std::max(piece.address + fits, first() + 1);
    }
    used += header + payload;
  }
  if (exhausted_ || held_.empty()) return kNever;
  return held_.back().address + held_.back().count * element_size_;
}

Status ExchangeQueue::take_stretch(const FileStretch& stretch, StretchCut* cut) {
  cut->clear();
  SectionCost cost;
  std::uint64_t used = 0;
  const std::uint64_t most = budget_ + stretch.owners * kCutSlack;
  while (head_ < held_.size() && held_[head_].address < stretch.end) {
    FilePiece& piece = held_[head_];
    if (piece.address < stretch.start)
      return PCIO_ERROR(INTERNAL, BADRANGE, "exchange: a piece lies before its stretch");
    const std::uint64_t number = (piece.address - stretch.start) / stretch.slice;
    const FileAddress border = std::min(stretch.end, stretch.start_of(number + 1));
    const std::uint64_t n = std::min(piece.count, ceil_div(border - piece.address, element_size_));
    const bool next_slice = cut->parts.empty() || cut->parts.back().slice != number;
    if (next_slice) cost = SectionCost();
    used += cost.of(piece.address, n * element_size_);
    if (payload_ == PayloadCost::kCounts) used += n * element_size_;
    if (used > most && !cut->all.empty()) return Status();
    if (next_slice) cut->parts.push_back({number, cut->all.size(), cut->all.size()});
    cut->all.push_back({piece.address, piece.memory_element, n});
    cut->parts.back().last = cut->all.size();
    piece = {piece.address + n * element_size_, piece.memory_element + n, piece.count - n};
    if (piece.count == 0) ++head_;
  }
  return Status();
}

void ExchangeQueue::count_bytes(const FileStretch& stretch, std::span<std::uint64_t> bytes) const {
  for (std::size_t i = head_; i < held_.size() && held_[i].address < stretch.end; ++i) {
    FileAddress address = held_[i].address;
    if (address < stretch.start) continue;
    for (std::uint64_t left = held_[i].count; left > 0 && address < stretch.end;) {
      const std::uint64_t number = (address - stretch.start) / stretch.slice;
      const FileAddress border = std::min(stretch.end, stretch.start_of(number + 1));
      const std::uint64_t n = std::min(left, ceil_div(border - address, element_size_));
      bytes[number] += n * element_size_;
      address += n * element_size_;
      left -= n;
    }
  }
}

void ExchangeQueue::stop() {
  exhausted_ = true;
  held_.clear();
  head_ = 0;
}

}  // namespace pcio
