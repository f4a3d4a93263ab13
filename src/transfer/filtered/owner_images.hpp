// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: images of chunks that several ranks share, and how ranks get at those of others.
//
// An owner has room for `slots` images, twice: while pieces go into (or come out of) those of one
// round, those of another are filtered. Ranks of a node reach each other's images in shared memory; others
// send messages.

#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "agree/coordinator.hpp"
#include "plan/chunk_owners.hpp"
#include "props/transfer_report.hpp"
#include "transfer/filtered/chunk_codec.hpp"
#include "transfer/pieces/chunk_selection.hpp"
#include "transfer/pieces/convert_buffer.hpp"

namespace pcio {

/// Equal on all ranks.
struct ImageShape {
  std::uint64_t chunk_bytes = 0;
  std::uint64_t element_size = 1;
  std::uint64_t slots = 1;    ///< images of one owner in one round
  std::uint64_t message = 0;  ///< bytes that one rank sends to all others at a time

  /// Elements of a chunk, a bit each, in words.
  [[nodiscard]] std::uint64_t map_words() const;
  /// Bytes of one slot: flags, map and image, on cache lines of their own.
  [[nodiscard]] std::uint64_t slot_bytes() const;
  /// Bytes of the slots of one owner in both rounds.
  [[nodiscard]] std::uint64_t bytes() const { return 2 * slots * slot_bytes(); }
};

/// What a step of filtered transfers may use of memory. Collective: pure; equal on all ranks.
/// `memory`: bytes per rank for images, encoded chunks and messages; so many `ranks` at most share its images.
ImageShape image_shape(std::uint64_t chunk_bytes, std::uint64_t element_size, std::uint64_t memory,
                       std::uint64_t ranks);

/// One slot in memory. Threads: marks of several ranks may come at the same time.
class ImageSlot {
 public:
  ImageSlot(const ImageShape& shape, std::byte* start) : shape_(shape), start_(start) {}
  /// Whoever writes into the image marks what he wrote, where that is asked for.
  void begin_marks();
  void begin_without_marks();
  [[nodiscard]] bool wants_marks() const;
  void mark(std::uint64_t first_element, std::uint64_t elements);
  /// Elements [first, first + count) that nobody wrote: f(first, count).
  template <class F>
  void for_each_unmarked(F&& f) const;
  [[nodiscard]] Bytes image() const;

 private:
  [[nodiscard]] std::uint64_t* words() const { return reinterpret_cast<std::uint64_t*>(start_); }
  const ImageShape& shape_;
  std::byte* start_;
};

/// A touched chunk in a round: image number `slot` of rank `owner`.
struct ImagePart {
  ChunkOrdinal ordinal = 0;
  std::uint64_t owner = 0;
  std::uint64_t slot = 0;
};

/// The touched chunks of one rank, round by round.
class RoundParts {
 public:
  RoundParts(const OwnerPlan& plan, std::uint64_t slots, std::uint64_t mpi_rank,
             std::uint64_t ranks);
  /// Ranks that own any of the chunks.
  [[nodiscard]] std::size_t owners() const { return groups_.size() - 1; }
  /// Owners behind this rank come first, so that not all ranks turn to the same one.
  void list(std::uint64_t round, std::vector<ImagePart>& parts) const;

 private:
  std::span<const ChunkShare> shares_;
  std::uint64_t slots_;
  std::vector<std::size_t> order_;   ///< shared ones, by owner, then by number
  std::vector<std::size_t> groups_;  ///< where in the order an owner's begin, and the end
};

/// What moves between a rank's buffer and images. Threads: one thread.
struct ImageTraffic {
  ChunkSelection& selection;
  ElementMover& mover;
  ExchangeCounts& counts;
  ChunkCodec& codec;  ///< for bytes of old chunks that a conversion keeps
  Effort effort = Effort::kPerform;
  std::uint64_t mpi_rank = 0;
  Direction direction = Direction::kWrite;
  bool crosses = true;  ///< some rank's pieces have owners on other nodes; equal on all ranks
};

/// Own images, and pieces to and from those of all ranks. Threads: one thread.
class OwnerImages {
 public:
  explicit OwnerImages(const ImageShape& shape) : shape_(shape) {}
  OwnerImages(const OwnerImages&) = delete;
  OwnerImages& operator=(const OwnerImages&) = delete;
  virtual ~OwnerImages() = default;

  /// An image of this rank.
  [[nodiscard]] virtual ImageSlot own(std::uint64_t round, std::uint64_t slot) = 0;
  /// What was stored before is seen behind it; stands around an agreement. Local.
  virtual void fence() = 0;
  /// Moves this rank's pieces of `parts`: writes put them into the images and mark them; reads take
  /// them. Images of the round are ready on all ranks, by an agreement. Collective: over the file,
  /// whatever happens to one rank; local where all owners share memory with their ranks. On failure some have been moved.
  /// `failed`: this rank moves nothing any more.
  virtual Status put(std::uint64_t round, std::span<const ImagePart> parts,
                     const Status& failed) = 0;
  virtual Status get(std::uint64_t round, std::span<const ImagePart> parts,
                     const Status& failed) = 0;
  [[nodiscard]] const ImageShape& shape() const { return shape_; }

 protected:
  ImageShape shape_;
};

/// Gets the memory. Collective: over the file. The same kind on all ranks; all ranks succeed, or
/// all fail.
Result<std::unique_ptr<OwnerImages>> make_owner_images(Coordinator& coordinator,
                                                       const ImageShape& shape,
                                                       const ImageTraffic& traffic);

template <class F>
void ImageSlot::for_each_unmarked(F&& f) const {
  const std::uint64_t elements = shape_.chunk_bytes / shape_.element_size;
  const std::uint64_t* map = words() + 8;
  std::uint64_t first = 0, count = 0;
  for (std::uint64_t word = 0; word * 64 < elements; ++word) {
    const std::uint64_t left = std::min<std::uint64_t>(64, elements - word * 64);
    if (map[word] == ~std::uint64_t{0}) {
      if (count > 0) f(first, count);
      count = 0;
      continue;
    }
    for (std::uint64_t bit = 0; bit < left; ++bit) {
      if ((map[word] >> bit & 1) != 0) {
        if (count > 0) f(first, count);
        count = 0;
        continue;
      }
      if (count == 0) first = word * 64 + bit;
      ++count;
    }
  }
  if (count > 0) f(first, count);
}

}  // namespace pcio
