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
#include <memory>

#include "base/checked.hpp"
#include "base/rank_status.hpp"
#include "transfer/transports/exchange_owner.hpp"
#include "transfer/transports/exchange_queue.hpp"
#include "transfer/transports/file_stretch.hpp"

namespace pcio {

namespace {

/// Bytes: keeps slices within 32-bit offsets and messages within one MPI call.
constexpr std::uint64_t kLeastUnit = std::uint64_t{64} << 10;
constexpr std::uint64_t kLargestUnit = std::uint64_t{64} << 20;
constexpr int kTagToOwner = 1;
constexpr int kTagFromOwner = 2;
/// Of letters in their buffers. Bytes.
constexpr std::uint64_t kAlignment = sizeof(std::uint64_t);
static_assert(alignof(Section) <= kAlignment);

/// Memory that costs nothing until it is used.
class RawBuffer {
 public:
  void allocate(std::uint64_t size) {
    data_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(size));
    size_ = size;
  }
  [[nodiscard]] std::byte* data() { return data_.get(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] Bytes bytes() { return Bytes(data_.get(), size_); }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::uint64_t size_ = 0;
};

class MessageExchange {
 public:
  MessageExchange(Direction direction, PieceSource& source, ElementMover& mover,
                  const ExchangeTarget& target)
      : direction_(direction),
        mover_(mover),
        coordinator_(target.coordinator),
        store_(target.store),
        image_(target.store, mover.effort(),
               target.coordinator.one_machine() ? GapWrites::kAllowed : GapWrites::kForbidden),
        queue_(source, mover.form().file_size),
        ranks_(static_cast<std::uint64_t>(target.coordinator.size())),
        me_(static_cast<std::uint64_t>(target.coordinator.rank())),
        counts_(target.counts) {}

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
  [[nodiscard]] bool moves_bytes() const { return mover_.effort() == Effort::kPerform; }

  /// A step that may fail on this rank alone, which then goes on with nothing to move.
  template <class F>
  void local(F&& step) {
    if (mine_.even_if_failed(step)) return;
    queue_.stop();
    cut_.clear();
    // Before the sizes are exchanged: it announces nothing. Afterwards: what was announced is on
    // its way already.
    std::fill(send_sizes_.begin(), send_sizes_.end(), 0);
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
    incoming_.allocate(budget + slack);
    if (!writes) {
      replies_.allocate(budget + slack);
      payloads_.allocate(budget + slack);
    }
    image_bytes_.allocate(slice + element);
    image_.reserve(slice + element);
    send_sizes_.assign(ranks_, 0);
    receive_sizes_.assign(ranks_, 0);
    letters_.reserve(ranks_);
    // From here on nothing between two exchanges asks for memory but what a step may do without.
    batch_.reserve(ranks_);
    for (std::vector<MPI_Request>* requests : {&sends_, &receives_, &answers_})
      requests->reserve(ranks_);
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

  /// Writes the letters' headers into outgoing_, the letter of a slice at letters_[slice].
  void write_headers(std::uint64_t payload_room) {
    letters_.assign(stretch().owners, Letter());
    std::fill(send_sizes_.begin(), send_sizes_.end(), 0);
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
      send_sizes_[stretch().owner_of(part.slice)] = header + payload * payload_room;
      at += padded(header + payload * payload_room);
    }
  }
  static std::uint64_t padded(std::uint64_t bytes) {
    return ceil_div(bytes, kAlignment) * kAlignment;
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
    PCIO_TRY(coordinator_.alltoall(send_sizes_, receive_sizes_));
    Status sent = start_sends();
    Status received = sent.ok() ? gather_slice() : Status();
    if (received.ok() && stretch().has_slice(me_) && mine_.ok())
      local([&] { return image_.flush(); });
    PCIO_TRY(coordinator_.wait_all(sends_, "sending to the owners of an exchange"));
    PCIO_TRY(std::move(sent));
    return received;
  }

  Status pack_letters() {
    write_headers(moves_bytes() ? 1 : 0);
    for (const QueuePart& part : cut_.parts) {
      const Letter& letter = letters_[part.slice];
      // In a dry run there is no payload; what would be read is counted all the same.
      Bytes payload(moves_bytes() ? outgoing_.data() + letter.offset + letter.header : nullptr,
                    letter.payload);
      if (mover_.form().needs_background()) PCIO_TRY(read_background(part, payload));
      if (moves_bytes()) PCIO_TRY(mover_.pack(cut_.pieces(part), payload));
    }
    return Status();
  }

  /// Bytes that a conversion keeps; no other rank writes these elements.
  Status read_background(const QueuePart& part, Bytes payload) {
    std::uint64_t at = 0;
    for (const FilePiece& piece : cut_.pieces(part)) {
      PCIO_TRY(store_.read(piece.address, payload.subspan(at, mover_.file_bytes(piece))));
      at += mover_.file_bytes(piece);
    }
    return Status();
  }

  /// A dry run counts what it does not send.
  [[nodiscard]] bool dry_payload() const {
    return direction_ == Direction::kWrite && !moves_bytes();
  }
  void count_sent(std::uint64_t bytes) {
    ++counts_.messages_sent;
    counts_.bytes_sent += bytes;
  }

  void count_received(std::uint64_t bytes) {
    ++counts_.messages_received;
    counts_.bytes_received += bytes;
  }

  Status start_sends() {
    sends_.clear();
    // A rank that failed while packing has announced nothing.
    for (std::uint64_t slice = 0; slice < stretch().owners; ++slice) {
      const std::uint64_t owner = stretch().owner_of(slice);
      if (owner == me_ || send_sizes_[owner] == 0) continue;
      count_sent(send_sizes_[owner] + (dry_payload() ? letters_[slice].payload : 0));
      PCIO_TRY(coordinator_.comm()->start_send(
          ConstBytes(outgoing_.data() + letters_[slice].offset, send_sizes_[owner]),
          static_cast<int>(owner), kTagToOwner, sends_.emplace_back(MPI_REQUEST_NULL)));
    }
    return Status();
  }

  /// Receives letters in batches that fit the buffer, and hands over each: f(rank, letter).
  template <class F>
  Status receive_letters(F&& each_batch) {
    std::uint64_t rank = 0;
    while (rank < ranks_) {
      batch_.clear();
      receives_.clear();
      std::uint64_t at = 0;
      for (; rank < ranks_; ++rank) {
        const std::uint64_t from = (me_ + rank) % ranks_;
        const std::uint64_t size = receive_sizes_[from];
        if (size == 0) continue;
        if (from == me_) {
          batch_.push_back(
              {from,
               ConstBytes(outgoing_.data() + letters_[stretch().slice_of(me_)].offset, size)});
          continue;
        }
        if (at > 0 && at + size > incoming_.size()) break;
        if (size > incoming_.size())
          return PCIO_ERROR(INTERNAL, BADSIZE, "exchange: a letter is longer than agreed");
        Bytes place(incoming_.data() + at, size);
        PCIO_TRY(coordinator_.comm()->start_receive(place, static_cast<int>(from), kTagToOwner,
                                                    receives_.emplace_back(MPI_REQUEST_NULL)));
        count_received(size);
        batch_.push_back({from, place});
        at += padded(size);
      }
      PCIO_TRY(coordinator_.wait_all(receives_, "receiving as owner in an exchange"));
      if (!batch_.empty()) PCIO_TRY(each_batch());
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
    return receive_letters([&]() -> Status {
      local([&]() -> Status {
        for (const auto& [rank, letter] : batch_) {
          auto sections = sections_of(letter);
          const std::uint64_t header = sizeof(std::uint64_t) + sections.size() * sizeof(Section);
          if (dry_payload() && rank != me_) counts_.bytes_received += payload_of(sections);
          PCIO_TRY(image_.put(sections, letter.subspan(header)));
        }
        return Status();
      });
      return Status();
    });
  }

  Status read_stretch() {
    local([&] {
      write_headers(0);
      return Status();
    });
    PCIO_TRY(coordinator_.alltoall(send_sizes_, receive_sizes_));
    // Answers are expected before anybody is asked, so that no owner waits with its answer.
    Status expected = expect_answers();
    Status asked = expected.ok() ? start_sends() : Status();
    Status answered = expected.ok() && asked.ok() ? answer() : Status();
    PCIO_TRY(coordinator_.wait_all(sends_, "asking the owners of an exchange"));
    PCIO_TRY(coordinator_.wait_all(answers_, "waiting for the owners of an exchange"));
    PCIO_TRY(std::move(expected));
    PCIO_TRY(std::move(asked));
    PCIO_TRY(std::move(answered));
    local([&] { return take_answers(); });
    return Status();
  }

  /// Answers lie in replies_, one behind the other in the order of the parts.
  Status expect_answers() {
    answers_.clear();
    std::uint64_t total = 0;
    for (const QueuePart& part : cut_.parts) total += letters_[part.slice].payload;
    if (moves_bytes() && total > replies_.size())
      return PCIO_ERROR(INTERNAL, BADSIZE, "exchange: more is asked for than the budget allows");
    std::uint64_t at = 0;
    for (const QueuePart& part : cut_.parts) {
      const std::uint64_t owner = stretch().owner_of(part.slice);
      const std::uint64_t size = letters_[part.slice].payload;
      if (owner != me_) {
        count_received(size);
        if (moves_bytes())
          PCIO_TRY(coordinator_.comm()->start_receive(Bytes(replies_.data() + at, size),
                                                      static_cast<int>(owner), kTagFromOwner,
                                                      answers_.emplace_back(MPI_REQUEST_NULL)));
      } else {
        own_reply_ = at;
      }
      at += size;
    }
    return Status();
  }

  Status answer() {
    if (!stretch().has_slice(me_)) return Status();
    begin_image();
    return receive_letters([&]() -> Status {
      local([&]() -> Status {
        for (const auto& [rank, letter] : batch_) PCIO_TRY(image_.mark(sections_of(letter)));
        return image_.load();
      });
      return moves_bytes() ? send_answers() : count_answers();
    });
  }

  Status count_answers() {
    for (const auto& [rank, letter] : batch_)
      if (rank != me_) count_sent(payload_of(sections_of(letter)));
    return Status();
  }

  /// Whatever failed here, the others wait for their answers.
  Status send_answers() {
    receives_.clear();
    std::uint64_t at = 0;
    for (const auto& [rank, letter] : batch_) {
      auto sections = sections_of(letter);
      const std::uint64_t size = payload_of(sections);
      if (rank == me_) {
        local([&] { return image_.get(sections, replies_.bytes().subspan(own_reply_, size)); });
        continue;
      }
      if (at > 0 && at + size > payloads_.size()) {
        PCIO_TRY(coordinator_.wait_all(receives_, "answering as owner in an exchange"));
        receives_.clear();
        at = 0;
      }
      if (size > payloads_.size())
        return PCIO_ERROR(INTERNAL, BADSIZE, "exchange: more is asked for than the budget allows");
      Bytes payload(payloads_.data() + at, size);
      local([&] { return image_.get(sections, payload); });
      count_sent(size);
      PCIO_TRY(coordinator_.comm()->start_send(payload, static_cast<int>(rank), kTagFromOwner,
                                               receives_.emplace_back(MPI_REQUEST_NULL)));
      at += size;
    }
    return coordinator_.wait_all(receives_, "answering as owner in an exchange");
  }

  Status take_answers() {
    if (!moves_bytes()) return Status();
    std::uint64_t at = 0;
    for (const QueuePart& part : cut_.parts) {
      const std::uint64_t size = letters_[part.slice].payload;
      PCIO_TRY(mover_.unpack(replies_.bytes().subspan(at, size), cut_.pieces(part)));
      at += size;
    }
    return Status();
  }

  struct Received {
    std::uint64_t rank;
    ConstBytes letter;
  };

  Direction direction_;
  ElementMover& mover_;
  Coordinator& coordinator_;
  PieceStore& store_;
  SliceImage image_;
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
  std::vector<Received> batch_;
  std::vector<MPI_Request> sends_;
  std::vector<MPI_Request> receives_;  ///< letters to this owner, then its answers to them
  std::vector<MPI_Request> answers_;
  std::vector<std::uint64_t> send_sizes_;
  std::vector<std::uint64_t> receive_sizes_;
  RawBuffer image_bytes_;
  RawBuffer outgoing_;
  RawBuffer incoming_;
  RawBuffer replies_;
  RawBuffer payloads_;
  std::uint64_t own_reply_ = 0;
};

}  // namespace

Status exchange_messages(Direction direction, PieceSource& source, ElementMover& mover,
                         const ExchangeTarget& target) {
  return MessageExchange(direction, source, mover, target).run(target.settings);
}

}  // namespace pcio
