// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: letters to other nodes, which lie in the memory that a node's ranks share, on their way into
// a letter box: each rank puts its own, or the node's go in bundles (ForwardPlan), sent from where they lie. A bundle is a
// letter like others: heads of all its letters, then their sections, then their elements.

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "plan/machine.hpp"
#include "transfer/transports/forward_plan.hpp"
#include "transfer/transports/letter_box.hpp"

namespace pcio {

/// What a rank of the node has for other nodes.
struct Outbox {
  std::byte* letters = nullptr;     ///< places of letters count from here
  std::byte* replies = nullptr;     ///< reads: those of answers from here
  std::span<const OutLetter> list;  ///< by ascending nodes and owners
};

/// Threads: one thread.
class NodePost {
 public:
  using OutboxOf = std::function<Outbox(std::uint64_t index)>;

  /// `machine` and `box` outlive it; `rank`: this one.
  NodePost(LetterBox& box, const Machine& machine, std::uint64_t rank)
      : box_(box), machine_(machine), me_(rank) {}

  /// Gets all memory that letters need, but what MPI takes for a bundle; `most`: letters of a rank at one time.
  /// `budget`: bytes of a rank's letters, and of an owner's mail. `shared`: outboxes of the whole node are seen, else
  /// that of this rank alone, number 0. May throw bad_alloc.
  void reserve(OutboxOf outbox_of, std::uint64_t most, std::uint64_t budget, bool shared,
               Direction direction);
  /// Puts letters into the box: this rank's, or, if ranks `forward` for each other and that pays, bundles of the
  /// node's. Letters of those who forward are written, and the node has met. Collective: local.
  /// Errors: memory, MPI's; what could be posted is.
  Status post(bool forward);
  /// What was posted last are bundles: others of the node send for this rank, and take its answers. Equal on the node.
  [[nodiscard]] bool bundled() const { return bundled_; }
  /// Reads: answers to the letters that were posted are expected. Errors: MPI's; the others are.
  Status expect_answers(MailLane& lane);

 private:
  /// An answer, to one letter or to those of a bundle.
  struct Expected {
    std::uint64_t rank;
    Bytes place;
    ScatteredBytes places;
  };

  [[nodiscard]] bool writes() const { return direction_ == Direction::kWrite; }
  [[nodiscard]] std::span<const OutLetter> letters_of(std::uint64_t index) const {
    return outbox_of_(index).list;
  }
  void post_own();
  Status post_bundle(const ForwardPlan::Bundle& bundle);
  std::size_t list_parts(const ForwardPlan::Bundle& bundle);

  LetterBox& box_;
  const Machine& machine_;
  std::uint64_t me_;
  OutboxOf outbox_of_;
  bool shared_ = false;
  bool bundled_ = false;
  Direction direction_ = Direction::kWrite;
  ForwardPlan plan_;
  std::vector<std::uint64_t> head_counts_;  ///< first words of bundles
  std::vector<ConstBytes> parts_;           ///< of one bundle
  std::vector<Expected> expected_;
};

}  // namespace pcio
