// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: exchange_nodes.
//
// One stretch at a time: agree on it; tell what each node has of its slices; all ranks give the slices the
// same owners; pieces go into images and letters; owners of a write gather and write, those of a read load
// and answer. The agreement on the next stretch says that all are done with this one.

#include "transfer/transports/exchange_nodes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/rank_status.hpp"
#include "plan/slice_owners.hpp"
#include "transfer/pieces/by_effort.hpp"
#include "transfer/transports/exchange_buffers.hpp"
#include "transfer/transports/exchange_owner.hpp"
#include "transfer/transports/exchange_queue.hpp"
#include "transfer/transports/file_stretch.hpp"
#include "transfer/transports/letter_box.hpp"
#include "transfer/transports/node_memory.hpp"
#include "transfer/transports/owner_mail.hpp"
#include "transfer/transports/slice_letters.hpp"

namespace pcio {

namespace {

/// Images that one owner has at most.
constexpr std::uint64_t kSlotsOfOwner = 64;
/// Of slices that follow chunks, to one that does not.
constexpr std::uint64_t kCoarser = 8;
/// What ranks bring to the beginning: bytes to move, and where some rank's chunks lie.
struct MergeJobs {
  void operator()(std::span<std::uint64_t> into,
                  std::span<const std::uint64_t> from) const noexcept {
    into[0] += from[0];
    into[1] = std::min(into[1], from[1]);
    into[2] = std::min(into[2], from[2]);
  }
};

class NodeExchange : NodeMemory {
 public:
  NodeExchange(Direction direction, PieceSource& source, ElementMover& mover,
               const ExchangeTarget& target, const mpi::SharedMemory* memory)
      : NodeMemory(target.coordinator, memory,
                   node_layout(direction, target.settings, target.coordinator.machine(),
                               mover.form().file_size)),
        direction_(direction),
        mover_(mover),
        target_(target),
        coordinator_(target.coordinator),
        box_kind_(target.effort, target.coordinator, target.counts, MailTag::kExchange),
        box_(box_kind_.get()),
        queue_(source, mover.form().file_size),
        ranks_(machine_.ranks()),
        element_(mover.form().file_size),
        mail_(box_, me_, ranks_) {}

  Status run(const NodeJob& job) {
    std::uint64_t words[3] = {job.bytes, ~job.chunk_bytes, job.chunk_origin};
    PCIO_TRY(coordinator_.allreduce_merge(words, MergeJobs{}));
    local([&] { return reserve(words[0], ~words[1], words[2]); });
    for (;;) {
      local([&] { return queue_.refill(); });
      mpi::SharedMemory::fence();
      StretchRequest wish{queue_.first(), queue_.safe_end(), ready_ ? 1U : 0U, queue_.last()};
      PCIO_ASSIGN(const StretchAnswer answer, agree_on_stretch(coordinator_, &wish));
      mpi::SharedMemory::fence();
      if (answer == StretchAnswer::kNotReady && mine_.ok())
        return PCIO_ERROR(IO, NOSPACE, "another rank has no memory for an exchange");
      if (answer != StretchAnswer::kStretch) return mine_.status();
      ++target_.counts.rounds;
      PCIO_TRY(give_owners(wish));
      PCIO_TRY(writes() ? write_stretch() : read_stretch());
    }
  }

 private:
  [[nodiscard]] bool writes() const { return direction_ == Direction::kWrite; }

  /// A step that may fail on this rank alone, which then goes on with nothing to move.
  template <class F>
  void local(F&& step) {
    if (mine_.even_if_failed(step)) return;
    queue_.stop();
    cut_.clear();
    // Before letters are announced: there are none. Afterwards: they are on their way already.
    box_.clear();
    if (!announced_) clear_places();
  }

  Status reserve(std::uint64_t bytes, std::uint64_t chunk_bytes, std::uint64_t chunk_origin) {
    const std::uint64_t unit = std::clamp(target_.settings.memory / 16, kLeastUnit, kLargestUnit);
    grid_.unit = target_.settings.unit;
    grid_.block = std::max<std::uint64_t>(1, target_.settings.block);
    grid_.period = chunk_bytes;
    grid_.origin = chunk_origin;
    grid_.largest = layout_.slice;
    grid_.slices = most_slices(ranks_);
    grid_.plain_slices = grid_.slices / kCoarser;
    allocate();
    owners_.begin(machine_, grid_.slices, {bytes, grid_.unit});
    queue_.limit(unit / sizeof(FilePiece), layout_.budget, PayloadCost::kCounts);
    mail_.reserve(layout_.letters, writes() ? 0 : layout_.letters);
    if (!writes()) replies_.allocate(layout_.letters);
    // Their maps get memory when a stretch begins, as long as this rank can still say that it has none.
    for (auto& image : images_) image.emplace(target_.effort, target_.store, GapWrites::kForbidden);
    box_.reserve(grid_.slices);
    held_.assign(grid_.slices, 0);
    holdings_.assign(grid_.slices * kHoldingWords, 0);
    order_.assign(grid_.slices, 0);
    cut_.parts.reserve(grid_.slices);
    for (MailLane* lane : {&sends_, &answers_}) lane->reserve(std::min(ranks_, grid_.slices));
    ready_ = true;
    return Status();
  }

  [[nodiscard]] std::uint64_t stride() const {
    return round_up(stretch_.slice + element_, kImageAlignment);
  }
  [[nodiscard]] std::uint64_t slots() const {
    return std::clamp<std::uint64_t>(layout_.images / stride(), 1, kSlotsOfOwner);
  }
  [[nodiscard]] std::byte* image_of(std::uint64_t slice) {
    return segment(index_of(owners_.owner_of(slice))) + owners_.slot_of(slice) * stride();
  }
  SliceImage& image(std::uint64_t slot) { return images_[slot]->get(); }

  /// Cuts the stretch, and gives its slices owners. Collective: over the file, two exchanges, one of them
  /// within nodes.
  Status give_owners(const StretchRequest& agreed) {
    const CutStretch cut = cut_stretch(grid_, agreed.first, std::min(agreed.safe_end, agreed.last));
    stretch_ = {cut.start, cut.end, cut.slice, std::min(cut.count(), grid_.slices), 0, ranks_};
    const std::span<std::uint64_t> held(held_.data(), stretch_.owners);
    std::fill(held.begin(), held.end(), 0);
    announced_ = false;
    queue_.count_bytes(stretch_, held);
    PCIO_TRY(coordinator_.node_sum(held));
    const std::span<std::uint64_t> all(holdings_.data(), stretch_.owners * kHoldingWords);
    const bool leads = machine_.leader_of(node_) == me_;
    for (std::uint64_t i = 0; i < stretch_.owners; ++i) {
      const SliceHolding mine = leads ? holding_of(node_, held[i]) : SliceHolding();
      std::memcpy(&all[i * kHoldingWords], &mine, sizeof mine);
    }
    PCIO_TRY(coordinator_.allreduce_merge(all, MergeHoldings{}));
    stretch_.owners = owners_.assign(cut, all, slots());
    stretch_.end = std::min(stretch_.end, stretch_.start_of(stretch_.owners));
    clear_places();
    local([&]() -> Status {
      begin_images();
      return queue_.take_stretch(stretch_, &cut_);
    });
    return Status();
  }

  /// Letters in the order of their owners, each with its slices; those to near owners stay where they are.
  Status write_letters() {
    box_.clear();
    order_.resize(cut_.parts.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(owner_of(a), a) < std::pair(owner_of(b), b);
    });
    std::uint64_t at = 0;
    for (std::size_t first = 0, last = 0; first < order_.size(); first = last) {
      while (last < order_.size() && owner_of(order_[last]) == owner_of(order_[first])) ++last;
      PCIO_ASSIGN(const std::uint64_t taken,
                  write_letter(at, std::span(order_).subspan(first, last - first)));
      at += taken;
    }
    return Status();
  }
  [[nodiscard]] std::uint64_t owner_of(std::uint32_t part) const {
    return owners_.owner_of(cut_.parts[part].slice);
  }

  static Result<std::uint64_t> too_long() {
    return PCIO_ERROR(INTERNAL, BADSIZE, "exchange: letters take more than was planned for them");
  }
  /// Bytes that the letter takes.
  Result<std::uint64_t> write_letter(std::uint64_t at, std::span<const std::uint32_t> parts) {
    std::byte* const letter = letters_of(index_of(me_)) + at;
    const std::uint64_t owner = owner_of(parts.front());
    std::uint64_t size = letter_heads(parts.size());
    std::uint64_t payload = 0;
    const std::uint64_t count = parts.size();
    if (at + size > layout_.letters) return too_long();
    std::memcpy(letter, &count, sizeof count);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const QueuePart& part = cut_.parts[parts[i]];
      payload += describe(part);
      const std::span<const Section> sections = builder_.sections();
      if (at + size + sections.size_bytes() + (writes() ? payload : 0) > layout_.letters)
        return too_long();
      const LetterHead head{static_cast<std::uint32_t>(part.slice),
                            static_cast<std::uint32_t>(sections.size())};
      std::memcpy(letter + letter_heads(i), &head, sizeof head);
      std::memcpy(letter + size, sections.data(), sections.size_bytes());
      size += sections.size_bytes();
    }
    if (is_near(owner)) {
      put_place(owner, {at, size});
      count_near(owner, size, payload);
      return pad_letter(size);
    }
    const std::uint64_t room = writes() ? payload : 0;
    box_.put(owner, ConstBytes(letter, size + room), room);
    return pad_letter(size + room);
  }

  /// Its sections, into builder_. Bytes of its elements.
  std::uint64_t describe(const QueuePart& part) {
    builder_.clear();
    std::uint64_t payload = 0;
    const FileAddress start = stretch_.start_of(part.slice);
    for (const FilePiece& piece : cut_.pieces(part)) {
      const std::uint64_t n = mover_.file_bytes(piece);
      builder_.add(static_cast<std::uint32_t>(piece.address - start),
                   static_cast<std::uint32_t>(n));
      payload += n;
    }
    return payload;
  }

  void count_near(std::uint64_t owner, std::uint64_t bytes, std::uint64_t payload) {
    if (owner == me_) return;
    ++target_.counts.messages_sent;
    target_.counts.bytes_sent += bytes + (writes() ? payload : 0);
    if (!writes()) target_.counts.bytes_received += payload;
  }

  Status write_stretch() {
    local([&]() -> Status {
      PCIO_TRY(write_letters());
      return pack_pieces();
    });
    mpi::SharedMemory::fence();
    announced_ = true;
    PCIO_TRY(box_.announce());
    mpi::SharedMemory::fence();
    Status sent = box_.send(sends_);
    local([&] { return take_near_letters(); });
    // Others wait for what they send here, whatever failed.
    Status received = mail_.receive([&]() -> Status {
      local([&]() -> Status {
        for (const Received& letter : mail_.batch()) PCIO_TRY(take_letter(letter.bytes));
        return Status();
      });
      return Status();
    });
    if (sent.ok() && received.ok() && mine_.ok())
      local([&] { return for_each_image([](SliceImage& image) { return image.flush(); }); });
    PCIO_TRY(box_.wait(sends_, "sending to the owners of an exchange"));
    PCIO_TRY(std::move(sent));
    return received;
  }

  /// Near pieces into images, far ones behind their sections.
  Status pack_pieces() {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const QueuePart& part = cut_.parts[order_[i]];
      if (is_near(owner_of(order_[i]))) {
        PCIO_TRY(mover_.place(cut_.pieces(part), stretch_.start_of(part.slice),
                              image_of(part.slice), target_.store));
        continue;
      }
      const std::uint64_t owner = owner_of(order_[i]);
      const bool begins = i == 0 || owner_of(order_[i - 1]) != owner;
      if (begins) payload_ = payload_room(owner);
      std::uint64_t size = 0;
      for (const FilePiece& piece : cut_.pieces(part)) size += mover_.file_bytes(piece);
      PCIO_TRY(pack_part(part, payload_.first(size)));
      payload_ = payload_.subspan(size);
    }
    return Status();
  }

  /// Of the letter to an owner of another node, behind its sections.
  Bytes payload_room(std::uint64_t owner) {
    const ConstBytes room = box_.payload_to(owner);
    std::byte* const letters = letters_of(index_of(me_));
    return Bytes(letters + (room.data() - letters), room.size());
  }

  Status pack_part(const QueuePart& part, Bytes payload) {
    if (mover_.form().needs_background()) {
      // Bytes that a conversion keeps; no other rank writes these elements.
      std::uint64_t at = 0;
      for (const FilePiece& piece : cut_.pieces(part)) {
        PCIO_TRY(target_.store.read(piece.address, payload.subspan(at, mover_.file_bytes(piece))));
        at += mover_.file_bytes(piece);
      }
    }
    return mover_.pack(cut_.pieces(part), payload);
  }

  void begin_images() {
    owners_.for_each_of(me_, [&](std::uint64_t number, std::uint64_t slot) {
      image(slot).begin(stretch_.start_of(number), stretch_.slice + element_, image_of(number));
    });
  }
  template <class F>
  Status for_each_image(F&& f) {
    Status all;
    owners_.for_each_of(me_, [&](std::uint64_t, std::uint64_t slot) {
      if (all.ok()) all = f(image(slot));
    });
    return all;
  }
  /// The image that a letter speaks of; nullptr where it is not this rank's.
  SliceImage* image_for(std::uint64_t slice) {
    if (slice >= stretch_.owners || owners_.owner_of(slice) != me_) return nullptr;
    return &image(owners_.slot_of(slice));
  }
  static Status lost() {
    return PCIO_ERROR(INTERNAL, BADRANGE, "exchange: a letter for another owner");
  }

  /// Sections of those who reach this rank's images. They have put their elements there.
  Status take_near_letters() {
    for (std::uint64_t index = 0; index < near_ranks(); ++index) {
      NearLetter place;
      std::memcpy(&place, places_of(index) + index_of(me_) * sizeof place, sizeof place);
      if (place.size == 0) continue;
      if (index != index_of(me_)) {
        ++target_.counts.messages_received;
        target_.counts.bytes_received += place.size;
      }
      PCIO_TRY(mark(ConstBytes(letters_of(index) + place.offset, place.size)));
    }
    return Status();
  }
  Status mark(ConstBytes letter) {
    return SliceLetter(letter).for_each(
        [&](std::uint32_t slice, std::span<const Section> sections, ConstBytes) {
          SliceImage* const image = image_for(slice);
          return image == nullptr ? lost() : image->mark(sections);
        });
  }
  Status take_letter(ConstBytes letter) {
    return SliceLetter(letter).for_each(
        [&](std::uint32_t slice, std::span<const Section> sections, ConstBytes payload) {
          SliceImage* const image = image_for(slice);
          if (image == nullptr || payload.size() != payload_of(sections)) return lost();
          return image->put(sections, payload);
        });
  }

  Status read_stretch() {
    local([&] { return write_letters(); });
    mpi::SharedMemory::fence();
    announced_ = true;
    PCIO_TRY(box_.announce());
    mpi::SharedMemory::fence();
    // Answers are expected before anybody is asked, so that no owner waits with its answer.
    // Whatever failed, owners wait for letters, and ranks for answers.
    Status done = expect_answers();
    keep_first(done, box_.send(sends_));
    keep_first(done, answer());
    keep_first(done, share_images());
    keep_first(done, box_.wait(sends_, "asking the owners of an exchange"));
    keep_first(done, box_.wait(answers_, "waiting for the owners of an exchange"));
    PCIO_TRY(std::move(done));
    local([&] { return take_answers(); });
    return Status();
  }
  static void keep_first(Status& first, Status next) {
    if (first.ok()) first = std::move(next);
  }

  /// Answers lie in replies_, one behind the other in the order of the letters.
  Status expect_answers() {
    RankStatus started;
    std::uint64_t at = 0;
    for_each_far([&](std::uint64_t owner, std::span<const std::uint32_t> parts) {
      std::uint64_t size = 0;
      for (const std::uint32_t part : parts) size += describe(cut_.parts[part]);
      if (at + size > replies_.size())
        started.note(
            PCIO_ERROR(INTERNAL, BADSIZE, "exchange: more is asked for than the budget allows"));
      else
        started.note(box_.expect_answer(answers_, owner, Bytes(replies_.data() + at, size)));
      at += size;
    });
    return started.status();
  }
  /// f(owner, parts) for owners of other nodes, in the order of the letters.
  template <class F>
  void for_each_far(F&& f) {
    if (cut_.parts.empty()) return;
    for (std::size_t first = 0, last = 0; first < order_.size(); first = last) {
      const std::uint64_t owner = owner_of(order_[first]);
      while (last < order_.size() && owner_of(order_[last]) == owner) ++last;
      if (!is_near(owner))
        f(owner, std::span<const std::uint32_t>(order_).subspan(first, last - first));
    }
  }

  /// As owner: loads what is asked for, and answers those of other nodes.
  Status answer() {
    local([&] { return take_near_letters(); });
    return mail_.receive([&]() -> Status {
      local([&]() -> Status {
        for (const Received& letter : mail_.batch()) PCIO_TRY(mark(letter.bytes));
        return load();
      });
      return mail_.answer([](ConstBytes letter) { return SliceLetter(letter).payload(); },
                          [&](ConstBytes letter, Bytes payload) {
                            local([&] { return pack_answer(SliceLetter(letter), payload); });
                          });
    });
  }
  Status load() {
    return for_each_image([](SliceImage& image) { return image.load(); });
  }

  Status pack_answer(const SliceLetter& letter, Bytes payload) {
    std::uint64_t at = 0;
    return letter.for_each(
        [&](std::uint32_t slice, std::span<const Section> sections, ConstBytes) -> Status {
          SliceImage* const image = image_for(slice);
          if (image == nullptr) return lost();
          const std::uint64_t size = payload_of(sections);
          PCIO_TRY(image->get(sections, payload.subspan(at, size)));
          at += size;
          return Status();
        });
  }

  /// The images of all ranks of the node are whole, and this rank's pieces are taken from them.
  /// Collective: over the node, one exchange.
  Status share_images() {
    local([&] { return load(); });
    mpi::SharedMemory::fence();
    if (memory_ != nullptr) PCIO_TRY(coordinator_.node_barrier());
    mpi::SharedMemory::fence();
    local([&]() -> Status {
      for (const QueuePart& part : cut_.parts)
        if (is_near(owners_.owner_of(part.slice)))
          PCIO_TRY(
              mover_.pick(cut_.pieces(part), stretch_.start_of(part.slice), image_of(part.slice)));
      return Status();
    });
    return Status();
  }

  Status take_answers() {
    Status taken;
    std::uint64_t at = 0;
    for_each_far([&](std::uint64_t, std::span<const std::uint32_t> parts) {
      for (const std::uint32_t part : parts) {
        const std::uint64_t size = describe(cut_.parts[part]);
        if (taken.ok())
          taken = mover_.unpack(replies_.bytes().subspan(at, size), cut_.pieces(cut_.parts[part]));
        at += size;
      }
    });
    return taken;
  }

  Direction direction_;
  ElementMover& mover_;
  const ExchangeTarget& target_;
  Coordinator& coordinator_;
  ByEffort<LetterBox, LetterBox, CountingLetterBox> box_kind_;
  LetterBox& box_;
  ExchangeQueue queue_;
  std::uint64_t ranks_;
  std::uint64_t element_;
  bool ready_ = false;
  bool announced_ = false;
  RankStatus mine_;

  SliceGrid grid_;
  SliceOwners owners_;
  FileStretch stretch_;
  StretchCut cut_;
  std::array<std::optional<ByEffort<SliceImage, SliceImage, StillImage>>, kSlotsOfOwner> images_;
  std::vector<std::uint64_t> held_;      ///< [slices] bytes of this rank, then of its node
  std::vector<std::uint64_t> holdings_;  ///< [slices] of all nodes
  std::vector<std::uint32_t> order_;     ///< parts by owner
  SectionBuilder builder_;
  OwnerMail mail_;
  MailLane sends_;
  MailLane answers_;
  Bytes payload_;  ///< what is left of the letter that is packed
  RawBuffer replies_;
};

}  // namespace

Status exchange_nodes(Direction direction, PieceSource& source, ElementMover& mover,
                      const ExchangeTarget& target, const mpi::SharedMemory* memory,
                      const NodeJob& job) {
  return NodeExchange(direction, source, mover, target, memory).run(job);
}

}  // namespace pcio
