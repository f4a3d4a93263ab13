// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: images of owners, those of this rank's node in memory that its ranks share, others by
// letters.
//
// Near pieces go straight to and from images. Far ones go in letters of bounded size, at most one to each rank
// at a time, all of them in one buffer: sections that say where elements belong, and behind them the elements;
// of reads the elements come back. All letters of one time are waited for before the next begin. In a dry run
// images hold nothing that counts, and what is copied to and from them neither.

#include <algorithm>
#include <cstring>

#include "base/rank_status.hpp"
#include "transfer/filtered/owner_images.hpp"
#include "transfer/transports/owner_mail.hpp"
#include "transfer/transports/slice_letters.hpp"

namespace pcio {

namespace {

class NodeImages final : public OwnerImages {
 public:
  NodeImages(Coordinator& coordinator, const mpi::SharedMemory* memory, const ImageShape& shape,
             const ImageTraffic& traffic)
      : OwnerImages(shape),
        coordinator_(coordinator),
        machine_(coordinator.machine()),
        memory_(memory),
        traffic_(traffic),
        ranks_(static_cast<std::uint64_t>(coordinator.size())),
        box_kind_(traffic.effort, coordinator, traffic.counts, MailTag::kChunkPieces),
        box_(box_kind_.get()),
        mail_(box_, traffic.mpi_rank, ranks_),
        all_near_(memory != nullptr &&
                  (machine_.nodes() == 1 || traffic.scope == OwnerScope::kNode)) {
    if (memory == nullptr)
      own_memory_ = std::make_unique_for_overwrite<std::uint64_t[]>(shape.bytes() / 8);
    if (all_near_) return;
    // Room for one element at least.
    shape_.message = std::max(shape.message, kLetterSlack + 2 * shape.element_size);
    box_.reserve(kMostLetters);
    mail_.reserve(shape_.message, shape_.message);
    for (MailLane* lane : {&sends_, &answers_}) lane->reserve(std::min(ranks_, kMostLetters));
    outgoing_.allocate(shape_.message);
    replies_.allocate(shape_.message);
  }

  ImageSlot own(std::uint64_t round, std::uint64_t slot) override {
    return slot_of(traffic_.mpi_rank, round, slot);
  }
  void fence() override {
    if (memory_ != nullptr) mpi::SharedMemory::fence();
  }

  Status put(std::uint64_t round, std::span<const ImagePart> parts, const Status& failed) override {
    return move(round, parts, failed, Direction::kWrite);
  }
  Status get(std::uint64_t round, std::span<const ImagePart> parts, const Status& failed) override {
    return move(round, parts, failed, Direction::kRead);
  }

 private:
  /// Of one time.
  static constexpr std::uint64_t kMostLetters = 4096;
  /// More than what a letter of one piece has besides its elements. Bytes.
  static constexpr std::uint64_t kLetterSlack = 256;
  /// Pieces of the letters of one time, whose list is no part of the buffer: so many for each of its bytes.
  static constexpr std::uint64_t kBytesOfPiece = 16;

  /// What goes to one owner, in the lists of all letters: where its part of each begins.
  struct Draft {
    std::uint64_t owner = 0;
    std::size_t heads = 0, sections = 0, pieces = 0;
    std::uint64_t payload = 0;  ///< bytes of elements
  };

  [[nodiscard]] bool is_near(std::uint64_t rank) const {
    return rank == traffic_.mpi_rank ||
           (memory_ != nullptr && machine_.same_node(rank, traffic_.mpi_rank));
  }
  [[nodiscard]] ImageSlot slot_of(std::uint64_t rank, std::uint64_t round,
                                  std::uint64_t slot) const {
    std::byte* const segment = memory_ != nullptr
                                   ? memory_->segment(static_cast<int>(machine_.index_of(rank)))
                                   : reinterpret_cast<std::byte*>(own_memory_.get());
    return {shape_, segment + (round % 2 * shape_.slots + slot) * shape_.slot_bytes()};
  }

  Status move(std::uint64_t round, std::span<const ImagePart> parts, const Status& failed,
              Direction direction) {
    round_ = round;
    direction_ = direction;
    if (!failed.ok()) parts = {};
    if (all_near_) return move_near(parts);
    return in_letters(parts);
  }
  [[nodiscard]] bool writes() const { return direction_ == Direction::kWrite; }

  // Near pieces.

  Status move_near(std::span<const ImagePart> parts) {
    for (const ImagePart& part : parts) {
      if (!is_near(part.owner)) continue;
      ImageSlot slot = slot_of(part.owner, round_, part.slot);
      PCIO_TRY(traffic_.selection.for_pieces(
          part.ordinal, [&](std::span<const FilePiece> pieces) -> Status {
            return writes() ? place(part, slot, pieces) : pick(part, slot, pieces);
          }));
    }
    return Status();
  }
  Status place(const ImagePart& part, ImageSlot& slot, std::span<const FilePiece> pieces) {
    ImageStore background(slot.image());
    PCIO_TRY(traffic_.mover.place(pieces, 0, slot.image().data(), background));
    if (slot.wants_marks())
      for (const FilePiece& piece : pieces)
        slot.mark(piece.address / shape_.element_size, piece.count);
    traffic_.counts.bytes_sent += bytes_of(part, pieces);
    return Status();
  }
  Status pick(const ImagePart& part, const ImageSlot& slot, std::span<const FilePiece> pieces) {
    traffic_.counts.bytes_received += bytes_of(part, pieces);
    return traffic_.mover.pick(pieces, 0, slot.image().data());
  }
  /// What goes between two ranks.
  [[nodiscard]] std::uint64_t bytes_of(const ImagePart& part,
                                       std::span<const FilePiece> pieces) const {
    std::uint64_t bytes = 0;
    if (part.owner != traffic_.mpi_rank)
      for (const FilePiece& piece : pieces) bytes += traffic_.mover.file_bytes(piece);
    return bytes;
  }

  // Far pieces.

  /// Fills letters with pieces and has them exchanged, until no rank has pieces left. Near pieces are moved
  /// while the first ones are on their way.
  Status in_letters(std::span<const ImagePart> parts) {
    mine_ = RankStatus();
    near_ = parts;
    std::size_t next = 0;
    left_.clear();
    for (;;) {
      clear_letters();
      const bool filled = mine_.even_if_failed([&]() -> Status {
        PCIO_TRY(fill_letters(parts, next));
        return write_letters();
      });
      if (!filled || !mine_.ok()) {
        next = parts.size();
        left_.clear();
        clear_letters();
      }
      PCIO_TRY(box_.announce());
      PCIO_TRY(writes() ? exchange_pieces() : ask_for_pieces());
      std::uint64_t more = next < parts.size() || !left_.empty() ? 1 : 0;
      PCIO_TRY(coordinator_.allreduce_max(std::span(&more, 1)));
      if (more == 0) return mine_.status();
    }
  }
  void clear_letters() {
    drafts_.clear();
    heads_.clear();
    sections_.clear();
    pieces_.clear();
    kept_.clear();
    used_ = 0;
    box_.clear();
  }

  /// Goes on where it stopped: with the pieces that are left of a chunk, then with the next one.
  Status fill_letters(std::span<const ImagePart> parts, std::size_t& next) {
    for (;;) {
      while (!left_.empty()) {
        if (!take_piece(left_part_, left_.back())) return Status();
        if (left_.back().count == 0) left_.pop_back();
      }
      while (next < parts.size() && is_near(parts[next].owner)) ++next;
      if (next == parts.size()) return Status();
      left_part_ = parts[next++];
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
  Status load_old(ChunkOrdinal ordinal) {
    if (!writes() || !traffic_.mover.form().needs_background()) return Status();
    old_.resize(shape_.chunk_bytes);
    return traffic_.codec.load(ordinal, old_);
  }

  /// Puts as much of a piece into its letter as has room; false where there is none. The parts of an owner
  /// follow each other.
  bool take_piece(const ImagePart& part, FilePiece& piece) {
    const std::uint64_t size = shape_.element_size;
    const bool new_letter = drafts_.empty() || drafts_.back().owner != part.owner;
    const bool new_head = new_letter || heads_.back().slice != part.slot;
    const std::uint64_t around = (new_letter ? letter_heads(0) + kLetterAlignment : 0) +
                                 (new_head ? sizeof(LetterHead) : 0) + sizeof(Section);
    if (used_ + around + size > shape_.message) return false;
    if (pieces_.size() * kBytesOfPiece > shape_.message) return false;
    if (new_letter && drafts_.size() == kMostLetters) return false;
    const std::uint64_t n = std::min(piece.count, (shape_.message - used_ - around) / size);
    if (new_letter)
      drafts_.push_back({part.owner, heads_.size(), sections_.size(), pieces_.size(), 0});
    if (new_head) heads_.push_back({static_cast<std::uint32_t>(part.slot), 0});
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

  [[nodiscard]] std::span<const FilePiece> pieces_of(std::size_t draft) const {
    const std::size_t end = draft + 1 < drafts_.size() ? drafts_[draft + 1].pieces : pieces_.size();
    return std::span(pieces_).subspan(drafts_[draft].pieces, end - drafts_[draft].pieces);
  }

  /// Letters as they are sent, one behind the other.
  Status write_letters() {
    std::uint64_t at = 0, kept = 0;
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
      const Draft& draft = drafts_[i];
      const bool last = i + 1 == drafts_.size();
      const auto heads = std::span(heads_).subspan(
          draft.heads, (last ? heads_.size() : drafts_[i + 1].heads) - draft.heads);
      const auto sections = std::span(sections_).subspan(
          draft.sections, (last ? sections_.size() : drafts_[i + 1].sections) - draft.sections);
      const std::uint64_t count = heads.size();
      std::byte* const letter = outgoing_.data() + at;
      std::memcpy(letter, &count, sizeof count);
      std::memcpy(letter + letter_heads(0), heads.data(), heads.size_bytes());
      std::memcpy(letter + letter_heads(count), sections.data(), sections.size_bytes());
      const std::uint64_t header = letter_heads(count) + sections.size_bytes();
      const std::uint64_t payload = writes() ? draft.payload : 0;
      if (writes()) {
        if (!kept_.empty()) std::memcpy(letter + header, kept_.data() + kept, payload);
        kept += payload;
        PCIO_TRY(traffic_.mover.pack(pieces_of(i), Bytes(letter + header, payload)));
      }
      box_.put(draft.owner, ConstBytes(letter, header + payload), payload);
      at += pad_letter(header + payload);
    }
    return Status();
  }

  /// Calls f(slot, section) for what a letter says. Errors: sections outside the images.
  template <class F>
  Status for_sections(ConstBytes letter, F&& f) {
    return SliceLetter(letter).for_each(
        [&](std::uint32_t number, std::span<const Section> sections, ConstBytes payload) -> Status {
          for (const Section& section : sections)
            if (number >= shape_.slots || section.count == 0 || section.end() > shape_.chunk_bytes)
              return PCIO_ERROR(INTERNAL, BADSIZE, "a piece of a chunk lies outside of it");
          return f(slot_of(traffic_.mpi_rank, round_, number), sections, payload);
        });
  }
  /// Calls f(offset, bytes) for each range of sections.
  template <class F>
  static void for_ranges(std::span<const Section> sections, F&& f) {
    for (const Section& section : sections)
      for (std::uint64_t i = 0; i < section.count; ++i)
        f(section.offset + i * section.stride, std::uint64_t{section.length});
  }

  Status exchange_pieces() {
    Status sent = box_.send(sends_);
    take_near();
    // Others wait for what they send here, whatever failed.
    Status received = mail_.receive([&]() -> Status {
      mine_.even_if_failed([&]() -> Status {
        for (const Received& letter : mail_.batch()) PCIO_TRY(take_letter(letter.bytes));
        return Status();
      });
      return Status();
    });
    PCIO_TRY(box_.wait(sends_, "sending pieces of chunks to their owners"));
    PCIO_TRY(std::move(sent));
    return received;
  }
  void take_near() {
    const auto parts = std::exchange(near_, {});
    mine_.unless_failed([&] { return move_near(parts); });
  }

  Status take_letter(ConstBytes letter) {
    return for_sections(
        letter,
        [&](ImageSlot slot, std::span<const Section> sections, ConstBytes payload) -> Status {
          if (payload.size() != payload_of(sections))
            return PCIO_ERROR(INTERNAL, BADSIZE, "a letter with pieces of chunks is cut");
          const std::uint64_t size = shape_.element_size;
          std::uint64_t at = 0;
          for_ranges(sections, [&](std::uint64_t offset, std::uint64_t bytes) {
            if (slot.wants_marks()) slot.mark(offset / size, bytes / size);
            std::memcpy(slot.image().data() + offset, payload.data() + at, bytes);
            at += bytes;
          });
          return Status();
        });
  }

  Status ask_for_pieces() {
    // Answers are expected before anybody is asked. Whatever failed, owners wait for letters, and ranks for
    // answers.
    RankStatus done;
    std::uint64_t at = 0;
    for (const Draft& draft : drafts_) {
      done.note(
          box_.expect_answer(answers_, draft.owner, Bytes(replies_.data() + at, draft.payload)));
      at += draft.payload;
    }
    done.note(box_.send(sends_));
    take_near();
    done.note(mail_.receive([&]() -> Status {
      return mail_.answer([](ConstBytes letter) { return SliceLetter(letter).payload(); },
                          [&](ConstBytes letter, Bytes out) {
                            mine_.even_if_failed([&] { return answer(letter, out); });
                          });
    }));
    done.note(box_.wait(sends_, "asking the owners of chunks"));
    done.note(box_.wait(answers_, "waiting for pieces of chunks"));
    PCIO_TRY(Status(done.status()));
    mine_.even_if_failed([&] { return take_answers(); });
    return Status();
  }

  Status answer(ConstBytes letter, Bytes out) {
    std::uint64_t at = 0;
    return for_sections(letter,
                        [&](const ImageSlot& slot, std::span<const Section> sections, ConstBytes) {
                          for_ranges(sections, [&](std::uint64_t offset, std::uint64_t bytes) {
                            std::memcpy(out.data() + at, slot.image().data() + offset, bytes);
                            at += bytes;
                          });
                          return Status();
                        });
  }

  Status take_answers() {
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
      PCIO_TRY(
          traffic_.mover.unpack(replies_.bytes().subspan(at, drafts_[i].payload), pieces_of(i)));
      at += drafts_[i].payload;
    }
    return Status();
  }

  Coordinator& coordinator_;
  const Machine& machine_;
  const mpi::SharedMemory* memory_;  ///< of the node; null where some node has none
  ImageTraffic traffic_;
  std::uint64_t ranks_;
  std::unique_ptr<std::uint64_t[]> own_memory_;
  ByEffort<LetterBox, LetterBox, CountingLetterBox> box_kind_;
  LetterBox& box_;
  OwnerMail mail_;
  bool all_near_;  ///< nothing goes in letters; equal on all ranks
  MailLane sends_, answers_;
  RawBuffer outgoing_, replies_;

  std::uint64_t round_ = 0;
  Direction direction_ = Direction::kWrite;
  RankStatus mine_;                  ///< of a put or get
  std::span<const ImagePart> near_;  ///< those that were not moved yet
  // Letters of one time.
  std::vector<Draft> drafts_;
  std::vector<LetterHead> heads_;
  std::vector<Section> sections_;
  std::vector<FilePiece> pieces_;
  std::vector<std::byte> kept_;  ///< the file's elements, where a conversion keeps some bytes
  std::uint64_t used_ = 0;       ///< bytes of the letters
  std::vector<FilePiece> left_;  ///< of left_part_, the next one last
  ImagePart left_part_;
  std::vector<std::byte> old_;  ///< the chunk of left_part_ in the file
};

}  // namespace

std::unique_ptr<OwnerImages> make_node_images(Coordinator& coordinator,
                                              const mpi::SharedMemory* memory,
                                              const ImageShape& shape,
                                              const ImageTraffic& traffic) {
  return std::make_unique<NodeImages>(coordinator, memory, shape, traffic);
}

}  // namespace pcio
