// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: which ranks share a node.
//
// Nodes are numbered by their lowest ranks, which lead them. Where the ranks of a node follow each other, equally many on
// each, or are dealt to the nodes in turn, as launchers place them, this takes nothing; four bytes a node where nodes differ in
// their numbers of ranks, and eight a rank where ranks are scattered.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pcio {

/// Threads: immutable once it is settled.
class Machine {
 public:
  /// One rank.
  Machine() = default;

  /// Gets all memory that settle() needs. Collective: local. May throw bad_alloc.
  void reserve(std::uint64_t ranks);
  /// Where the leaders of all ranks are to be put, in rank order: for each rank the lowest one of its node.
  [[nodiscard]] std::span<std::uint32_t> leaders() { return node_of_; }
  /// Makes nodes of leaders(). Collective: pure; asks for no memory.
  /// False where leaders() can't be: a leader behind its rank, or one that has another leader. Then all
  /// ranks are taken for one node.
  [[nodiscard]] bool settle() noexcept;

  /// Makes nodes of another machine's, each cut where the ranks are cut into `blocks` equal runs; 0: none is.
  /// Collective: pure; asks for no memory behind reserve(). `whole`: of as many ranks.
  void divide(const Machine& whole, std::uint64_t blocks) noexcept;

  [[nodiscard]] std::uint64_t ranks() const { return ranks_; }
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
  [[nodiscard]] std::uint64_t node_of(std::uint64_t rank) const;
  /// Ranks of a node.
  [[nodiscard]] std::uint64_t size_of(std::uint64_t node) const;
  /// Ranks of the largest node.
  [[nodiscard]] std::uint64_t largest_size() const;
  /// Rank number `index` of a node, ascending; number 0 leads it.
  [[nodiscard]] std::uint64_t rank_on(std::uint64_t node, std::uint64_t index) const;
  [[nodiscard]] std::uint64_t leader_of(std::uint64_t node) const { return rank_on(node, 0); }
  /// Which one of its node's ranks a rank is.
  [[nodiscard]] std::uint64_t index_of(std::uint64_t rank) const;
  [[nodiscard]] bool same_node(std::uint64_t a, std::uint64_t b) const {
    return nodes_ == 1 || node_of(a) == node_of(b);
  }
  /// Bytes of the tables.
  [[nodiscard]] std::uint64_t table_bytes() const;

 private:
  /// How ranks lie on nodes, the cheapest form that says it.
  enum class Form : std::uint8_t { kOneNode, kInTurn, kEqualBlocks, kBlocks, kScattered };
  [[nodiscard]] bool number_nodes() noexcept;
  void order_ranks() noexcept;
  void choose_form() noexcept;
  [[nodiscard]] Form form_of_blocks() noexcept;

  Form form_ = Form::kOneNode;
  std::uint64_t ranks_ = 1;
  std::uint64_t nodes_ = 1;
  std::uint64_t block_ = 1;             ///< ranks of a node but the last, of equal blocks
  std::vector<std::uint32_t> node_of_;  ///< [ranks] leaders, then nodes; kept where scattered
  std::vector<std::uint32_t> by_node_;  ///< [ranks] ranks node by node; kept where scattered
  std::vector<std::uint32_t>
      starts_;  ///< [nodes + 1] into them; kept for blocks that differ and where scattered
};

}  // namespace pcio
