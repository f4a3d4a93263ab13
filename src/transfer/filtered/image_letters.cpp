// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: ImageLetters.

#include "transfer/filtered/image_letters.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "transfer/transports/exchange_buffers.hpp"

namespace pcio {

void ImageLetters::begin(std::span<const ImagePart> parts) {
  parts_ = parts;
  next_ = 0;
  left_.clear();
}

void ImageLetters::clear() {
  drafts_.clear();
  heads_.clear();
  sections_.clear();
  pieces_.clear();
  kept_.clear();
  used_ = 0;
}

void ImageLetters::stop() {
  clear();
  next_ = parts_.size();
  left_.clear();
}

/// Goes on where it stopped: with the pieces that are left of a chunk, then with the next one.
Status ImageLetters::fill() {
  for (;;) {
    while (!left_.empty()) {
      if (!take_piece(left_part_, left_.back())) return Status();
      if (left_.back().count == 0) left_.pop_back();
    }
    while (next_ < parts_.size() && is_near(parts_[next_].owner)) ++next_;
    if (next_ == parts_.size()) return Status();
    left_part_ = parts_[next_++];
    PCIO_TRY(load_old(left_part_.ordinal));
    PCIO_TRY(
        traffic_.selection.for_pieces(left_part_.ordinal, [&](std::span<const FilePiece> pieces) {
          left_.insert(left_.end(), pieces.begin(), pieces.end());
          return Status();
        }));
    std::reverse(left_.begin(), left_.end());
  }
}

/// The chunk as it is in the file, where converted elements keep some of their bytes: no other rank
/// writes the same elements.
Status ImageLetters::load_old(ChunkOrdinal ordinal) {
  if (!writes() || !traffic_.mover.form().needs_background()) return Status();
  old_.resize(shape_.chunk_bytes);
  return traffic_.codec.load(ordinal, old_);
}

/// Puts as much of a piece into its letter as has room; false where there is none. The parts of an owner
/// follow each other.
bool ImageLetters::take_piece(const ImagePart& part, FilePiece& piece) {
  const std::uint64_t size = shape_.element_size;
  const auto image =
      static_cast<std::uint32_t>(machine_.index_of(part.owner) * shape_.slots + part.slot);
  const bool new_letter = drafts_.empty() || drafts_.back().owner != part.owner;
  const bool new_head = new_letter || heads_.back().slice != image;
  const std::uint64_t around = (new_letter ? letter_heads(0) + kLetterAlignment : 0) +
                               (new_head ? sizeof(LetterHead) : 0) + sizeof(Section);
  if (used_ + around + size > shape_.message) return false;
  if (pieces_.size() * kBytesOfPiece > shape_.message) return false;
  if (new_letter && drafts_.size() == kMostLetters) return false;
  const std::uint64_t n = std::min(piece.count, (shape_.message - used_ - around) / size);
  if (new_letter)
    drafts_.push_back({part.owner, heads_.size(), sections_.size(), pieces_.size(), 0});
  if (new_head) heads_.push_back({image, 0});
  const auto offset = static_cast<std::uint32_t>(piece.address);
  const auto bytes = static_cast<std::uint32_t>(n * size);
  if (new_head || !SectionBuilder::fold(sections_.back(), offset, bytes)) {
    sections_.push_back({offset, bytes, 0, 1});
    ++heads_.back().sections;
    used_ += sizeof(Section);
  }
  pieces_.push_back({piece.address, piece.memory_element, n});
  drafts_.back().payload += n * size;
  used_ += around - sizeof(Section) + n * size;
  if (!old_.empty()) {
    const auto from = old_.begin() + static_cast<std::ptrdiff_t>(piece.address);
    kept_.insert(kept_.end(), from, from + static_cast<std::ptrdiff_t>(n * size));
  }
  piece = {piece.address + n * size, piece.memory_element + n, piece.count - n};
  return true;
}

std::span<const FilePiece> ImageLetters::pieces_of(std::size_t draft) const {
  const std::size_t end = draft + 1 < drafts_.size() ? drafts_[draft + 1].pieces : pieces_.size();
  return std::span(pieces_).subspan(drafts_[draft].pieces, end - drafts_[draft].pieces);
}

Result<std::uint64_t> ImageLetters::write(std::byte* letters, std::span<OutLetter> list) {
  const std::uint64_t count = drafts_.size();
  std::uint64_t at = 0, asked = 0;
  kept_taken_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    list[i] =
        OutLetter{at, drafts_[i].payload, asked, static_cast<std::uint32_t>(drafts_[i].owner)};
    PCIO_TRY(write_letter(i, letters + at, list[i]));
    asked += drafts_[i].payload;
    at += pad_letter(list[i].header() + (writes() ? drafts_[i].payload : 0));
  }
  std::sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count),
            [&](const OutLetter& a, const OutLetter& b) {
              return std::pair(machine_.node_of(a.owner), a.owner) <
                     std::pair(machine_.node_of(b.owner), b.owner);
            });
  return count;
}

Status ImageLetters::write_letter(std::size_t draft, std::byte* letter, OutLetter& out) {
  const Draft& mine = drafts_[draft];
  const bool last = draft + 1 == drafts_.size();
  const auto heads = std::span(heads_).subspan(
      mine.heads, (last ? heads_.size() : drafts_[draft + 1].heads) - mine.heads);
  const auto sections = std::span(sections_).subspan(
      mine.sections, (last ? sections_.size() : drafts_[draft + 1].sections) - mine.sections);
  const std::uint64_t count = heads.size();
  out.slices = static_cast<std::uint32_t>(count);
  out.sections = static_cast<std::uint32_t>(sections.size());
  out.first = place_in_slices(heads.front().slice, sections.front().offset);
  out.end = place_in_slices(heads.back().slice, sections.back().end());
  std::memcpy(letter, &count, sizeof count);
  std::memcpy(letter + letter_heads(0), heads.data(), heads.size_bytes());
  std::memcpy(letter + letter_heads(count), sections.data(), sections.size_bytes());
  if (!writes()) return Status();
  std::byte* const elements = letter + out.header();
  if (!kept_.empty()) std::memcpy(elements, kept_.data() + kept_taken_, mine.payload);
  kept_taken_ += mine.payload;
  return traffic_.mover.pack(pieces_of(draft), Bytes(elements, mine.payload));
}

Status ImageLetters::take_answers(Bytes replies) {
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < drafts_.size(); ++i) {
    PCIO_TRY(traffic_.mover.unpack(replies.subspan(at, drafts_[i].payload), pieces_of(i)));
    at += drafts_[i].payload;
  }
  return Status();
}

}  // namespace pcio
