// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: images of other machines' ranks, reached by messages.
//
// Pieces go in letters of bounded size, at most one to each rank at a time: sections that say where
// elements belong, and behind them the elements; of reads the elements come back. All letters of one
// time are waited for before the next begin. In a dry run images hold nothing that counts, and what
// is copied to and from them neither.

#include <algorithm>
#include <cstring>

#include "base/rank_status.hpp"
#include "transfer/filtered/owner_images.hpp"
#include "transfer/transports/letter_box.hpp"

namespace pcio {

namespace {

/// Elements [first, first + count) of an image.
struct ImageSection {
  std::uint32_t slot = 0;
  std::uint32_t count = 0;
  std::uint64_t first = 0;
};

class MessageImages final : public OwnerImages {
 public:
  MessageImages(Coordinator& coordinator, const ImageShape& shape, const ImageTraffic& traffic)
      : OwnerImages(shape),
        coordinator_(coordinator),
        traffic_(traffic),
        ranks_(static_cast<std::uint64_t>(coordinator.size())),
        box_kind_(traffic.effort, coordinator, traffic.counts, MailTag::kChunkPieces),
        box_(box_kind_.get()),
        letters_(ranks_),
        incoming_(ranks_),
        answers_(ranks_) {
    // Room for one element at least.
    shape_.message = std::max(shape.message, 4 * (shape.element_size + sizeof(ImageSection)));
    memory_ = std::make_unique_for_overwrite<std::uint64_t[]>(shape.bytes() / 8);
    box_.reserve();
    lane_.reserve(4 * ranks_);
    // From here on letters and answers need no memory: no rank is left waiting for one. In front of the
    // sections and elements that fill a letter stands their number.
    for (std::uint64_t r = 0; r < ranks_; ++r) {
      for (std::vector<std::byte>* buffer :
           {&letters_[r].bytes, &letters_[r].answers, &incoming_[r], &answers_[r]})
        buffer->reserve(sizeof(std::uint64_t) + shape_.message);
    }
  }

  ImageSlot own(std::uint64_t round, std::uint64_t slot) override {
    return {shape_, reinterpret_cast<std::byte*>(memory_.get()) +
                        (round % 2 * shape_.slots + slot) * shape_.slot_bytes()};
  }
  void fence() override {}

  Status put(std::uint64_t round, std::span<const ImagePart> parts, const Status& failed) override {
    round_ = round;
    return in_letters(parts, failed, [&] { return exchange_pieces(); });
  }
  Status get(std::uint64_t round, std::span<const ImagePart> parts, const Status& failed) override {
    round_ = round;
    return in_letters(parts, failed, [&] { return ask_for_pieces(); });
  }

 private:
  /// Pieces to one rank on their way.
  struct Letter {
    std::vector<ImageSection> sections;
    std::vector<FilePiece> pieces;
    std::vector<std::byte> bytes;    ///< sections and elements as they are sent
    std::vector<std::byte> answers;  ///< reads: elements
    std::vector<std::byte> kept;     ///< the file's elements, where a conversion keeps some bytes
    std::uint64_t elements = 0;
    std::uint64_t payload = 0;  ///< bytes of elements in the letter
    void clear() {
      sections.clear();
      pieces.clear();
      kept.clear();
      bytes.clear();
      elements = payload = 0;
    }
  };

  /// Fills letters with pieces and has them exchanged, until no rank has pieces left.
  template <class F>
  Status in_letters(std::span<const ImagePart> parts, const Status& failed, F&& exchange) {
    mine_ = RankStatus();
    std::size_t next = failed.ok() ? 0 : parts.size();
    left_.clear();
    for (;;) {
      for (Letter& letter : letters_) letter.clear();
      mine_.even_if_failed([&] { return fill_letters(parts, next); });
      if (!mine_.ok()) {
        next = parts.size();
        left_.clear();
        for (Letter& letter : letters_) letter.clear();
      }
      PCIO_TRY(exchange());
      std::uint64_t more = next < parts.size() || !left_.empty() ? 1 : 0;
      PCIO_TRY(coordinator_.allreduce_max(std::span(&more, 1)));
      if (more == 0) return mine_.status();
    }
  }

  /// Goes on where it stopped: with the pieces that are left of a chunk, then with the next one.
  Status fill_letters(std::span<const ImagePart> parts, std::size_t& next) {
    for (;;) {
      while (!left_.empty()) {
        if (!take_piece(left_part_, left_.back())) return Status();
        if (left_.back().count == 0) left_.pop_back();
      }
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
    if (!traffic_.mover.form().needs_background()) return Status();
    old_.resize(shape_.chunk_bytes);
    return traffic_.codec.load(ordinal, old_);
  }

  /// Puts as much of a piece into its letter as has room; false where there is none.
  bool take_piece(const ImagePart& part, FilePiece& piece) {
    Letter& letter = letters_[part.owner];
    const std::uint64_t size = shape_.element_size;
    const std::uint64_t used =
        (letter.sections.size() + 1) * sizeof(ImageSection) + letter.elements * size;
    const std::uint64_t room = used < shape_.message ? (shape_.message - used) / size : 0;
    const std::uint64_t n = std::min({piece.count, room, std::uint64_t{0xFFFFFFFF}});
    if (n == 0) return false;
    letter.sections.push_back({static_cast<std::uint32_t>(part.slot), static_cast<std::uint32_t>(n),
                               piece.address / size});
    letter.pieces.push_back({piece.address, piece.memory_element, n});
    letter.elements += n;
    if (!old_.empty()) {
      const auto from = old_.begin() + static_cast<std::ptrdiff_t>(piece.address);
      letter.kept.insert(letter.kept.end(), from, from + static_cast<std::ptrdiff_t>(n * size));
    }
    piece = {piece.address + n * size, piece.memory_element + n, piece.count - n};
    return true;
  }

  /// What is sent: the number of sections, the sections, and for writes the elements.
  void write_letter(Letter& letter, std::uint64_t payload) {
    if (letter.sections.empty()) return;
    const std::uint64_t count = letter.sections.size();
    const std::uint64_t header = sizeof count + count * sizeof(ImageSection);
    letter.bytes.resize(header + payload);
    letter.payload = payload;
    std::memcpy(letter.bytes.data(), &count, sizeof count);
    std::memcpy(letter.bytes.data() + sizeof count, letter.sections.data(),
                count * sizeof(ImageSection));
  }

  Status pack_letters() {
    for (Letter& letter : letters_) {
      const std::uint64_t payload = letter.elements * shape_.element_size;
      write_letter(letter, payload);
      if (payload == 0) continue;
      if (!letter.kept.empty())
        std::memcpy(letter.bytes.data() + letter.bytes.size() - payload, letter.kept.data(),
                    payload);
      PCIO_TRY(traffic_.mover.pack(letter.pieces, Bytes(letter.bytes).last(payload)));
    }
    return Status();
  }

  /// Letters of all ranks to this one are in incoming_.
  Status exchange_letters() {
    box_.clear();
    for (std::uint64_t r = 0; r < ranks_; ++r) box_.put(r, letters_[r].bytes, letters_[r].payload);
    PCIO_TRY(box_.announce());
    // Whatever failed, others wait for their letters, and for what they send here.
    RankStatus started;
    for (std::uint64_t r = 0; r < ranks_; ++r) {
      const std::uint64_t size = box_.size_from(r);
      if (r == traffic_.mpi_rank || size == 0) continue;
      if (incoming_[r].size() < size) incoming_[r].resize(size);
      started.note(box_.receive(lane_, r, Bytes(incoming_[r]).first(size)));
    }
    started.note(box_.send(lane_));
    started.note(box_.wait(lane_, "sending pieces of chunks to their owners"));
    return started.status();
  }

  [[nodiscard]] ConstBytes letter_from(std::uint64_t rank) const {
    if (rank == traffic_.mpi_rank) return box_.own();
    return ConstBytes(incoming_[rank]).first(box_.size_from(rank));
  }

  /// Calls f(section) for what a letter says. Errors: sections outside the images.
  template <class F>
  Status for_sections(ConstBytes letter, F&& f) {
    if (letter.empty()) return Status();
    std::uint64_t count = 0;
    std::memcpy(&count, letter.data(), sizeof count);
    for (std::uint64_t i = 0; i < count; ++i) {
      ImageSection section;
      std::memcpy(&section, letter.data() + sizeof count + i * sizeof section, sizeof section);
      if (section.slot >= shape_.slots ||
          section.first + section.count > shape_.chunk_bytes / shape_.element_size)
        return PCIO_ERROR(INTERNAL, BADSIZE, "a piece of a chunk lies outside of it");
      PCIO_TRY(f(section));
    }
    return Status();
  }

  Status exchange_pieces() {
    mine_.even_if_failed([&] { return pack_letters(); });
    if (!mine_.ok())
      for (Letter& letter : letters_) letter.clear();
    PCIO_TRY(exchange_letters());
    for (std::uint64_t r = 0; r < ranks_; ++r)
      mine_.even_if_failed([&] { return take_letter(letter_from(r)); });
    return Status();
  }

  Status take_letter(ConstBytes letter) {
    std::uint64_t count = 0;
    if (!letter.empty()) std::memcpy(&count, letter.data(), sizeof count);
    std::uint64_t at = sizeof count + count * sizeof(ImageSection);
    return for_sections(letter, [&](const ImageSection& section) {
      ImageSlot slot = own(round_, section.slot);
      if (slot.wants_marks()) slot.mark(section.first, section.count);
      const std::uint64_t bytes = section.count * shape_.element_size;
      std::memcpy(slot.image().data() + section.first * shape_.element_size, letter.data() + at,
                  bytes);
      at += bytes;
      return Status();
    });
  }

  Status ask_for_pieces() {
    mine_.even_if_failed([&] {
      for (Letter& letter : letters_) write_letter(letter, 0);
      return Status();
    });
    PCIO_TRY(exchange_letters());
    RankStatus started;
    for (std::uint64_t r = 0; r < ranks_; ++r) {
      const std::uint64_t bytes = letters_[r].elements * shape_.element_size;
      letters_[r].answers.resize(bytes);
      if (r != traffic_.mpi_rank && bytes > 0)
        started.note(box_.expect_answer(lane_, r, letters_[r].answers));
      started.note(answer(r));
    }
    started.note(box_.wait(lane_, "waiting for pieces of chunks"));
    PCIO_TRY(Status(started.status()));
    mine_.even_if_failed([&]() -> Status {
      for (Letter& letter : letters_)
        if (letter.elements > 0) PCIO_TRY(traffic_.mover.unpack(letter.answers, letter.pieces));
      return Status();
    });
    return Status();
  }

  /// Elements of this rank's images that rank `r` has asked for; they are expected, whatever failed.
  Status answer(std::uint64_t r) {
    std::vector<std::byte>& out = r == traffic_.mpi_rank ? letters_[r].answers : answers_[r];
    std::uint64_t bytes = 0;
    PCIO_TRY(for_sections(letter_from(r), [&](const ImageSection& section) {
      bytes += section.count * shape_.element_size;
      return Status();
    }));
    if (bytes == 0) return Status();
    out.resize(bytes);
    std::uint64_t at = 0;
    PCIO_TRY(for_sections(letter_from(r), [&](const ImageSection& section) {
      const std::uint64_t n = section.count * shape_.element_size;
      std::memcpy(out.data() + at,
                  own(round_, section.slot).image().data() + section.first * shape_.element_size,
                  n);
      at += n;
      return Status();
    }));
    if (r == traffic_.mpi_rank) return Status();
    return box_.answer(lane_, r, out);
  }

  Coordinator& coordinator_;
  ImageTraffic traffic_;
  std::uint64_t ranks_;
  std::unique_ptr<std::uint64_t[]> memory_;
  ByEffort<LetterBox, LetterBox, CountingLetterBox> box_kind_;
  LetterBox& box_;
  MailLane lane_;
  std::vector<Letter> letters_;  ///< to each rank
  std::vector<std::vector<std::byte>> incoming_, answers_;
  std::vector<FilePiece> left_;  ///< of left_part_, the next one last
  ImagePart left_part_;
  std::vector<std::byte> old_;  ///< the chunk of left_part_ in the file
  std::uint64_t round_ = 0;
  RankStatus mine_;  ///< of a put or get
};

}  // namespace

std::unique_ptr<OwnerImages> make_message_images(Coordinator& coordinator, const ImageShape& shape,
                                                 const ImageTraffic& traffic) {
  return std::make_unique<MessageImages>(coordinator, shape, traffic);
}

}  // namespace pcio
