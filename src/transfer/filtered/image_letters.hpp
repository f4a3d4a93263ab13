// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: pieces for images on other nodes, as letters: sections that say where elements belong, and
// behind them the elements; of reads the elements come back.
//
// Letters have bounded size, at most one to each owner at a time, all of them in one buffer. A head names an image by
// the owner's place on its node and the image's number: whoever receives for the owner can put elements there.

#pragma once

#include <span>
#include <vector>

#include "plan/machine.hpp"
#include "transfer/filtered/owner_images.hpp"
#include "transfer/transports/forward_plan.hpp"
#include "transfer/transports/sections.hpp"
#include "transfer/transports/slice_letters.hpp"

namespace pcio {

/// Threads: one thread.
class ImageLetters {
 public:
  /// Of one time.
  static constexpr std::uint64_t kMostLetters = 4096;
  /// More than what a letter of one piece has besides its elements. Bytes.
  static constexpr std::uint64_t kSlack = 256;

  /// `machine` and what traffic refers to outlive it. `shared`: a rank reaches the images of its node.
  ImageLetters(const ImageShape& shape, const ImageTraffic& traffic, const Machine& machine,
               bool shared)
      : shape_(shape), traffic_(traffic), machine_(machine), shared_(shared) {}

  [[nodiscard]] bool is_near(std::uint64_t rank) const {
    return rank == traffic_.mpi_rank || (shared_ && machine_.same_node(rank, traffic_.mpi_rank));
  }
  /// Pieces of `parts` that are not near come next; they outlive it.
  void begin(std::span<const ImagePart> parts);
  /// No letters of this time.
  void clear();
  /// Nor any later.
  void stop();
  [[nodiscard]] bool is_done() const { return next_ == parts_.size() && left_.empty(); }

  /// Pieces, as many as have room, for the letters of this time. Errors: those of the selection, of old chunks; memory.
  Status fill();
  /// Of writes with their elements, into `letters`, which has room for the shape's message; `list` says where they
  /// lie, by nodes and owners, and has room for all. How many there are. Errors: those of conversions.
  Result<std::uint64_t> write(std::byte* letters, std::span<OutLetter> list);
  /// Elements that were asked for, as OutLetter::reply says. Errors: those of conversions.
  Status take_answers(Bytes replies);

 private:
  /// Pieces of the letters of one time, whose list is no part of the buffer: so many for each of its bytes.
  static constexpr std::uint64_t kBytesOfPiece = 16;

  /// What goes to one owner, in the lists of all letters: where its part of each begins.
  struct Draft {
    std::uint64_t owner = 0;
    std::size_t heads = 0, sections = 0, pieces = 0;
    std::uint64_t payload = 0;  ///< bytes of elements
  };

  [[nodiscard]] bool writes() const { return traffic_.direction == Direction::kWrite; }
  Status load_old(ChunkOrdinal ordinal);
  bool take_piece(const ImagePart& part, FilePiece& piece);
  [[nodiscard]] std::span<const FilePiece> pieces_of(std::size_t draft) const;
  Status write_letter(std::size_t draft, std::byte* letter, OutLetter& out);

  const ImageShape& shape_;
  const ImageTraffic& traffic_;
  const Machine& machine_;
  bool shared_;
  std::span<const ImagePart> parts_;
  std::size_t next_ = 0;         ///< of them
  std::vector<FilePiece> left_;  ///< of left_part_, the next one last
  ImagePart left_part_;
  std::vector<std::byte> old_;  ///< the chunk of left_part_ in the file
  // Letters of one time.
  std::vector<Draft> drafts_;
  std::vector<LetterHead> heads_;
  std::vector<Section> sections_;
  std::vector<FilePiece> pieces_;
  std::vector<std::byte> kept_;  ///< the file's elements, where a conversion keeps some bytes
  std::uint64_t used_ = 0;       ///< bytes of the letters
  std::uint64_t kept_taken_ = 0;
};

}  // namespace pcio
