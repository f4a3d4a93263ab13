// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: which ranks of a node send its letters to other nodes, and which of them together.
//
// Where letters are small their number is what costs, so those that a node's ranks have for owners of another node go
// in bundles: one for each pair of nodes, or several where it would be long, each sent by another rank of the node and
// received by another rank of the other one, which puts what is in it into the images of their owners. All ranks of a
// node see the same letters, and so make the same bundles.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "plan/machine.hpp"
#include "transfer/transports/slice_letters.hpp"

namespace pcio {

/// A letter to an owner of another node, where it lies in the memory that a node's ranks share.
struct OutLetter {
  std::uint64_t offset = 0;   ///< in its rank's letters
  std::uint64_t payload = 0;  ///< bytes of elements: behind its sections, or asked for
  std::uint64_t reply = 0;    ///< where, in its rank's room for answers, these come
  std::uint32_t owner = 0;
  std::uint32_t slices = 0;
  std::uint32_t sections = 0;
  std::uint32_t unused = 0;
  /// Reads: no byte that it asks for lies before or behind them; a slice and an offset in it (place_in_slices).
  std::uint64_t first = 0, end = 0;
  [[nodiscard]] std::uint64_t section_bytes() const { return sections * sizeof(Section); }
  /// Bytes before its elements.
  [[nodiscard]] std::uint64_t header() const { return letter_heads(slices) + section_bytes(); }
};

[[nodiscard]] constexpr std::uint64_t place_in_slices(std::uint64_t slice, std::uint64_t offset) {
  return slice << 32 | offset;
}

/// Equal on all ranks.
struct ForwardLimits {
  std::uint64_t bundle =
      std::uint64_t{512}
      << 10;  ///< bytes of one, but for a single letter, and what is asked of one owner
  std::uint64_t letters = 4096;  ///< of one bundle
  std::uint64_t bundles = 4096;  ///< of a node
  Direction direction = Direction::kWrite;
  /// Reads: what ranks of a node ask of one owner goes in one bundle, so that each byte of it can come once, where it is
  /// not longer than that with its answers.
  std::uint64_t of_owner = 0;
  /// Letters are forwarded where their mean is not above it. Bytes.
  [[nodiscard]] std::uint64_t mean() const { return bundle / 8; }
};

/// Threads: one thread.
class ForwardPlan {
 public:
  struct Taken {
    std::uint64_t index;  ///< which rank of the node has it
    const OutLetter* letter;
  };
  struct Bundle {
    std::uint64_t from = 0;  ///< rank that sends it
    std::uint64_t to = 0;    ///< rank that receives it
    std::span<const Taken> letters;
    bool repeats = false;  ///< reads: two of them may ask for the same bytes
  };

  /// `machine` outlives it. Gets all memory that later calls need. Collective: local. May throw bad_alloc.
  void begin(const Machine& machine, std::uint64_t node, const ForwardLimits& limits) {
    machine_ = &machine;
    node_ = node;
    limits_ = limits;
    next_.assign(machine.size_of(node), 0);
    taken_.reserve(limits.letters);
    asked_.reserve(machine.size_of(node));
  }

  /// Whether bundles are fewer than letters, which are small, or two of these may ask for the same bytes.
  /// `letters_of(index)`: those of a rank of the node, by ascending nodes and owners, at most one for each owner.
  /// Collective: pure, over the node; asks for no memory.
  template <class LettersOf>
  [[nodiscard]] bool pays(LettersOf&& letters_of) {
    std::uint64_t letters = 0, bundles = 0, bytes = 0;
    bool fits = true;
    repeats_ = false;
    for_bundles(letters_of, [&](const Bundle& bundle, std::uint64_t number, std::uint64_t node) {
      letters += bundle.letters.size();
      ++bundles;
      for (const Taken& taken : bundle.letters) bytes += bytes_of(*taken.letter);
      // Else two bundles had one sender and one receiver.
      fits = fits && number < std::max(next_.size(), machine_->size_of(node));
    });
    if (!fits || bundles > limits_.bundles) return false;
    const bool small = bytes / std::max<std::uint64_t>(1, letters) <= limits_.mean();
    return repeats_ || (bundles < letters && small);
  }

  /// Calls f(bundle, number among those to its node, node) for each bundle of the node, which is over then.
  /// Collective: pure, over the node; asks for no memory.
  template <class LettersOf, class F>
  void for_bundles(LettersOf&& letters_of, F&& f) {
    std::fill(next_.begin(), next_.end(), 0);
    for (;;) {
      std::uint64_t node = kNoNode;
      for (std::uint64_t i = 0; i < next_.size(); ++i)
        if (next_[i] < letters_of(i).size())
          node = std::min(node, machine_->node_of(letters_of(i)[next_[i]].owner));
      if (node == kNoNode) return;
      bundle_node(node, letters_of, f);
    }
  }

 private:
  static constexpr std::uint64_t kNoNode = ~std::uint64_t{0};

  [[nodiscard]] static std::uint64_t bytes_of(const OutLetter& letter) {
    return letter.header() + letter.payload;
  }
  /// What the node's ranks have for one owner.
  struct Group {
    std::uint64_t owner = kNoNode;
    std::uint64_t letters = 0, bytes = 0;
    bool repeats = false;  ///< two of them may ask for the same bytes
  };
  [[nodiscard]] bool reads() const { return limits_.direction == Direction::kRead; }

  template <class LettersOf, class F>
  void bundle_node(std::uint64_t node, LettersOf&& letters_of, F&& f) {
    std::uint64_t number = 0, bytes = 0;
    bool repeats = false;
    taken_.clear();
    const auto finish = [&] {
      const std::uint64_t from = machine_->rank_on(node_, (node + number) % next_.size());
      const std::uint64_t to = machine_->rank_on(node, (node_ + number) % machine_->size_of(node));
      f(Bundle{from, to, taken_, repeats}, number, node);
      ++number;
      bytes = 0;
      repeats = false;
      taken_.clear();
    };
    for (;;) {
      const Group group = next_group(node, letters_of);
      if (group.letters == 0) break;
      const bool together = reads() && group.letters > 1 && group.letters <= limits_.letters &&
                            group.bytes <= limits_.of_owner;
      const bool full =
          bytes + group.bytes > limits_.bundle || taken_.size() + group.letters > limits_.letters;
      if (together && full && !taken_.empty()) finish();
      take(group.owner, letters_of, [&](std::uint64_t index, const OutLetter& letter) {
        const bool no_room =
            bytes + bytes_of(letter) > limits_.bundle || taken_.size() == limits_.letters;
        if (!together && no_room && !taken_.empty()) finish();
        taken_.push_back({index, &letter});
        repeats = repeats || group.repeats;
        bytes += bytes_of(letter);
      });
    }
    finish();
  }

  /// Of the lowest owner on the node that is left.
  template <class LettersOf>
  [[nodiscard]] Group next_group(std::uint64_t node, LettersOf&& letters_of) {
    Group group;
    for (std::uint64_t i = 0; i < next_.size(); ++i) {
      const std::span<const OutLetter> letters = letters_of(i);
      if (next_[i] < letters.size() && machine_->node_of(letters[next_[i]].owner) == node)
        group.owner = std::min<std::uint64_t>(group.owner, letters[next_[i]].owner);
    }
    if (group.owner == kNoNode) return group;
    asked_.clear();
    for (std::uint64_t i = 0; i < next_.size(); ++i) {
      const std::span<const OutLetter> letters = letters_of(i);
      if (next_[i] == letters.size() || letters[next_[i]].owner != group.owner) continue;
      const OutLetter& letter = letters[next_[i]];
      ++group.letters;
      group.bytes += bytes_of(letter);
      if (reads()) asked_.emplace_back(letter.first, letter.end);
    }
    std::sort(asked_.begin(), asked_.end());
    for (std::size_t i = 1; i < asked_.size(); ++i)
      group.repeats = group.repeats || asked_[i].first < asked_[i - 1].second;
    repeats_ = repeats_ || group.repeats;
    return group;
  }
  /// Calls f(index, letter) for the letters of a group, which are over then.
  template <class LettersOf, class F>
  void take(std::uint64_t owner, LettersOf&& letters_of, F&& f) {
    for (std::uint64_t i = 0; i < next_.size(); ++i) {
      const std::span<const OutLetter> letters = letters_of(i);
      if (next_[i] == letters.size() || letters[next_[i]].owner != owner) continue;
      f(i, letters[next_[i]]);
      ++next_[i];
    }
  }

  const Machine* machine_ = nullptr;
  std::uint64_t node_ = 0;
  ForwardLimits limits_;
  std::vector<std::size_t> next_;  ///< [ranks of the node] letter that comes next
  std::vector<Taken> taken_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      asked_;             ///< of an owner: from where to where, by each rank
  bool repeats_ = false;  ///< two ranks may ask for the same bytes
};

}  // namespace pcio
