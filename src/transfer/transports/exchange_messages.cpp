// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: exchange_messages.
//
// One stretch at a time: agree on it, cut this rank's pieces at the slices, tell each owner how many
// bytes will come, send; meanwhile owners gather and write, or read and answer. All messages of a
// stretch are waited for before the next one begins, so buffers are used again.

#include "transfer/transports/exchange_messages.hpp"

#include <algorithm>
#include <cstring>

#include "base/checked.hpp"
#include "base/rank_status.hpp"
#include "transfer/pieces/by_effort.hpp"
#include "transfer/pieces/read_pieces.hpp"
#include "transfer/transports/exchange_buffers.hpp"
#include "transfer/transports/exchange_owner.hpp"
#include "transfer/transports/exchange_queue.hpp"
#include "transfer/transports/file_stretch.hpp"
#include "transfer/transports/letter_box.hpp"
#include "transfer/transports/owner_mail.hpp"

namespace pcio {

namespace {

class MessageExchange {
 public:
  MessageExchange(Direction direction, PieceSource& source, ElementMover& mover,
                  const ExchangeTarget& target)
      : direction_(direction),
        mover_(mover),
        coordinator_(target.coordinator),
        store_(target.store),
        image_kind_(target.effort, target.store,
                    target.coordinator.one_machine() ? GapWrites::kAllowed : GapWrites::kForbidden),
        image_(image_kind_.get()),
        box_kind_(target.effort, target.coordinator, target.counts, MailTag::kExchange),
        box_(box_kind_.get()),
        queue_(source, mover.form().file_size),
        ranks_(static_cast<std::uint64_t>(target.coordinator.size())),
        me_(static_cast<std::uint64_t>(target.coordinator.rank())),
        counts_(target.counts),
        mail_(box_, me_, ranks_) {}

  /// All stretches are in the file before the last agreement.
  Status run(const ExchangeSettings& settings) {
    local([&] { return reserve(settings); });
    for (;;) {
      local([&] { return queue_.refill(); });
      PCIO_ASSIGN(StretchAnswer answer,
                  walk_.next(coordinator_, {queue_.first(), queue_.safe_end(), ready_ ? 1U : 0U}));
      if (answer == StretchAnswer::kNotReady && mine_.ok())
        return PCIO_ERROR(IO, NOSPACE, "another rank has no memory for an exchange");
      if (answer != StretchAnswer::kStretch) return mine_.status();
      ++counts_.rounds;
      local([&] { return queue_.take_stretch(stretch(), &cut_); });
      PCIO_TRY(direction_ == Direction::kWrite ? write_stretch() : read_stretch());
    }
  }

 private:
  /// A step that may fail on this rank alone, which then goes on with nothing to move.
  template <class F>
  void local(F&& step) {
    if (mine_.even_if_failed(step)) return;
    queue_.stop();
    cut_.clear();
    // Before letters are announced: there are none. Afterwards: they are on their way already.
    box_.clear();
  }

  /// In sixteenths of the memory. Writes: four for what is sent, four for what is received, three
  /// for the image. Reads: half of that for letters each way and for answers each way. The rest is
  /// for maps and lists.
  Status reserve(const ExchangeSettings& settings) {
    const bool writes = direction_ == Direction::kWrite;
    const std::uint64_t unit = std::clamp(settings.memory / 16, kLeastUnit, kLargestUnit);
    const std::uint64_t element = mover_.form().file_size;
    const std::uint64_t block = std::max<std::uint64_t>(1, settings.block);
    const std::uint64_t budget =
        std::max<std::uint64_t>((writes ? 4 : 2) * unit, element + sizeof(Section));
    const std::uint64_t slice = ceil_div((writes ? 3 : 2) * unit, block) * block;
    walk_.begin(ranks_, block, slice);
    queue_.limit(unit / sizeof(FilePiece), budget, PayloadCost::kCounts);
    const std::uint64_t slack = ranks_ * (2 * sizeof(std::uint64_t) + kCutSlack) + element;
    outgoing_.allocate(budget + slack);
    mail_.reserve(budget + slack, writes ? 0 : budget + slack);
    if (!writes) replies_.allocate(budget + slack);
    image_bytes_.allocate(slice + element);
    image_.reserve(slice + element);
    box_.reserve(ranks_);
    letters_.reserve(ranks_);
    // From here on nothing between two exchanges asks for memory but what a step may do without.
    for (MailLane* lane : {&sends_, &answers_}) lane->reserve(ranks_);
    ready_ = true;
    return Status();
  }

  [[nodiscard]] const FileStretch& stretch() const { return walk_.stretch(); }
  void begin_image() {
    const FileStretch& w = stretch();
    image_.begin(w.start_of(w.slice_of(me_)), w.slice + mover_.form().file_size,
                 image_bytes_.data());
  }

  /// What goes to an owner: number of sections, sections, and for writes the payload behind them.
  /// Letters begin at multiples of eight bytes, so that sections are read where they lie.
  struct Letter {
    std::uint64_t offset = 0;  ///< in outgoing_
    std::uint64_t header = 0;  ///< bytes
    std::uint64_t payload = 0;
  };

  /// Writes the letters' headers into outgoing_, the letter of a slice at letters_[slice], and puts them
  /// into the box. Writes: each has room for its payload.
  void write_headers() {
    letters_.assign(stretch().owners, Letter());
    box_.clear();
    std::uint64_t at = 0;
    for (const QueuePart& part : cut_.parts) {
      builder_.clear();
      std::uint64_t payload = 0;
      const FileAddress start = stretch().start_of(part.slice);
      for (const FilePiece& piece : cut_.pieces(part)) {
        const std::uint64_t n = mover_.file_bytes(piece);
        builder_.add(static_cast<std::uint32_t>(piece.address - start),
                     static_cast<std::uint32_t>(n));
        payload += n;
      }
      const std::uint64_t count = builder_.sections().size();
      const std::uint64_t header = sizeof count + count * sizeof(Section);
      letters_[part.slice] = {at, header, payload};
      std::memcpy(outgoing_.data() + at, &count, sizeof count);
      std::memcpy(outgoing_.data() + at + sizeof count, builder_.sections().data(),
                  count * sizeof(Section));
      const std::uint64_t room = direction_ == Direction::kWrite ? payload : 0;
      box_.put(stretch().owner_of(part.slice), ConstBytes(outgoing_.data() + at, header + room),
               room);
      at += pad_letter(header + room);
    }
  }
  static std::uint64_t section_count(ConstBytes letter) {
    std::uint64_t count = 0;
    if (letter.size() >= sizeof count) std::memcpy(&count, letter.data(), sizeof count);
    return std::min<std::uint64_t>(count, (letter.size() - sizeof count) / sizeof(Section));
  }
  static std::span<const Section> sections_of(ConstBytes letter) {
    return {reinterpret_cast<const Section*>(letter.data() + sizeof(std::uint64_t)),
            section_count(letter)};
  }

  Status write_stretch() {
    local([&] { return pack_letters(); });
    PCIO_TRY(box_.announce());
    Status sent = box_.send(sends_);
    // Others wait for what they send here, whatever failed.
    Status received = gather_slice();
    if (sent.ok() && received.ok() && stretch().has_slice(me_) && mine_.ok())
      local([&] { return image_.flush(); });
    PCIO_TRY(box_.wait(sends_, "sending to the owners of an exchange"));
    PCIO_TRY(std::move(sent));
    return received;
  }

  Status pack_letters() {
    write_headers();
    for (const QueuePart& part : cut_.parts) {
      const Letter& letter = letters_[part.slice];
      const Bytes payload(outgoing_.data() + letter.offset + letter.header, letter.payload);
      // Bytes that a conversion keeps; no other rank writes these elements.
      if (mover_.form().needs_background())
        PCIO_TRY(read_pieces(cut_.pieces(part), mover_.form().file_size, payload, store_));
      PCIO_TRY(mover_.pack(cut_.pieces(part), payload));
    }
    return Status();
  }

  static std::uint64_t payload_of(std::span<const Section> sections) {
    std::uint64_t size = 0;
    for (const Section& s : sections) size += std::uint64_t{s.length} * s.count;
    return size;
  }

  Status gather_slice() {
    if (!stretch().has_slice(me_)) return Status();
    begin_image();
    return mail_.receive([&]() -> Status {
      local([&]() -> Status {
        for (const auto& [rank, letter] : mail_.batch()) {
          auto sections = sections_of(letter);
          const std::uint64_t header = sizeof(std::uint64_t) + sections.size() * sizeof(Section);
          PCIO_TRY(image_.put(sections, letter.subspan(header)));
        }
        return Status();
      });
      return Status();
    });
  }

  Status read_stretch() {
    local([&] {
      write_headers();
      return Status();
    });
    PCIO_TRY(box_.announce());
    // Answers are expected before anybody is asked, so that no owner waits with its answer.
    // Whatever failed, owners wait for letters, and ranks for answers.
    Status expected = expect_answers();
    Status asked = box_.send(sends_);
    Status answered = answer();
    PCIO_TRY(box_.wait(sends_, "asking the owners of an exchange"));
    PCIO_TRY(box_.wait(answers_, "waiting for the owners of an exchange"));
    PCIO_TRY(std::move(expected));
    PCIO_TRY(std::move(asked));
    PCIO_TRY(std::move(answered));
    local([&] { return take_answers(); });
    return Status();
  }

  /// Answers lie in replies_, one behind the other in the order of the parts.
  Status expect_answers() {
    std::uint64_t total = 0;
    for (const QueuePart& part : cut_.parts) total += letters_[part.slice].payload;
    if (total > replies_.size())
      return PCIO_ERROR(INTERNAL, BADSIZE, "exchange: more is asked for than the budget allows");
    RankStatus started;
    std::uint64_t at = 0;
    for (const QueuePart& part : cut_.parts) {
      const std::uint64_t owner = stretch().owner_of(part.slice);
      const std::uint64_t size = letters_[part.slice].payload;
      if (owner == me_)
        own_reply_ = at;
      else
        started.note(box_.expect_answer(answers_, owner, Bytes(replies_.data() + at, size)));
      at += size;
    }
    return started.status();
  }

  Status answer() {
    if (!stretch().has_slice(me_)) return Status();
    begin_image();
    return mail_.receive([&]() -> Status {
      local([&]() -> Status {
        for (const auto& [rank, letter] : mail_.batch()) PCIO_TRY(image_.mark(sections_of(letter)));
        return image_.load();
      });
      answer_own();
      return mail_.answer([](ConstBytes letter) { return payload_of(sections_of(letter)); },
                          [&](ConstBytes letter, Bytes payload) {
                            local([&] { return image_.get(sections_of(letter), payload); });
                          });
    });
  }
  void answer_own() {
    for (const auto& [rank, letter] : mail_.batch()) {
      if (rank != me_) continue;
      const auto sections = sections_of(letter);
      local([&] {
        return image_.get(sections, replies_.bytes().subspan(own_reply_, payload_of(sections)));
      });
    }
  }

  Status take_answers() {
    std::uint64_t at = 0;
    for (const QueuePart& part : cut_.parts) {
      const std::uint64_t size = letters_[part.slice].payload;
      PCIO_TRY(mover_.unpack(replies_.bytes().subspan(at, size), cut_.pieces(part)));
      at += size;
    }
    return Status();
  }

  Direction direction_;
  ElementMover& mover_;
  Coordinator& coordinator_;
  ByteTarget& store_;
  ByEffort<SliceImage, SliceImage, StillImage> image_kind_;
  SliceImage& image_;
  ByEffort<LetterBox, LetterBox, CountingLetterBox> box_kind_;
  LetterBox& box_;
  ExchangeQueue queue_;
  std::uint64_t ranks_;
  std::uint64_t me_;
  ExchangeCounts& counts_;
  bool ready_ = false;
  RankStatus mine_;

  StretchWalk walk_;
  StretchCut cut_;
  std::vector<Letter> letters_;
  SectionBuilder builder_;
  OwnerMail mail_;
  MailLane sends_;
  MailLane answers_;
  RawBuffer image_bytes_;
  RawBuffer outgoing_;
  RawBuffer replies_;
  std::uint64_t own_reply_ = 0;
};

}  // namespace

Status exchange_messages(Direction direction, PieceSource& source, ElementMover& mover,
                         const ExchangeTarget& target) {
  return MessageExchange(direction, source, mover, target).run(target.settings);
}

}  // namespace pcio
