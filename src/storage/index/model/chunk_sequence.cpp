// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: ChunkWalk and ChunkSequence out of line.

#include "storage/index/model/chunk_sequence.hpp"

#include <algorithm>
#include <iterator>

namespace pcio {

ChunkWalk::ChunkWalk(const ChunkIndex& index, ChunkOrdinal from)
    : index_(index),
      chunk_bytes_(index.chunk_bytes()),
      plain_(index.plain_chunks().end()),
      filtered_(index.filtered_chunks().runs().end()) {
  if (!index.filtered_chunks().empty()) {
    filtered_ = index.filtered_chunks().run_from(from);
    enter_filtered();
  } else {
    plain_ = index.plain_chunks().upper_bound(from);
    if (plain_ != index.plain_chunks().begin()) {
      auto before = std::prev(plain_);
      if (from - before->first < before->second.count) plain_ = before;
    }
    enter_plain();
  }
  if (left_ > 0 && ordinal_ < from) skip(from - ordinal_);
}

void ChunkWalk::enter_plain() {
  left_ = 0;
  if (plain_ == index_.plain_chunks().end()) return;
  ordinal_ = plain_->first;
  address_ = plain_->second.address;
  left_ = plain_->second.count;
}

void ChunkWalk::enter_filtered() {
  left_ = 0;
  if (filtered_ == index_.filtered_chunks().runs().end()) return;
  const FilteredRuns::Run& run = filtered_->second;
  ordinal_ = filtered_->first;
  address_ = run.address;
  left_ = run.sizes.size();
  sizes_ = run.sizes.data();
  masks_ = run.masks.empty() ? nullptr : run.masks.data();
}

void ChunkWalk::next_run() {
  if (sizes_ != nullptr) {
    ++filtered_;
    enter_filtered();
  } else {
    ++plain_;
    enter_plain();
  }
}

void ChunkWalk::skip(std::uint64_t count) {
  while (count > 0 && left_ > 0) {
    if (count >= left_) {
      count -= left_;
      next_run();
    } else if (sizes_ != nullptr) {
      next();
      --count;
    } else {
      ordinal_ += count;
      address_ += count * chunk_bytes_;
      left_ -= count;
      count = 0;
    }
  }
}

ChunkSequence::ChunkSequence(const ChunkIndex& index)
    : index_(index), count_(index.allocated_count()) {
  every_.reserve(static_cast<std::size_t>(count_ / kStep + 1));
  ChunkWalk walk(index, 0);
  for (std::uint64_t n = 0; n < count_; n += kStep) {
    every_.push_back(walk.ordinal());
    walk.skip(kStep);
  }
}

ChunkWalk ChunkSequence::walk_from(std::uint64_t n) const {
  ChunkWalk walk(index_, every_[static_cast<std::size_t>(n / kStep)]);
  walk.skip(n % kStep);
  return walk;
}

}  // namespace pcio
