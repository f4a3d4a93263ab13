// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: Machine.

#include "plan/machine.hpp"

#include <algorithm>
#include <utility>

namespace pcio {

namespace {

void drop(std::vector<std::uint32_t>& table) { std::vector<std::uint32_t>().swap(table); }

}  // namespace

void Machine::reserve(std::uint64_t ranks) {
  node_of_.assign(ranks, 0);
  by_node_.assign(ranks, 0);
  starts_.assign(ranks + 1, 0);
  ranks_ = ranks;
}

bool Machine::settle() noexcept {
  const bool sound = number_nodes();
  if (sound)
    order_ranks();
  else
    nodes_ = 1;
  choose_form();
  if (form_ != Form::kScattered) {
    drop(node_of_);
    drop(by_node_);
  }
  if (form_ != Form::kBlocks && form_ != Form::kScattered) drop(starts_);
  return sound;
}

void Machine::divide(const Machine& whole, std::uint64_t blocks) noexcept {
  const std::uint64_t runs = std::clamp<std::uint64_t>(blocks, 1, ranks_);
  // Who leads each node's latest part; nodes come by their lowest ranks.
  const std::span<std::uint32_t> latest(by_node_);
  std::uint64_t known = 0;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    const std::uint64_t node = whole.node_of(rank);
    const bool goes_on = node < known && latest[node] * runs / ranks_ == rank * runs / ranks_;
    if (!goes_on) latest[node] = rank;
    known = std::max(known, node + 1);
    node_of_[rank] = latest[node];
  }
  static_cast<void>(settle());
}

/// In place: a leader comes before all that it leads.
bool Machine::number_nodes() noexcept {
  nodes_ = 0;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
    const std::uint32_t leader = node_of_[rank];
    if (leader > rank) return false;
    if (leader == rank) {
      starts_[nodes_] = rank;
      node_of_[rank] = static_cast<std::uint32_t>(nodes_++);
      continue;
    }
    const std::uint32_t node = node_of_[leader];
    if (starts_[node] != leader) return false;
    node_of_[rank] = node;
  }
  return true;
}

void Machine::order_ranks() noexcept {
  std::fill(starts_.begin(), starts_.end(), 0);
  for (std::uint64_t rank = 0; rank < ranks_; ++rank) ++starts_[node_of_[rank] + 1];
  for (std::uint64_t node = 0; node < nodes_; ++node) starts_[node + 1] += starts_[node];
  // Each start walks to its end while its ranks are put, so to the start of the next one.
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) by_node_[starts_[node_of_[rank]]++] = rank;
  for (std::uint64_t node = nodes_; node > 0; --node) starts_[node] = starts_[node - 1];
  starts_[0] = 0;
  starts_.resize(nodes_ + 1);
  // libstdc++ leaves it as it is where there is no memory.
  starts_.shrink_to_fit();
}

void Machine::choose_form() noexcept {
  form_ = Form::kOneNode;
  if (nodes_ == 1) return;
  bool blocks = true;
  bool in_turn = true;
  for (std::uint64_t rank = 0; rank < ranks_ && (blocks || in_turn); ++rank) {
    blocks = blocks && by_node_[rank] == rank;
    in_turn = in_turn && node_of_[rank] == rank % nodes_;
  }
  // One rank a node is both.
  if (in_turn)
    form_ = Form::kInTurn;
  else
    form_ = blocks ? form_of_blocks() : Form::kScattered;
}

/// The last one may be shorter.
Machine::Form Machine::form_of_blocks() noexcept {
  block_ = starts_[1];
  for (std::uint64_t node = 0; node < nodes_; ++node)
    if (starts_[node] != node * block_) return Form::kBlocks;
  return ranks_ <= nodes_ * block_ ? Form::kEqualBlocks : Form::kBlocks;
}

std::uint64_t Machine::node_of(std::uint64_t rank) const {
  switch (form_) {
    case Form::kOneNode: return 0;
    case Form::kInTurn: return rank % nodes_;
    case Form::kEqualBlocks: return rank / block_;
    case Form::kScattered: return node_of_[rank];
    case Form::kBlocks: break;
  }
  const auto behind = std::upper_bound(starts_.begin(), starts_.end(), rank);
  return static_cast<std::uint64_t>(behind - starts_.begin()) - 1;
}

std::uint64_t Machine::size_of(std::uint64_t node) const {
  if (form_ == Form::kOneNode) return ranks_;
  if (form_ == Form::kInTurn) return (ranks_ - node + nodes_ - 1) / nodes_;
  if (form_ == Form::kEqualBlocks) return std::min(block_, ranks_ - node * block_);
  return starts_[node + 1] - starts_[node];
}

std::uint64_t Machine::largest_size() const {
  std::uint64_t largest = size_of(0);
  if (form_ == Form::kBlocks || form_ == Form::kScattered)
    for (std::uint64_t node = 1; node < nodes_; ++node) largest = std::max(largest, size_of(node));
  return largest;
}

std::uint64_t Machine::rank_on(std::uint64_t node, std::uint64_t index) const {
  switch (form_) {
    case Form::kOneNode: return index;
    case Form::kInTurn: return node + index * nodes_;
    case Form::kEqualBlocks: return node * block_ + index;
    case Form::kScattered: return by_node_[starts_[node] + index];
    case Form::kBlocks: break;
  }
  return starts_[node] + index;
}

std::uint64_t Machine::index_of(std::uint64_t rank) const {
  switch (form_) {
    case Form::kOneNode: return rank;
    case Form::kInTurn: return rank / nodes_;
    case Form::kEqualBlocks: return rank % block_;
    case Form::kBlocks: return rank - starts_[node_of(rank)];
    case Form::kScattered: break;
  }
  const std::uint32_t* const first = by_node_.data() + starts_[node_of_[rank]];
  const std::uint32_t* const last = by_node_.data() + starts_[node_of_[rank] + 1];
  return static_cast<std::uint64_t>(std::lower_bound(first, last, rank) - first);
}

std::uint64_t Machine::table_bytes() const {
  return sizeof(std::uint32_t) * (node_of_.capacity() + by_node_.capacity() + starts_.capacity());
}

}  // namespace pcio
