// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: what a rank tells the owners of one stretch in an exchange between nodes.
//
// Letters lie in the memory that a node's ranks share. Owners on the node read them there; those to other nodes are
// sent from there (NodePost).

#pragma once

#include <span>
#include <vector>

#include "plan/slice_owners.hpp"
#include "transfer/pieces/by_effort.hpp"
#include "transfer/pieces/byte_map.hpp"
#include "transfer/transports/exchange_queue.hpp"
#include "transfer/transports/file_stretch.hpp"
#include "transfer/transports/letter_box.hpp"
#include "transfer/transports/node_memory.hpp"
#include "transfer/transports/node_post.hpp"

namespace pcio {

/// Threads: one thread.
class NodeLetters : protected NodeMemory {
 protected:
  NodeLetters(Direction direction, ElementMover& mover, const ExchangeTarget& target,
              const mpi::SharedMemory* memory);

  [[nodiscard]] bool writes() const { return direction_ == Direction::kWrite; }
  /// Gets all memory that letters of at most `slices` slices need, but what MPI takes for a bundle. May throw bad_alloc.
  void reserve_letters(std::uint64_t slices);

  /// Letters of cut_, in the order of their owners' nodes and their owners; those to near owners stay where they are.
  /// Errors: lengths that were not planned for.
  Status write_letters();
  /// Writes: near pieces into images, far ones behind their sections. Errors: those of conversions and of the file.
  Status pack_pieces();
  /// Puts letters to other nodes into the box: this rank's, or where that pays bundles of the node's, whether this rank
  /// has failed or not. All letters of the node are written: see forwards_. Errors: memory, MPI's.
  Status post_letters() { return post_.post(forwards_); }
  /// Reads: answers to the letters that were posted are expected. Errors: MPI's.
  Status expect_answers() { return post_.expect_answers(answers_); }
  /// Reads: answers that this rank got for others are theirs when the node has met.
  void hand_out() { post_.hand_out(); }
  /// Reads: answers from other nodes go to their pieces. Behind a meeting of the node where it forwards.
  Status take_answers();

  [[nodiscard]] std::uint64_t owner_of(std::uint64_t slice) const {
    return owners_.owner_of(slice);
  }
  // Of a slice whose owner is near.
  [[nodiscard]] std::uint64_t image_bytes() const { return stretch_.slice + element_; }
  [[nodiscard]] std::uint64_t stride() const { return round_up(image_bytes(), kImageAlignment); }
  [[nodiscard]] std::byte* image_of(std::uint64_t slice) {
    return images_of(index_of(owner_of(slice)), set_) + owners_.slot_of(slice) * stride();
  }
  [[nodiscard]] std::uint64_t* map_of(std::uint64_t slice) {
    return reinterpret_cast<std::uint64_t*>(maps_of(index_of(owner_of(slice)))) +
           owners_.slot_of(slice) * ByteMap::words_of(image_bytes());
  }

  Direction direction_;
  ElementMover& mover_;
  const ExchangeTarget& target_;
  Coordinator& coordinator_;
  std::uint64_t element_;
  ByEffort<LetterBox, LetterBox, CountingLetterBox> box_kind_;
  LetterBox& box_;
  SliceOwners owners_;
  FileStretch stretch_;
  std::uint64_t set_ = 0;  ///< of images, in this stretch; equal on all ranks
  StretchCut cut_;
  /// Ranks of a node may send for each other in this stretch, and receive for each other; equal on all ranks.
  bool forwards_ = false;
  MailLane answers_;

 private:
  [[nodiscard]] std::uint64_t owner_of_part(std::uint32_t part) const {
    return owner_of(cut_.parts[part].slice);
  }
  Result<std::uint64_t> write_letter(std::uint64_t at, std::span<const std::uint32_t> parts);
  Status add_far_letter(const OutLetter& letter);
  std::uint64_t describe(const QueuePart& part);
  void count_near(std::uint64_t owner, std::uint64_t bytes, std::uint64_t payload);
  [[nodiscard]] Bytes payload_of_letter(std::uint64_t number);
  Status pack_part(const QueuePart& part, Bytes payload);

  std::vector<std::uint32_t> order_;  ///< parts by owner
  SectionBuilder builder_;
  std::uint64_t asked_ = 0;  ///< bytes of elements in letters to other nodes
  NodePost post_;
};

}  // namespace pcio
