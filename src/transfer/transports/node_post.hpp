// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: letters to other nodes, which lie in the memory that a node's ranks share, on their way into
// a letter box: each rank puts its own, or the node's go in bundles (ForwardPlan), sent from where they lie. A bundle is a
// letter like others: heads of all its letters, then their sections, then their elements. What several ranks of the node
// want to read is asked for once (AskedOnce), and handed out by the rank that asked.

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "plan/machine.hpp"
#include "transfer/transports/asked_once.hpp"
#include "transfer/transports/forward_plan.hpp"
#include "transfer/transports/letter_box.hpp"

namespace pcio {

/// What a rank of the node has for other nodes.
struct Outbox {
  std::byte* letters = nullptr;     ///< places of letters count from here
  std::byte* replies = nullptr;     ///< reads: those of answers from here
  std::span<const OutLetter> list;  ///< by ascending nodes and owners
};

/// Equal on all ranks.
struct PostLimits {
  Direction direction = Direction::kWrite;
  std::uint64_t letters = 0;  ///< of a rank at one time
  std::uint64_t budget = 0;   ///< bytes of them, with their elements
  std::uint64_t mail = 0;  ///< bytes of letters that an owner takes at one time, and of its answers
};

/// Threads: one thread.
class NodePost {
 public:
  using OutboxOf = std::function<Outbox(std::uint64_t index)>;

  /// `machine` and `box` outlive it; `rank`: this one.
  NodePost(LetterBox& box, const Machine& machine, std::uint64_t rank)
      : box_(box), machine_(machine), me_(rank) {}

  /// Gets all memory that letters need, but what a bundle takes. `shared`: outboxes of the whole node are seen, else that
  /// of this rank alone, number 0. May throw bad_alloc.
  void reserve(OutboxOf outbox_of, const PostLimits& limits, bool shared);
  /// Puts letters into the box: this rank's, or, if ranks `forward` for each other and that pays, bundles of the
  /// node's. Letters of those who forward are written, and the node has met. Collective: local.
  /// Errors: memory, MPI's; what could be posted is.
  Status post(bool forward);
  /// What was posted last are bundles: others of the node send for this rank, and take its answers. Equal on the node.
  [[nodiscard]] bool bundled() const { return bundled_; }
  /// Reads: answers to the letters that were posted are expected. Errors: MPI's; the others are.
  Status expect_answers(MailLane& lane);
  /// Reads: answers have come; what several ranks wanted goes to all of them, who meet behind it. Local.
  void hand_out();

 private:
  /// An answer, to one letter or to those of a bundle.
  struct Expected {
    std::uint64_t rank;
    Bytes place;
    ScatteredBytes places;
  };

  [[nodiscard]] bool writes() const { return limits_.direction == Direction::kWrite; }
  [[nodiscard]] std::span<const OutLetter> letters_of(std::uint64_t index) const {
    return outbox_of_(index).list;
  }
  void post_own();
  Status post_bundle(const ForwardPlan::Bundle& bundle);
  bool ask_once(const ForwardPlan::Bundle& bundle);
  std::size_t list_parts(const ForwardPlan::Bundle& bundle);

  LetterBox& box_;
  const Machine& machine_;
  std::uint64_t me_;
  OutboxOf outbox_of_;
  bool shared_ = false;
  bool bundled_ = false;
  PostLimits limits_;
  ForwardPlan plan_;
  std::vector<std::uint64_t> head_counts_;  ///< first words of bundles
  std::vector<ConstBytes> parts_;           ///< of one bundle
  std::vector<Expected> expected_;
  std::vector<std::unique_ptr<AskedOnce>> asked_;
  std::uint64_t asked_bytes_ = 0;  ///< of their answers
};

}  // namespace pcio
