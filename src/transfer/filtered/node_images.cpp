// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: images of owners, those of this rank's node in memory that its ranks share, others by
// letters.
//
// Near pieces go straight to and from images. Far ones go in letters (ImageLetters), which lie in the memory that a
// node's ranks share, so that small ones go together (NodePost): who receives a bundle puts elements into the images of
// all owners of its node, or takes them there. All letters of one time are waited for before the next begin. In a dry
// run images hold nothing that counts, and what is copied to and from them neither.

#include <algorithm>
#include <cstring>

#include "agree/tell_failure.hpp"
#include "base/checked.hpp"
#include "base/rank_status.hpp"
#include "mpi/large_count.hpp"
#include "transfer/filtered/image_letters.hpp"
#include "transfer/filtered/owner_images.hpp"
#include "transfer/transports/node_post.hpp"
#include "transfer/transports/owner_mail.hpp"

namespace pcio {

namespace {

/// What a rank shares with those of its node. Bytes; equal on all ranks.
struct ImageLayout {
  std::uint64_t images = 0;
  std::uint64_t letters = 0;  ///< nothing but images where no letters are
  std::uint64_t replies = 0;  ///< room for answers that others get for this rank
  std::uint64_t outbox = 0;   ///< how many letters, and their list
  std::uint64_t far = 0;      ///< letters at most
  [[nodiscard]] std::uint64_t segment() const { return images + letters + replies + outbox; }
};

ImageLayout image_layout(const ImageShape& shape, Direction direction, std::uint64_t ranks,
                         bool by_letters) {
  constexpr std::uint64_t kLine = mpi::SharedMemory::kAlignment;
  ImageLayout layout;
  layout.images = ceil_div(shape.bytes(), kLine) * kLine;
  if (!by_letters) return layout;
  layout.far = std::min(ranks, ImageLetters::kMostLetters);
  layout.letters = ceil_div(shape.message, kLine) * kLine;
  if (direction == Direction::kRead) layout.replies = layout.letters;
  layout.outbox = kLine + layout.far * sizeof(OutLetter);
  return layout;
}

class NodeImages final : public OwnerImages {
 public:
  /// `memory`: of the ranks of this node, or null on all ranks.
  NodeImages(Coordinator& coordinator, const mpi::SharedMemory* memory, const ImageShape& shape,
             const ImageTraffic& traffic, const ImageLayout& layout)
      : OwnerImages(shape),
        coordinator_(coordinator),
        machine_(coordinator.machine()),
        memory_(memory),
        layout_(layout),
        traffic_(traffic),
        me_(machine_.index_of(traffic.mpi_rank)),
        box_kind_(traffic.effort, coordinator, traffic.counts, MailTag::kChunkPieces),
        box_(box_kind_.get()),
        mail_(box_, traffic.mpi_rank, machine_.ranks()),
        letters_(shape_, traffic_, machine_, memory != nullptr),
        post_(box_, machine_, traffic.mpi_rank) {
    if (memory == nullptr)
      own_memory_ = std::make_unique_for_overwrite<std::uint64_t[]>(layout.segment() / 8);
    if (!by_letters()) return;
    far_count(me_) = 0;
    box_.reserve(layout.far);
    mail_.reserve(shape_.message, writes() ? 0 : shape_.message);
    for (MailLane* lane : {&sends_, &answers_}) lane->reserve(layout.far);
    post_.reserve([this](std::uint64_t index) { return outbox_of(index); },
                  {traffic.direction, layout.far, shape_.message, shape_.message},
                  memory != nullptr);
  }

  ImageSlot own(std::uint64_t round, std::uint64_t slot) override {
    return slot_of(me_, round, slot);
  }
  void fence() override {
    if (memory_ != nullptr) mpi::SharedMemory::fence();
  }

  Status put(std::uint64_t round, std::span<const ImagePart> parts, const Status& failed) override {
    return move(round, parts, failed);
  }
  Status get(std::uint64_t round, std::span<const ImagePart> parts, const Status& failed) override {
    return move(round, parts, failed);
  }

 private:
  [[nodiscard]] bool writes() const { return traffic_.direction == Direction::kWrite; }
  /// Equal on all ranks.
  [[nodiscard]] bool by_letters() const { return layout_.letters > 0; }
  /// Ranks of a node send and receive for each other. Equal on all ranks.
  [[nodiscard]] bool forwards() const { return by_letters() && memory_ != nullptr; }

  // What lies where in the memory of a node; `index`: which one of its ranks, this one where they share none.
  [[nodiscard]] std::byte* segment(std::uint64_t index) const {
    return memory_ != nullptr ? memory_->segment(static_cast<int>(index))
                              : reinterpret_cast<std::byte*>(own_memory_.get());
  }
  [[nodiscard]] ImageSlot slot_of(std::uint64_t index, std::uint64_t round,
                                  std::uint64_t slot) const {
    return {shape_, segment(index) + (round % 2 * shape_.slots + slot) * shape_.slot_bytes()};
  }
  [[nodiscard]] std::byte* letters_of(std::uint64_t index) const {
    return segment(index) + layout_.images;
  }
  [[nodiscard]] std::byte* replies_of(std::uint64_t index) const {
    return letters_of(index) + layout_.letters;
  }
  [[nodiscard]] std::uint64_t& far_count(std::uint64_t index) const {
    return *reinterpret_cast<std::uint64_t*>(replies_of(index) + layout_.replies);
  }
  /// Room for all of a rank's letters.
  [[nodiscard]] std::span<OutLetter> list_of(std::uint64_t index) const {
    auto* const first =
        replies_of(index) + layout_.replies + layout_.outbox - layout_.far * sizeof(OutLetter);
    return {reinterpret_cast<OutLetter*>(first), static_cast<std::size_t>(layout_.far)};
  }
  [[nodiscard]] Outbox outbox_of(std::uint64_t number) const {
    const std::uint64_t index = memory_ != nullptr ? number : me_;
    return {letters_of(index), replies_of(index),
            list_of(index).first(std::min(far_count(index), layout_.far))};
  }

  Status move(std::uint64_t round, std::span<const ImagePart> parts, const Status& failed) {
    round_ = round;
    if (!failed.ok()) parts = {};
    return by_letters() ? in_letters(parts) : move_near(parts);
  }

  // Near pieces.

  Status move_near(std::span<const ImagePart> parts) {
    for (const ImagePart& part : parts) {
      if (!letters_.is_near(part.owner)) continue;
      ImageSlot slot = slot_of(machine_.index_of(part.owner), round_, part.slot);
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
    letters_.begin(parts);
    for (;;) {
      write_letters();
      PCIO_TRY(announce());
      PCIO_TRY(writes() ? exchange_pieces() : ask_for_pieces());
      std::uint64_t more = letters_.is_done() ? 0 : 1;
      PCIO_TRY(coordinator_.allreduce_max(std::span(&more, 1)));
      if (more == 0) return mine_.status();
    }
  }
  /// A rank that failed has none.
  void write_letters() {
    letters_.clear();
    box_.clear();
    std::uint64_t count = 0;
    const bool written = mine_.even_if_failed([&]() -> Status {
      PCIO_TRY(letters_.fill());
      PCIO_ASSIGN(count, letters_.write(letters_of(me_), list_of(me_)));
      return Status();
    });
    if (!written || !mine_.ok()) {
      count = 0;
      letters_.stop();
    }
    far_count(me_) = count;
  }
  /// Letters are written: those of the node are posted and announced.
  Status announce() {
    if (forwards()) PCIO_TRY(meet_node());
    // Whatever failed: others count on what this rank sends for them.
    mine_.even_if_failed([&] { return post_.post(forwards()); });
    fence();
    PCIO_TRY(box_.announce());
    fence();
    return Status();
  }
  /// Collective: over the node, one exchange.
  Status meet_node() {
    fence();
    PCIO_TRY(coordinator_.node_barrier());
    fence();
    return Status();
  }

  /// Calls f(slot, sections, payload) for what a letter says. Errors: images that are not this rank's, nor of those for
  /// whom it may receive; sections outside of them.
  template <class F>
  Status for_sections(ConstBytes letter, F&& f) {
    const std::uint64_t near = machine_.size_of(machine_.node_of(traffic_.mpi_rank));
    return SliceLetter(letter).for_each(
        [&](std::uint32_t number, std::span<const Section> sections, ConstBytes payload) -> Status {
          const std::uint64_t index = number / shape_.slots;
          if (forwards() ? index >= near : index != me_)
            return PCIO_ERROR(INTERNAL, BADRANGE, "a letter for another owner of chunks");
          for (const Section& section : sections)
            if (section.count == 0 || section.end() > shape_.chunk_bytes)
              return PCIO_ERROR(INTERNAL, BADSIZE, "a piece of a chunk lies outside of it");
          return f(slot_of(index, round_, number % shape_.slots), sections, payload);
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
    done.note(post_.expect_answers(answers_));
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
    // What others of the node were answered for this rank is there.
    if (done.ok()) post_.hand_out();
    if (post_.bundled()) done.note(meet_node());
    PCIO_TRY(Status(done.status()));
    mine_.even_if_failed(
        [&] { return letters_.take_answers(Bytes(replies_of(me_), layout_.replies)); });
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

  Coordinator& coordinator_;
  const Machine& machine_;
  const mpi::SharedMemory* memory_;  ///< of the node; null where some node has none
  ImageLayout layout_;
  ImageTraffic traffic_;
  std::uint64_t me_;  ///< which one of its node's ranks this is
  std::unique_ptr<std::uint64_t[]> own_memory_;
  ByEffort<LetterBox, LetterBox, CountingLetterBox> box_kind_;
  LetterBox& box_;
  OwnerMail mail_;
  ImageLetters letters_;
  NodePost post_;
  MailLane sends_, answers_;

  std::uint64_t round_ = 0;
  RankStatus mine_;                  ///< of a put or get
  std::span<const ImagePart> near_;  ///< those that were not moved yet
};

}  // namespace

Result<std::unique_ptr<OwnerImages>> make_owner_images(Coordinator& coordinator,
                                                       const ImageShape& shape,
                                                       const ImageTraffic& traffic) {
  ImageShape with_letters = shape;
  // Room for one element at least.
  with_letters.message = std::max(shape.message, ImageLetters::kSlack + 2 * shape.element_size);
  const auto layout = [&](bool by_letters) {
    return image_layout(with_letters, traffic.direction, coordinator.machine().ranks(), by_letters);
  };
  PCIO_ASSIGN(const mpi::SharedMemory* memory,
              coordinator.shared_memory(layout(traffic.crosses).segment()));
  // Equal on all ranks. A letter holds a few elements at least.
  const bool by_letters = memory == nullptr || traffic.crosses;
  if (by_letters && shape.element_size > mpi::kMaxCallBytes / 8)
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "elements of " + std::to_string(shape.element_size) +
                          " bytes are too large to be sent to the owners of chunks with filters");
  std::unique_ptr<OwnerImages> images;
  RankStatus mine;
  mine.unless_failed([&] {
    images = std::make_unique<NodeImages>(coordinator, memory, with_letters, traffic,
                                          layout(by_letters));
    return Status();
  });
  PCIO_TRY(tell_failure(coordinator, mine, [] {
    return PCIO_ERROR(RESOURCE, NOSPACE, "another rank has no memory for chunks");
  }));
  return images;
}

}  // namespace pcio
